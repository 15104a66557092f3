"""Parts of a web page that are not its main content, by their names and by their shape."""

from __future__ import annotations

import re

from pincite.parse.html.nesting import names
from pincite.parse.html.tree import Node, Page, Sums


def _any_of(words: str) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in words.split()))


# Words in classes and ids. The first two sets decide alone, the other two weigh.
_UNLIKELY = _any_of(
    "banner breadcrumb comment community consent cookie disqus extra footer gdpr header legends masthead "
    "menu newsletter pager pagination popup recommend related remark replies rss shoutbox sidebar "
    "skyscraper social sponsor supplemental toolbar -ad- ad-break"
)
_LIKELY = _any_of("and article body column content main mathjax shadow")
_GOOD = _any_of("article blog body content entry main page post story text")
_BAD = _any_of(
    "banner comment com- contact footer footnote gdpr hidden masthead media meta outbrain promo related "
    "scroll share shopping sidebar skyscraper sponsor tags tool widget -ad-"
)
_SHARE = re.compile(r"(?:\b|_)share(?:daddy)?(?:\b|_)")
_UNLIKELY_ROLES = names(
    "alert alertdialog banner complementary contentinfo dialog menu menubar navigation search toolbar"
)
_NEVER = names("aside footer nav object embed input textarea select button link")
_DATA_PARTS = names("caption col colgroup tfoot thead th")
_BY_SHAPE = names("form fieldset table ul div")


def weight(node: Node, weigh: bool) -> float:
    """What class and id say of a node: 25 for or against it, each."""
    total = 0.0
    for name in ("class", "id") if weigh else ():
        given = node.attributes.get(name, "").lower()
        total += 25 * (bool(_GOOD.search(given)) - bool(_BAD.search(given))) if given else 0
    return total


def drop_unlikely(page: Page) -> None:
    """Takes out the elements whose name or role says that they are not the content."""
    protected = 0  # the end of the table or code that is not looked into
    for i, node in enumerate(page.nodes):
        if not page.kept[i]:
            continue
        if node.name in ("table", "code"):
            protected = max(protected, node.end)
        named = i >= protected and node.name not in ("body", "html", "a") and _is_unlikely(node)
        if named or node.attributes.get("role", "").strip().lower() in _UNLIKELY_ROLES:
            page.drop(i)


def _is_unlikely(node: Node) -> bool:
    label = node.label
    return label != " " and bool(_UNLIKELY.search(label)) and not _LIKELY.search(label)


def drop_unlike_prose(page: Page, *, weigh: bool, by_shape: bool) -> None:
    """Takes out of the content what is no part of its prose: side notes, forms, lists of links.

    From the inside out, so that what is taken out no longer counts for what is around it.
    """
    _drop_named(page, weigh)
    shielded = _shielded(page)
    sums = [Sums() for _ in page.nodes]
    for i in range(len(page.nodes) - 1, 0, -1):
        if not page.kept[i]:
            continue
        node, held = page.nodes[i], sums[i]
        held.close(node, clear=bool(page.clear[i]))
        if by_shape and node.name in _BY_SHAPE and not page.clear[i] and not shielded[i]:
            in_figure = page.nodes[node.parent].name == "figure"
            if _unlike_prose(node, held, weight(node, weigh), in_figure=in_figure):
                page.drop(i)
                continue
        sums[node.parent].add(held)


def _drop_named(page: Page, weigh: bool) -> None:
    for i, node in enumerate(page.nodes):
        if page.kept[i] and (
            node.name in _NEVER
            or (node.name in ("h1", "h2") and weight(node, weigh) < 0)
            or (_SHARE.search(node.label) and _short(page, i))
        ):
            page.drop(i)


def _short(page: Page, i: int) -> bool:
    """Whether a node has less than 500 characters in at most 300 nodes."""
    end = page.nodes[i].end
    return end - i <= 300 and sum(node.length for node in page.nodes[i:end]) < 500


def _shielded(page: Page) -> bytearray:
    """Which nodes are tables of data, or stand in one, or in code."""
    shielded = bytearray(len(page.nodes))
    for i, node in page:
        if not shielded[i] and (node.name == "code" or (node.name == "table" and _is_data(page, i))):
            shielded[i : node.end] = b"\1" * (node.end - i)
    return shielded


def _is_data(page: Page, i: int) -> bool:
    """Whether a table holds data, by its parts and its size; one that holds a table does not."""
    if page.nodes[i].attributes.get("role", "").strip().lower() == "presentation":
        return False
    rows = columns = cells = 0
    parts = False
    for at in range(i + 1, page.nodes[i].end):
        name = page.nodes[at].name
        if name == "table":
            return False
        parts = parts or name in _DATA_PARTS
        if name == "tr":
            rows, cells = rows + 1, 0
        elif name == "td":
            cells += 1
            columns = max(columns, cells)
    if parts or "summary" in page.nodes[i].attributes:
        return True
    return rows > 1 and columns > 1 and (rows >= 10 or columns > 4 or rows * columns > 10)


def _unlike_prose(node: Node, held: Sums, weight: float, *, in_figure: bool) -> bool:
    """Whether the shape of an element says that it is no prose: links, pictures, list items, inputs."""
    if weight < 0:
        return True
    if held.commas >= 10:
        return False
    is_list = node.name in ("ul", "ol") or held.listed > 0.9 * held.length
    if is_list and held.li == held.img:  # a list of pictures, with captions
        return False
    few = held.length < 25 and (held.img == 0 or held.img > 2)
    headed = held.headed / held.length if held.length else 0.0
    return (
        (not in_figure and held.img > 1 and held.p < 0.5 * held.img)
        or (not is_list and held.li - 100 > held.p)
        or held.input > held.p // 3
        or (not is_list and not in_figure and headed < 0.9 and few and held.link_density > 0)
        or (not is_list and weight < 25 and held.link_density > 0.2)
        or (weight >= 25 and held.link_density > 0.5)
        or (held.embed == 1 and held.length < 75)
        or held.embed > 1
        or (held.img == 0 and held.dense == 0)
    )
