"""Rows of a region to tables, where cells stand below one another; all else stays text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.parse.pdf.grid import Cell, Row, Rule, cells_of, columns_of
from pincite.parse.pdf.lines import Line, is_rtl
from pincite.parse.pdf.lists import ITEM, has_items, lists_in

_MARKER = re.compile(r"(?:[•●○▪■◦‣∙·*–—-]|\(?[0-9ivxlc]{1,4}[.)]|\(?[A-Za-z][.)])$")
NUMBER = re.compile(r"[-+−±]?[$€£¥]?\s?[\d.,:/ ]*\d[\d.,:/ ]*\s?(?:%|[a-zA-Z]{1,3})?$|[-–—]+$|n/?a$", re.I)
_DASHED = re.compile(r"[-–—*·] +\S")
_LEADERS = re.compile(r"(?:\.\.\.|…|\. \. \.) ?(?:\d{1,5}|[ivxlcIVXLC]{1,7})$")
_YEAR = re.compile(r"(?:19|20)\d\d")
_WIDEST = 30  # columns
_LINE = 30  # characters: lines of text beside one another have as many, a row of a few words has not
_BELOW = 12  # lines: the rule below a cell is no further
_TRIES = 5  # rows at which a table may start within what is none from its first row on


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; a cell holds the lines of text in it, top to bottom. `n_header` rows come first.

    With `continues`, the rows go on those of the table before and stand under its header.
    """

    rows: tuple[tuple[Cell, ...], ...]
    n_header: int
    continues: bool = False

    @property
    def lines(self) -> list[Line]:
        return [line for row in self.rows for cell in row for line in cell]


def is_item(text: str) -> bool:
    """Whether a line is an item of a list, or its mark alone."""
    return any(mark.match(text) for mark in (ITEM, _DASHED, _MARKER))


def has_leaders(text: str) -> bool:
    """Whether a line ends with dots that lead to a page number, as in a table of contents."""
    end = text[-12:]
    return ("." in end or "…" in end) and _LEADERS.search(end) is not None


def find_tables(rows: Sequence[Row], rules: Sequence[Rule] = ()) -> list[Row | Table]:
    """The rows of a region in order, runs of them that form a table put together as one."""
    found: list[Row | Table] = []
    at = refused = 0
    while at < len(rows):
        end = _run_end(rows, at, rules) if len(rows[at]) > 1 else at
        lists = lists_in(rows[at:end], rules) if end - at >= 2 else []
        table = _make_table(rows[at:end], rules) if end - at >= 2 and not lists else None
        if lists:
            found.extend(lists)
        elif table is not None:
            found.append(table)
        else:
            refused = refused + 1 if end - at >= 2 else 0
            end = end if refused > _TRIES else at + 1
            found.extend(rows[at:end])
        at = end
    return found


def _run_end(rows: Sequence[Row], at: int, rules: Sequence[Rule]) -> int:
    """Where the run of rows with several cells that starts at `at` ends; wrapped cells belong to it."""
    last = at + 1
    columns = columns_of(rows[at : at + 1])
    for i in range(at + 1, min(len(rows), at + 500)):
        if _distance(rows[i - 1], rows[i]) > 2.2 * max(line.height for line in rows[i]):
            break
        if len(rows[i]) > 1:
            merged = columns_of(rows[at : i + 1]) if i - at < 40 else columns
            if len(merged) < 2 or (len(merged) < len(columns) and len(merged) < 3 and i - at > 2):
                break
            columns, last = merged, i + 1
        elif _is_inside(rows[at], rows[i - 1], rows[i][0], columns, rules) or (
            last == i and _is_rest(rows[i - 1], rows[i][0], columns)
        ):
            last = i + 1
        elif i - last > 3 or not _fits(rows[i][0], columns):
            break
    return last


def _is_rest(above: Row, line: Line, columns: list[tuple[float, float]]) -> bool:
    """Whether a line alone goes on a sentence right above it in its column."""
    over = [one for one in above if one.right > line.left and one.left < line.right]
    if len(over) != 1 or not _fits(line, columns) or _distance(above, (line,)) > 0.45 * line.height:
        return False
    return line.text[:1].islower() and over[0].text[-1:] not in ".:;!?"


