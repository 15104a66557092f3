"""Pieces to numbered evidence: text and place, the situating line, column names, headings, the edition."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.assemble.editions import edition_of, later
from pincite.assemble.pieces import Piece
from pincite.characters import shortened
from pincite.contextualise import section_at, shown_title
from pincite.types import Evidence, Span, Stored

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
        headings=_headings(piece),
        sections=_sections(piece),
        kind=best.stored.chunk.kind,
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


def _headings(piece: Piece) -> tuple[Span, ...]:
    """Spans of headings in the piece and of a CSV's header row; a function's own line is text, no heading."""
    if any(hit.stored.chunk.kind == "definition" for hit in piece.hits):
        return ()
    if any(hit.stored.chunk.kind in ("row", "table") for hit in piece.hits) and not piece.document.sections:
        return _header_row(piece)
    titles = [section.title_span for section in piece.document.sections]
    first = bisect_right(titles, piece.span.start, key=lambda title: title.end)
    return tuple(titles[first : bisect_left(titles, piece.span.end, key=lambda title: title.start)])


def _sections(piece: Piece) -> tuple[tuple[str, ...], ...]:
    """The path of titles where the piece begins, then that at each of its headings."""
    document, title = piece.document, shown_title(piece.document).text
    at = [piece.span.start, *(heading.start for heading in _headings(piece))]
    paths = [document.heading_path(section_at(document, offset)) for offset in at]
    return tuple(path if not title or path[:1] == (title,) else (title, *path) for path in paths)


def _header_row(piece: Piece) -> tuple[Span, ...]:
    """Where a table without headings around it holds its own header row; nothing if it does not."""
    first = min(piece.hits, key=lambda hit: hit.stored.chunk.span).stored.chunk
    table = first.text.splitlines()[0] if first.kind == "table" else ""
    headers = (hit.stored.chunk.header.strip("\n") for hit in piece.hits)
    header = table or next(filter(None, headers), "")
    at = piece.document.text.find(header, piece.span.start, piece.span.end) if header else -1
    return () if at < 0 else (Span(at, at + len(header)),)
