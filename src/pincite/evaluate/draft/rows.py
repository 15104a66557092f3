"""Questions that rows of tables suggest: what stands in a column for what the row names."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from pincite.chunk.sentences import line_spans
from pincite.evaluate.draft.words import is_chinese
from pincite.parse.html.blocks import CELL
from pincite.parse.table import parse_table
from pincite.protocols import Source
from pincite.types import Document, Span

_JOINED = frozenset(
    ("html", "mhtml", "pdf", "docx", "odt", "rtf", "epub", "fb2", "pptx", "odp", "xlsx", "xls", "ods", "xml")
)
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

    Rows are those of a CSV or TSV file with a header row, and of tables in the first `limit` characters:
    between pipes in Markdown, and those that were read out of sheets, pages and office files.
    """
    if document.type in ("csv", "tsv"):
        found = _delimited(document) if len(document.text) <= limit else iter(())
    elif document.type == "markdown":
        found = _piped(document.text, limit)
    else:
        found = _extracted(document.text, limit) if document.type in _JOINED else iter(())
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


def _extracted(text: str, limit: int) -> Iterator[tuple[list[str], list[str], Span]]:
    """Rows of the tables whose first line names the columns, in text where the parser joined the cells."""
    rows: list[tuple[list[str], Span]] = []
    for span in (*line_spans(text, 0, min(len(text), limit)), Span(len(text), len(text))):
        cells = text[span.start : span.end].split(CELL)
        if rows and len(cells) != len(rows[-1][0]):
            yield from _under_names(rows)
            rows = []
        if len(cells) > 1:
            rows.append(([cell.strip() for cell in cells], span))


def _under_names(rows: Sequence[tuple[list[str], Span]]) -> Iterator[tuple[list[str], list[str], Span]]:
    """The rows below the first, if that has names: a column has figures in all of them, and none there."""
    (names, _), *body = rows
    figures = (all(map(_has_digit, column)) for column in zip(*(cells for cells, _ in body), strict=True))
    if any(all_of_it and not _has_digit(name) for name, all_of_it in zip(names, figures, strict=False)):
        yield from ((names, cells, span) for cells, span in body)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


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
