"""The paragraphs and tables of a Word file in order, with what stands aside of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pincite.parse.docx.inline import MATH, read_inline
from pincite.parse.docx.numbering import Numbering
from pincite.parse.docx.story import CHANGES, Aside, Story
from pincite.parse.docx.styles import Style, W, numbered_of, outline_of, value
from pincite.parse.docx.table import (
    cells_in,
    elements_in,
    gap_before,
    header_rows,
    made_cell,
    rows_in,
)
from pincite.parse.office.items import (
    MAX_HEADING,
    Cell,
    Item,
    follows_bare_table,
    is_layout,
    table_items,
    text_length,
    trimmed,
)
from pincite.parse.office.omml import equation
from pincite.parse.office.story import Change, Counts, Piece, marked
from pincite.parse.writer import Part
from pincite.types import BlockKind, Place

if TYPE_CHECKING:
    from lxml import etree

BLOCKS = frozenset(W + name for name in ("p", "tbl", "altChunk")) | MATH


class Asides(Protocol):
    """Reads what a paragraph refers to."""

    def items(self, aside: Aside, story: Story) -> list[Item]:
        """The blocks of a note, comment or diagram; none if it was read before."""


@dataclass(slots=True)
class Blocks:
    """Reads blocks into items.

    `counts` is None where places do not count paragraphs: in cells, boxes and notes. In a box there are no
    headings. In a cell, what stands aside waits for the end of the table.
    """

    story: Story
    numbering: Numbering
    asides: Asides | None = None
    counts: Counts | None = None
    in_box: bool = False
    in_cell: bool = False
    items: list[Item] = field(default_factory=list)
    _kept: list[Piece] = field(default_factory=list)  # of paragraphs whose end was deleted

    def read(self, container: Iterable[etree._Element], change: Change = "") -> list[Item]:
        """The items of everything in a container. Its depth is that of the XML, which its reader bounds."""
        for element, within in elements_in(container, BLOCKS, change):
            if element.tag == f"{W}p":
                self._paragraph(element, within)
            elif element.tag == f"{W}tbl":
                self._end_kept()
                self._table(element, within)
            elif element.tag in MATH:
                self._equation(element, within)
            else:
                self.story.noted.add(self.story.here(), "an imported file")
        self._end_kept()
        return self.items

    def _begin_paragraph(self) -> None:
        if self.counts:
            self.counts.paragraphs += 1
            self.story.place = Place(part=f"paragraph {self.counts.paragraphs}", page=self.story.page)

    def _equation(self, element: etree._Element, change: Change) -> None:
        """Adds an equation that stands between paragraphs as one of them."""
        self._end_kept()
        self._begin_paragraph()
        if self.story.shows(change):
            self._append([(equation(element), self.story.here(), change)], Style(), None)

    def _paragraph(self, element: etree._Element, change: Change) -> None:
        story = self.story
        self._begin_paragraph()
        properties = element.find(f"{W}pPr")
        style_id = value(properties, "pStyle") if properties is not None else ""
        style = story.styles[style_id or story.styles.default]
        if story.shows(change):
            read_inline(element, story, style, change)
        self._kept += story.pieces
        story.pieces = []
        ends = story.shows(change) and story.shows(_end_change(properties))
        if ends and not _is_drop_cap(properties):
            pieces, self._kept = self._kept, []
            self._append(pieces, style, properties)
            self._add_asides()

    def _end_kept(self) -> None:
        """A paragraph whose end was deleted stands alone if none follows that it could join."""
        if self._kept:
            self._append(self._kept, Style(), None)
            self._kept = []
        self._add_asides()

    def _append(self, pieces: list[Piece], style: Style, properties: etree._Element | None) -> None:
        """Adds a paragraph; one without text only counts in its list."""
        label = self._label(style, properties)
        parts = trimmed(marked(pieces, self.story.mode), indented=style.is_code)
        if not parts:
            return
        own = outline_of(properties) if properties is not None else None
        level = style.level if own is None else own
        is_long = text_length(parts) > MAX_HEADING
        if self.in_box or is_long:
            level = 0
        if style.name == "title" and not is_long and not self.story.noted.title:
            self.story.noted.title = "".join(text for text, _ in parts)
        if label:
            parts = [(label, None), *parts]
        self._add(style, level, parts, is_list=bool(label))

    def _add(self, style: Style, level: int, parts: list[Part], *, is_list: bool) -> None:
        last = self.items[-1] if self.items else None
        if style.is_contents:
            if last and last.left_out:
                last.parts.extend([("\n", None), *parts])
            else:
                self.items.append(Item("paragraph", parts, left_out="table of contents"))
        elif style.is_code and last and last.kind == "code":
            last.parts.extend([("\n", None), *parts])
        elif level:
            self.items.append(Item("heading", parts, level=level))
        elif is_list:
            self.items.append(Item("list", parts))
        else:
            kind: BlockKind = "code" if style.is_code else "quote" if style.is_quote else "paragraph"
            is_caption = style.name == "caption" and not follows_bare_table(self.items)
            self.items.append(Item(kind, parts, is_caption=is_caption))

    def _label(self, style: Style, properties: etree._Element | None) -> str:
        """The number or bullet of a paragraph, which is counted with it."""
        own = numbered_of(properties, style.numbered) if properties is not None else style.numbered
        if not own.list_id or own.list_id not in self.numbering:
            return ""
        level = own.level
        if level is None:
            level = self.numbering.level_of(own.list_id, style.id)
        return self.numbering.label(own.list_id, level)

    def _add_asides(self) -> None:
        """Adds what the last block refers to: notes, comments, text boxes."""
        if self.in_cell:
            return
        while self.story.asides:
            asides, self.story.asides = self.story.asides, []
            for aside in asides:
                self.items += self._read_aside(aside)

    def _read_aside(self, aside: Aside) -> list[Item]:
        if aside.kind == "picture":
            return [Item("paragraph", [(aside.id, self.story.here())])]
        if aside.element is not None:
            box = Blocks(self.story, self.numbering, self.asides, in_box=True)
            return box.read(aside.element)
        return self.asides.items(aside, self.story) if self.asides else []

    def _table(self, table: etree._Element, change: Change) -> None:
        """Adds a table: its rows, or where it only arranges text, the blocks of its cells."""
        story, place = self.story, self.story.place
        base = place.part or ""
        if self.counts:
            self.counts.tables += 1
            base = f"table {self.counts.tables}"
        blocks: list[list[list[Item]]] = []
        rows: list[tuple[etree._Element, list[Cell]]] = []
        places: list[Place] = []
        for number, (row, within) in enumerate(rows_in(table, change), 1):
            if story.shows(within):
                story.place = Place(part=f"{base} row {number}" if self.counts else base, page=story.page)
                places.append(story.place)
                inner, cells = self._row(row, within)
                blocks.append(inner)
                rows.append((row, cells))
        story.place = place
        if is_layout(blocks):
            self.items += [item for row_ in blocks for cell in row_ for item in cell]
        else:
            self.items += table_items([cells for _, cells in rows], places, header_rows(table, rows))
        self._add_asides()

    def _row(self, row: etree._Element, change: Change) -> tuple[list[list[Item]], list[Cell]]:
        """The cells of a row as blocks, and as parts of a row; the cells of a row begin on one page."""
        first = last = self.story.page
        blocks: list[list[Item]] = []
        cells = [Cell(width=gap_before(row))] if gap_before(row) else []
        for element, within in cells_in(row, change):
            if not self.story.shows(within):
                continue
            self.story.page = first
            cell = Blocks(self.story, self.numbering, in_box=self.in_box, in_cell=True)
            blocks.append(cell.read(element, within))
            cells.append(made_cell(element, blocks[-1]))
            last = max(last, self.story.page)
        self.story.page = last
        return blocks, cells


def _is_drop_cap(properties: etree._Element | None) -> bool:
    """Whether a paragraph is only the large first letter of the next one."""
    frame = properties.find(f"{W}framePr") if properties is not None else None
    return frame is not None and frame.get(f"{W}dropCap", "none") in ("drop", "margin")


def _end_change(properties: etree._Element | None) -> Change:
    """Whether the end of a paragraph was inserted or deleted: without it, it joins the next one."""
    mark = properties.find(f"{W}rPr") if properties is not None else None
    changes = [CHANGES[e.tag] for e in mark if e.tag in CHANGES] if mark is not None else []
    return "deleted" if "deleted" in changes else changes[0] if changes else ""
