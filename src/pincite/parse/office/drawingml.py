"""What drawings of Office files share: alternatives, paragraphs of text, and SmartArt's nodes (DrawingML)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MAX_DIGITS = 8  # of a number that orders nodes


def chosen(element: etree._Element) -> etree._Element | None:
    """The one alternative that is read: the first choice, the fallback if there is none or it is empty."""
    first = next((one for one in element.iterfind(f"{MC}Choice") if len(one)), None)
    return first if first is not None else element.find(f"{MC}Fallback")


def drawn(element: etree._Element, *, up_to: str = "") -> Iterator[etree._Element]:
    """All elements below, in order, of alternatives one only, and not what is inside those of tag `up_to`."""
    stack = list(reversed(element))
    while stack:
        one = stack.pop()
        if one.tag == f"{MC}AlternateContent":
            inner = chosen(one)
            stack += [] if inner is None else [inner]
            continue
        yield one
        if one.tag != up_to:
            stack.extend(reversed(one))


def paragraph_text(paragraph: etree._Element) -> str:
    """The words of a paragraph on one line; a line break is a space."""
    found = paragraph.iter("{*}t", "{*}br")
    return " ".join("".join(" " if one.tag.endswith("}br") else one.text or "" for one in found).split())


def body_text(element: etree._Element) -> str:
    """The words of all paragraphs in an element on one line."""
    return " ".join(filter(None, (paragraph_text(p) for p in element.iter("{*}p"))))


def diagram_nodes(data: etree._Element) -> list[tuple[int, str]]:
    """Level, from 0, and text of each node of SmartArt that has text, under the one it belongs to."""
    texts = {
        point.get("modelId", ""): " ".join(body_text(text) for text in point.iterfind("{*}t"))
        for point in data.iterfind("{*}ptLst/{*}pt")
        if point.get("type", "node") in ("node", "asst", "doc")
    }
    below = _below(data, texts)
    children = {child for links in below.values() for _, child in links}
    # those that belong to each other in a circle come last
    order = [point for point in texts if point not in children] + [one for one in texts if one in children]
    todo = [(point, 0) for point in reversed(order)]
    found: list[tuple[int, str]] = []
    seen: set[str] = set()
    while todo:
        point, level = todo.pop()
        if point in seen:
            continue
        seen.add(point)
        if texts[point]:
            found.append((level, texts[point]))
            level += 1
        todo.extend((child, level) for _, child in sorted(below.get(point, ()), reverse=True))
    return found


def _below(data: etree._Element, texts: dict[str, str]) -> dict[str, list[tuple[int, str]]]:
    """Place and id of the nodes under each node."""
    below: dict[str, list[tuple[int, str]]] = {}
    for link in data.iterfind("{*}cxnLst/{*}cxn"):
        if link.get("type", "parOf") == "parOf" and link.get("destId") in texts:
            order = link.get("srcOrd", "0")
            place = int(order) if order.isdecimal() and len(order) <= _MAX_DIGITS else 0
            below.setdefault(link.get("srcId", ""), []).append((place, link.get("destId", "")))
    return below
