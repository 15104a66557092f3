"""Stretches of documents: those that overlap or touch become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.types import Document, SearchHit, Span


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one document with the hits that brought it, best first."""

    document: Document
    span: Span
    hits: tuple[SearchHit, ...]
    also_at: tuple[str, ...] = ()
    cut: bool = False

    @property
    def rank(self) -> int:
        return self.hits[0].rank


def merge(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with those that overlap or touch joined, each at the rank of its best hit."""
    joined: list[Piece] = []
    for piece in sorted(pieces, key=lambda one: (one.document.id, one.span)):
        if joined and _touch(joined[-1], piece):
            joined[-1] = _join(joined[-1], piece)
        else:
            joined.append(piece)
    return sorted(joined, key=lambda one: (one.rank, one.document.id, one.span))


def _touch(first: Piece, second: Piece) -> bool:
    """Whether nothing but white space lies between two pieces of one document."""
    if first.document.id != second.document.id:
        return False
    gap = first.document.text[first.span.end : second.span.start]
    return second.span.start <= first.span.end or not gap.strip()


def _join(first: Piece, second: Piece) -> Piece:
    hits = {
        hit.stored.chunk.id: hit for hit in sorted((*second.hits, *first.hits), key=by_rank, reverse=True)
    }
    return Piece(
        first.document,
        Span(first.span.start, max(first.span.end, second.span.end)),
        tuple(sorted(hits.values(), key=by_rank)),
        tuple(dict.fromkeys((*first.also_at, *second.also_at))),
        first.cut or second.cut,
    )


def by_rank(hit: SearchHit) -> tuple[int, str]:
    """The key that puts hits in rank order, ties by id."""
    return hit.rank, hit.stored.chunk.id


def trimmed(text: str, span: Span) -> Span:
    """`span` without white space at its end and without blank lines at its start; empty if none is left."""
    end = span.start + len(text[span.start : span.end].rstrip())
    body = text[span.start : end]
    blank = len(body) - len(body.lstrip())
    line = body.rfind("\n", 0, blank) + 1
    return Span(span.start + line, max(end, span.start + line))
