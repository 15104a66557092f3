"""reStructuredText to a `Document`: headings, paragraphs, list items, literal blocks and directives.

`text` is the decoded file itself. A heading is a line underlined, and perhaps overlined, with one
repeated punctuation character, at least as wide as the title; levels follow the order in which the styles
appear. Directives and literal blocks are kept whole as code; comments are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import east_asian_width

from pincite.parse.build import Heading, Piece, cover, make_document, make_sections, number_blocks
from pincite.parse.decode import decode
from pincite.parse.lines import Lines
from pincite.protocols import Source
from pincite.types import BlockKind, Document, LeftOut

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
_ITEM = re.compile(r"(?:[-*+•‣⁃]|\(?(?:\d{1,9}|[A-Za-z#]|[ivxlcdmIVXLCDM]{1,8})[.)])[ \t]+\S")
_EXPLICIT = re.compile(r"\.\.(?:[ \t]|$)")
_NAMED = re.compile(r"\.\.[ \t]+(?:[\w:.+-]{1,80}::|\[[^\]]{1,80}\]|_|\|)")
_MAX_ADORNMENT = 1_000


def parse_rst(source: Source) -> Document:
    """The document of a reStructuredText file. Raises `InputError` if its bytes cannot be decoded."""
    decoded = decode(source.data, uri=source.uri)
    text = decoded.text
    lines = Lines.of(text)
    left_out: list[LeftOut] = []
    pieces = list(cover(text, 0, _pieces(lines, left_out)))
    comments = {part.span for part in left_out}
    pieces = [piece for piece in pieces if piece.span not in comments]
    sections = make_sections([p.heading for p in pieces if p.heading], len(text))
    return make_document(
        source,
        text=text,
        type="rst",
        encoding=decoded.encoding,
        title=sections[0].title if sections else "",
        sections=sections,
        blocks=tuple(number_blocks(pieces)),
        left_out=left_out,
    )


def _pieces(lines: Lines, left_out: list[LeftOut]) -> Iterator[Piece]:
    """The blocks in order; comments are given as paragraphs and noted in `left_out`."""
    styles: list[str] = []  # heading styles by level: the character, twice with an overline
    i, literal = 0, False
    while i < len(lines.rows):
        if lines.blank(i):
            i += 1
            continue
        found = None if literal and lines.indented(i) else _heading(lines, i)
        if found:
            style, title, height = found
            if style not in styles:
                styles.append(style)
            span = lines.span(i, i + height)
            yield Piece("heading", span, Heading(title, styles.index(style) + 1, span))
            i, literal = i + height, False
            continue
        kind, last = _block(lines, i, literal)
        span = lines.span(i, last)
        if _is_comment(lines, i, last):
            left_out.append(LeftOut(span, "comment"))
        yield Piece(kind, span)
        literal = lines.rows[last - 1].endswith("::") and kind != "code"
        i = last


def _heading(lines: Lines, i: int) -> tuple[str, str, int] | None:
    """Style, title and number of lines of the heading at line `i`, if one stands there."""
    rows = lines.rows[i : i + 3]
    if len(rows) == 3 and _is_adornment(rows[0]) and rows[1].strip() and rows[0] == rows[2]:
        title = rows[1].strip()
        if _width(title) <= len(rows[0]) and not _is_adornment(rows[1]):
            return rows[0][0] * 2, title, 3
    if len(rows) >= 2 and _is_adornment(rows[1]) and not lines.indented(i) and not _is_adornment(rows[0]):
        wide_enough = _width(rows[0]) <= len(rows[1]) or len(rows[1]) >= 4
        if wide_enough and (i == 0 or lines.blank(i - 1) or _is_adornment(lines.rows[i - 1])):
            return rows[1][0], rows[0].strip(), 2
    return None


def _is_adornment(row: str) -> bool:
    return 2 <= len(row) <= _MAX_ADORNMENT and bool(_ADORNMENT.fullmatch(row)) and row not in ("::", "..")


def _width(title: str) -> int:
    """Columns of a title: wide characters count twice. Long text is no title."""
    if len(title) > _MAX_ADORNMENT:
        return len(title)
    return sum(2 if east_asian_width(ch) in "WF" else 1 for ch in title)


def _block(lines: Lines, i: int, literal: bool) -> tuple[BlockKind, int]:
    """The kind of the block at line `i` and the line behind it."""
    row = lines.rows[i]
    if lines.indented(i):
        return ("code" if literal else "quote"), lines.end_of_indent(i)
    if _EXPLICIT.match(row):
        return ("code" if "::" in row else "paragraph"), lines.end_of_indent(i + 1)
    if row.startswith(">>> "):
        return "code", lines.end_of_paragraph(i)
    if _ITEM.match(row):
        return "list", lines.end_of_indent(i + 1)
    return "paragraph", lines.end_of_paragraph(i)


def _is_comment(lines: Lines, i: int, last: int) -> bool:
    """Whether the explicit block at line `i` is no directive, target, footnote or substitution."""
    row = lines.rows[i]
    return bool(_EXPLICIT.match(row)) and not _NAMED.match(row) and (row != ".." or last > i + 1)
