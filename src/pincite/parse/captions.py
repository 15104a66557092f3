"""Captions of Markdown tables: a line `Table: …` directly before or after the table, never other text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pincite.parse.build import Piece
from pincite.types import Span

_CAPTION = re.compile(r"[ \t*_]{0,8}(?:Table|TABLE|表)[ \t]{0,4}[\w.-]{0,12}[ \t]{0,4}[:：]")


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
        near = [n for n in (i - 1, end) if _caption(text, given, n, before=n < i) and n not in taken]
        if near:
            taken.add(near[0])
            line = _caption(text, given, near[0], before=near[0] < i)
            header = f"{line}\n{_slice(text, given[i].span)}"
            given[i + 1 : end] = [replace(row, header=header) for row in given[i + 1 : end]]
        i = end
    return given


def _not_a_row(text: str, piece: Piece) -> Piece:
    row = text[piece.span.start : piece.span.end]
    if piece.kind == "row" and "|" not in row and _CAPTION.match(row):
        return Piece("paragraph", piece.span)
    return piece


def _caption(text: str, pieces: list[Piece], n: int, *, before: bool) -> str:
    """The line of piece `n` next to the table, if it is a caption; else ""."""
    if not 0 <= n < len(pieces) or pieces[n].kind != "paragraph":
        return ""
    lines = _slice(text, pieces[n].span).split("\n")
    line = lines[-1 if before else 0].rstrip()
    return line if _CAPTION.match(line) else ""


def _slice(text: str, span: Span) -> str:
    return text[span.start : span.end]
