"""Rows that no rule parts: between two level rules stand the cells of several rows, one below another.

Where only columns are ruled off, or groups of rows, each drawn cell holds a line of every row. A cell whose
text goes on in the next line looks alike; what tells them apart are numbers, of which a cell holds one, and
columns that all have a line at every height.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.parse.pdf.grid import Cell
from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.tables import NUMBER, is_item

_LEVEL = 0.4  # of a line's height: lines whose middles are as close stand at one height
_FEWEST = 3  # heights of rows that only one column of numbers tells, or none
_MOST = 200  # heights of one drawn row

Level = list[list[Line]]
"""The lines at one height, by column."""


def rows_of(drawn: Sequence[Cell]) -> list[tuple[Cell, ...]]:
    """The rows of which a drawn one consists: itself, unless its columns have lines at the same heights."""
    levels = _levels(drawn)
    starts = _starts(levels, [bool(cell) for cell in drawn]) if 1 < len(levels) <= _MOST else []
    if len(starts) < 2:
        return [tuple(drawn)]
    ends = [*starts[1:], len(levels)]
    firsts = [0, *starts[1:]]  # what stands above the first number is of its row
    parts = [levels[first:end] for first, end in zip(firsts, ends, strict=True)]
    return [
        tuple(tuple(line for level in part for line in level[n]) for n in range(len(drawn))) for part in parts
    ]


def _levels(drawn: Sequence[Cell]) -> list[Level]:
    """The lines of all cells by height, from top to bottom."""
    lines = [(one, column) for column, cell in enumerate(drawn) for one in cell]
    levels: list[Level] = []
    at = 0.0
    for line, column in sorted(lines, key=lambda one: (_middle(one[0]), one[1], one[0].left)):
        if not levels or _middle(line) - at > _LEVEL * line.height:
            levels.append([[] for _ in drawn])
            at = _middle(line)
        levels[-1][column].append(line)
    return levels


def _middle(line: Line) -> float:
    return (line.top + line.bottom) / 2


def _starts(levels: Sequence[Level], filled: Sequence[bool]) -> list[int]:
    """The heights at which a row begins; none where the drawn row is one."""
    columns = [n for n, is_filled in enumerate(filled) if is_filled]
    numbers = [n for n in columns if _counts([level[n] for level in levels])]
    if not numbers:
        listed = any(is_item(line.text) for level in levels for lines in level for line in lines)
        whole = not listed and all(level[n] for level in levels for n in columns)
        return list(range(len(levels))) if whole and len(columns) > 1 and len(levels) >= _FEWEST else []
    starts = [
        at for at, level in enumerate(levels) if 2 * sum(bool(level[n]) for n in numbers) >= len(numbers)
    ]
    named = all(any(levels[at][n] for n in columns if n not in numbers[1:]) for at in starts)
    enough = len(numbers) > 1 or len(starts) >= _FEWEST
    return starts if named and enough and len(columns) > 1 else []


def _counts(column: Sequence[Sequence[Line]]) -> bool:
    """Whether a column has a number at two heights or more, and nothing else."""
    texts = [" ".join(line.text for line in lines) for lines in column if lines]
    return len(texts) > 1 and all(NUMBER.match(text[:40]) for text in texts)
