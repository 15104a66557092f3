"""A sheet as blocks: its tables with caption, header row and one row per block, and the text around them.

All spreadsheet formats fill in a `Sheet` of shown cells; what is a table is decided in `regions.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache

from pincite.parse.html.blocks import CELL
from pincite.parse.sheets.headers import Hints
from pincite.parse.sheets.regions import Area, Grid, Line, Region, filled, regions
from pincite.parse.writer import MAX_TEXT, Part, Writer, plain_text
from pincite.types import Place, Span

MAX_CELLS = 500_000  # cells with content that are read of one file; rows beyond are cut and counted
MAX_EXACT = 20_000  # cells of a sheet up to which each has a place of its own; beyond, each row has one
MAX_WIDTH = 64  # columns up to which the rows of a nearly empty table show their empty cells
MAX_NAME = 200  # characters of a column's name that is repeated before its cells
MAX_ROW, MAX_COLUMN = 1_048_576, 16_384
_WEB = ("http://", "https://", "mailto:")
HIDDEN_ROW, HIDDEN_COLUMN = "[hidden row] ", "[hidden column] "


@dataclass(slots=True)
class Room:
    """What may still be read of a file: cells, and characters of them."""

    cells: int
    characters: int = MAX_TEXT


@dataclass(slots=True)
class Sheet:
    """A sheet's shown cells by row and column from 1, both ascending, without empty ones.

    `hints` tell which rows may be header rows. `notes` are (reference, text) of what hangs on a cell or lies
    over the sheet; `dropped` names what is not read; `cut` counts characters cut off, with the rows from
    `first_cut` to `last_cut`.
    """

    name: str
    rows: Grid = field(default_factory=dict)
    merged: list[Area] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    hints: Hints = field(default_factory=Hints)
    notes: list[tuple[str, str]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    n_cells: int = 0
    cut: int = 0
    first_cut: int = 0
    last_cut: int = 0

    def take(self, row: int, cells: dict[int, str], room: Room) -> bool:
        """Takes the cells of a row in and returns True, or cuts the row if there is no room for it."""
        size = sum(map(len, cells.values()))
        if not self.has_room(room) or size > room.characters:
            self.leave(row, row, size)
            return False
        self.rows.setdefault(row, {}).update(cells)
        self.n_cells += len(cells)
        room.cells -= len(cells)
        room.characters -= size
        return True

    def has_room(self, room: Room) -> bool:
        """Whether another row may be read; after one that was cut none is."""
        return not self.first_cut and room.cells > 0

    def leave(self, first: int, last: int, size: int) -> None:
        """Counts rows that are cut."""
        self.first_cut, self.last_cut = self.first_cut or first, last
        self.cut += size


@cache
def column_name(column: int) -> str:
    """The letters of a column from 1: A … Z, AA …"""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(65 + digit) + letters
    return letters


@lru_cache(maxsize=1 << 15)
def column_number(letters: str) -> int:
    """The column, from 1, of its letters; 0 for what is none."""
    column = 0
    for letter in letters:
        if not "A" <= letter <= "Z" or len(letters) > 3:
            return 0
        column = 26 * column + ord(letter) - 64
    return column if column <= MAX_COLUMN else 0


def read_area(reference: str) -> Area | None:
    """The area of `A1:F4` or `B2`, also with `$`; None for what is none."""
    ends = [_cell(end) for end in reference.replace("$", "").upper().split(":")[:2]]
    if not all(row and column for row, column in ends):
        return None
    (top, left), (bottom, right) = ends[0], ends[-1]
    return Area(min(top, bottom), min(left, right), max(top, bottom), max(left, right))


def _cell(reference: str) -> tuple[int, int]:
    letters = reference.rstrip("0123456789")
    digits = reference[len(letters) :]
    row = int(digits) if digits and len(digits) <= 7 else 0
    return (row if row <= MAX_ROW else 0), column_number(letters)


def whole_number(text: str) -> int:
    """The number that a file states in at most nine digits; 0 for what is none."""
    return int(text) if len(text) < 10 and text.isdecimal() else 0


def cell_name(row: int, column: int) -> str:
    """The reference of a cell: `B7`."""
    return f"{column_name(column)}{row}"


def comment(author: str, text: str, day: str = "") -> str:
    """A comment as it stands in the document, with who wrote it and when, as far as that is known."""
    by = ", ".join(filter(None, (f"by {author}" if author else "", day)))
    return f"[comment {by}] {text}" if by else f"[comment] {text}"


def link_shown(text: str, address: str | None) -> str:
    """A cell's text with the address it leads to, unless it is no web address or the text says it."""
    if not address or not address.startswith(_WEB):
        return text
    address = one_line(address.removeprefix("mailto:"))
    return text if address.rstrip("/") in text else f"{text} ({address})"


def one_line(text: str) -> str:
    """A cell's text with its white space, line breaks too, as single spaces."""
    return " ".join(text.split())


