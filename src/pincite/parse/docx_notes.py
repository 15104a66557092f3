"""Footnotes, endnotes, comments and diagrams of a Word file, each read where it is first referred to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.parse.docx_blocks import Blocks
from pincite.parse.docx_inline import Aside, Story
from pincite.parse.docx_numbering import Numbering
from pincite.parse.docx_styles import Styles, W, value
from pincite.parse.numerals import numeral
from pincite.parse.office_items import Item, joined_lines
from pincite.parse.opc import Package
from pincite.parse.writer import Part
from pincite.types import Place

if TYPE_CHECKING:
    from lxml import etree

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_PARTS = {"footnote": "footnotes", "endnote": "endnotes", "comment": "comments"}
_FORMATS = {"footnote": "decimal", "endnote": "lowerRoman"}


class Notes:
    """The notes of a file. A mark stands in the text, the note itself after its paragraph or table."""

    def __init__(self, package: Package, main: str, styles: Styles, numbering: Numbering, mode: str) -> None:
        self._package, self._main = package, main
        self._styles, self._numbering, self._mode = styles, numbering, mode
        self._elements: dict[str, dict[str, etree._Element]] = {}
        self._marks: dict[tuple[str, str], str] = {}
        self._numbers: dict[str, int] = {}
        self._read: set[tuple[str, str]] = set()
        self._formats = dict(_FORMATS)
        for part in package.related(main, "settings")[:1]:
            root = package.xml(part)
            for kind in _FORMATS:
                given = root.find(f"{W}{kind}Pr")
                if given is not None and value(given, "numFmt"):
                    self._formats[kind] = value(given, "numFmt")

    def mark(self, kind: str, id: str) -> str:
        """What stands in the text for a note: `[1]`, `[iv]`; "" for one that does not exist."""
        if id not in self._notes(kind):
            return ""
        if (kind, id) not in self._marks:
            self._numbers[kind] = self._numbers.get(kind, 0) + 1
            self._marks[kind, id] = numeral(self._numbers[kind], self._formats[kind])
        return f"[{self._marks[kind, id]}]"

    def items(self, aside: Aside, story: Story) -> list[Item]:
        """The block of a note, comment or diagram; none if it was read before."""
        if aside.kind == "diagram":
            return self._diagram(aside.id, story)
        element = self._notes(aside.kind).get(aside.id)
        if element is None or (aside.kind, aside.id) in self._read:
            return []
        self._read.add((aside.kind, aside.id))
        if aside.kind == "comment":
            author = " ".join(element.get(f"{W}author", "").split())
            self._numbers["comment"] = self._numbers.get("comment", 0) + 1
            name = f"comment {self._numbers['comment']}"
            return self._note(element, name, f"comment by {author}" if author else "comment", story)
        name = f"{aside.kind} {self._marks.get((aside.kind, aside.id), aside.id)}"
        return self._note(element, name, name, story)

    def rest(self, story: Story) -> list[Item]:
        """The comments that no text refers to."""
        return [item for id in self._notes("comment") for item in self.items(Aside("comment", id), story)]

    def _note(self, element: etree._Element, name: str, label: str, story: Story) -> list[Item]:
        """One block that begins with the label; what a note refers to in turn is not followed."""
        inner = Story(
            self._styles, story.noted, self._mode, Place(part=name, page=story.page), _unmarked, story.page
        )
        items = Blocks(inner, self._numbering, in_box=True).read(element)
        parts: list[Part] = joined_lines(item.parts for item in items)
        return [Item("paragraph", [(f"[{label}] ", None), *parts])] if parts else []

    def _notes(self, kind: str) -> dict[str, etree._Element]:
        """The notes of a kind by id; the lines that separate notes from the text are none."""
        if kind not in self._elements:
            found: dict[str, etree._Element] = {}
            for part in self._package.related(self._main, _PARTS[kind])[:1]:
                for element in self._package.xml(part).iterfind(W + kind):
                    if element.get(f"{W}type", "normal") == "normal":
                        found.setdefault(element.get(f"{W}id", ""), element)
            self._elements[kind] = found
        return self._elements[kind]

    def _diagram(self, id: str, story: Story) -> list[Item]:
        """The texts of a diagram's (SmartArt's) points, a line each."""
        reference = self._package.relationships(self._main).get(id)
        if reference is None or reference.external or reference.target not in self._package:
            return []
        if ("diagram", id) in self._read:
            return []
        self._read.add(("diagram", id))
        lines: list[list[Part]] = []
        for paragraph in self._package.xml(reference.target).iter(f"{_A}p"):
            text = "".join(run.text or "" for run in paragraph.iter(f"{_A}t"))
            lines.append([(text, story.here())])
        return [Item("paragraph", joined_lines(lines))]


def _unmarked(kind: str, id: str) -> str:
    return ""
