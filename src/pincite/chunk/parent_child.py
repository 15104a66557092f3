"""Small chunks to find, each with the larger span around it to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from pincite.chunk.coverage import clear
from pincite.chunk.pack import Piece
from pincite.chunk.ruler import Ruler
from pincite.chunk.structural import structural
from pincite.config import ChunkConfig
from pincite.types import Document, Span


def parent_child(document: Document, ruler: Ruler, config: ChunkConfig) -> list[Piece]:
    """Structural chunks of `config.size` tokens with a `parent` of at most `config.parent_size`.

    The parent is the largest section around the chunk that fits, subsections included (the whole text
    if it fits); under a section that is too large, as many neighbouring chunks as fit. Of those it ends where
    something is left out.
    """
    pieces = structural(document, ruler, config)
    if not pieces:
        return []
    whole = Span(pieces[0].span.start, max(piece.span.end for piece in pieces))
    placed: list[Piece] = []
    for section, group in groupby(pieces, key=lambda piece: piece.section):
        members = list(group)
        around = _section_around(document, ruler, section, whole, config.parent_size)
        placed += (
            [replace(piece, parent=around) for piece in members]
            if around
            else _windowed(ruler, members, config.parent_size)
        )
    return [_cleared(document, piece) for piece in placed]


def _cleared(document: Document, piece: Piece) -> Piece:
    return replace(piece, parent=piece.parent and clear(document, piece.span, piece.parent))


def _section_around(document: Document, ruler: Ruler, section: int, whole: Span, most: int) -> Span | None:
    """The span of the outermost section around `section` that has at most `most` tokens."""
    around = None
    while section >= 0 and ruler.size(*_ends(document.sections[section].span)) <= most:
        around = document.sections[section].span
        section = document.sections[section].parent
    return whole if section < 0 and ruler.size(*_ends(whole)) <= most else around


def _windowed(ruler: Ruler, pieces: Sequence[Piece], most: int) -> list[Piece]:
    """The pieces with the span of as many neighbours as fit, each group beside the next."""
    placed: list[Piece] = []
    window: list[Piece] = []
    for piece in [*pieces, None]:
        if window and (piece is None or ruler.size(window[0].span.start, piece.span.end) > most):
            around = Span(window[0].span.start, window[-1].span.end)
            placed += [replace(member, parent=around) for member in window]
            window = []
        if piece is not None:
            window.append(piece)
    return placed


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end
