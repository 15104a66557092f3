"""Tables as extracted, one row a line, cells between bars: which lines they are, and whether they hold pairs.

A certificate or the cover of an offer lists `Owner | Pia Koch`: names in the first column, and in the second
one values of several kinds. Such a table has no row of column names, and its rows read `Owner: Pia Koch`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.parse.pairs import are_pairs

BORDERED = frozenset({"markdown", "text", "rst"})
"""Types whose tables are written with outer bars."""
MOST_ROWS = 200
"""Rows of a table that are looked at."""
_FEWEST = 3  # rows that can tell


def is_bare_row(words: str, type: str) -> bool:
    """Whether a line is a row of cells without an outer border; one may begin with an empty cell."""
    begins = words.lstrip().startswith("|")
    return (" | " in words and not begins) or (begins and type not in BORDERED)


def bare_rows(above: Sequence[str], type: str) -> Sequence[str]:
    """The rows without a border that end `above`."""
    count = 0
    while count < len(above) and is_bare_row(above[-1 - count], type):
        count += 1
    return above[len(above) - count :]


def cells_of(row: str) -> list[str]:
    """The cells of a row without outer borders, white space as single spaces."""
    return [" ".join(cell.split()) for cell in row.split("|")]


def holds_pairs(rows: Sequence[str]) -> bool:
    """Whether all rows of a table are a name and its value, the first one too; False for fewer than three."""
    pairs = [cells_of(row) for row in rows[:MOST_ROWS]]
    return len(pairs) >= _FEWEST and all(len(pair) == 2 and all(pair) for pair in pairs) and are_pairs(pairs)
