"""Where a sheet's tables are: areas between blank rows and columns, their captions and header rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from pincite.parse.table import NUMBER, SAMPLE, is_header

MAX_FILLED = 200_000  # cells of merged areas that are filled with the area's value
MAX_REPEATED = 60  # characters of a text that is repeated in the columns to its right
MAX_CAPTIONS = 10  # lines above a table that belong to it
MAX_HEADERS = 4  # rows of one header
_MAX_CAPTION = 300  # characters of a line
_NEAR = 3  # blank rows between a caption and its table, and between the parts of one table
_DEPTH = 4  # how often an area is cut again
_UNIT = re.compile(r"(?:units?|einheit(?:en)?|unité|单位|單位)\b.*|[(\[].*[)\]]", re.IGNORECASE)

Grid = dict[int, dict[int, str]]
"""Shown cells by row and column from 1, in ascending order, none of them empty."""


Columns = tuple[int, int]
"""The first and the last of neighbouring columns."""


class Area(NamedTuple):
    """A rectangle of cells, its edges included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(slots=True)
class Region:
    """A table, or lines of text: its rows without captions and headers, and the columns that hold anything.

    `captions` are (row, columns) above it. `goes_on` means that it is the rest of the table before it, under
    the same header.
    """

    rows: list[int]
    columns: list[int]
    captions: list[tuple[int, list[int]]] = field(default_factory=list)
    headers: list[int] = field(default_factory=list)
    is_text: bool = False
    goes_on: bool = False


def filled(rows: Grid, merged: Sequence[Area]) -> tuple[Grid, set[tuple[int, int]], int]:
    """The cells with each merged area's value in all of it; those that repeat the one to their left; and how
    many areas were left as they were for the limit.

    A long text is laid out over its area rather than meant for each column: it is repeated downwards only.
    """
    if not merged or not rows:
        return rows, set(), 0
    last_row, last_column = max(rows), max(max(cells) for cells in rows.values())
    grid, copies, left, unfilled = rows, set(), MAX_FILLED, 0
    for area in merged:
        text = rows.get(area.top, {}).get(area.left)
        bottom = min(area.bottom, last_row)
        right = min(area.right, last_column if text is not None and len(text) <= MAX_REPEATED else area.left)
        size = (bottom - area.top + 1) * (right - area.left + 1) - 1
        if text is None or size <= 0:
            continue
        if size > left:
            unfilled += 1
            continue
        left -= size
        for row in range(area.top, bottom + 1):
            cells = grid.setdefault(row, {})
            for column in range(area.left, right + 1):
                if cells.setdefault(column, text) is text and column > area.left:
                    copies.add((row, column))
    return {row: dict(sorted(grid[row].items())) for row in sorted(grid)}, copies, unfilled


def regions(grid: Grid, copies: set[tuple[int, int]], known_headers: set[int]) -> list[Region]:
    """The tables and texts of a sheet in reading order, with their captions and headers."""
    found: list[Region] = []
    for region in _areas(grid, list(grid), None, 0):
        _find_headers(region, grid, copies, known_headers, found)
        found.append(region)
    return _captioned(found, grid)


# ── cutting ───────────────────────────────────────────────────────────────────────────────────
def _areas(grid: Grid, rows: list[int], within: Columns | None, depth: int) -> Iterator[Region]:
    """The areas between blank rows and blank columns, cut in turns; a line of one value has one column."""
    for band in _runs(rows):
        title, body = _titles(grid, band, within)
        groups = _groups(grid, body, within)
        if len(groups) == 1 or depth == _DEPTH:
            yield from _uncut(grid, title, body, within)
            continue
        yield from _lines(grid, title, within)
        for left, right in groups:
            inside = [row for row in body if any(left <= column <= right for column in grid[row])]
            yield from _areas(grid, inside, (left, right), depth + 1)


