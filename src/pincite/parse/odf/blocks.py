"""The paragraphs, lists and tables of an OpenDocument file in order, with what stands aside of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.parse.odf.inline import DRAWINGS, OdfStory, change_mark, read_drawing, read_inline
from pincite.parse.odf.lists import Counter, Lists, label, start_value
from pincite.parse.odf.package import CHART, DC, OFFICE, TABLE, TEXT
from pincite.parse.odf.styles import OdfStyle
from pincite.parse.odf.table import rows_in, table_cells
from pincite.parse.office.items import (
    MAX_HEADING,
    Cell,
    Item,
    follows_bare_table,
    heads_columns,
    is_full,
    is_layout,
    joined_lines,
    table_items,
    text_length,
    trimmed,
)
from pincite.parse.office.story import Counts, Piece, marked
from pincite.parse.writer import Part
from pincite.types import BlockKind, Place

if TYPE_CHECKING:
    from lxml import etree

_INDEXES = frozenset(
    TEXT + name
    for name in (
        "table-of-content", "illustration-index", "table-index", "object-index", "user-index",
        "alphabetical-index",
    )
)  # fmt: skip
_WRAPPERS = frozenset(
    TEXT + name for name in ("numbered-paragraph", "index-body", "index-title", "bibliography")
)
_CODE = ("preformatted text", "source text", "source code")


@dataclass(slots=True)
class OdfBlocks:
    """Reads blocks into items.

    `counts` is None where places do not count paragraphs: in cells, boxes, notes and on slides. In a box
    there are no headings. In a cell, what stands aside waits for the end of the table.
    """

    story: OdfStory
    counts: Counts | None = None
    in_box: bool = False
    in_cell: bool = False
    left_out: str = ""
    items: list[Item] = field(default_factory=list)
    _lists: Lists = field(init=False)
    _label: str = ""
    _in_list: bool = False
    _kept: list[Piece] = field(default_factory=list)  # of paragraphs whose end was inserted

    def __post_init__(self) -> None:
        self._lists = Lists(self.story.styles)

    def read(self, container: etree._Element) -> list[Item]:
        """The items of everything in a container."""
        self._read(container)
        self._end_kept()
        return self.items

    def shape(self, element: etree._Element) -> list[Item]:
        """The items of one drawing or comment that stands for itself."""
        self._mark(element)
        self._end_kept()
        return self.items

    def _read(self, container: etree._Element) -> None:
        """Reads the blocks of a container. Its depth is that of the XML, which its reader bounds."""
        for element in container:
            tag = element.tag
            if tag in (f"{TEXT}p", f"{TEXT}h"):
                self._paragraph(element)
            elif tag == f"{TEXT}list":
                self._list(element, 1, None)
            elif tag == f"{TABLE}table":
                self._end_kept()
                self._table(element)
            elif tag == f"{TEXT}section":
                self._section(element)
            elif tag in _INDEXES:
                self._index(element)
            elif tag in _WRAPPERS:
                self._read(element)
            else:
                self._mark(element)

    def _mark(self, element: etree._Element) -> None:
        """What stands between blocks: drawings, comments, changes, page breaks."""
        if element.tag in DRAWINGS:
            read_drawing(element, self.story)
            self._append(self.story.pieces, OdfStyle(), 0)
            self.story.pieces = []
            self._add_asides()
        elif element.tag == f"{TEXT}soft-page-break":
            self.story.page += 1
        elif element.tag == f"{OFFICE}annotation":
            self.story.asides.append(element)
        elif element.tag in (f"{TEXT}change-start", f"{TEXT}change-end", f"{TEXT}change"):
            change_mark(element, self.story)
            self._kept += self.story.pieces
            self.story.pieces = []

    def _section(self, element: etree._Element) -> None:
        if element.get(f"{TEXT}display", "true") == "true" or element.get(f"{TEXT}is-hidden") == "false":
            self._read(element)
        elif "".join(element.itertext()).strip():
            self.story.noted.add(self.story.here(), "a hidden section")

    def _index(self, element: etree._Element) -> None:
        before, self.left_out = self.left_out, self.left_out or "table of contents"
        self._read(element)
        self.left_out = before

    def _paragraph(self, element: etree._Element) -> None:
        story = self.story
        if self.counts:
            self.counts.paragraphs += 1
            story.place = Place(part=f"paragraph {self.counts.paragraphs}", page=story.page)
        style = story.styles.get("paragraph", element.get(f"{TEXT}style-name"))
        if style.hidden or any(e.get(f"{TEXT}is-hidden") == "true" for e in element.iter(_HIDING)):
            story.noted.add(story.here(), "hidden text")
            return
        read_inline(element, story)
        self._kept += story.pieces
        story.pieces = []
        if not story.shown():
            return  # the end of this paragraph is not in the text that is asked for
        pieces, self._kept = self._kept, []
        level = _level(element, style)
        if level and element.tag == f"{TEXT}h" and not self._label:
            self._label = self._lists.outline_label(element, style, level)
        self._append(pieces, style, level)
        self._add_asides()

    def _end_kept(self) -> None:
        if self._kept:
            self._append(self._kept, OdfStyle(), 0)
            self._kept = []
        self._add_asides()

    def _append(self, pieces: list[Piece], style: OdfStyle, level: int) -> None:
        parts = trimmed(marked(pieces, self.story.mode), indented=style.is_a(*_CODE))
        if not parts:
            return
        is_long = text_length(parts) > MAX_HEADING
        if self.in_box or is_long:
            level = 0
        if style.is_a("title") and not is_long and not self.story.noted.title:
            self.story.noted.title = "".join(text for text, _ in parts)
        shown, self._label = self._label, ""
        if shown:
            parts = [(shown, None), *parts]
        self._add(style, level, parts, is_list=bool(shown) and self._in_list)

    def _add(self, style: OdfStyle, level: int, parts: list[Part], *, is_list: bool) -> None:
        last = self.items[-1] if self.items else None
        is_code = style.is_a(*_CODE) and not level and not is_list
        if last and last.left_out == self.left_out and (self.left_out or (is_code and last.kind == "code")):
            last.parts.extend([("\n", None), *parts])
        elif self.left_out:
            self.items.append(Item("paragraph", parts, left_out=self.left_out))
        elif level:
            self.items.append(Item("heading", parts, level=level))
        else:
            plain: BlockKind = "quote" if style.is_a("quotations", "quote") else "paragraph"
            kind: BlockKind = "list" if is_list else "code" if is_code else plain
            is_caption = kind == "paragraph" and style.is_a("caption") and not follows_bare_table(self.items)
            self.items.append(Item(kind, parts, is_caption=is_caption))

    def _list(self, element: etree._Element, level: int, above: Counter | None) -> None:
        """A list with the lists inside it, each item with its number or bullet."""
        counter = self._lists.counter(element, level, above)
        for item in element:
            if not isinstance(item.tag, str):
                continue
            first = next((child.tag for child in item if isinstance(child.tag, str)), "")
            self._label = ""
            if item.tag == f"{TEXT}list-item" and first in (f"{TEXT}p", f"{TEXT}h"):
                numbers = counter.next(level, start_value(item))
                self._label = label(counter.levels, numbers, level)
            for child in item:
                within, self._in_list = self._in_list, True
                if child.tag == f"{TEXT}list":
                    self._list(child, level + 1, counter)
                elif child.tag in (f"{TEXT}p", f"{TEXT}h"):
                    self._paragraph(child)
                else:
                    self._mark(child)
                self._in_list = within
        self._label = ""

    def _add_asides(self) -> None:
        """Adds what the last block refers to: notes, comments, text boxes, charts."""
        while self.story.asides and not self.in_cell:
            asides, self.story.asides = self.story.asides, []
            for aside in asides:
                self.items += self._aside(aside)

    def _aside(self, element: etree._Element) -> list[Item]:
        if element.tag == f"{TEXT}note":
            body = element.find(f"{TEXT}note-body")
            kind = element.get(f"{TEXT}note-class", "footnote")
            mark = (element.findtext(f"{TEXT}note-citation") or "").strip()
            return self._note(body, f"{kind} {mark}".strip(), f"{kind} {mark}".strip())
        if element.tag == f"{OFFICE}annotation":
            author = " ".join((element.findtext(f"{DC}creator") or "").split())
            self.story.noted.comments += 1
            name = f"comment {self.story.noted.comments}"
            return self._note(element, name, f"comment by {author}" if author else "comment")
        box = OdfBlocks(self.story, in_box=True, left_out=self.left_out)
        if element.tag == f"{CHART}chart":
            return box.chart(element)
        if element.tag == f"{TABLE}table":
            box._table(element)
            return box.items
        return box.read(element)

    def _note(self, element: etree._Element | None, name: str, mark: str) -> list[Item]:
        """One block that begins with the mark."""
        if element is None:
            return []
        place, self.story.place = self.story.place, Place(part=name, page=self.story.page)
        items = OdfBlocks(self.story, in_box=True).read(element)
        self.story.place = place
        parts = joined_lines(item.parts for item in items)
        return [Item("paragraph", [(f"[{mark}] ", None), *parts])] if parts else []

    def chart(self, chart: etree._Element) -> list[Item]:
        """A chart's title, and its values as a table."""
        titles = chart.iterfind(f"{CHART}title")
        title = " ".join(" ".join("".join(one.itertext()) for one in titles).split())
        self.items.append(
            Item("paragraph", [(f"[chart] {title}".strip(), self.story.here())], is_caption=True)
        )
        table = chart.find(f"{TABLE}table")
        if table is not None:
            self._table(table)
        return self.items

    def _table(self, table: etree._Element) -> None:
        """Adds a table: its rows, or where it only arranges text, the blocks of its cells."""
        story, place = self.story, self.story.place
        base = place.part or ""
        if self.counts:
            self.counts.tables += 1
            base = f"table {self.counts.tables}"
        blocks: list[list[list[Item]]] = []
        rows: list[list[Cell]] = []
        places: list[Place] = []
        headers = 0
        spans: dict[int, tuple[int, int]] = {}
        for number, (row, is_header) in enumerate(rows_in(table), 1):
            story.place = Place(part=f"{base} row {number}" if self.counts else base, page=story.page)
            places.append(story.place)
            headers += is_header and headers == number - 1
            inner, cells = self._row(row, spans)
            blocks.append(inner)
            rows.append(cells)
        story.place = place
        if is_layout(blocks) or self.left_out:
            self.items += [item for row_ in blocks for items in row_ for item in items]
        else:
            guessed = int(not headers and len(rows) > 1 and is_full(rows[0]) and heads_columns(rows))
            self.items += table_items(rows, places, min(headers, len(rows) - 1) or guessed)
        self._add_asides()

    def _row(
        self, row: etree._Element, spans: dict[int, tuple[int, int]]
    ) -> tuple[list[list[Item]], list[Cell]]:
        """The cells of a row as blocks, and as parts of a row; a repeated cell is read once."""
        blocks: list[list[Item]] = []
        cells: list[Cell] = []
        last: etree._Element | None = None
        for element, cell in table_cells(row, spans):
            if element is not None and element is last:
                cell.parts = list(cells[-1].parts)
            elif element is not None:
                reader = OdfBlocks(self.story, in_box=self.in_box, in_cell=True, left_out=self.left_out)
                blocks.append(reader.read(element))
                cell.parts = joined_lines(item.parts for item in blocks[-1])
            last = element
            cells.append(cell)
        return blocks, cells if blocks or any(cell.continues for cell in cells) else []


_HIDING = f"{TEXT}hidden-paragraph"


def _level(element: etree._Element, style: OdfStyle) -> int:
    """The heading level of a paragraph from 1; 0 for what is no heading."""
    if element.tag != f"{TEXT}h":
        return int(style.is_a("title"))
    level = element.get(f"{TEXT}outline-level", "1")
    return max(1, min(int(level[:3]), 10)) if level.isdecimal() else 1
