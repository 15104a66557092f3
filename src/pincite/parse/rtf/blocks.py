"""Text of RTF as it grows: paragraphs, rows of tables and notes, each with its number."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pincite.parse.html.blocks import CELL
from pincite.parse.office.items import Cell, heads_columns, is_full, trimmed
from pincite.parse.writer import Part, Writer, cells_joined, raised, text_of
from pincite.types import BlockKind, Place, Span

_BOX = "text box"
MAX_CELLS = 1_000  # of one row


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The properties of a paragraph: its style, its own outline level from 1, list, and table."""

    style: int = 0
    level: int = 0
    in_list: bool = False
    in_table: bool = False

    def changed(self, name: str, number: int | None) -> Paragraph:
        """The properties after a control word."""
        value = number or 0
        match name:
            case "s":
                return replace(self, style=value)
            case "outlinelevel":
                return replace(self, level=value + 1 if 0 <= value < 9 else 0)
            case "ls":
                return replace(self, in_list=value > 0)
            case "intbl":
                return replace(self, in_table=number != 0)
            case "itap":
                return replace(self, in_table=value > 0)
        return Paragraph()


@dataclass(slots=True)
class _Row:
    cells: list[list[Part]]
    is_header: bool
    all_bold: bool


class Blocks:
    """The open paragraph and what it stands in: a row of a table, or a note."""

    def __init__(self) -> None:
        self.writer = Writer()
        self._number = 1
        self._parts: list[Part] = []
        self._bold = True  # whether all text of the row so far is bold
        self._marker: str | None = None
        self._cells: list[list[Part]] = []
        self._header_row = False
        self._rows: list[_Row] = []
        self._tables = 0
        self._row_number = 0  # in the open table, rows without text counted too
        self._asides: list[tuple[str, list[Part], Place]] = []  # open ones, with what they interrupt
        self._waiting: list[tuple[str, list[Part]]] = []
        self._counts: dict[str, int] = {}
        self._place: Place | None = None

    # ── text ──────────────────────────────────────────────────────────────────────────────────
    def text(self, text: str, *, bold: bool, is_raised: bool = False) -> None:
        """Adds text to the open paragraph."""
        if is_raised and self._parts:
            text = raised(self._parts[-1][0], text)
        if text.strip() and not bold and not self._asides:
            self._bold = False
        for i, line in enumerate(text.split("\n")):
            if i:
                self._parts.append(("\n", None))
            if line:
                self._parts.append((line, self._place or self._here()))

    def _here(self) -> Place:
        return Place(part=f"paragraph {self._number}")

    def begin_marker(self) -> None:
        """Makes the open paragraph a list item."""
        self._marker = self._marker or ""

    def marker(self, text: str) -> None:
        """Adds text of the mark before a list item."""
        self._marker = (self._marker or "") + text[:100]

    # ── notes ─────────────────────────────────────────────────────────────────────────────────
    def begin_aside(self, kind: str) -> None:
        """Reads what follows as a note, until `end_aside`; its mark stands in the text."""
        name = {"annotation": "comment", "shptxt": _BOX}.get(kind, kind)
        number = self._counts[name] = self._counts.get(name, 0) + 1
        if name == "footnote":
            self._parts.append((f"[{number}]", None))
        self._asides.append((f"{name} {number}", self._parts, self._place or self._here()))
        self._parts, self._place = [], Place(part=f"{name} {number}")

    def end_aside(self) -> None:
        """Ends the note that is read; it follows the paragraph it stands in."""
        name, outer, _ = self._asides.pop()
        if parts := trimmed(self._parts):
            self._waiting.append((name, parts))
        self._parts = outer
        self._place = Place(part=self._asides[-1][0]) if self._asides else None

    def _write_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for name, parts in waiting:
            if name.startswith("running header"):
                self.writer.add("paragraph", parts, left_out="running header")
            elif name.startswith(_BOX):
                self.writer.add("paragraph", parts)
            else:
                self.writer.add("paragraph", [(f"[{name}] ", None), *parts])

    # ── paragraphs ────────────────────────────────────────────────────────────────────────────
    def end_paragraph(self, paragraph: Paragraph, levels: dict[int, int]) -> None:
        """Ends the open paragraph; in a note or a cell only its line."""
        if self._asides or paragraph.in_table:
            self._parts.append(("\n" if self._asides else " ", None))
            self._marker = None
            return
        self.end_table()
        level = paragraph.level or levels.get(paragraph.style, 0)
        kind: BlockKind = "list" if paragraph.in_list or self._marker is not None else "paragraph"
        mark = " ".join((self._marker or "").split())
        counts = mark != "o" and any(ch.isalnum() for ch in mark)  # a bullet says nothing
        shown: list[Part] = [(f"{mark} ", None)] if counts and not level else []
        if any(text.strip() for text, _ in self._parts):
            self.writer.add(kind, [*shown, *self._parts], level=level)
        self._parts, self._marker, self._bold = [], None, True
        self._number += 1
        self._write_waiting()

    # ── tables ────────────────────────────────────────────────────────────────────────────────
    def begin_row(self) -> None:
        """Starts the definition of a row."""
        self._header_row = False

    def row_is_header(self) -> None:
        """Marks the row as one that is repeated on each page."""
        self._header_row = True

    def end_cell(self) -> None:
        """Ends a cell."""
        if self._asides:
            self._parts.append((" ", None))
        elif len(self._cells) < MAX_CELLS:
            self._cells.append(self._parts)
            self._parts = []
        self._marker = None

    def end_row(self) -> None:
        """Ends a row of a table."""
        if self._asides:
            return
        if any(text.strip() for text, _ in self._parts):  # text behind the last cell
            self._cells.append(self._parts)
        self._take_row(is_header=self._header_row)
        self._parts, self._bold = [], True

    def _take_row(self, *, is_header: bool = False) -> None:
        """Takes the open cells as the next row of the table, each with its place there."""
        self._tables += not self._row_number
        self._row_number += 1
        place = Place(part=f"table {self._tables} row {self._row_number}")
        cells = [[(text, place if own else None) for text, own in cell] for cell in self._cells]
        if any(text.strip() for cell in cells for text, _ in cell):
            self._rows.append(_Row(cells, is_header, self._bold))
        self._cells = []

    def end_table(self) -> None:
        """Adds the rows read so far, with their header."""
        if self._cells:
            self._bold = False
            self._take_row()
        rows, self._rows, self._row_number = self._rows, [], 0
        if not rows:
            return
        head = _header_rows(rows)
        header, first, last = "", None, None
        for i, row in enumerate(rows):
            parts = cells_joined(row.cells, CELL)
            if i < head:
                span = self.writer.add("table", parts, tight=bool(last))
                header = f"{header}\n{text_of(parts)}".strip("\n")
                first, last = first or span, span or last
            else:
                where = Span(first.start, last.end) if first and last else None
                self.writer.add("row", parts, header=header, header_span=where)
        self._write_waiting()


def _header_rows(rows: list[_Row]) -> int:
    """How many of the first rows are the header: those that repeat, else the first if it looks like one."""
    repeated = next((i for i, row in enumerate(rows) if not row.is_header), 0)
    if repeated or len(rows) < 2:
        return repeated
    if rows[0].all_bold and not rows[1].all_bold:
        return 1
    cells = [[Cell(parts) for parts in row.cells] for row in rows]
    return int(is_full(cells[0]) and heads_columns(cells))
