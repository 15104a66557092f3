"""Plain text to a `Document`: paragraphs between blank lines, no headings; `text` is the file itself.

A text that is plainly a table or a chat is read as one.
"""

from __future__ import annotations

import re
from itertools import islice

from pincite.parse.build import make_document, paragraph_spans
from pincite.parse.decode import decode
from pincite.protocols import Source
from pincite.types import Block, Document

LEAST_ROWS = 3  # lines from which on a text may be a table
MOST_ROWS = 200  # lines that are looked at
LONGEST_CELL = 80  # characters
# The sign between cells, how often it must stand in a line, and how: no comma or semicolon of a sentence.
_SIGNS = (("\t", 1, re.compile("\t")), (";", 1, re.compile(";(?! )")), (",", 2, re.compile(",(?! )")))


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
    return make_document(
        source,
        text=decoded.text,
        type="text",
        encoding=decoded.encoding,
        blocks=[Block("paragraph", span) for span in paragraph_spans(decoded.text)],
    )


def looks_like_table(text: str) -> bool:
    """Whether the lines, 3 at least, are cut by one sign into as many short cells, and begin with names.

    Names are different and hold letters and no figures; no line that is not blank may break the pattern.
    """
    found = (line[0].strip(" \r") for line in re.finditer(r"[^\n]+", text) if not line[0].isspace())
    lines = list(islice(found, MOST_ROWS))
    if len(lines) < LEAST_ROWS:
        return False
    return any(_is_cut(lines, sign, least, between) for sign, least, between in _SIGNS)


def _is_cut(lines: list[str], sign: str, least: int, between: re.Pattern[str]) -> bool:
    count = len(between.findall(lines[0]))
    if count < least or any(line.count(sign) != count for line in lines):
        return False
    rows = [[cell.strip() for cell in line.split(sign)] for line in lines]
    names = rows[0]
    named = len(set(names)) == len(names) and all(
        any(map(str.isalpha, name)) and not any(map(str.isdigit, name)) for name in names
    )
    return named and all(len(cell) <= LONGEST_CELL for row in rows for cell in row)
