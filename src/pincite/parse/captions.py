"""Captions of Markdown tables: a line `Table: …` directly before or after the table, never other text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from pincite.lexicon import words
from pincite.parse.build import Piece, trim
from pincite.types import Span


@cache
def _caption_line() -> re.Pattern[str]:
    """`Table 2:`, `TABLE:`; in small letters it is a word of a sentence."""
    written = {form for word in words("captions.table") for form in (word.capitalize(), word.upper())}
    table = "|".join(map(re.escape, sorted(written)))
    return re.compile(rf"[ \t*_]{{0,8}}(?:{table})[ \t]{{0,4}}[\w.-]{{0,12}}[ \t]{{0,4}}[:：]")


def with_captions(text: str, pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces, the caption of each table put in front of its rows' headers.

    A caption line right under a table reads as its last row in the grammar; here it is a paragraph.
    A caption between two tables belongs to the one before, unless that has one in front of it.
    """
    given = [_not_a_row(text, piece) for piece in pieces]
    taken: set[int] = set()
    i = 0
    while i < len(given):
        if given[i].kind != "table":
            i += 1
            continue
        end = i + 1
        while end < len(given) and given[end].kind == "row":
            end += 1
        near = [n for n in (i - 1, end) if n not in taken and _caption(text, given, n, before=n < i)]
        if near:
            taken.add(near[0])
            given[i + 1 : end] = _captioned(text, given, near[0], i, given[i + 1 : end])
        i = end
    return given


def _captioned(text: str, given: list[Piece], n: int, i: int, rows: list[Piece]) -> list[Piece]:
    """The rows of the table at `i` under the caption in piece `n` and the header row.

    `header_span` is the smallest that holds both: of a caption below, the whole table.
    """
    head = given[i].span
    caption = _caption(text, given, n, before=n < i)
    if caption is None:
        return rows
    span = Span(min(head.start, caption.start), max(head.end, caption.end))
    header = _slice(text, span) if n < i else f"{_slice(text, caption)}\n{_slice(text, head)}"
    return [replace(row, header=header, header_span=span) for row in rows]


def _not_a_row(text: str, piece: Piece) -> Piece:
    row = text[piece.span.start : piece.span.end]
    if piece.kind == "row" and "|" not in row and _caption_line().match(row):
        return Piece("paragraph", piece.span)
    return piece


def _caption(text: str, pieces: list[Piece], n: int, *, before: bool) -> Span | None:
    """The line of piece `n` next to the table, if it is a caption."""
    if not 0 <= n < len(pieces) or pieces[n].kind != "paragraph":
        return None
    span = pieces[n].span
    if before:
        span = Span(max(span.start, text.rfind("\n", span.start, span.end) + 1), span.end)
    else:
        end = text.find("\n", span.start, span.end)
        span = trim(text, span.start, span.end if end == -1 else end)
    return span if _caption_line().match(text, span.start, span.end) else None


def _slice(text: str, span: Span) -> str:
    return text[span.start : span.end]
