"""Questions that rows of tables suggest: what stands in a column for what the first cell names."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from pincite.parse.table import parse_table
from pincite.protocols import Source
from pincite.types import Document, Span

MOST_ROWS = 500  # of one document
_LONGEST_CELL = 120
_RULE = re.compile(r"[\s|:+=-]*-[\s|:+=-]*")
_CELL = re.compile(r"(?<!\\)\|")
_MARKUP = re.compile(r"\*\*|__|`+")
_NO_NOUN = (
    "what|how|when|why|who|where|which|this|is|has|can|in|on|at|to|for|by|with|means|holds|gives|fits|does|needs"
    "|uses|says|asks"
)
_NOUN = re.compile(rf"(?!(?:{_NO_NOUN})\b)[^\W\d_]", re.I)
_PIPE_LINE = re.compile(r"^[ \t]*\|.*$", re.M)

Row = tuple[str, Span, str]


def row_drafts(document: Document, limit: int) -> Iterator[Row]:
    """(question, the row's span, the cell that answers) for each filled cell of the first rows.

    Rows are those of a CSV or TSV file with a header row, and of tables between pipes in the first `limit`
    characters.
    """
    if document.type in ("csv", "tsv"):
        found = _delimited(document) if len(document.text) <= limit else iter(())
    else:
        found = _piped(document.text, limit) if document.type == "markdown" else iter(())
    for names, cells, span in islice(found, MOST_ROWS):
        yield from _questions(names, cells, span)


def _delimited(document: Document) -> Iterator[tuple[list[str], list[str], Span]]:
    data = document.text.encode("utf-8", "replace")
    for block in parse_table(Source(document.uri, data, "")).blocks:
        if block.kind == "row" and block.header:
            mark = max("\t,;|", key=block.header.count)
            text = document.text[block.span.start : block.span.end]
            yield _cells(block.header, mark), _cells(text, mark), block.span


def _cells(record: str, mark: str) -> list[str]:
    try:
        rows = list(csv.reader(record.splitlines(keepends=True), delimiter=mark, strict=True))
    except csv.Error:
        return []
    return [" ".join(cell.split()) for cell in rows[0]] if rows else []


def _piped(text: str, limit: int) -> Iterator[tuple[list[str], list[str], Span]]:
    """Rows below a header row and a rule, as Markdown has them."""
    names: list[str] = []
    before, end = "", -1
    for found in _PIPE_LINE.finditer(text, 0, limit):
        if found.start() != end + 1:  # another table, or text between
            names, before = [], ""
        end = found.end()
        if before and _RULE.fullmatch(found[0]):
            names = _pipes(before)
        elif names:
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            yield names, _pipes(found[0]), Span(start, found.start() + len(found[0].rstrip()))
        before = found[0]


def _pipes(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [_MARKUP.sub("", cell).strip() for cell in _CELL.split(inner)]


def _questions(names: Sequence[str], cells: Sequence[str], span: Span) -> Iterator[Row]:
    """A question for each filled cell behind the first, which must be a name and no mere number."""
    if len(names) != len(cells) or not names or not _names(cells[0]):
        return
    for name, cell in zip(names[1:], cells[1:], strict=True):
        if cell and len(cell) <= _LONGEST_CELL and len(name) <= 60 and _NOUN.match(name):
            yield _asking(name.replace("_", " "), cells[0], cell), span, cell


def _names(cell: str) -> bool:
    return 1 < len(cell) <= 80 and any(map(str.isalpha, cell))


def _asking(column: str, first: str, cell: str) -> str:
    if any("\u3400" <= char <= "\u9fff" for char in column):
        return f"{first}的{column}是{'多少' if cell[:1].isdigit() else '什么'}？"
    small = column if any(char.isupper() for char in column[1:2]) else column[:1].lower() + column[1:]
    return f"What is the {small} of {first}?"
