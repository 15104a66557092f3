"""Prepared files as lines of JSON: what a worker process hands back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pincite.errors import MissingExtraError, ModelError, PinciteError, StoreError, UsageError
from pincite.index.schema import pack_meta, pack_place, unpack_meta, unpack_place
from pincite.ingest import Prepared
from pincite.sources import FoundFile
from pincite.types import (
    Chunk,
    Chunked,
    Document,
    LeftOut,
    LineOrigins,
    Losses,
    Run,
    RunOrigins,
    Section,
    Span,
)


def pack_prepared(prepared: Prepared) -> str:
    """One line of JSON; the document's blocks, which only the chunker reads, are left behind."""
    document = _pack_document(prepared.document) if prepared.document else None
    chunks = [_pack_chunk(chunk) for chunk in prepared.chunked.chunks]
    return json.dumps([prepared.sha256, prepared.state, prepared.reason, document, chunks])


def pack_error(error: PinciteError) -> str:
    """One line of JSON for an error that is not the file's."""
    return json.dumps({"error": [type(error).__name__, error.message, error.stage, error.hint]})


def unpack_error(line: str) -> PinciteError | None:
    """The error of a line; None for a line that holds a prepared file."""
    if not line.startswith("{"):
        return None
    name, message, stage, hint = json.loads(line)["error"]
    kinds = {kind.__name__: kind for kind in (StoreError, ModelError, MissingExtraError, UsageError)}
    return kinds.get(name, PinciteError)(message, stage=stage, hint=hint)


def unpack_prepared(line: str, file: FoundFile) -> Prepared:
    """The prepared file of a line."""
    sha256, state, reason, packed, chunks = json.loads(line)
    document = _unpack_document(packed) if packed else None
    chunked = Chunked(tuple(_unpack_chunk(one, document) for one in chunks) if document else ())
    return Prepared(file, sha256, state, reason, document, chunked)


def _pack_document(document: Document) -> dict[str, Any]:
    origins = None
    if isinstance(document.origins, RunOrigins):
        origins = [[run.span.start, run.span.end, pack_place(run.place)] for run in document.origins.runs]
    return {
        "id": document.id,
        "uri": document.uri,
        "title": document.title,
        "text": document.text,
        "type": document.type,
        "origins": origins,
        "sections": [
            [s.title, s.level, s.span.start, s.span.end, s.title_span.start, s.title_span.end, s.parent]
            for s in document.sections
        ],
        "left_out": [[left.span.start, left.span.end, left.reason] for left in document.left_out],
        "meta": pack_meta(document.meta),
        "sha256": document.sha256,
        "encoding": document.encoding,
        "language": document.language,
        "losses": [document.losses.pages_without_text, document.losses.cut_text],
    }


def _unpack_document(packed: Mapping[str, Any]) -> Document:
    text, runs = packed["text"], packed["origins"]
    lines = LineOrigins.of(text) if runs is None else None
    pages, cut_text = packed["losses"]
    return Document(
        id=packed["id"],
        uri=packed["uri"],
        title=packed["title"],
        text=text,
        type=packed["type"],
        origins=lines or RunOrigins(tuple(Run(Span(a, b), unpack_place(place)) for a, b, place in runs)),
        sections=tuple(
            Section(title, level, Span(a, b), Span(c, d), parent)
            for title, level, a, b, c, d, parent in packed["sections"]
        ),
        left_out=tuple(LeftOut(Span(a, b), reason) for a, b, reason in packed["left_out"]),
        meta=unpack_meta(packed["meta"]),
        sha256=packed["sha256"],
        encoding=packed["encoding"],
        language=packed["language"],
        losses=Losses(tuple(pages), cut_text),
    )


def _pack_chunk(chunk: Chunk) -> list[Any]:
    parent = [chunk.parent.start, chunk.parent.end] if chunk.parent else None
    return [
        chunk.id, chunk.span.start, chunk.span.end, chunk.kind, chunk.heading, chunk.header, chunk.context,
        chunk.n_tokens, parent,
    ]  # fmt: skip


def _unpack_chunk(packed: list[Any], document: Document) -> Chunk:
    id, start, end, kind, heading, header, context, n_tokens, parent = packed
    return Chunk(
        id=id,
        doc_id=document.id,
        span=Span(start, end),
        text=document.text[start:end],
        kind=kind,
        heading=tuple(heading),
        header=header,
        context=context,
        n_tokens=n_tokens,
        parent=Span(*parent) if parent else None,
    )
