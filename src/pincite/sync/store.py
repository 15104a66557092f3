"""A prepared file into the catalog, with its metadata and the fields that filters know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from pincite.config import Config
from pincite.filter.fields import document_meta, filterable, widen
from pincite.filter.odd import odd_fields
from pincite.index.catalog import SqliteCatalog
from pincite.index.schema import FileRow
from pincite.parse.build import document_id
from pincite.sync.ingest import Cutters, Prepared
from pincite.types import Meta

_FIELDS_FORMAT = 2  # raised when fields are noted otherwise: those of older indexes are found anew


@dataclass(slots=True)
class Stored:
    """What storing a file did: chunks written, and how many had their vector."""

    chunks: int = 0
    reused: int = 0


def store(
    catalog: SqliteCatalog, prepared: Prepared, cutters: Cutters, config: Config, given: Meta
) -> Stored:
    """Writes a prepared file and those inside it in place of what the catalog had, in a transaction."""
    now = {member.file.uri for member in prepared.members}
    for gone in catalog.members(prepared.file.uri):
        if gone not in now:
            catalog.remove(gone)
    each = [_store_one(catalog, one, cutters, config, given, prepared.file.uri) for one in prepared.members]
    each.append(_store_one(catalog, prepared, cutters, config, given))
    return Stored(sum(one.chunks for one in each), sum(one.reused for one in each))


def _store_one(
    catalog: SqliteCatalog,
    prepared: Prepared,
    cutters: Cutters,
    config: Config,
    given: Meta,
    container: str = "",
) -> Stored:
    file, document = prepared.file, prepared.document
    kind = document.type if document else ""
    doc_id = document.id if document else document_id(file.uri)
    if document is None or prepared.state != "indexed":
        catalog.remove_alone(file.uri)
    row = file_row(prepared, doc_id, kind, cutters)
    catalog.put_file(replace(row, container=container))
    if document is None or prepared.state != "indexed":
        return Stored()
    meta = document_meta(document, file.mtime_ns, config.sync.meta, given)
    note_fields(catalog, meta)
    chunks = prepared.chunked.chunks
    reused = catalog.put_document(document, meta, chunks, cutters.embedder.fingerprint)
    return Stored(len(chunks), reused)


def file_row(prepared: Prepared, doc_id: str, kind: str, cutters: Cutters) -> FileRow:
    """What the catalog is to know of the file; one that could not be read is tried again at the next sync.

    One that ended its worker is not, unless that was killed: this was no fault of the file.
    """
    file = prepared.file
    unread = prepared.state == "failed" and not prepared.sha256 and prepared.ended in ("", "killed")
    return FileRow(
        file.uri, doc_id, prepared.state, prepared.code, prepared.reason, *file.identity,
        sha256=prepared.sha256, kind=kind, settings=cutters.settings_of(kind),
        seen_ns=0 if unread else file.seen_ns,
    )  # fmt: skip


def refresh_fields(catalog: SqliteCatalog) -> None:
    """Takes the filterable fields from the documents there are now, if any changed since this was last done.

    `note_fields` only ever adds: a field or type that no document has any more goes here, and what is said
    of odd values is found.
    """
    if catalog.get("fields_of") == [catalog.outbox.last(), _FIELDS_FORMAT]:
        return
    fields: Mapping[str, str] = {}
    metas = catalog.metas_by_id()
    for _, meta in metas:
        fields = widen(fields, filterable(meta))
    odd = {name: asdict(one) for name, one in odd_fields(metas).items()}
    with catalog.transaction():
        catalog.put(fields=fields, odd_fields=odd)
        catalog.put(fields_of=[catalog.outbox.last(), _FIELDS_FORMAT])


def note_fields(catalog: SqliteCatalog, meta: Meta) -> None:
    """Remembers the names and types of filterable fields."""
    fields = catalog.fields
    if (wider := widen(fields, filterable(meta))) != fields:
        catalog.put(fields=wider)
