"""Rows of segments to a grid: the columns they form, and which cell of a row a segment is in."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.rows import make_rows

Rule = tuple[float, float, float]
"""A line drawn on the page: where it lies across its direction, and its two ends, in points.

Of a level one these are its height, its left and its right end; of an upright one x, top and bottom.
"""

Cell = tuple[Line, ...]
Row = tuple[Line, ...]


def columns_of(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """The stretches that the cells of rows with several cells cover, from left to right."""
    cells = sorted((line.left, line.right) for row in rows if len(row) > 1 for line in row)
    columns: list[tuple[float, float]] = []
    for left, right in cells:
        if columns and left < columns[-1][1] + 1:
            columns[-1] = columns[-1][0], max(columns[-1][1], right)
        else:
            columns.append((left, right))
    return columns


def cells_of(row: Row, columns: list[tuple[float, float]]) -> tuple[Cell, ...]:
    cells: list[list[Line]] = [[] for _ in columns]
    for line in row:
        middle = (line.left + line.right) / 2
        at = min(range(len(columns)), key=lambda i: _off(middle, columns[i]))
        cells[at].append(line)
    return tuple(tuple(line for row in make_rows(cell) for line in row) for cell in cells)


def _off(x: float, column: tuple[float, float]) -> float:
    """How far outside a column a place is."""
    return max(column[0] - x, x - column[1], 0.0)
