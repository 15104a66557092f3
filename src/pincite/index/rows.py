"""Records to the rows of the catalog's tables, and back."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from pincite.errors import InputError
from pincite.index.blocks import pack_blocks, unpack_blocks
from pincite.types import (
    Box,
    Chunk,
    Document,
    LeftOut,
    LineOrigins,
    Losses,
    Meta,
    MetaValue,
    Origins,
    Place,
    Run,
    RunOrigins,
    Section,
    Span,
    Stored,
    chunk_id,
    point_id,
)

Columns = Mapping[str, Any] | sqlite3.Row
"""The values of a row, by column."""

_SMALL = 4096  # bytes; below this compressing saves less than it costs
MOST_TEXT = 100_000_000  # characters of a document that an index takes
_SPARE = 1_000_000  # bytes of the other columns
MOST_BYTES = 128_000_000  # of a row: what a catalog says is not taken at its word
_MOST_INFLATED = 256_000_000  # bytes; a larger body is not compressed, so that none can claim to be endless


def pack_meta(meta: Meta) -> str:
    """JSON of the metadata; dates become `{"date": "2026-03-14"}` so that they come back as dates."""
    return json.dumps({name: _pack_value(value) for name, value in sorted(meta.items())}, ensure_ascii=False)


def unpack_meta(text: str) -> dict[str, MetaValue]:
    """The metadata `pack_meta` wrote."""
    return {name: _unpack_value(value) for name, value in json.loads(text).items()}


def _pack_value(value: MetaValue) -> Any:
    if isinstance(value, tuple):
        return [_pack_value(part) for part in value]
    return {"date": value.isoformat()} if isinstance(value, date) else value


def _unpack_value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_unpack_value(part) for part in value)
    return date.fromisoformat(value["date"][:10]) if isinstance(value, dict) else value


def pack_place(place: Place) -> str:
    """JSON of a place without its empty parts."""
    boxes = [[b.left, b.top, b.right, b.bottom, b.page] for b in place.boxes]
    lines = [place.line_start, place.line_end]
    values = [*lines, place.page, boxes or None, place.part, place.page_end, place.page_label]
    while values and values[-1] is None:
        values.pop()
    return json.dumps(values, ensure_ascii=False)


def unpack_place(text: str) -> Place:
    """The place `pack_place` wrote."""
    values = json.loads(text)
    line_start, line_end, page, boxes, part, page_end, label = values + [None] * (7 - len(values))
    return Place(line_start, line_end, page, tuple(Box(*box) for box in boxes or ()), part, page_end, label)


def pack_losses(losses: Losses) -> str:
    """JSON of what a parser could not read; "" for nothing."""
    if not losses:
        return ""
    return json.dumps([losses.pages_without_text, losses.cut_text, losses.dropped], ensure_ascii=False)


def unpack_losses(text: str) -> Losses:
    """The losses `pack_losses` wrote."""
    pages, cut, dropped = json.loads(text) if text else ((), 0, ())
    return Losses(tuple(pages), cut, tuple(dropped))


def pack_head(document: Document) -> dict[str, Any]:
    """What a document holds beside its text and the columns of its row, as JSON values.

    Sections, blocks, left-out spans, its own metadata, and the origins unless they follow from the text.
    """
    origins = None
    if isinstance(document.origins, RunOrigins):
        origins = [[run.span.start, run.span.end, pack_place(run.place)] for run in document.origins.runs]
    return {
        "sections": [
            [s.title, s.level, s.span.start, s.span.end, s.title_span.start, s.title_span.end, s.parent]
            for s in document.sections
        ],
        "left_out": [[part.span.start, part.span.end, part.reason] for part in document.left_out],
        "origins": origins,
        "meta": pack_meta(document.meta),
        "blocks": pack_blocks(document.blocks),
    }


def pack_body(document: Document) -> bytes:
    """A line of JSON (`pack_head`), then the text; compressed unless it is small.

    Raises `InputError` for a text that no catalog can hold.
    """
    text = document.text.encode("utf-8", "surrogatepass")
    body = json.dumps(pack_head(document), separators=(",", ":")).encode() + b"\n" + text
    packed = zlib.compress(body, 1) if _SMALL <= len(body) <= _MOST_INFLATED else body
    if len(packed) > MOST_BYTES - _SPARE:
        what = f"its text is too large for an index ({len(body) / 1e6:,.0f} MB)"
        raise InputError(what, uri=document.uri, stage="store")
    return packed


def unpack_document(row: Columns, *, own_meta: bool = False) -> Document:
    """The document of a row of `documents`."""
    body = row["body"] if row["body"][:1] == b"{" else _inflated(row["body"])
    packed, _, encoded = body.partition(b"\n")
    head, text = json.loads(packed), encoded.decode("utf-8", "surrogatepass")
    return document_of(row, head, text, meta=head["meta"] if own_meta else row["meta"])


def _inflated(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    body = unpacker.decompress(packed, _MOST_INFLATED)
    if not unpacker.eof:
        raise ValueError(f"a text is cut, or larger than {_MOST_INFLATED:,} bytes")
    return body


def document_of(row: Columns, head: Mapping[str, Any], text: str, *, meta: str) -> Document:
    """The document with the columns of `row` and what `pack_head` kept of it."""
    return Document(
        id=row["doc_id"],
        uri=row["uri"],
        title=row["title"],
        text=text,
        type=row["type"],
        origins=_origins(head["origins"], text),
        sections=tuple(
            Section(title, level, Span(a, b), Span(c, d), parent)
            for title, level, a, b, c, d, parent in head["sections"]
        ),
        blocks=unpack_blocks(head["blocks"], characters=len(text), sections=len(head["sections"])),
        left_out=tuple(LeftOut(Span(a, b), reason) for a, b, reason in head["left_out"]),
        meta=unpack_meta(meta),
        sha256=row["sha256"],
        encoding=row["encoding"],
        language=row["language"],
        losses=unpack_losses(row["losses"]),
    )


def unpack_head(row: Columns) -> Document:
    """The document of a row of `documents` without its body: no text, origins or sections."""
    return Document(
        id=row["doc_id"],
        uri=row["uri"],
        title=row["title"],
        text="",
        type=row["type"],
        origins=LineOrigins((0,)),
        meta=unpack_meta(row["meta"]),
        sha256=row["sha256"],
        encoding=row["encoding"],
        language=row["language"],
    )


def _origins(packed: list[list[Any]] | None, text: str) -> Origins:
    if packed is None:
        return LineOrigins.of(text)
    return RunOrigins(tuple(Run(Span(a, b), unpack_place(place)) for a, b, place in packed))


def document_values(document: Document, meta: Meta, n_chunks: int) -> tuple[Any, ...]:
    """The columns of a document's row that its checksum covers, in order."""
    return (
        document.uri, document.id, document.sha256, document.title, document.type, document.encoding,
        document.language, pack_meta(meta), pack_losses(document.losses), n_chunks,
    )  # fmt: skip


