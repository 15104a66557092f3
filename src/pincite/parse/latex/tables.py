"""Tables of LaTeX as they are read: rows of cells, and which of them are the header."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.parse.html.blocks import CELL
from pincite.parse.writer import Part, Writer, cells_joined, text_of
from pincite.types import Span

_MAX_HEADER = 4  # rows above the first rule that can be a header

Row = list[list[Part]]


@dataclass(slots=True)
class Table:
    """The rows read so far, the cells of the open row, and after how many rows a rule was drawn."""

    rows: list[Row] = field(default_factory=list)
    cells: Row = field(default_factory=list)
    rules: list[int] = field(default_factory=list)
    first_head: int | None = None

    def end_cell(self, parts: list[Part]) -> None:
        """Takes the text of a cell."""
        self.cells.append(parts)

    def end_row(self) -> None:
        """Takes the cells of a row, unless all are blank."""
        if any(text.strip() for cell in self.cells for text, _ in cell):
            self.rows.append(self.cells)
        self.cells = []

    def rule(self) -> None:
        """Notes a line across the table."""
        self.rules.append(len(self.rows))

    def end_head(self, command: str) -> None:
        """Drops what long tables repeat on each page: the head after the first, and what is below."""
        if command == "endfirsthead" or (command == "endhead" and self.first_head is None):
            self.first_head = len(self.rows)
        else:
            del self.rows[self.first_head or 0 :]
        self.rules = [rule for rule in self.rules if rule <= len(self.rows)]

    @property
    def header_rows(self) -> int:
        """How many rows are the header: those above the first rule that has rows on both sides."""
        if self.first_head:
            return self.first_head
        found = next((rule for rule in self.rules if 0 < rule < len(self.rows)), 0)
        return found if found <= _MAX_HEADER else 0


def write_table(writer: Writer, table: Table, caption: str = "", caption_span: Span | None = None) -> None:
    """Adds the rows; `caption` is what stands over or under the table, with its span if it is right above."""
    head = table.header_rows
    lines, first, last = [caption] if caption else [], caption_span, caption_span
    for row in table.rows[:head]:
        span = writer.add("table", cells_joined(row, CELL), tight=bool(last))
        if span:
            lines.append(text_of(cells_joined(row, CELL)))
            first, last = first or span, span
    header = "\n".join(lines)
    in_place = (first is not None and last is not None) and (bool(caption_span) or not caption)
    header_span = Span(first.start, last.end) if in_place and first and last else None
    for row in table.rows[head:]:
        writer.add("row", cells_joined(row, CELL), header=header, header_span=header_span)