def header_text(text: str, span: Span | None) -> str:
    """The text of a header as it stands in the document at `span`; "" if it does not."""
    return plain_text(text).strip()[: len(span)] if span else ""


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def write_sheet(writer: Writer, sheet: Sheet) -> str:
    """Adds a section of the sheet's name: its tables and texts in reading order, then its notes.

    Returns the line at the top, if it is a caption or a text.
    """
    if sheet.first_cut:
        rows = f"rows {sheet.first_cut}-{sheet.last_cut}"
        limit = f"the limit of {MAX_CELLS:,} cells or {MAX_TEXT:,} characters"
        sheet.dropped.append(f"sheet {sheet.name}: {rows} (beyond {limit})")
    if not sheet.rows and not sheet.notes:
        return ""
    writer.add("heading", [(sheet.name, Place(part=sheet.name))], level=1)
    cells = filled(sheet.rows, sheet.merged)
    if cells.unfilled:
        sheet.dropped.append(f"sheet {sheet.name}: the repetition of {cells.unfilled:,} merged areas")
    page, found = _Page(writer, sheet), regions(cells, sheet.hints)
    for region in found:
        page.add(region)
    for reference, text in sheet.notes:
        part = f"{sheet.name}!{reference}" if reference else sheet.name
        writer.add("paragraph", [(text, Place(part=part))])
    return _top_line(found[0]) if found else ""


def only(titles: list[str]) -> str:
    """The title of a file that has one visible sheet: the line at its top, if that is not too long."""
    return titles[0] if len(titles) == 1 and len(titles[0]) <= 120 else ""


def _top_line(region: Region) -> str:
    line = region.line or next(iter(region.captions), None)
    return line.text if line else ""


class _Page:
    """One sheet on its way into the writer."""

    def __init__(self, writer: Writer, sheet: Sheet) -> None:
        self.writer, self.sheet = writer, sheet
        self.exact = sheet.n_cells <= MAX_EXACT
        self.header = ""
        self.span: Span | None = None

    def add(self, region: Region) -> None:
        """Adds a line of text or a table; one that goes on has the header of the last one."""
        if region.line:
            self.writer.add("paragraph", self._line(region.line))
            return
        if not region.goes_on:
            self._add_header(region)
        sparse = _is_sparse(region)
        for n, row in enumerate(region.rows):
            marked = not region.names and not n
            parts = self._named(region, row) if sparse else self._row(region, row, marked=marked)
            hidden: list[Part] = [(HIDDEN_ROW, None)] if row in self.sheet.hidden_rows else []
            self.writer.add("row", hidden + parts, header=self.header, header_span=self.span)

    def _add_header(self, region: Region) -> None:
        """Adds captions and header rows as one block of a line each, which the rows then need."""
        lines = [self._line(line) for line in region.captions]
        lines += [self._row(region, row, marked=True) for row in region.headers]
        parts: list[Part] = []
        for line in lines:
            parts += [("\n", None), *line] if parts else line
        self.span = self.writer.add("table", parts) if parts else None
        self.header = header_text("".join(text for text, _ in parts), self.span)

    def _line(self, line: Line) -> list[Part]:
        return [(line.text, self._place(line.row, line.column))]

    def _place(self, row: int, first: int, last: int = 0) -> Place:
        end = f":{cell_name(row, last)}" if last > first else ""
        return Place(part=f"{self.sheet.name}!{cell_name(row, first)}{end}")

    def _row(self, region: Region, row: int, *, marked: bool = False) -> list[Part]:
        """A row's cells with borders between them; an empty cell is between two borders, none are at the end.

        Each cell has its own place, or in a large sheet all have that of the row. With `marked`, cells of
        hidden columns say so.
        """
        cells, last = region.cells[row], next(reversed(region.cells[row]))
        if not self.exact and not marked:
            text = CELL.join(cells.get(n, "") for n in region.columns if n <= last)
            return [(text.lstrip(), self._place(row, next(iter(cells)), last))]
        hidden = self.sheet.hidden_columns if marked else frozenset()
        parts: list[Part] = []
        for column in region.columns[: region.columns.index(last) + 1]:
            parts.append((CELL if parts else "", None))
            if column in cells:
                parts.append((HIDDEN_COLUMN if column in hidden else "", None))
                parts.append((cells[column], self._place(row, column)))
        return _from_text(parts)

    def _named(self, region: Region, row: int) -> list[Part]:
        """The cells of a row that hold anything, each behind the name of its column if that is short."""
        parts: list[Part] = []
        for column, text in region.cells[row].items():
            parts.append((CELL if parts else "", None))
            name = region.names.get(column, "")
            parts.append((f"{name}: " if name and len(name) <= MAX_NAME else "", None))
            parts.append((text, self._place(row, column)))
        return parts


def _is_sparse(region: Region) -> bool:
    """Whether a wide table is nearly empty, so that rows with their empty cells would be mostly borders."""
    held = sum(len(region.cells[row]) for row in region.rows)
    return len(region.columns) > MAX_WIDTH and 8 * held < len(region.rows) * len(region.columns)


def _from_text(parts: list[Part]) -> list[Part]:
    """The parts without white space at the start."""
    first = next(n for n, (text, _) in enumerate(parts) if text.strip())
    return [(parts[first][0].lstrip(), parts[first][1]), *parts[first + 1 :]]
