"""Files as lines of JSON: what a worker process is told of one, and hands back of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.errors import MissingExtraError, ModelError, PinciteError, StoreError, UsageError
from pincite.folder.walk import FoundFile
from pincite.index.rows import document_of, pack_head, pack_losses
from pincite.sync.ingest import Prepared
from pincite.types import Chunk, Chunked, Document, Span


def pack_file(file: FoundFile) -> str:
    """One line of JSON that tells a worker which file to read: ASCII, and at most 64 kB for any path."""
    return json.dumps([str(file.path), file.uri, file.root and str(file.root), file.seen])


def unpack_file(line: str) -> FoundFile:
    """The file of such a line; what else is known of it stays with who sent it."""
    path, uri, root, seen = json.loads(line)
    there = (seen[0], seen[1]) if seen else None
    return FoundFile(uri, Path(path), 0, 0, 0, 0, root=Path(root) if root else None, seen=there)


def pack_prepared(prepared: Prepared) -> str:
    """One line of JSON."""
    inside = [[one.file.uri, _pack_file(one)] for one in prepared.members]
    return json.dumps([_pack_file(prepared), inside])


def _pack_file(prepared: Prepared) -> list[Any]:
    document = _pack_document(prepared.document) if prepared.document else None
    chunks = [_pack_chunk(chunk) for chunk in prepared.chunked.chunks]
    return [prepared.sha256, prepared.state, prepared.reason, prepared.code, document, chunks, prepared.ended]


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
    packed, members = json.loads(line)
    inside = tuple(_unpack_file(one, replace(file, uri=uri)) for uri, one in members)
    return replace(_unpack_file(packed, file), members=inside)


def _unpack_file(values: list[Any], file: FoundFile) -> Prepared:
    sha256, state, reason, code, packed, chunks, ended = values
    document = None
    if packed:
        head = packed["head"]
        document = document_of(packed, head, packed["text"], meta=head["meta"])
    chunked = Chunked(tuple(_unpack_chunk(one, document) for one in chunks) if document else ())
    return Prepared(file, sha256, state, reason, code, document, chunked, ended=ended)


def _pack_document(document: Document) -> dict[str, Any]:
    return {
        "doc_id": document.id,
        "uri": document.uri,
        "title": document.title,
        "type": document.type,
        "sha256": document.sha256,
        "encoding": document.encoding,
        "language": document.language,
        "losses": pack_losses(document.losses),
        "head": pack_head(document),
        "text": document.text,
    }


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
