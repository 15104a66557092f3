"""The text inside one paragraph of an OpenDocument file: spans, changes, notes, fields and drawings."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite.parse.odf.package import (
    CHART,
    DRAW,
    MATH,
    OFFICE,
    PRESENTATION,
    SVG,
    TABLE,
    TEXT,
    XLINK,
    OdfPackage,
)
from pincite.parse.odf.styles import OdfStyles
from pincite.parse.office.alt_text import alt_text
from pincite.parse.office.mathml import equation
from pincite.parse.office.story import Change, Noted, Piece, raised
from pincite.types import Place

if TYPE_CHECKING:
    from lxml import etree

_SPACES = re.compile(r"[ \t\r\n]+")
MAX_SPACES = 1_000  # that one element may stand for


@dataclass(slots=True)
class OdfStory:
    """The reading of a document: its place, its page, the changes that are open, what stands aside."""

    package: OdfPackage
    styles: OdfStyles
    mode: str
    noted: Noted = field(default_factory=Noted)
    place: Place = field(default_factory=Place)
    page: int = 1
    pieces: list[Piece] = field(default_factory=list)
    asides: list[etree._Element] = field(default_factory=list)
    regions: dict[str, etree._Element] = field(default_factory=dict)
    inserting: dict[str, None] = field(default_factory=dict)  # the open insertions, by id
    deleting: bool = False

    @property
    def change(self) -> Change:
        """The change that the text read now is part of."""
        return "deleted" if self.deleting else "inserted" if self.inserting else ""

    def shown(self) -> bool:
        """Whether the text read now is in the text that is asked for."""
        return self.noted.shows(self.change, self.mode)

    def here(self) -> Place:
        """The place of what is read now."""
        if self.place.page != self.page:
            self.place = replace(self.place, page=self.page)
        return self.place

    def put(self, text: str) -> None:
        """Adds text as it is."""
        if text and self.shown():
            self.pieces.append((text, self.here(), self.change))

    def words(self, text: str | None, *, is_raised: bool = False) -> None:
        """Adds text of the file, in which any white space is one space, and none at the start."""
        if not text:
            return
        text = _SPACES.sub(" ", text)
        if not self.pieces or self.pieces[-1][0][-1] in " \n":
            text = text.lstrip(" ")
        self.put(raised(text, self.pieces) if is_raised else text)


def read_changes(body: etree._Element, story: OdfStory) -> None:
    """Takes in the regions of tracked changes, which stand before the text."""
    for region in body.iterfind(f"{TEXT}tracked-changes/{TEXT}changed-region"):
        id_ = region.get(f"{TEXT}id") or region.get("{http://www.w3.org/XML/1998/namespace}id") or ""
        if len(region):
            story.regions[id_] = region[0]


def read_inline(node: etree._Element, story: OdfStory, *, is_raised: bool = False) -> None:
    """Adds the pieces and asides of a paragraph. Its depth is that of the XML, which its reader bounds."""
    story.words(node.text, is_raised=is_raised)
    for child in node:
        action = _ACTIONS.get(child.tag)
        if action:
            action(child, story)
        elif child.tag == f"{TEXT}span":
            _span(child, story, is_raised)
        elif isinstance(child.tag, str) and child.tag not in _SILENT:
            read_inline(child, story, is_raised=is_raised)
        story.words(child.tail, is_raised=is_raised)


def change_mark(element: etree._Element, story: OdfStory) -> None:
    """Follows the start, end or place of a tracked change."""
    id_ = element.get(f"{TEXT}change-id", "")
    region = story.regions.get(id_)
    if region is None:
        return
    if element.tag == f"{TEXT}change-end":
        story.inserting.pop(id_, None)
    elif region.tag == f"{TEXT}insertion":
        story.inserting[id_] = None
        story.noted.changed = True
    elif region.tag == f"{TEXT}deletion":
        _deleted(id_, region, story)


def _deleted(id_: str, region: etree._Element, story: OdfStory) -> None:
    """The text of a deletion at its place; the paragraphs it spans stand on lines of their own."""
    story.noted.changed = True
    if story.mode == "final" or story.deleting:
        return
    del story.regions[id_]  # it is shown once
    story.deleting = True
    paragraphs = list(region.iter(f"{TEXT}p", f"{TEXT}h"))
    for i, paragraph in enumerate(paragraphs):
        if i:
            story.put("\n")
        read_inline(paragraph, story)
    story.deleting = False


def _span(element: etree._Element, story: OdfStory, is_raised: bool) -> None:
    style = story.styles.get("text", element.get(f"{TEXT}style-name"))
    if style.hidden:
        if "".join(element.itertext()).strip():
            story.noted.add(story.here(), "hidden text")
        return
    read_inline(element, story, is_raised=is_raised or style.raised)


def _spaces(element: etree._Element, story: OdfStory) -> None:
    count = element.get(f"{TEXT}c", "1")
    story.put(" " * (min(int(count[:6]), MAX_SPACES) if count.isdecimal() else 1))


def _note(element: etree._Element, story: OdfStory) -> None:
    """A mark at the place of a note, which follows the paragraph."""
    mark = (element.findtext(f"{TEXT}note-citation") or "").strip()
    story.put(f"[{mark}]" if mark else "")
    _aside(element, story)


def _aside(element: etree._Element, story: OdfStory) -> None:
    if story.shown():
        story.asides.append(element)


def _hideable(element: etree._Element, story: OdfStory) -> None:
    """Text that a condition hides."""
    if element.get(f"{TEXT}is-hidden") == "true":
        story.noted.add(story.here(), "hidden text")
    else:
        read_inline(element, story)


def _ruby(element: etree._Element, story: OdfStory) -> None:
    """A word with its reading behind it in brackets."""
    base, reading = element.find(f"{TEXT}ruby-base"), element.find(f"{TEXT}ruby-text")
    if base is not None:
        read_inline(base, story)
    if reading is not None and "".join(reading.itertext()).strip():
        story.put(f"({' '.join(''.join(reading.itertext()).split())})")


def read_drawing(element: etree._Element, story: OdfStory) -> None:
    """What a drawing says: its text stands aside, a formula or a picture's description in the line."""
    if not story.shown():
        return
    if element.tag == f"{DRAW}control":
        story.noted.add(story.here(), "a form control")
    described = _described(element)
    for child in element:
        name = child.tag.rpartition("}")[2] if isinstance(child.tag, str) else ""
        if child.tag in DRAWINGS:
            read_drawing(child, story)
        elif name == "text-box" or child.tag == f"{TABLE}table":
            story.asides.append(child)
        elif name == "object":
            _object(child, story)
            return  # what follows is its picture
        elif name == "object-ole":
            story.noted.add(story.here(), "an embedded file")
            return
        elif name == "plugin":
            story.noted.add(story.here(), "a sound, film or program")
            return
        elif name == "image":
            _picture(described, story)
            return
    if element.find(f"{TEXT}p") is not None or element.find(f"{TEXT}list") is not None:
        story.asides.append(element)


