"""Which of a table's first rows name its columns: by what the file says of them, or else by their content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from pincite.lexicon import any_of
from pincite.parse.table import NUMBER, is_header

MAX_HEADERS = 4  # rows of one header
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(slots=True)
class Hints:
    """What a file says of a sheet's rows.

    `headers` are header rows by its own statement, `frozen` the last ones above a line where the sheet is
    frozen, `bold` those all in bold type, `labelled` those with bold type in the first cell alone.
    """

    headers: set[int] = field(default_factory=set)
    frozen: set[int] = field(default_factory=set)
    bold: set[int] = field(default_factory=set)
    labelled: set[int] = field(default_factory=set)

    def weigh(self, row: int, cells_bold: Sequence[bool]) -> None:
        """Takes in which of a row's cells with text are bold."""
        if all(cells_bold):
            self.bold.add(row)
        elif cells_bold[0] and not any(cells_bold[1:]):
            self.labelled.add(row)

    def stated(self, rows: Sequence[int], sample: Sequence[Sequence[str]]) -> int:
        """How many of a table's first rows are header rows by what the file says of them; 0 if nothing."""
        if given := _up_to(rows, self.headers):
            return given
        count = 0
        while count < min(len(rows), MAX_HEADERS) and rows[count] in self.bold and _are_words(sample[count]):
            count += 1
        return count if count < min(len(rows), MAX_HEADERS) else 0

    def guess(self, rows: Sequence[int], sample: list[list[str]]) -> int:
        """How many they are by their content, or else by where the sheet is frozen."""
        if len(sample[0]) == 2 and rows[0] in self.labelled:
            return 0
        return _count_headers(sample) or _up_to(rows, self.frozen)


def _up_to(rows: Sequence[int], marked: set[int]) -> int:
    """How many of the first rows there are up to the last one that is marked."""
    return max((n for n, row in enumerate(rows[:MAX_HEADERS], 1) if row in marked), default=0)


def _are_words(row: Sequence[str]) -> bool:
    """Whether the cells of a row are two or more names or years."""
    texts = [text for text in row if text]
    return len(texts) > 1 and all(_YEAR.fullmatch(text) or not NUMBER.fullmatch(text) for text in texts)


def _count_headers(sample: list[list[str]]) -> int:
    """How many of the first rows are header rows."""
    if len(sample) < 2:
        return 0
    if len(sample[0]) == 1:
        return int(is_above_numbers(sample[0], sample[1:]))
    count = 0
    while count < MAX_HEADERS - 2 and _is_upper(sample, count):
        count += 1
    if not is_header(sample[count], sample[count + 1 :]):
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


def _has_units(rows: list[list[str]]) -> bool:
    """Whether the first row names units: only above columns of numbers, and no number itself."""
    if len(rows) < 2:
        return False
    filled_ = [(n, text) for n, text in enumerate(rows[0]) if text]
    if not filled_ or any(any(map(str.isdigit, text)) or len(text) > 20 for _, text in filled_):
        return False
    return all(_unit().fullmatch(text) or _column_of_numbers(rows[1:], n) for n, text in filled_)


def _column_of_numbers(rows: list[list[str]], column: int) -> bool:
    texts = [row[column] for row in rows if row[column]]
    return bool(texts) and all(NUMBER.fullmatch(text) for text in texts)


def is_above_numbers(row: list[str], below: list[list[str]]) -> bool:
    """Whether a row without numbers stands above a column of numbers."""
    if not below or any(NUMBER.fullmatch(text) for text in row if text):
        return False
    return any(text and _column_of_numbers(below, n) for n, text in enumerate(row))


@cache
def _unit() -> re.Pattern[str]:
    """A unit under the name of a column: `Unit`, `(mm)`."""
    return re.compile(rf"{any_of('tables.unit_columns')}\b.*|[(\[].*[)\]]", re.IGNORECASE)
