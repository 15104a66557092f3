"""Pieces to numbered evidence: text and place, the situating line, column names, headings, the edition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.assemble.editions import edition_of, later
from pincite.assemble.pieces import Piece
from pincite.characters import shortened
from pincite.contextualise import section_at, shown_title
from pincite.types import Block, Evidence, Span, Stored

_MAX_FACT = 100  # characters of a version


def numbered(pieces: Sequence[Piece]) -> tuple[Evidence, ...]:
    """The pieces as evidence, markers from 1."""
    return tuple(_evidence(piece, marker) for marker, piece in enumerate(pieces, start=1))


def dated(pieces: Sequence[Piece]) -> Iterator[Evidence]:
    """The numbered evidence, each with the markers of passages from newer editions of its document."""
    editions = [edition_of(piece.hits[0].stored) for piece in pieces]
    for one, edition in zip(numbered(pieces), editions, strict=True):
        newer = tuple(at + 1 for at in later(edition, editions))
        yield replace(one, later=newer, edition=edition.label if newer or edition.superseded else "")


def _evidence(piece: Piece, marker: int) -> Evidence:
    """One piece as numbered evidence, described by its best hit."""
    best, document, span = piece.hits[0], piece.document, piece.span
    place = document.origins.place(span)
    own = {place.location(best.stored.uri), *(hit.location for hit in piece.hits)}
    blocks = _blocks(piece)
    headings = tuple(block.span for block in blocks if block.kind == "heading")
    return Evidence(
        marker=marker,
        doc_id=document.id,
        uri=best.stored.uri,
        span=span,
        text=document.text[span.start : span.end],
        place=place,
        context=_context(best.stored),
        hits=tuple(hit.stored.chunk.id for hit in piece.hits),
        stale=best.stale,
        cut=piece.cut,
        also_at=tuple(at for at in piece.also_at if at not in own),
        sha256=best.stored.doc_sha256,
        header=_header(piece),
        headings=headings,
        sections=_sections(piece, headings),
        blocks=blocks,
        type=document.type,
    )


def _context(stored: Stored) -> str:
    """The situating line, with the document's version and date where its metadata has them."""
    given = {name: str(stored.meta[name]) for name in ("version", "date") if name in stored.meta}
    facts = [f"{name} {shortened(value, _MAX_FACT)}" for name, value in given.items()]
    return " · ".join(part for part in (stored.chunk.context, *facts) if part)


def _header(piece: Piece) -> str:
    """The table header of the first hit that has one, unless the piece holds it."""
    text = piece.document.text[piece.span.start : piece.span.end]
    headers = (hit.stored.chunk.header.strip("\n") for hit in piece.hits)
    return next((header for header in headers if header and header.removesuffix("…") not in text), "")


def _blocks(piece: Piece) -> tuple[Block, ...]:
    """What the parser saw in the piece, as far as it holds it."""
    span = piece.span
    found = piece.document.blocks_in(span)
    within = (Span(max(one.span.start, span.start), min(one.span.end, span.end)) for one in found)
    return tuple(replace(block, span=held) for block, held in zip(found, within, strict=True))


def _sections(piece: Piece, headings: Sequence[Span]) -> tuple[tuple[str, ...], ...]:
    """The path of titles where the piece begins, then that at each of its headings."""
    document, title = piece.document, shown_title(piece.document).text
    at = [piece.span.start, *(heading.start for heading in headings)]
    paths = [document.heading_path(section_at(document, offset)) for offset in at]
    return tuple(path if not title or path[:1] == (title,) else (title, *path) for path in paths)
