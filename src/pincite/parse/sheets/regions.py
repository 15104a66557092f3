"""Where a sheet's tables are: areas between blank rows and columns, their captions and header rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from pincite.parse.sheets.headers import MAX_HEADERS, Hints, is_above_numbers
from pincite.parse.table import NUMBER, SAMPLE

MAX_FILLED = 200_000  # cells of merged areas that are filled with the area's value
MAX_FILLED_TEXT = 10_000_000  # characters of them
MAX_REPEATED = 60  # characters of a text that is repeated in the columns to its right
MAX_CAPTIONS = 10  # lines above a table that belong to it
_MAX_CAPTION = 300  # characters of a line
_NEAR = 3  # blank rows between a caption and its table, and between the parts of one table
_MAX_SPACERS = 50  # blank columns within one table
_DEPTH = 4  # how often an area is cut again

Grid = dict[int, dict[int, str]]
"""Shown cells by row and column from 1, in ascending order, none of them empty."""


class Area(NamedTuple):
    """A rectangle of cells, its edges included."""

    top: int
    left: int
    bottom: int
    right: int


class Line(NamedTuple):
    """A line of text of its own: where its cell is, and what it says."""

    row: int
    column: int
    text: str


@dataclass(slots=True)
class Region:
    """A table, or one line of text (`line`).

    `cells` hold at least the table's rows, listed without captions and headers, and `columns` are those that
    hold anything; `names` are the last header row's cells. `goes_on` means that it is the rest of
    the table before it, under its header.
    """

    cells: Grid
    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    captions: list[Line] = field(default_factory=list)
    headers: list[int] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    line: Line | None = None
    goes_on: bool = False


@dataclass(slots=True)
class Filled:
    """A sheet's cells with each merged area's value in all of it.

    `copies` are the cells that repeat the one to their left; `unfilled` counts areas over the limit, which
    are left as they were.
    """

    rows: Grid
    copies: set[tuple[int, int]] = field(default_factory=set)
    unfilled: int = 0

    def own(self, row: int) -> list[str]:
        """The cells of a row that repeat none to their left, in order."""
        cells = self.rows[row]
        if not self.copies:
            return list(cells.values())
        return [text for column, text in cells.items() if (row, column) not in self.copies]

    def columns(self, rows: Sequence[int]) -> list[int]:
        """The columns that hold anything in these rows, ascending."""
        found: set[int] = set()
        for row in rows:
            found.update(self.rows[row])
        return sorted(found)

    def line(self, row: int) -> Line:
        """The first cell of a row."""
        column, text = next(iter(self.rows[row].items()))
        return Line(row, column, text)

    def texts(self, row: int, columns: Sequence[int]) -> list[str]:
        """The cells of a row in these columns; those that only repeat the one to their left are empty."""
        cells = self.rows[row]
        return ["" if (row, n) in self.copies else cells.get(n, "") for n in columns]


def filled(rows: Grid, merged: Sequence[Area]) -> Filled:
    """The sheet with its merged areas filled.

    A long text is laid out over its area rather than meant for each column: it is repeated downwards only.
    """
    sheet, left, room = Filled(rows), MAX_FILLED, MAX_FILLED_TEXT
    if not merged or not rows:
        return sheet
    last_row, last_column = max(rows), max(max(cells) for cells in rows.values())
    for area in merged:
        text = rows.get(area.top, {}).get(area.left)
        if text is None:
            continue
        bottom = min(area.bottom, last_row)
        right = min(area.right, last_column if len(text) <= MAX_REPEATED else area.left)
        size = (bottom - area.top + 1) * (right - area.left + 1) - 1
        if size > left or size * len(text) > room:
            sheet.unfilled += 1
        elif size > 0:
            left -= size
            room -= size * len(text)
            _fill(sheet, Area(area.top, area.left, bottom, right), text)
    sheet.rows = {row: dict(sorted(sheet.rows[row].items())) for row in sorted(sheet.rows)}
    return sheet


def _fill(sheet: Filled, area: Area, text: str) -> None:
    for row in range(area.top, area.bottom + 1):
        cells = sheet.rows.setdefault(row, {})
        for column in range(area.left, area.right + 1):
            if cells.setdefault(column, text) is text and column > area.left:
                sheet.copies.add((row, column))


def regions(sheet: Filled, hints: Hints) -> list[Region]:
    """The tables and texts of a sheet in reading order, with their captions and headers."""
    found: list[Region] = []
    for region in _areas(sheet, 0):
        if region.line is None:
            _find_headers(region, sheet.copies, hints, found[-1] if found else None)
        found.append(region)
    return _captioned(found)


# ── cutting ───────────────────────────────────────────────────────────────────────────────────
def _areas(sheet: Filled, depth: int) -> Iterator[Region]:
    """The areas between blank rows and blank columns, cut in turns. Each turn goes over the cells once."""
    for band in _runs(list(sheet.rows)):
        title, body = _titles(sheet, band)
        groups = _groups(sheet, title, body) if depth < _DEPTH else []
        if len(groups) < 2:
            yield from _uncut(sheet, title, body)
            continue
        yield from _lines(sheet, title)
        for group in groups:
            yield from _areas(Filled(group, sheet.copies), depth + 1)


def _uncut(sheet: Filled, title: list[int], body: list[int]) -> Iterator[Region]:
    """A table under its title, or lines of text."""
    if len(body) <= MAX_CAPTIONS and all(len(sheet.own(row)) == 1 for row in body) and _is_prose(sheet, body):
        yield from _lines(sheet, [*title, *body])
    else:
        yield Region(sheet.rows, body, sheet.columns(body), [sheet.line(row) for row in title])


def _lines(sheet: Filled, rows: list[int]) -> Iterator[Region]:
    for row in rows:
        yield Region(sheet.rows, line=sheet.line(row))


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Stretches of consecutive numbers."""
    return [[n for _, n in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]


def _titles(sheet: Filled, band: list[int]) -> tuple[list[int], list[int]]:
    """The rows of one value at the top of a band that has wider ones, and the rest."""
    n = 0
    while n < min(len(band), MAX_CAPTIONS + 1) and len(sheet.own(band[n])) == 1:
        n += 1
    return ([], band) if n == len(band) or n > MAX_CAPTIONS else (band[:n], band[n:])


def _groups(sheet: Filled, title: list[int], rows: list[int]) -> list[Grid]:
    """The cells of each stretch of columns that is a table of its own, from the left, below `title` rows."""
    runs = _runs(sheet.columns(rows))
    if len(runs) == 1:
        return []
    number = {column: n for n, run in enumerate(runs) for column in run}
    parts: list[Grid] = [{} for _ in runs]
    for row in rows:
        for column, text in sheet.rows[row].items():
            parts[number[column]].setdefault(row, {})[column] = text
    groups: list[list[Grid]] = [[parts[0]]]
    for n in range(1, len(parts)):
        gap, near = runs[n][0] - 1, runs[n][0] - runs[n - 1][-1] == 2
        over = any(gap in sheet.rows[row] for row in title)  # a title merged over both says they are one
        if near and _belong(groups[-1], parts[n]) and (over or not _are_two(groups[-1], parts[n])):
            groups[-1].append(parts[n])
        else:
            groups.append([parts[n]])
    return [_joined(group) for group in groups]


def _belong(group: list[Grid], part: Grid) -> bool:
    """Whether what stands on both sides of one blank column is one table: as high, and no name twice."""
    (top, bottom), (own_top, own_bottom) = (
        (next(iter(one)), next(reversed(one))) for one in (group[0], part)
    )
    if top != own_top or abs(bottom - own_bottom) > 1 or len(group) > _MAX_SPACERS:
        return False
    names = {text for one in group for text in one[top].values()}
    return names.isdisjoint(part[top].values())


def _are_two(group: list[Grid], part: Grid) -> bool:
    """Whether what stands right of a blank column is a table of its own: it names its rows, as the left does.

    Columns of numbers, or a single one, are rather set apart within one table.
    """
    widths = [sum(len(next(iter(one.values()))) for one in side) for side in (group, [part])]
    return min(widths) > 1 and _names_rows(group[0]) and _names_rows(part)


def _names_rows(part: Grid) -> bool:
    """Whether the first column holds different words in all rows."""
    first = min(min(cells) for cells in part.values())
    names = [cells.get(first, "") for cells in part.values()]
    return len(set(names)) == len(names) > 1 and not any(not name or NUMBER.fullmatch(name) for name in names)


def _joined(parts: list[Grid]) -> Grid:
    if len(parts) == 1:
        return parts[0]
    rows: Grid = {}
    for part in parts:
        for row, cells in part.items():
            rows.setdefault(row, {}).update(cells)
    return dict(sorted(rows.items()))


def _is_prose(sheet: Filled, rows: list[int]) -> bool:
    """Whether lone cells are lines of text rather than a column of values."""
    return len(rows) == 1 or not any(NUMBER.fullmatch(sheet.line(row).text) for row in rows)


# ── captions and headers ──────────────────────────────────────────────────────────────────────
def _captioned(found: list[Region]) -> list[Region]:
    """The regions with short texts right above a table taken into it as captions."""
    out: list[Region] = []
    for region in found:
        while out and (line := out[-1].line) and _is_caption(line, region):
            out.pop()
            region.captions.insert(0, line)
        out.append(region)
    return out


def _is_caption(line: Line, table: Region) -> bool:
    """Whether a line stands right above a table, and is short."""
    if table.line or table.goes_on or len(table.captions) >= MAX_CAPTIONS or len(line.text) > _MAX_CAPTION:
        return False
    top = next(iter([one.row for one in table.captions] + table.headers + table.rows))
    return 0 < top - line.row <= _NEAR + 1 and table.columns[0] <= line.column <= table.columns[-1]


def _find_headers(region: Region, copies: set[tuple[int, int]], hints: Hints, before: Region | None) -> None:
    """Moves the header rows of a table from its rows to its headers, or marks it as going on."""
    rows, sheet = region.rows, Filled(region.cells, copies)
    sample = [sheet.texts(row, region.columns) for row in rows[: SAMPLE + MAX_HEADERS]]
    given = hints.stated(rows, sample)
    count = given or hints.guess(rows, sample)
    if before and not given and not region.captions and _is_above(before, region):
        again = sample[0] == [before.names.get(column, "") for column in region.columns]
        if not again and not (count and is_above_numbers(sample[count - 1], sample[count:])):
            region.goes_on, region.names, region.columns = True, before.names, before.columns
            return
    if 0 < count < len(rows):
        region.headers, region.rows = rows[:count], rows[count:]
        region.names = region.cells[region.headers[-1]]


def _is_above(before: Region, region: Region) -> bool:
    """Whether a table with a header and all the columns ends right above a region."""
    if before.line or not before.names:
        return False
    near = 0 < region.rows[0] - before.rows[-1] <= _NEAR + 1
    return near and set(region.columns) <= set(before.columns)