def _uncut(grid: Grid, title: list[int], body: list[int], within: Columns | None) -> Iterator[Region]:
    """A table under its title, or lines of text."""
    columns = _columns(grid, body, within)
    lone = len(body) <= MAX_CAPTIONS and all(len(_held(grid, row, within)) == 1 for row in body)
    if lone and _is_prose(grid, body, columns):
        yield from _lines(grid, [*title, *body], within)
        return
    captions = [(row, _columns(grid, [row], within)[:1]) for row in title]
    yield Region(body, columns, captions)


def _lines(grid: Grid, rows: list[int], within: Columns | None) -> Iterator[Region]:
    for row in rows:
        yield Region([row], _columns(grid, [row], within)[:1], is_text=True)


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Stretches of consecutive numbers."""
    return [[n for _, n in run] for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0])]


def _held(grid: Grid, row: int, within: Columns | None) -> set[str]:
    """The different values of a row."""
    cells = grid[row]
    if within is None:
        return set(cells.values())
    return {text for column, text in cells.items() if within[0] <= column <= within[1]}


def _columns(grid: Grid, rows: list[int], within: Columns | None) -> list[int]:
    """The columns that hold anything in these rows, ascending."""
    columns: set[int] = set()
    for row in rows:
        columns.update(grid[row])
    return sorted(c for c in columns if within is None or within[0] <= c <= within[1])


def _titles(grid: Grid, band: list[int], within: Columns | None) -> tuple[list[int], list[int]]:
    """The rows of one value at the top of a band that has wider ones, and the rest."""
    n = 0
    while n < min(len(band), MAX_CAPTIONS) and len(_held(grid, band[n], within)) == 1:
        n += 1
    if n in (0, len(band)) or (n == MAX_CAPTIONS and len(_held(grid, band[n], within)) == 1):
        return [], band
    return band[:n], band[n:]


def _groups(grid: Grid, rows: list[int], within: Columns | None) -> list[Columns]:
    """The stretches of columns that are tables of their own, as (first, last)."""
    runs = _runs(_columns(grid, rows, within))
    groups = [(runs[0][0], runs[0][-1])]
    for run in runs[1:]:
        last = groups[-1]
        if run[0] - last[1] == 2 and _belong(grid, rows, last, (run[0], run[-1])):
            groups[-1] = (last[0], run[-1])
        else:
            groups.append((run[0], run[-1]))
    return groups


def _belong(grid: Grid, rows: list[int], left: Columns, right: Columns) -> bool:
    """Whether what stands on both sides of one blank column is one table: as high, and no name twice."""
    one, other = ([row for row in rows if _held(grid, row, side)] for side in (left, right))
    if one[0] != other[0] or abs(one[-1] - other[-1]) > 1:
        return False
    return not _held(grid, one[0], left) & _held(grid, one[0], right)


def _is_prose(grid: Grid, rows: list[int], columns: list[int]) -> bool:
    """Whether lone cells are lines of text rather than a column of values."""
    texts = [next(iter(grid[row][c] for c in columns if c in grid[row])) for row in rows]
    return len(rows) == 1 or not any(NUMBER.fullmatch(text) for text in texts)


# ── captions and headers ──────────────────────────────────────────────────────────────────────
def _captioned(found: list[Region], grid: Grid) -> list[Region]:
    """The regions with short texts right above a table taken into it as captions."""
    out: list[Region] = []
    for region in found:
        while not region.is_text and not region.goes_on and out and _is_caption(out[-1], region, grid):
            above = out.pop()
            region.captions[:0] = [(row, above.columns) for row in above.rows]
        out.append(region)
    return out


def _is_caption(text: Region, table: Region, grid: Grid) -> bool:
    if not text.is_text or len(text.rows) + len(table.captions) > MAX_CAPTIONS:
        return False
    top = next(iter([row for row, _ in table.captions] + table.headers + table.rows))
    near = 0 < top - text.rows[-1] <= _NEAR + 1
    beside = text.columns[0] <= table.columns[-1] and table.columns[0] <= text.columns[-1]
    short = all(len(value) <= _MAX_CAPTION for row in text.rows for value in grid[row].values())
    return near and beside and short


def _find_headers(
    region: Region, grid: Grid, copies: set[tuple[int, int]], known: set[int], before: list[Region]
) -> None:
    """Moves the header rows of a table from its rows to its headers, or marks it as going on."""
    if region.is_text:
        return
    rows = region.rows
    sample = [_texts(grid, row, region.columns, copies) for row in rows[: SAMPLE + MAX_HEADERS]]
    last = _last_table(before, region)
    given = [n for n, row in enumerate(rows[:MAX_HEADERS]) if row in known]
    count = given[-1] + 1 if given else _count_headers(sample)
    if last and not given and not region.captions:
        same = last.headers and sample[0] == _texts(grid, last.headers[-1], region.columns, copies)
        if not same and not (count and _is_above_numbers(sample[count - 1], sample[count:])):
            region.goes_on = True
            return
    region.headers, region.rows = rows[:count], rows[count:]
    if not region.rows and region.headers:
        region.rows, region.headers = region.headers, []


def _last_table(before: list[Region], region: Region) -> Region | None:
    """The table right above with a header and the same columns."""
    last = before[-1] if before else None
    if last is None or last.is_text or not (last.headers or last.goes_on):
        return None
    near = 0 < region.rows[0] - last.rows[-1] <= _NEAR + 1 if last.rows else False
    return last if near and set(region.columns) <= set(last.columns) else None


def _texts(grid: Grid, row: int, columns: list[int], copies: set[tuple[int, int]]) -> list[str]:
    """A row's cells, those that only repeat the one to their left empty."""
    cells = grid[row]
    return ["" if (row, column) in copies else cells.get(column, "") for column in columns]


