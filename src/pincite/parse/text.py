"""Plain text to a `Document`: paragraphs between blank lines and their titles; `text` is the file itself.

A text that is plainly a table or a chat is read as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from pincite.parse.build import make_document, paragraph_spans
from pincite.parse.decode import decode
from pincite.parse.titles import title_spans
from pincite.protocols import Source
from pincite.types import Block, Document, Span

LEAST_ROWS = 3  # lines from which on a text may be a table
MOST_ROWS = 200  # lines that are looked at
LONGEST_CELL = 80  # characters
# The sign between cells, how often it must stand in a line, and how: no comma or semicolon of a sentence.
_SIGNS = (("\t", 1, re.compile("\t")), (";", 1, re.compile(";(?! )")), (",", 2, re.compile(",(?! )")))
MOST_FIELDS, LONGEST_FIELD = 200, 160  # lines of a form, and characters of one
_LABELLED = re.compile(r"[ \t]*[^\W\d_][^:：\n]{0,40}[:：](?:[ \t]+\S|[^\s:/])")
_APART = re.compile(r"\S(?: {2,}|\t+)\S")
_LINE = re.compile(r"\S[^\n]*")
_STAMPED = re.compile(r"\W{0,2}(?:\d{4}-\d\d-\d\d|\d\d/\w{2,3}/\d{4}|\w{3} +\d{1,2})[T ,:]{1,2}\d\d:\d\d")


def parse_text(source: Source) -> Document:
    """The document of a text file; of a chat if its lines are messages, of a table if they are its rows.

    Raises `InputError` if the bytes cannot be decoded.
    """
    from pincite.parse.chat import looks_like_chat, parse_chat
    from pincite.parse.table import parse_table

    decoded = decode(source.data, uri=source.uri)
    if looks_like_chat(decoded.text):
        return parse_chat(source)
    if looks_like_table(decoded.text):
        return parse_table(source)
    blocks = list(_blocks(decoded.text))
    return make_document(source, text=decoded.text, type="text", encoding=decoded.encoding, blocks=blocks)


def _blocks(text: str) -> Iterator[Block]:
    """Rows without names, the paragraphs of a log, or paragraphs apart from their titles."""
    lines = _first_lines(text)
    if _sign(lines):
        yield from (Block("row", line) for line in _lines(text, Span(0, len(text))))
        return
    if _is_log(lines):
        yield from (Block("lines", span) for span in paragraph_spans(text))
        return
    at = 0
    for title in title_spans(text):
        yield from _paragraphs(text, at, title.start)
        yield Block("heading", title)
        at = title.end
    yield from _paragraphs(text, at, len(text))


def _paragraphs(text: str, start: int, end: int) -> Iterator[Block]:
    """Paragraphs, and each line of those whose lines are made up as in a form."""
    for span in paragraph_spans(text, start, end):
        if _is_form(text[span.start : span.end].split("\n")):
            yield from (Block("field", line) for line in _lines(text, span))
        else:
            yield Block("paragraph", span)


def _lines(text: str, span: Span) -> Iterator[Span]:
    for line in _LINE.finditer(text, span.start, span.end):
        yield Span(line.start(), line.start() + len(line[0].rstrip()))


def _is_form(lines: Sequence[str]) -> bool:
    """Whether each line is a label with what it says, or has its words apart as in columns."""
    short = len(lines) <= MOST_FIELDS and all(len(line) <= LONGEST_FIELD for line in lines)
    return short and all(_LABELLED.match(line) or _APART.search(line) for line in lines)


def looks_like_table(text: str) -> bool:
    """Whether the lines, 3 at least, are cut by one sign into as many short cells, and begin with names.

    Names are different and hold letters and no figures; no line that is not blank may break the pattern.
    """
    lines = _first_lines(text)
    sign = _sign(lines)
    if not sign:
        return False
    rows = [[cell.strip() for cell in line.split(sign)] for line in lines]
    names = rows[0]
    named = len(set(names)) == len(names) and all(
        any(map(str.isalpha, name)) and not any(map(str.isdigit, name)) for name in names
    )
    return named and all(len(cell) <= LONGEST_CELL for row in rows for cell in row)


def _first_lines(text: str) -> list[str]:
    found = (line[0].strip(" \r") for line in re.finditer(r"[^\n]+", text) if not line[0].isspace())
    return list(islice(found, MOST_ROWS))


def _sign(lines: Sequence[str]) -> str:
    """The sign that stands as often in every line, where it parts cells; "" if there is none."""
    if len(lines) < LEAST_ROWS:
        return ""
    for sign, least, between in _SIGNS:
        count = len(between.findall(lines[0]))
        if count >= least and all(line.count(sign) == count for line in lines):
            return sign
    return ""


def _is_log(lines: Sequence[str]) -> bool:
    """Whether more than half of the lines begin with a date and a time."""
    return len(lines) > 1 and 2 * sum(bool(_STAMPED.match(line)) for line in lines) > len(lines)
