"""Tables as extracted, one row a line, cells between bars: which lines they are, and whether they hold pairs.

A certificate or the cover of an offer lists `Owner | Pia Koch`: names in the first column, and in the second
one values of several kinds. Such a table has no row of column names, and its rows read `Owner: Pia Koch`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

BORDERED = frozenset({"markdown", "text", "rst"})
"""Types whose tables are written with outer bars."""
LONGEST_NAME = 40
"""Characters of the name in a pair at most."""
MOST_ROWS = 200
"""Rows of a table that are looked at."""

_KINDS = (
    ("address", re.compile(r"\S+@\S+|https?://\S+|www\.\S+")),
    (
        "date",
        re.compile(r"\d{4}-\d\d-\d\d.*|\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}|\d{1,2}\.? [^\W\d]{3,9}\.? \d{4}"),
    ),
    ("amount", re.compile(r"[-+~≈<>±]?\s?[€$£¥]?\s?\d[\d.,' ]*\s?[^\W\d]{0,8}[%€$£¥°²³/\w]{0,8}")),
    ("code", re.compile(r"(?=.*\d)[\w+()./ -]+")),
)
_COLUMN = re.compile(
    r"\b(?:value|amount|price|cost|fee|rent|total|date|time|day|name|number|no|qty|quantity|unit|meaning|remedy|type"
    r"|description|size|status|role|persons?|people|contact|phone|e-?mail|address|wert|betrag|preis|datum|zeit|tag"
    r"|nummer|nr|menge|einheit|bedeutung|beschreibung|größe|anzahl|personen|telefon|valeur|prix|montant|valor"
    r"|precio|importe|fecha|valore|prezzo|importo|data|preço)\b|[值价量数期称]",
    re.I,
)


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
    """Whether all rows of a table are a name and its value, also the first one.

    Names are distinct words, values are of two kinds or more (amount, date, code, address, text) besides the
    first, and the first value is none that heads a column: it has a figure or two words, or kinds are three.
    """
    pairs = [cells_of(row) for row in rows[:MOST_ROWS]]
    if len(pairs) < 3 or any(len(pair) != 2 or not all(pair) for pair in pairs):
        return False
    names, first = [name for name, _ in pairs], pairs[0][1]
    kinds = {_kind(value) for _, value in pairs[1:]}
    if len(set(names)) < len(names) or any(len(n) > LONGEST_NAME or n[0].isdigit() for n in names):
        return False
    if len(kinds) < 2 or (_kind(first) == "text" and _COLUMN.search(first)):
        return False
    return _kind(first) != "text" or " " in first or len(kinds) > 2


def _kind(value: str) -> str:
    return next((name for name, pattern in _KINDS if pattern.fullmatch(value)), "text")