def _picture(described: str, story: OdfStory) -> None:
    if described:
        story.put(f"[image: {described}]")
    else:
        story.noted.picture(story.here())


def _described(element: etree._Element) -> str:
    """The title and description of a drawing, as one."""
    texts = (alt_text(element.findtext(SVG + name)) for name in ("title", "desc"))
    return ": ".join(dict.fromkeys(filter(None, texts)))


def _object(element: etree._Element, story: OdfStory) -> None:
    """An object inside the file: a formula in the line, a chart aside; others are named."""
    root = element[0] if len(element) else story.package.object(element.get(f"{XLINK}href", ""))
    if root is not None and root.tag == f"{MATH}math":
        story.put(equation(root))
        return
    chart = next(root.iter(f"{CHART}chart"), None) if root is not None else None
    if chart is not None:
        story.asides.append(chart)
    else:
        story.noted.add(story.here(), "an embedded file")


def _page(element: etree._Element, story: OdfStory) -> None:
    story.page += 1


def _literal(text: str) -> Callable[[etree._Element, OdfStory], None]:
    return lambda element, story: story.put(text)


DRAWINGS = frozenset(
    DRAW + name
    for name in (
        "frame", "custom-shape", "rect", "line", "polyline", "polygon", "regular-polygon", "path", "circle",
        "ellipse", "connector", "caption", "measure", "g", "a", "control",
    )
)  # fmt: skip
_SILENT = frozenset(
    [
        f"{OFFICE}annotation-end",
        f"{TEXT}hidden-paragraph",
        f"{TEXT}tracked-changes",
        f"{TEXT}script",
        f"{PRESENTATION}notes",
        f"{OFFICE}forms",
        f"{TEXT}sequence-decls",
    ]
)
_ACTIONS: dict[object, Callable[[etree._Element, OdfStory], None]] = {
    f"{TEXT}s": _spaces,
    f"{TEXT}tab": _literal("\t"),
    f"{TEXT}line-break": _literal("\n"),
    f"{TEXT}soft-page-break": _page,
    f"{TEXT}note": _note,
    f"{OFFICE}annotation": _aside,
    f"{TEXT}ruby": _ruby,
    f"{TEXT}hidden-text": _hideable,
    f"{TEXT}change": change_mark,
    f"{TEXT}change-start": change_mark,
    f"{TEXT}change-end": change_mark,
    **dict.fromkeys(DRAWINGS, read_drawing),
}
