"""reStructuredText to a `Document`: headings, paragraphs, list items, literal blocks and directives.

`text` is the decoded file itself. A heading is a line underlined, and perhaps overlined, with one
repeated punctuation character, at least as wide as the title; levels follow the order in which the styles
appear. Directives and literal blocks are kept whole as code, tables row by row; comments are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.parse.build import Heading, Piece
from pincite.parse.decode import decode
from pincite.parse.lines import Found, Lines, field_value, lines_document
from pincite.parse.rst.tables import read_table
from pincite.protocols import Source
from pincite.scripts import columns
from pincite.types import BlockKind, Document

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*")
_ITEM = re.compile(r"(?:[-*+•‣⁃]|\(?(?:\d{1,9}|[A-Za-z#]|[ivxlcdmIVXLCDM]{1,8})[.)])[ \t]+\S")
_EXPLICIT = re.compile(r"\.\.(?:[ \t]|$)")
_NAMED = re.compile(r"\.\.[ \t]+(?:[\w:.+-]{1,80}::|\[[^\]]{1,80}\]|_|\|)")
_FILE = re.compile(r"\.\.[ \t]+(image|figure|include|literalinclude)::[ \t]+(\S{1,300})")
_FIELD = re.compile(r":([A-Za-z][\w -]{0,60}):[ \t]+(.{1,2000})")
_MAX_ADORNMENT = 1_000


def parse_rst(source: Source) -> Document:
    """The document of a reStructuredText file. Raises `InputError` if its bytes cannot be decoded."""
    decoded = decode(source.data, uri=source.uri)
    lines, found = Lines.of(decoded.text), Found()
    pieces = list(_pieces(lines, found))
    _read_fields(lines, found, pieces)
    return lines_document(source, decoded, "rst", pieces, found)


def _read_fields(lines: Lines, found: Found, pieces: list[Piece]) -> None:
    """Takes the fields (`:Author: Ada`) that stand first, or right below the title; they stay text."""
    first = next((piece for piece in pieces if not piece.heading), None)
    if first is None or sum(1 for piece in pieces if piece.heading and piece.span < first.span) > 2:
        return
    for row in lines.text[first.span.start : first.span.end].split("\n")[:100]:
        given = _FIELD.fullmatch(row.rstrip())
        if given and given[2].strip():
            name = given[1].lower()
            found.meta.setdefault({"authors": "author"}.get(name, name), field_value(name, given[2].strip()))


def _pieces(lines: Lines, found: Found) -> Iterator[Piece]:
    """The blocks in order; comments are noted as left out, files that are named as dropped."""
    styles: list[str] = []  # heading styles by level: the character, twice with an overline
    i, literal = 0, False
    while i < len(lines.rows):
        if lines.blank(i):
            i += 1
            continue
        heading = None if literal and lines.indented(i) else _heading(lines, i)
        if heading:
            style, title, height = heading
            if style not in styles:
                styles.append(style)
            span = lines.span(i, i + height)
            yield Piece("heading", span, Heading(title, styles.index(style) + 1, span))
            i, literal = i + height, False
            continue
        if table := read_table(lines, i):
            rows, i = table
            yield from rows
            literal = False
            continue
        kind, last = _block(lines, i, literal)
        span = lines.span(i, last)
        if _is_comment(lines, i, last):
            found.leave(span, "comment")
        else:
            yield Piece(kind, span)
        if named := _FILE.match(lines.rows[i]):
            what = "an image" if named[1] in ("image", "figure") else f".. {named[1]}::"
            found.dropped.append(f"line {i + 1}: {what} ({named[2]})")
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
    return columns(title)


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
