"""A sheet as blocks: its tables with caption, header row and one row per block, and the text around them.

All spreadsheet formats fill in a `Sheet` of shown cells; what is a table is decided in `regions.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache

from pincite.parse.html_blocks import CELL
from pincite.parse.regions import Area, Grid, Region, filled, regions
from pincite.parse.writer import Part, Writer, plain_text
from pincite.types import Place, Span

MAX_CELLS = 500_000  # cells with content that are read of one file; rows beyond are cut and counted
MAX_EXACT = 20_000  # cells of a sheet up to which each has a place of its own; beyond, each row has one
MAX_ROW, MAX_COLUMN = 1_048_576, 16_384
_WEB = ("http://", "https://", "mailto:")
HIDDEN_ROW, HIDDEN_COLUMN = "[hidden row] ", "[hidden column] "


@dataclass(slots=True)
class Sheet:
    """A sheet's shown cells by row and column from 1, both ascending, without empty ones.

    `header_rows` are rows the file itself marks as header rows. `notes` are (reference, text) of what hangs
    on a cell or lies over the sheet; `dropped` names what is not read; `cut` counts characters cut off,
    with the rows from `first_cut` to `last_cut`.
    """

    name: str
    rows: Grid = field(default_factory=dict)
    merged: list[Area] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    header_rows: set[int] = field(default_factory=set)
    notes: list[tuple[str, str]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    n_cells: int = 0
    cut: int = 0
    first_cut: int = 0
    last_cut: int = 0


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
        sheet.dropped.append(f"sheet {sheet.name}: {rows} (beyond the limit of {MAX_CELLS:,} cells)")
    if not sheet.rows and not sheet.notes:
        return ""
    writer.add("heading", [(sheet.name, Place(part=sheet.name))], level=1)
    grid, copies, unfilled = filled(sheet.rows, sheet.merged)
    if unfilled:
        sheet.dropped.append(f"sheet {sheet.name}: the repetition of {unfilled:,} merged areas")
    page, found = _Page(writer, sheet, grid), regions(grid, copies, sheet.header_rows)
    for region in found:
        page.add(region)
    for reference, text in sheet.notes:
        part = f"{sheet.name}!{reference}" if reference else sheet.name
        writer.add("paragraph", [(text, Place(part=part))])
    return _top_line(found[0], grid) if found else ""


def only(titles: list[str]) -> str:
    """The title of a file that has one visible sheet: the line at its top, if that is not too long."""
    return titles[0] if len(titles) == 1 and len(titles[0]) <= 120 else ""


def _top_line(region: Region, grid: Grid) -> str:
    lines = region.captions or ([(region.rows[0], region.columns)] if region.is_text else [])
    return grid[lines[0][0]][lines[0][1][0]] if lines else ""


class _Page:
    """One sheet on its way into the writer."""

    def __init__(self, writer: Writer, sheet: Sheet, grid: Grid) -> None:
        self.writer, self.sheet, self.grid = writer, sheet, grid
        self.exact = sheet.n_cells <= MAX_EXACT
        self.header = ""
        self.span: Span | None = None

    def add(self, region: Region) -> None:
        """Adds a text or a table; one without a header of its own may go on under the last one."""
        if region.is_text:
            for row in region.rows:
                self.writer.add("paragraph", self._parts(row, region.columns))
            return
        if not region.goes_on:
            self._add_header(region)
        for n, row in enumerate(region.rows):
            marks = not region.headers and not n
            parts = self._parts(row, region.columns, marks=marks)
            self.writer.add("row", parts, header=self.header, header_span=self.span)

    def _add_header(self, region: Region) -> None:
        """Adds captions and header rows as one block of a line each, which the rows then need."""
        lines = [self._parts(row, columns) for row, columns in region.captions]
        lines += [self._parts(row, region.columns, marks=True) for row in region.headers]
        parts: list[Part] = []
        for line in lines:
            parts += [("\n", None), *line] if parts else line
        self.span = self.writer.add("table", parts) if parts else None
        self.header = header_text("".join(text for text, _ in parts), self.span)

    def _parts(self, row: int, columns: list[int], *, marks: bool = False) -> list[Part]:
        """A row's cells with borders between them, an empty cell between two borders, none at the end."""
        cells = self.grid[row]
        held = [column for column in columns if column in cells]
        parts: list[Part] = [(HIDDEN_ROW, None)] if row in self.sheet.hidden_rows else []
        if not self.exact and not marks:
            return parts + self._whole(row, columns, held)
        at = columns.index(held[0]) if held else 0
        parts += [((CELL * at).lstrip(), None)] if at else []
        for n, column in enumerate(columns[at : columns.index(held[-1]) + 1] if held else ()):
            parts += [(CELL, None)] if n else []
            if column in cells:
                hidden = marks and column in self.sheet.hidden_columns
                parts += [(HIDDEN_COLUMN, None)] if hidden else []
                parts.append((cells[column], Place(part=f"{self.sheet.name}!{column_name(column)}{row}")))
        return parts

    def _whole(self, row: int, columns: list[int], held: list[int]) -> list[Part]:
        """A row's cells as one part with one place."""
        cells = self.grid[row]
        text = CELL.join(cells.get(column, "") for column in columns).rstrip(" |")
        first, last = column_name(held[0]), column_name(held[-1])
        part = f"{self.sheet.name}!{first}{row}" + (f":{last}{row}" if last != first else "")
        return [(text.lstrip(" ") if not cells.get(columns[0]) else text, Place(part=part))]
