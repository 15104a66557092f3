"""Tables of two columns that have no header row: a data sheet, a certificate, the cover of an offer.

They list names and what holds for them, `Owner | Pia Koch`, from the first row on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pincite.lexicon import any_of, whole

_MAX_NAME = 60  # characters
_MAX_ROWS = 40  # rows of a list whose first value is but words; a longer one rather has column names
_COLON = (":", "：")
_YEAR = re.compile(r"(?:19|20)\d\d")
_KINDS = (
    ("address", re.compile(r"\S{1,200}@\S{1,200}|(?:https?://|www\.)\S+")),
    ("date", re.compile(r"\d{4}-\d\d?-\d\d?\b.{0,20}|\d{1,2}([./])\s?\d{1,2}\1\s?\d{2,4}|\d{4}年.{0,8}")),
    ("date", re.compile(r"\d{1,2}\.? [^\W\d]{3,9}\.? \d{4}|[^\W\d]{3,9} \d{1,2}, \d{4}")),
    ("amount", re.compile(r"[-+~≈<>±(]?\s?[€$£¥]?\s?\d[\d.,'’: ]*\s?[^\W\d]{0,8}[%€$£¥°²³/\w)]{0,8}")),
)


@cache
def _column() -> re.Pattern[str]:
    """What stands at the head of a column of values."""
    return re.compile(
        rf"{whole('tables.value_columns')}|{any_of('tables.value_column_endings')}$", re.IGNORECASE
    )


@cache
def _attribute() -> re.Pattern[str]:
    """What stands in a column of names beside values of several kinds."""
    begun = rf"\b{any_of('tables.attribute_beginnings')}\S*\b"
    ending = rf"{any_of('tables.attribute_endings')}$"
    return re.compile(rf"{whole('tables.attributes')}|{begun}|{ending}", re.IGNORECASE)


@cache
def _field() -> re.Pattern[str]:
    """What stands at the head of a column of names."""
    return re.compile(any_of("tables.name_columns"), re.IGNORECASE)


def are_pairs(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row of a table is a name and its value, the first one too.

    Names end with colons, or are different and mostly without figures. The first value is one by its kind
    (an amount, a date, a code …), or by the names and values below it.
    """
    pairs = [(row[0], row[1]) for row in rows if len(row) > 1 and row[1]]
    if any(len(row) > 2 for row in rows) or len(pairs) < 2 or pairs[0] != tuple(rows[0]):
        return False
    names, (first, *below) = [name for name, _ in pairs], [value for _, value in pairs]
    if all(row[0].endswith(_COLON) for row in rows if row and row[0]):
        return True
    return _are_labels(names) and 3 * len(pairs) >= 2 * len(rows) and _is_value(names, first, below)


def _are_labels(names: Sequence[str]) -> bool:
    """Whether names are short, different, and mostly without figures; the first one has none."""
    if len(set(names)) < len(names) or not all(0 < len(name) <= _MAX_NAME for name in names):
        return False
    with_figures = [any(map(str.isdigit, name)) for name in names]
    return not with_figures[0] and 2 * sum(with_figures) < len(names) - 1


def _is_value(names: Sequence[str], first: str, below: Sequence[str]) -> bool:
    """Whether the first value is one like those below it, and no name of theirs.

    Words are, if they head no column, while the values are of several kinds (codes and amounts count as one)
    and the names are attributes rather than the things that a column of one kind is about.
    """
    kind, kinds = _kind(first), {_kind(value) for value in below}
    attributes = sum(_attribute().search(name) is not None for name in names[1:])
    if kind not in ("code", "words"):
        return not (_YEAR.fullmatch(first) and kinds == {"amount"})
    if kind == "code":
        return len(below) > 1 and (attributes > 1 or kinds not in ({"amount"}, {"date"}))
    if _column().search(first) or _field().fullmatch(names[0]) or not 2 <= len(below) < _MAX_ROWS:
        return False
    if kinds == {"words"} or 2 * attributes >= len(below):
        return kinds != {"words"}
    is_mixed = "words" in kinds or not kinds <= {"amount", "code"}
    return is_mixed and len(kinds) > 1 and attributes >= (1 if " " in first else 2)


def _kind(value: str) -> str:
    """What a value is: `address`, `date`, `amount`, `code` (words half of which have figures), or `words`."""
    if found := next((kind for kind, pattern in _KINDS if pattern.fullmatch(value)), None):
        return found
    words = value.split()
    with_figures = sum(any(map(str.isdigit, word)) for word in words)
    return "code" if with_figures and 2 * with_figures >= len(words) else "words"
