"""Tables drawn as a grid: what is a cell, and which text stands in it, the rules say."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pincite.parse.pdf.grid import Cell, Rule
from pincite.parse.pdf.lines import Line, is_rtl
from pincite.parse.pdf.merged import rows_of
from pincite.parse.pdf.rows import make_rows
from pincite.parse.pdf.tables import Table, header_rows

_NEAR = 3.0  # points: rules as close as this are one, or meet
_NARROWEST = 8.0  # points: of a column
_MOST_LINES = 60  # of a cell: with more, a frame arranges text
_CUT, _WORD_GAP = 0.1, 0.35  # of the lines, at gaps of so many type sizes: then it is no table
_FILLED = 0.5  # of the cells of a table hold text, and fewer of those between the lines of a chart
_MOST_RULES = 200  # of one table, in each direction

Ends = tuple[float, float]
"""Where a level rule starts and ends."""


def find_ruled(lines: Sequence[Line], level: Sequence[Rule], upright: Sequence[Rule]) -> list[Table]:
    """The tables of a page that are ruled off row by row and column by column, from top to bottom.

    `level` are y, left, right, `upright` x, top, bottom; `lines` are upright text.
    """
    tables: list[Table] = []
    taken: set[int] = set()
    for heights, across in _grids(level, upright):
        sides = _sides(upright, across, heights)
        rows = _rows(heights, sides, level)
        inside = [one for one in lines if id(one) not in taken and _is_inside(one, heights, across)]
        table = _make_table(inside, rows, sides, level)
        if table:
            taken |= {id(line) for line in inside}
            tables.append(table)
    return sorted(tables, key=lambda table: min(line.top for line in table.lines))


def with_tables(regions: Sequence[list[Line]], tables: Sequence[Table]) -> list[list[Line] | Table]:
    """The regions with each table after the line above it that is closest, or before the one below."""
    placed: list[list[Line] | Table] = list(regions)
    for table in tables:
        at, cut = _place_of(table, placed)
        region = placed[at] if at < len(placed) else []
        if isinstance(region, Table):
            placed.insert(at + cut, table)
        else:
            parts: list[list[Line] | Table] = [region[:cut], table, region[cut:]]
            placed[at : at + 1] = [part for part in parts if isinstance(part, Table) or part]
    return placed


def _place_of(table: Table, placed: Sequence[list[Line] | Table]) -> tuple[int, int]:
    """The region a table belongs into, and how many of its lines come before; of a table 1 if it does.

    Lines of its own column count: those above or below it, and all of a region that has none beside it, as a
    short heading at the left of a table in the middle.
    """
    left, right = min(line.left for line in table.lines), max(line.right for line in table.lines)
    top, bottom = min(line.top for line in table.lines), max(line.bottom for line in table.lines)
    above: list[tuple[float, int, int]] = []
    below: list[tuple[float, int, int]] = []
    for at, region in enumerate(placed):
        apart = not any(line.top < bottom and top < line.bottom for line in _lines_of(region))
        if isinstance(region, Table):
            edges = [(min(one.top for one in region.lines), region.lines, 1)]
        else:
            edges = [(line.top, [line], i + 1) for i, line in enumerate(region)]
        for height, lines, n in edges:
            if apart or (
                min(line.left for line in lines) < right and left < max(line.right for line in lines)
            ):
                if height < top:
                    above.append((height, at, n))
                else:
                    below.append((-height, at, n - 1))
    return max(above, default=max(below, default=(0.0, len(placed), 0)))[1:]


def _lines_of(region: list[Line] | Table) -> Sequence[Line]:
    return region.lines if isinstance(region, Table) else region


def _grids(level: Sequence[Rule], upright: Sequence[Rule]) -> Iterable[tuple[list[float], Ends]]:
    """Heights of level rules of one length that upright ones connect, with their ends; widest first."""
    groups: list[tuple[Ends, list[float]]] = []
    for y, left, right in sorted(level, key=lambda rule: (rule[1] - rule[2], rule)):
        for (start, end), heights in groups:
            if abs(left - start) <= _NEAR and abs(right - end) <= _NEAR:
                heights.append(y)
                break
        else:
            groups.append(((left, right), [y]))
    for (left, right), heights in groups:
        posts = [one for one in upright if left - _NEAR <= one[0] <= right + _NEAR]
        for run in _connected(_distinct(heights), posts):
            yield run[:_MOST_RULES], (left, right)


def _connected(heights: list[float], posts: Sequence[Rule]) -> Iterable[list[float]]:
    """Runs of three heights or more, between neighbours of which two upright rules stand at least."""
    run = heights[:1]
    for above, below in pairwise(heights):
        standing = {x for x, top, end in posts if top <= above + _NEAR and end >= below - _NEAR}
        if len(standing) < 2:
            if len(run) > 2:
                yield run
            run = []
        run.append(below)
    if len(run) > 2:
        yield run


def _distinct(values: Iterable[float]) -> list[float]:
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > _NEAR:
            found.append(value)
    return found


def _sides(upright: Sequence[Rule], across: Ends, heights: Sequence[float]) -> list[float]:
    """The edges of the columns: the upright rules along half of the grid's height, and its own ends."""
    top, bottom = heights[0], heights[-1]
    along: dict[float, float] = {}
    for x, start, end in upright:
        if across[0] - _NEAR <= x <= across[1] + _NEAR:
            key = next((one for one in along if abs(one - x) <= _NEAR), x)
            along[key] = along.get(key, 0.0) + max(0.0, min(end, bottom) - max(start, top))
    inner = [x for x, length in along.items() if length >= 0.5 * (bottom - top)]
    edges = [across[0]]
    for x in sorted(inner)[:_MOST_RULES]:
        if x - edges[-1] >= _NARROWEST and across[1] - x >= _NARROWEST:
            edges.append(x)
    return [*edges, across[1]]