def _is_inside(
    first: Row, above: Row, line: Line, columns: list[tuple[float, float]], rules: Sequence[Rule]
) -> bool:
    """Whether a line alone stands in one column of a table that is ruled off above, within and below it."""
    if len(_touched(line, columns)) != 1 or _distance(above, (line,)) > 1.2 * line.height:
        return False
    left, right = columns[0][0], columns[-1][1]
    wide = [
        y
        for y, start, end in rules
        if start < left + 2 and end > right - 2 and end - start < 2 * (right - left)
    ]
    top = min(one.bottom for one in first)
    within = any(top - 4 < y < line.top + 4 for y in wide)
    return within and any(y > line.bottom - 4 and y - line.bottom < _BELOW * line.height for y in wide)


def _distance(above: Row, below: Row) -> float:
    return min(line.top for line in below) - max(line.bottom for line in above)


def _fits(line: Line, columns: list[tuple[float, float]]) -> bool:
    """Whether a line alone lies in one column, as the second line of a cell does."""
    touched = _touched(line, columns)
    return len(touched) == 1 and line.width < 1.5 * (touched[0][1] - touched[0][0])


def _touched(line: Line, columns: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [c for c in columns if line.right > c[0] + 1 and line.left < c[1] - 1]


def _make_table(rows: Sequence[Row], rules: Sequence[Rule]) -> Table | None:
    """The table that a run of rows is, or None if it is not safely one."""
    columns = columns_of(rows)
    several = [row for row in rows if len(row) > 1]
    if not 2 <= len(columns) <= _WIDEST or len(several) < (3 if len(columns) == 2 else 2):
        return None
    columns = columns[::-1] if is_rtl(line for row in rows for line in row) else columns
    grid = [cells_of(row, columns) for row in rows]
    filled = sum(bool(cell) for row in grid for cell in row) / (len(grid) * len(columns))
    if filled < 0.4 or _is_list(grid) or _is_contents(rows) or _is_prose(grid) or _is_wordless(rows):
        return None
    merged = _unwrapped(_grouped(grid, rules))
    if len(merged) < 2:
        return None
    return Table(tuple(merged), header_rows(merged))


def _is_list(grid: Sequence[tuple[Cell, ...]]) -> bool:
    """Whether the first column holds nothing but the marks of a list."""
    first = [row[0][0].text for row in grid if row[0]]
    return bool(first) and len(grid[0]) == 2 and sum(bool(_MARKER.match(t)) for t in first) > 0.6 * len(first)


def _is_contents(rows: Sequence[Row]) -> bool:
    """Whether these are lines of a table of contents."""
    leaders = sum(any(has_leaders(line.text) for line in row) for row in rows)
    return leaders > 0.4 * len(rows)


def _is_prose(grid: Sequence[tuple[Cell, ...]]) -> bool:
    """Whether the cells go on in the row below as sentences do, in every column and nearly every row."""
    pairs = going_on = 0
    for above, below in pairwise(grid):
        for a, b in zip(above, below, strict=True):
            if a and b:
                pairs += 1
                going_on += b[0].text[:1].islower() and a[-1].text[-1:] not in ".:;!?"
    letters = sum(len(line.text) for row in grid for cell in row for line in cell)
    return pairs > 3 and going_on > 0.6 * pairs and letters >= _LINE * len(grid)


def _is_wordless(rows: Sequence[Row]) -> bool:
    """Whether most cells hold neither letters nor digits: a drawing, or signs of a font that is not known."""
    cells = [any(map(str.isalnum, line.text)) for row in rows for line in row]
    return sum(cells) < 0.5 * len(cells)


def _grouped(grid: list[tuple[Cell, ...]], rules: Sequence[Rule]) -> list[tuple[Cell, ...]]:
    """The rows with those put together that no rule, or else no wide gap, separates.

    That is done only where it makes cells of several lines beside cells of one line; groups of whole rows
    stay rows.
    """
    tops = [min(line.top for cell in row for line in cell) for row in grid]
    bottoms = [max(line.bottom for cell in row for line in cell) for row in grid]
    left, right = _extent(grid)
    across = [y for y, start, end in rules if min(end, right) - max(start, left) > 0.6 * (right - left)]
    spaces = [(bottoms[i], tops[i + 1]) for i in range(len(grid) - 1)]
    ruled = [any(min(a, b) - 4 < y < max(a, b) + 4 for y in across) for a, b in spaces]
    for ends in (ruled, _wide_gaps([b - a for a, b in spaces], grid[0])):
        groups = _together(grid, ends)
        several = [group for group in groups if len(group) > 1]
        enough = len(groups) > 2 or (len(groups) == 2 and len(grid) < 7)
        uneven = sum(_is_uneven(group) or (ends is ruled and _holds_list(group)) for group in several)
        if enough and several and uneven >= 0.6 * len(several):
            return [_one_row(group) for group in groups]
    return grid


def _extent(grid: Sequence[tuple[Cell, ...]]) -> tuple[float, float]:
    lines = [line for row in grid for cell in row for line in cell]
    return min(line.left for line in lines), max(line.right for line in lines)


def _wide_gaps(gaps: list[float], row: tuple[Cell, ...]) -> list[bool]:
    """Which gaps between rows are wide, if narrow and wide ones differ clearly; else all."""
    height = max(line.height for cell in row for line in cell)
    ordered = sorted(gaps)
    jump, at = max(((b - a, a + (b - a) / 2) for a, b in pairwise(ordered)), default=(0.0, 0.0))
    return [gap > at or jump < 0.3 * height for gap in gaps]


def _together(grid: list[tuple[Cell, ...]], ends: list[bool]) -> list[list[tuple[Cell, ...]]]:
    """Rows in groups; a group ends after each row for which `ends` holds."""
    groups = [[grid[0]]]
    for row, new in zip(grid[1:], ends, strict=True):
        if new:
            groups.append([row])
        else:
            groups[-1].append(row)
    return groups


def _is_uneven(group: list[tuple[Cell, ...]]) -> bool:
    """Whether some column of a group of rows holds two thirds of the lines of another, or fewer."""
    counts = {sum(bool(row[i]) for row in group) for i in range(len(group[0]))} - {0}
    return 3 * min(counts) <= 2 * max(counts)


def _holds_list(group: list[tuple[Cell, ...]]) -> bool:
    """Whether two items of a list stand below one another in some column."""
    return any(has_items([cell for cell in column if cell]) for column in zip(*group, strict=True))


def _one_row(group: list[tuple[Cell, ...]]) -> tuple[Cell, ...]:
    return tuple(tuple(line for row in group for line in row[i]) for i in range(len(group[0])))


def _unwrapped(grid: Sequence[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """The rows of a table with the further lines of a cell put to its first."""
    merged: list[tuple[Cell, ...]] = []
    for row in grid:
        if merged and _goes_on(merged[-1], row):
            merged[-1] = tuple(a + b for a, b in zip(merged[-1], row, strict=True))
        else:
            merged.append(row)
    return merged


def _goes_on(above: tuple[Cell, ...], below: tuple[Cell, ...]) -> bool:
    """Whether a row is the rest of the one above: close to it, and no cell starts anew."""
    lines = [line for cell in below for line in cell]
    top = min(line.top for line in lines)
    bottom = max(line.bottom for cell in above for line in cell)
    if top - bottom > 0.45 * lines[0].height:
        return False
    if any(b and not a for a, b in zip(above, below, strict=True)):
        return False
    if sum(ITEM.match(line.text) is not None for line in lines) > 1:
        return False
    return not below[0] and not any(NUMBER.match(line.text[:40]) for line in lines)


def header_rows(rows: Sequence[tuple[Cell, ...]]) -> int:
    """How many rows at the top name the table and its columns."""
    titles = 0
    while titles < len(rows) - 1 and len(rows[0]) > 2 and sum(map(bool, rows[titles])) == 1:
        titles += 1
    return titles + _name_rows(rows[titles:])


def _name_rows(rows: Sequence[tuple[Cell, ...]]) -> int:
    """How many rows at the top name the columns: those that are bold, or the first unless it is like all."""
    bold = 0
    for row in rows[:3]:
        if not all(line.bold for cell in row for line in cell):
            break
        bold += 1
    if 0 < bold < len(rows) and not all(line.bold for cell in rows[bold] for line in cell):
        return bold
    return 0 if _are_pairs(rows) or _is_like_all(rows) else 1


def _are_pairs(rows: Sequence[tuple[Cell, ...]]) -> bool:
    """Whether each row is a name and what it is: `Height: | 12 m`."""
    return len(rows[0]) == 2 and all(row[0] and row[0][-1].text.endswith((":", "：")) for row in rows)


def _is_like_all(rows: Sequence[tuple[Cell, ...]]) -> bool:
    """Whether the first row has a number above numbers, which is no year as columns are named by."""
    for column in zip(*rows, strict=True):
        first, *below = [cell[0].text[:40] if cell else "" for cell in column]
        numbers = sum(NUMBER.match(text) is not None for text in below if text)
        if any(map(str.isdigit, first)) and NUMBER.match(first) and not _YEAR.search(first):
            return numbers > 0.6 * sum(map(bool, below))
    return False
