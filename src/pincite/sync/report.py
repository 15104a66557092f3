"""What a sync did and what a library holds now, for people and programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pincite.config import Config
from pincite.embed import Embedded
from pincite.errors import InputError
from pincite.filter.odd import told
from pincite.folder.walk import FoundFile, Walk, walk
from pincite.index.listing import losses, pending_uris, problems, tally
from pincite.index.opened import OpenLibrary
from pincite.index.schema import FileRow
from pincite.models.choose import FOREIGN_SHARE, choose_model
from pincite.sync.apply import Changes
from pincite.sync.lost import Lost
from pincite.sync.plan import Plan, gone
from pincite.types import Reason, Status, SyncReport

_NAMED_PROBLEMS = 50
_LOOKED_INTO, _LOOKED_INTO_ALL = 50_000_000, 500_000_000  # bytes of one file, and of all, that a status reads
_SAMPLE = 64  # documents looked at to see whether the model still fits them


def sync_report(
    library: OpenLibrary, found: Walk, todo: Plan, changes: Changes, embedded: Embedded, *, seconds: float
) -> SyncReport:
    """The record of a sync that just ended; its counts come from the catalog, not from what was meant."""
    counts, lost = library.catalog.counts(), Lost.of(losses(library.catalog))
    kept = {reason.uri for reason in (*found.failed, *todo.kept)}
    files = {uri: row for uri, row in library.catalog.files().items() if uri not in kept}
    states, inside = _by_state(files), sum(bool(row.container) for row in files.values())
    made, same = library.catalog.get("model"), {row.uri for row in todo.unchanged} | set(changes.same)
    noticed = (*found.warnings, *map(str, todo.emptied), *((embedded.unpacked,) if embedded.unpacked else ()))
    return SyncReport(
        added=tuple(sorted(changes.added)),
        changed=tuple(sorted(changes.changed)),
        removed=tuple(sorted(changes.removed)),
        moved=tuple(sorted(changes.moved)),
        pending=pending_uris(library.catalog),
        failed=(*found.failed, *todo.kept, *states["failed"]),
        skipped=_sorted([*found.skipped, *states["skipped"]]),
        empty=tuple(states["empty"]),
        partial=lost.partial,
        addressed=tuple(states["indexed"]),
        found=len(found.files) + len(found.failed) + len(todo.kept) + len(found.skipped) + inside,
        inside=inside,
        indexed=sum(row.state == "indexed" for row in files.values()),
        unchanged=sum(
            row.state == "indexed" and not same.isdisjoint((row.uri, row.container)) for row in files.values()
        ),
        excluded=found.excluded,
        chunks=counts["chunks"],
        embedded=embedded.texts,
        reused=changes.reused,
        seconds=round(seconds, 3),
        dense_complete=library.catalog.dense_complete,
        pages_without_text=lost.pages_without_text,
        cut_text=lost.cut_text,
        dropped=lost.dropped,
        model=f"{made['name']}",
        error=embedded.error,
        hint=embedded.hint,
        missing=embedded.missing,
        warnings=(*noticed, *_of_documents(library), *_warnings(library)),
    )


def _sorted(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple(sorted(reasons, key=lambda reason: reason.uri))


def _by_state(files: Mapping[str, FileRow]) -> dict[str, list[Reason]]:
    """The files of each state that have a reason, in the order of their uris."""
    states: dict[str, list[Reason]] = {"indexed": [], "failed": [], "skipped": [], "empty": []}
    for uri, row in sorted(files.items()):
        if row.state in states and (row.reason or row.state != "indexed"):
            states[row.state].append(Reason(uri, row.reason))
    return states


def _warnings(library: OpenLibrary) -> tuple[str, ...]:
    """Chunks the model could not embed, by place, with the reason."""
    found = problems(library.catalog)
    lines = [f"{place.location(uri)}: not embedded: {why}" for uri, place, why in found[:_NAMED_PROBLEMS]]
    if len(found) > _NAMED_PROBLEMS:
        lines.append(f"{len(found) - _NAMED_PROBLEMS} more chunks were not embedded")
    return tuple(lines)


def _of_documents(library: OpenLibrary) -> tuple[str, ...]:
    """What is odd about the documents there are now."""
    return (*_drift(library), *_broken_json(library), *told(library.catalog))


def _broken_json(library: OpenLibrary) -> tuple[str, ...]:
    """JSON files that are no JSON and so were read as plain text."""
    catalog = library.catalog
    if "json" not in (catalog.get("fields") or {}):
        return ()
    metas = (meta for meta in catalog.metas() if meta.get("json") == "invalid" and meta["type"] == "json")
    uris = sorted(str(meta["path"]) for meta in metas)
    lines = [f"{uri}: not valid JSON; it is indexed as plain text" for uri in uris[:_NAMED_PROBLEMS]]
    if len(uris) > _NAMED_PROBLEMS:
        lines.append(f"{len(uris) - _NAMED_PROBLEMS} more files are not valid JSON")
    return tuple(lines)


def _drift(library: OpenLibrary) -> tuple[str, ...]:
    """A line when the documents have changed so that another bundled model would be chosen for them now.

    A model the settings name is what the user wants.
    """
    if library.choice != "english" or library.config.model.name != "auto":
        return ()
    known = tally(library.catalog, "language")
    total = sum(known.values())
    foreign = total - known.get("en", 0) - known.get("", 0)  # too short to tell is not foreign
    if foreign < max(1, FOREIGN_SHARE * total) or choose_model(_sample(library)) == library.choice:
        return ()
    are = "are" if foreign > 1 else "is"
    return (
        f"{foreign:,} of {total:,} documents {are} not in English, which the model was chosen for; run: "
        "pincite sync --model multilingual",
    )


def _sample(library: OpenLibrary) -> Iterator[str]:
    """Texts of stored documents spread evenly over the library."""
    ids = [doc_id for doc_id, _ in library.catalog.document_ids()]
    for doc_id in ids[:: max(1, len(ids) // _SAMPLE)]:
        document = library.catalog.document(doc_id)
        yield document.text if document else ""


def status(library: OpenLibrary) -> Status:
    """What the library holds, compared with the folder by size and times.

    A file of the same size that was touched is read and its hash compared, up to 50 MB of one and 500 MB of
    all; larger ones may have changed.
    """
    catalog, counts, files = library.catalog, library.catalog.counts(), library.catalog.files()
    found, lost = walk(library.root, library.config.sync), Lost.of(losses(catalog))
    on_disk = {uri: row for uri, row in files.items() if not row.container}
    missing = gone(found, on_disk)
    out = {reason.uri for reason in (*found.failed, *missing.kept)}
    states = _by_state({uri: row for uri, row in files.items() if uri not in out})
    made = catalog.get("model") or {"name": "", "dimension": 0}
    reads: dict[str, object] = catalog.get("reads") or {}
    there = {file.uri: file for file in found.files}
    changed, maybe_changed = _changed(on_disk, there)
    return Status(
        root=str(library.root),
        index=str(library.folder),
        documents=counts["documents"],
        chunks=counts["chunks"],
        model=made["name"],
        dimension=int(made["dimension"]),
        dense_complete=library.catalog.dense_complete,
        disk_bytes=disk_bytes(library.folder),
        last_sync=catalog.get("last_sync") or "",
        by_type=tally(catalog, "type"),
        fields=dict(sorted((catalog.get("fields") or {}).items())),
        changed=changed,
        removed=tuple(row.uri for row in missing.removed),
        unindexed=tuple(uri for uri in there if uri not in files),
        pending=pending_uris(library.catalog),
        failed=(*found.failed, *missing.kept, *states["failed"]),
        skipped=_sorted([*found.skipped, *states["skipped"]]),
        empty=tuple(states["empty"]),
        partial=lost.partial,
        addressed=tuple(states["indexed"]),
        pages_without_text=lost.pages_without_text,
        cut_text=lost.cut_text,
        dropped=lost.dropped,
        stale_settings=library.stale_settings(),
        warnings=(*found.warnings, *map(str, missing.emptied), *_of_documents(library)),
        maybe_changed=maybe_changed,
        chunk_size=library.config.chunk.size,
        limit=int(str(reads.get("limit", 0))),
        query_prefix=str(reads.get("query_prefix", "")),
        document_prefix=str(reads.get("document_prefix", "")),
    )


def _changed(
    files: Mapping[str, FileRow], there: Mapping[str, FoundFile]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The uris whose bytes are not those of the index, and those that are too large to be looked into."""
    touched = [(there[uri], row) for uri, row in files.items() if uri in there]
    touched = [(file, row) for file, row in touched if file.identity != row.identity]
    changed, maybe, left = [], [], _LOOKED_INTO_ALL
    for file, row in touched:
        if file.size != row.size:
            changed.append(file.uri)
        elif file.size > min(left, _LOOKED_INTO):
            maybe.append(file.uri)
        else:
            left -= file.size
            changed += [file.uri] if _hash(file) != row.sha256 else []
    return tuple(changed), tuple(maybe)


def _hash(file: FoundFile) -> str:
    """The hash of a file's bytes; "" when it cannot be read."""
    try:
        return file.read(limit=_LOOKED_INTO).sha256
    except InputError:
        return ""


def unsynced_status(root: Path, folder: Path, config: Config) -> Status:
    """What a folder holds that was never synced: files, none of them indexed."""
    found = walk(root, config.sync)
    return Status(
        root=str(root),
        index=str(folder),
        documents=0,
        chunks=0,
        model="",
        dimension=0,
        dense_complete=0.0,
        disk_bytes=0,
        last_sync="",
        unindexed=tuple(file.uri for file in found.files),
        failed=tuple(found.failed),
        skipped=tuple(found.skipped),
        warnings=tuple(found.warnings),
        chunk_size=config.chunk.size,
    )


def disk_bytes(folder: Path) -> int:
    """Bytes the index takes on disk (blocks, so that sparse files count as what they take)."""
    total = 0
    for here, _, names in os.walk(folder):
        for name in names:
            total += (Path(here) / name).lstat().st_blocks * 512
    return total


__all__ = ["disk_bytes", "status", "sync_report"]