def _rows(heights: Sequence[float], sides: Sequence[float], level: Sequence[Rule]) -> list[float]:
    """The edges of the rows: those of the grid, and rules within it from one column's edge to another's."""
    within = [
        y
        for y, left, right in level
        if heights[0] < y < heights[-1]
        and 2 * (right - left) >= sides[-1] - sides[0]
        and all(min(abs(end - side) for side in sides) <= _NEAR for end in (left, right))
    ]
    return _distinct([*heights, *within[:_MOST_RULES]])


def _is_inside(line: Line, heights: Sequence[float], across: Ends) -> bool:
    middle = (line.top + line.bottom) / 2
    return heights[0] < middle < heights[-1] and across[0] < (line.left + line.right) / 2 < across[1]


def _make_table(
    lines: Sequence[Line], rows: Sequence[float], sides: Sequence[float], level: Sequence[Rule]
) -> Table | None:
    """The table with these edges of rows and columns; None for a frame, and a grid that holds no rows."""
    if len(sides) < 3 or not lines or _n_cut(lines) > _CUT * len(lines):
        return None
    cells: dict[tuple[int, int], list[Line]] = {}
    for line in lines:
        row = min(bisect_right(rows, (line.top + line.bottom) / 2), len(rows) - 1) - 1
        column = bisect_right(sides, (line.left + line.right) / 2) - 1
        row = _first_row(row, (sides[column] + sides[column + 1]) / 2, rows, level)
        cells.setdefault((row, column), []).append(line)
    if max(map(len, cells.values())) > _MOST_LINES:
        return None
    order = range(len(sides) - 1)
    columns = list(reversed(order)) if is_rtl(lines) else list(order)
    grid = [
        tuple(_in_order(cells.get((row, column), [])) for column in columns) for row in range(len(rows) - 1)
    ]
    filled = [row for row in grid if any(row)]
    if sum(sum(map(bool, row)) > 1 for row in filled) < 2 or len(cells) < _FILLED * len(grid) * len(order):
        return None
    apart = [part for row in filled for part in rows_of(row)]
    return Table(tuple(apart), header_rows(apart))


def _n_cut(lines: Sequence[Line]) -> int:
    """How often a rule stands between two words of a sentence, as the lines of a drawing over text do."""
    pairs = (pair for row in make_rows(lines) for pair in pairwise(row))
    return sum(b.left - a.right < _WORD_GAP * b.size for a, b in pairs)


def _first_row(row: int, x: float, rows: Sequence[float], level: Sequence[Rule]) -> int:
    """The row a cell that goes over several starts in: above it a rule lies at the cell's middle."""
    while row > 0 and not any(
        abs(y - rows[row]) <= _NEAR and left - _NEAR < x < right + _NEAR for y, left, right in level
    ):
        row -= 1
    return row


def _in_order(cell: Sequence[Line]) -> Cell:
    return tuple(line for row in make_rows(cell) for line in row)