def _count_headers(sample: list[list[str]]) -> int:
    """How many of the first rows are header rows."""
    if len(sample) < 2:
        return 0
    if len(sample[0]) == 1:
        return int(_is_above_numbers(sample[0], sample[1:]))
    count = 0
    while count < MAX_HEADERS - 2 and _is_upper(sample, count):
        count += 1
    if not is_header(sample[count], sample[count + 1 :]) or _is_form(sample[count:]):
        return 0
    return count + 1 + _has_units(sample[count + 1 :])


def _is_upper(sample: list[list[str]], at: int) -> bool:
    """Whether a row groups the columns of a header row under it: names with room beside them, no numbers."""
    if at + 2 >= len(sample):
        return False
    row, below = sample[at], sample[at + 1]
    names = [text for text in row if text]
    widened = any(not a and b for a, b in zip(row, below, strict=True))
    plain = bool(names) and not any(NUMBER.fullmatch(text) for text in (*names, *filter(None, below)))
    return widened and plain and len(names) < sum(map(bool, below)) and _is_numeric_below(sample, at + 2)


def _is_numeric_below(sample: list[list[str]], at: int) -> bool:
    return any(NUMBER.fullmatch(text) for row in sample[at : at + 5] for text in row if text)


def _is_form(rows: list[list[str]]) -> bool:
    """Whether two columns are labels and their values, not a table with column names."""
    return len(rows[0]) == 2 and all(row[0].endswith((":", "：")) for row in rows if row[0])


def _has_units(rows: list[list[str]]) -> bool:
    """Whether the first row names units: only above columns of numbers, and no number itself."""
    if len(rows) < 2:
        return False
    filled_ = [(n, text) for n, text in enumerate(rows[0]) if text]
    if not filled_ or any(any(map(str.isdigit, text)) or len(text) > 20 for _, text in filled_):
        return False
    return all(_UNIT.fullmatch(text) or _column_of_numbers(rows[1:], n) for n, text in filled_)


def _column_of_numbers(rows: list[list[str]], column: int) -> bool:
    texts = [row[column] for row in rows if row[column]]
    return bool(texts) and all(NUMBER.fullmatch(text) for text in texts)


def _is_above_numbers(row: list[str], below: list[list[str]]) -> bool:
    """Whether a row without numbers stands above a column of numbers."""
    if not below or any(NUMBER.fullmatch(text) for text in row if text):
        return False
    return any(text and _column_of_numbers(below, n) for n, text in enumerate(row))
