"""Questions that rows of tables suggest: what stands in a column for what the row names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from pincite.cells import names_and_cells
from pincite.evaluate.draft.words import is_chinese
from pincite.types import Document, Span

MOST_ROWS = 500  # of one document
_LONGEST_CELL = 120
_MARKUP = re.compile(r"\*\*|__|`+")
_NO_NOUN = (
    "what|how|when|why|who|where|which|this|is|has|can|in|on|at|to|for|by|with|means|holds|gives|fits|does|needs"
    "|uses|says|asks"
)
_NOUN = re.compile(rf"(?!(?:{_NO_NOUN})\b)[^\W\d_]", re.I)

Row = tuple[str, Span, str]


def row_drafts(document: Document, limit: int) -> Iterator[Row]:
    """(question, the row's span, the cell that answers) for each filled cell under a column's name.

    Rows are the first ones of the first `limit` characters.
    """
    rows = (one for one in document.blocks if one.kind == "row" and one.header and one.span.end <= limit)
    for row in islice(rows, MOST_ROWS):
        text = document.text[row.span.start : row.span.end]
        names, cells = names_and_cells(row.header, text, document.type)
        yield from _questions([*map(_plain, names)], [*map(_plain, cells)], row.span)


def _plain(cell: str) -> str:
    return _MARKUP.sub("", cell).strip()


def _questions(names: Sequence[str], cells: Sequence[str], span: Span) -> Iterator[Row]:
    """A question for each filled cell behind the one that names the row: its first, or one after a number."""
    named = next((at for at, cell in enumerate(cells[:2]) if _names(cell)), None)
    if len(names) != len(cells) or named is None:
        return
    for at, (name, cell) in enumerate(zip(names, cells, strict=True)):
        if at > named and cell and len(cell) <= _LONGEST_CELL and len(name) <= 60 and _NOUN.match(name):
            yield _asking(name.replace("_", " "), cells[named], cell), span, cell


def _names(cell: str) -> bool:
    return 1 < len(cell) <= 80 and any(map(str.isalpha, cell))


def _asking(column: str, first: str, cell: str) -> str:
    if is_chinese(column):
        return f"{first}的{column}是{'多少' if cell[:1].isdigit() else '什么'}？"
    small = column if any(char.isupper() for char in column[1:2]) else column[:1].lower() + column[1:]
    return f"What is the {small} of {first}?"