def chunk_values(document: Document, ordinal: int, chunk: Chunk) -> tuple[Any, ...]:
    """The columns of a chunk's row that its checksum covers, in order."""
    parent = json.dumps([chunk.parent.start, chunk.parent.end]) if chunk.parent else None
    return (
        point_id(chunk.id), chunk.doc_id, ordinal, chunk.span.start, chunk.span.end, parent, chunk.text,
        chunk.kind, json.dumps(chunk.heading, ensure_ascii=False), chunk.header, chunk.context,
        chunk.n_tokens, pack_place(document.origins.place(chunk.span)),
    )  # fmt: skip


def unpack_stored(row: Columns) -> Stored:
    """The stored chunk of a row of `chunks` joined with its document's, whose columns begin with `d_`."""
    parent = json.loads(row["parent"]) if row["parent"] else None
    chunk = Chunk(
        id=chunk_id(row["point_id"]),
        doc_id=row["doc_id"],
        span=Span(row["start"], row["end"]),
        text=row["text"],
        kind=row["kind"],
        heading=tuple(json.loads(row["heading"])),
        header=row["header"],
        context=row["context"],
        n_tokens=row["n_tokens"],
        parent=Span(*parent) if parent else None,
    )
    return Stored(
        point_id=row["point_id"],
        chunk=chunk,
        uri=row["d_uri"],
        doc_title=row["d_title"],
        doc_sha256=row["d_sha256"],
        place=unpack_place(row["place"]),
        ordinal=row["ordinal"],
        meta=unpack_meta(row["d_meta"]),
    )


def bare(row: sqlite3.Row, doc_id: str = "") -> Chunk:
    """A chunk with nothing but its context and text."""
    return Chunk("", doc_id, Span(0, 0), row["text"], context=row["context"])


def grouped(rows: Iterable[sqlite3.Row]) -> list[tuple[bytes, str, list[int]]]:
    """(key, dense text, point ids) of each distinct text, in the order of the rows."""
    grouped: dict[bytes, tuple[str, list[int]]] = {}
    for row in rows:
        grouped.setdefault(bytes(row["vector_key"]), (bare(row).dense_text, []))[1].append(row["point_id"])
    return [(key, text, points) for key, (text, points) in grouped.items()]
