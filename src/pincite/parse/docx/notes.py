"""Notes, comments, diagrams and charts of a Word file, each read where it is first referred to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.parse.docx.blocks import Blocks
from pincite.parse.docx.numbering import Numbering
from pincite.parse.docx.story import Aside, Story
from pincite.parse.docx.styles import Styles, W, value
from pincite.parse.office.chart import read_chart
from pincite.parse.office.drawingml import diagram_nodes
from pincite.parse.office.items import Cell, Item, joined_lines, table_items
from pincite.parse.office.numerals import numeral
from pincite.parse.office.opc import Package
from pincite.parse.writer import Part
from pincite.types import Place

if TYPE_CHECKING:
    from lxml import etree

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
        root = package.first(main, "settings")
        for kind in _FORMATS if root is not None else ():
            given = root.find(f"{W}{kind}Pr") if root is not None else None
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
        """The blocks of a note, comment, diagram or chart; none if it was read before."""
        if aside.kind in ("diagram", "chart"):
            root = self._referred(aside)
            shape = _diagram if aside.kind == "diagram" else _chart
            return shape(root, story) if root is not None else []
        element = self._notes(aside.kind).get(aside.id)
        if element is None or (aside.kind, aside.id) in self._read:
            return []
        self._read.add((aside.kind, aside.id))
        if aside.kind == "comment":
            author = " ".join(element.get(f"{W}author", "").split())
            self._numbers["comment"] = self._numbers.get("comment", 0) + 1
            name = f"comment {self._numbers['comment']}"
            return self._note(element, name, f"comment by {author}" if author else "comment", story)
        name = f"{aside.kind} {aside.mark or self._marks.get((aside.kind, aside.id), aside.id)}"
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
            root = self._package.first(self._main, _PARTS[kind])
            for element in root.iterfind(W + kind) if root is not None else ():
                if element.get(f"{W}type", "normal") == "normal":
                    found.setdefault(element.get(f"{W}id", ""), element)
            self._elements[kind] = found
        return self._elements[kind]

    def _referred(self, aside: Aside) -> etree._Element | None:
        """The root of the part that a chart or diagram is in, the first time it is asked for."""
        reference = self._package.relationships(self._main).get(aside.id)
        if reference is None or reference.external or reference.target not in self._package:
            return None
        if (aside.kind, aside.id) in self._read:
            return None
        self._read.add((aside.kind, aside.id))
        return self._package.optional(reference.target)


def _diagram(root: etree._Element, story: Story) -> list[Item]:
    """The texts of a diagram's (SmartArt's) nodes, a line each, those under others indented."""
    lines = ([("  " * level, None), (text, story.here())] for level, text in diagram_nodes(root))
    return [Item("paragraph", joined_lines(lines))]


def _chart(root: etree._Element, story: Story) -> list[Item]:
    """A chart's titles, and its values as a table."""
    chart, place = read_chart(root), story.here()
    if chart.cut:
        story.noted.add(place, f"{chart.cut:,} rows or series of a chart (beyond the limit)")
    titles = ": ".join(filter(None, (chart.title, ", ".join(chart.axes))))
    rows = [[Cell([(text, place)]) for text in row] for row in (chart.header, *chart.rows) if row]
    label = Item("paragraph", [(f"[chart] {titles}" if titles else "[chart]", place)], is_caption=True)
    return [label, *table_items(rows, [place] * len(rows), int(bool(chart.header)))]


def _unmarked(kind: str, id: str) -> str:
    return ""
