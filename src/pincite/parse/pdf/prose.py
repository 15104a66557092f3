"""Whether what stands on both sides of a gap is text to be read downwards, not cells of a table."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise

from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.rows import make_rows
from pincite.scripts import columns

GUTTER = 0.8  # of the type size: the least width of the gap between two columns
MOST_COLUMNS = 5
_JUDGED = 80  # bands by which a run is judged
_LEAST_LINES = 5  # of a paragraph beside a table
_FULL = 0.55  # how much of its column a line of running text fills on average

Gap = tuple[float, float]
"""The edges of a blank stretch: left, right."""


@dataclass(frozen=True, slots=True)
class Band:
    """Segments between two blank stripes, and the blank gaps between them from left to right."""

    lines: tuple[Line, ...]
    top: float
    bottom: float
    gaps: tuple[Gap, ...]

    @property
    def left(self) -> float:
        return min(line.left for line in self.lines)

    @property
    def right(self) -> float:
        return max(line.right for line in self.lines)


def is_running_text(run: list[Band], gutter: Gap) -> bool:
    """Whether both sides of the gutter are text to be read downwards, not cells of a table."""
    middle = (gutter[0] + gutter[1]) / 2
    inside = [line for band in run[:_JUDGED] for line in band.lines]
    left = _columns_of([line for line in inside if line.right <= middle])
    right = _columns_of([line for line in inside if line.left >= middle])
    sides = [*left, *right]
    if not left or not right or len(sides) > MOST_COLUMNS or any(len(side) < 3 for side in sides):
        return _is_text_beside_cells(inside, middle)
    if not _is_level(left[-1], right[0]) and all(_is_worded(side) for side in sides):
        return True
    return all(_reads_down(side) for side in sides) or _is_text_beside_cells(inside, middle)


def _is_text_beside_cells(lines: list[Line], middle: float) -> bool:
    """Whether one side of a gutter is a paragraph that goes on from line to line, each beside some cell.

    A cell of several lines does so only where the cells beside it are as long.
    """
    left, right = ([line for line in lines if (line.right <= middle) == side] for side in (True, False))
    return _goes_on_beside(left, right) or _goes_on_beside(right, left)


def _goes_on_beside(side: list[Line], other: list[Line]) -> bool:
    rows = make_rows(side)
    beside = sorted((line.top + line.bottom) / 2 for line in other)
    if len(rows) < _LEAST_LINES or any(len(row) > 1 for row in rows) or not _is_worded(side):
        return False
    edge = 0.8 * max(line.right for line in side) + 0.2 * min(line.left for line in side)
    going_on = 0
    for (above,), (line,) in pairwise(rows):
        at = bisect_left(beside, line.top)
        level = at < len(beside) and beside[at] < line.bottom
        going_on += level and above.right > edge and line.text[:1].islower() and above.text[-1:] not in ".:;"
    return going_on > 0.5 * (len(rows) - 1)


def _columns_of(lines: list[Line]) -> list[list[Line]]:
    """The lines apart where a gutter goes through all of them, or all as one if a part is no column.

    A part is none if it is too narrow for running text, as the marks of a list and boxes to tick are.
    """
    columns: list[list[Line]] = []
    right = float("-inf")
    for line in sorted(lines, key=lambda line: line.left):
        if not columns or line.left - right >= GUTTER * line.size:
            columns.append([])
        columns[-1].append(line)
        right = max(right, line.right)
    return columns if all(map(_may_be_column, columns)) else [lines]


def _may_be_column(lines: list[Line]) -> bool:
    width = max(line.right for line in lines) - min(line.left for line in lines)
    return len(lines) >= 3 and width > 8 * lines[0].size


def _is_level(left: list[Line], right: list[Line]) -> bool:
    """Whether most lines of the shorter side stand level with one of the other, as cells of a table do."""
    few, many = sorted((make_rows(left), make_rows(right)), key=len)
    bottoms = sorted(row[0].bottom for row in many)
    level = 0
    for row in few:
        at = bisect_left(bottoms, row[0].bottom - 1.2)
        level += at < len(bottoms) and bottoms[at] <= row[0].bottom + 1.2
    return level > 0.5 * len(few)


def _is_worded(side: list[Line]) -> bool:
    """Whether a side is made of lines of several words, most of it letters, seldom in cells."""
    printed = "".join(line.text for line in side).replace(" ", "")
    letters = sum(char.isalpha() for char in printed)
    weight = columns(printed)  # an ideograph says as much as two letters
    rows = make_rows(side)
    if len(rows) < 3 or letters < 0.6 * len(printed) or weight < 18 * len(rows):
        return False
    return sum(_has_cells(row) for row in rows) < 0.45 * len(rows)


def _reads_down(side: list[Line]) -> bool:
    """Whether a column's lines fill it, or go on from one to the next."""
    rows = make_rows(side)
    left, right = min(line.left for line in side), max(line.right for line in side)
    size = sorted(line.size for line in side)[len(side) // 2]
    printed = "".join(line.text for line in side).replace(" ", "")
    if right - left < 6 * size or len(rows) < 3 or sum(map(str.isalpha, printed)) < 0.6 * len(printed):
        return False
    if sum(_has_cells(row) for row in rows) > 0.45 * len(rows):
        return False
    covered = sum(line.width for line in side) / ((right - left) * len(rows))
    going_on = sum(row[0].text[:1].islower() for row in rows[1:]) / (len(rows) - 1)
    wide = right - left > 14 * size
    return (covered > _FULL and (wide or going_on > 0.3)) or going_on > 0.45


def _has_cells(row: list[Line]) -> bool:
    """Whether a gap in the row is wider than one between words of a line that is set to fill its column."""
    return any(b.left - a.right > 2 * b.size for a, b in pairwise(row))
