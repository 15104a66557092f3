"""What the parser saw in a file."""

from __future__ import annotations

from pincite.characters import shortened
from pincite.jsonform.values import Json, lost_json, place_json, plain
from pincite.types import Chunk, Chunked, Document, LeftOut, Span

_MOST_OF_HEADER = 300  # characters of it with each row; a chunk has all that is stored of it


def document_json(document: Document, chunked: Chunked) -> Json:
    """What the parser saw: sections, blocks and chunks to be, each with its place, and what is left out."""
    losses = document.losses
    return {
        "id": document.id,
        "uri": document.uri,
        "type": document.type,
        "title": document.title,
        "language": document.language,
        "encoding": document.encoding,
        "sha256": document.sha256,
        "meta": plain(document.meta),
        "characters": len(document.text),
        "lost": lost_json(losses.pages_without_text, losses.cut_text, losses.dropped),
        "sections": [
            {"title": s.title, "level": s.level, "parent": s.parent, **_at(document, s.span)}
            for s in document.sections
        ],
        "blocks": [
            {
                "kind": b.kind,
                "section": b.section,
                "header": shortened(b.header, _MOST_OF_HEADER),
                **_at(document, b.span),
            }
            for b in document.blocks
        ],
        "estimated": chunked.estimated,
        "chunks": [chunk_json(document, chunk) for chunk in chunked.chunks],
        "left_out": [_left_out(document, each) for each in chunked.all_left_out(document)],
    }


def chunk_json(document: Document, chunk: Chunk) -> Json:
    """One chunk to be: its place, situating line, header, text and size in tokens."""
    return {
        "chunk_id": chunk.id,
        **_at(document, chunk.span),
        "kind": chunk.kind,
        "heading": list(chunk.heading),
        "header": chunk.header,
        "context": chunk.context,
        "text": chunk.text,
        "n_tokens": chunk.n_tokens,
        "parent": _span(chunk.parent),
    }


def _at(document: Document, span: Span) -> Json:
    place = document.origins.place(span)
    return {"location": place.location(document.uri), "span": _span(span), **place_json(place)}


def _span(span: Span | None) -> list[int] | None:
    return None if span is None else [span.start, span.end]


def _left_out(document: Document, left: LeftOut) -> Json:
    return {"reason": left.reason, "characters": len(left.span), **_at(document, left.span)}
