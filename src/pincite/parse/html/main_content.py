"""Which text of a web page is its main content, by the scheme of Mozilla's Readability.

Paragraphs give points to the elements around them, by their length and commas; the best element, less its
share of links, is the content, with the siblings that look like it. Parts whose names or shape say that they
are no prose are taken out before and after. See https://github.com/mozilla/readability (Apache-2.0); this is
another program, which decides about texts and leaves the page as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.parse.html.main_parts import drop_unlike_prose, drop_unlikely, weight
from pincite.parse.html.nesting import Event, names
from pincite.parse.html.tree import RUN, TEXT, Node, Page, Sums, grow

_ENOUGH = 500  # characters of a content that is believed at once
_SCORED = names("section h2 h3 h4 h5 h6 p td pre") | {RUN}
_POINTS = (
    {"div": 5.0}
    | dict.fromkeys(("pre", "td", "blockquote"), 3.0)
    | dict.fromkeys(("address", "ol", "ul", "dl", "dd", "dt", "li", "form"), -3.0)
    | dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "th"), -5.0)
)
_SENTENCE_END = re.compile(r"[.。!?！？](?:\s|$)")
_TRIES = ((True, True, True), (False, True, True), (False, False, True), (False, False, False))


def outside_main_content(source: str, events: Sequence[Event]) -> frozenset[int]:
    """The offsets of the texts that stand outside a page's main content; none if it is not found.

    A content shorter than 500 characters is looked for again with ever less taken out; the longest counts.
    """
    nodes = grow(source, events)
    best: Page | None = None
    for unlikely, weigh, clean in _TRIES:
        page = Page(nodes)
        if unlikely:
            drop_unlikely(page)
        page.keep_only(_content(source, page, weigh=weigh))
        drop_unlike_prose(page, weigh=weigh, by_shape=clean)
        if best is None or page.length > best.length:
            best = page
        if page.length >= _ENOUGH:
            break
    if best is None or not best.length:
        return frozenset()
    return frozenset(node.at for i, node in enumerate(nodes) if node.name == TEXT and not best.kept[i])


def _content(source: str, page: Page, *, weigh: bool) -> list[int]:
    """The nodes that hold the main content: the best element and those of its siblings that belong to it."""
    sums = page.sums()
    _clear_wrappers(page, sums)
    above = page.parents()
    body = next((i for i, node in page if node.name == "body"), 0)
    scores = _scores(page, sums, above, body, weigh=weigh)
    ranked = sorted(scores, key=lambda i: (-scores[i] * (1 - sums[i].link_density), i))[:5]
    final = {i: scores[i] * (1 - sums[i].link_density) for i in scores}
    if not ranked or ranked[0] == body:
        return [body]
    children = _children(page, above)
    top = _widened(ranked, final, above, children, body)
    return _with_siblings(source, page, top, final, sums, children[above[top]])


def _clear_wrappers(page: Page, sums: Sequence[Sums]) -> None:
    """Makes clear each `div` that holds one paragraph and nothing else."""
    children: dict[int, int] = {}
    for i, node in page:
        children[node.parent] = 0 if node.parent in children else i
    for parent, child in children.items():
        only = page.nodes[child]
        if parent > 0 and child and page.nodes[parent].name == "div" and sums[parent].link_density < 0.25:
            page.clear[parent] |= only.name == "p" or (only.name == RUN and not only.clear)


def _scores(
    page: Page, sums: Sequence[Sums], above: Sequence[int], body: int, *, weigh: bool
) -> dict[int, float]:
    """The points of each element near a paragraph: in full from a child, half from a grandchild …"""
    scores: dict[int, float] = {}
    for i, node in page:
        held = sums[i]
        if node.name not in _SCORED or page.clear[i] or held.length < 25 or i <= body:
            continue
        points = 2.0 + held.commas + min(held.length // 100, 3)
        up = i
        for level in range(5):
            up = above[up]
            if up < body or up < 0:
                break
            if up not in scores:
                scores[up] = _POINTS.get(page.nodes[up].name, 0.0) + weight(page.nodes[up], weigh)
            scores[up] += points / (1, 2, 6, 9, 12)[level]
    return scores


def _children(page: Page, above: Sequence[int]) -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for i, _ in page:
        if not page.clear[i]:
            children.setdefault(above[i], []).append(i)
    return children


def _widened(
    ranked: Sequence[int],
    final: dict[int, float],
    above: Sequence[int],
    children: dict[int, list[int]],
    body: int,
) -> int:
    """The best element, or one around it: that holds the rivals, scores better, or has no other child."""
    top = ranked[0]
    rivals = [set(_up(i, above)) for i in ranked[1:] if final[i] >= 0.75 * final[top]]
    around = [up for up in _up(top, above) if up > body]
    shared = (up for up in around if sum(up in rival for rival in rivals) >= 3)
    top = next(shared, top)
    top = _better(top, final, [up for up in around if up < top])
    while above[top] > body and children[above[top]] == [top]:
        top = above[top]
    return top


def _better(top: int, final: dict[int, float], around: Sequence[int]) -> int:
    """The nearest element around `top` with a better score than what it holds; low ones end the search."""
    last = final.get(top, 0.0)
    least = last / 3
    for up in (up for up in around if up in final):
        if final[up] < least:
            return top
        if final[up] > last:
            return up
        last = final[up]
    return top


def _up(i: int, above: Sequence[int]) -> list[int]:
    """The ancestors of a node, nearest first; of a page nested without end, the nearest 1,000."""
    found: list[int] = []
    while (i := above[i]) >= 0 and len(found) < 1000:
        found.append(i)
    return found


def _with_siblings(
    source: str,
    page: Page,
    top: int,
    final: dict[int, float],
    sums: Sequence[Sums],
    siblings: Sequence[int],
) -> list[int]:
    """The best element and the siblings that score well, or are paragraphs of prose."""
    score, named = final.get(top, 0.0), page.nodes[top].attributes.get("class", "")
    least = max(10.0, score * 0.2)
    roots = []
    for i in siblings:
        node, held = page.nodes[i], sums[i]
        bonus = score * 0.2 if named and node.attributes.get("class", "") == named else 0.0
        prose = node.name in ("p", RUN) and (
            held.link_density < 0.25
            if held.length > 80
            else held.length > 0 and not held.links and _ends_sentence(source, page.nodes, i)
        )
        if i == top or (i in final and final[i] + bonus >= least) or prose:
            roots.append(i)
    return roots


def _ends_sentence(source: str, nodes: Sequence[Node], i: int) -> bool:
    texts = (node for node in nodes[i : nodes[i].end] if node.name == TEXT)
    return any(_SENTENCE_END.search(source[node.at : node.at + 200].partition("<")[0]) for node in texts)
