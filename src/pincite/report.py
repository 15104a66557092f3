"""What a sync did and what a library holds now, for people and programs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from pincite.config import Config
from pincite.embed import Embedded
from pincite.index.opened import OpenLibrary
from pincite.index.schema import FileRow
from pincite.sources import Walk, walk
from pincite.sync import Changes, Plan
from pincite.types import Reason, Status, SyncReport

_NAMED_PROBLEMS = 50


def sync_report(
    library: OpenLibrary, found: Walk, todo: Plan, changes: Changes, embedded: Embedded, *, seconds: float
) -> SyncReport:
    """The record of a sync that just ended; its counts come from the catalog, not from what was meant."""
    files, counts = library.catalog.files(), library.catalog.counts()
    states = _by_state(files)
    made = library.catalog.get("model")
    return SyncReport(
        added=tuple(sorted(changes.added)),
        changed=tuple(sorted(changes.changed)),
        removed=tuple(sorted(changes.removed)),
        moved=tuple(sorted(changes.moved)),
        pending=pending_uris(library),
        failed=(*found.failed, *states["failed"]),
        skipped=_sorted([*found.skipped, *states["skipped"]]),
        empty=tuple(states["empty"]),
        found=len(found.files) + len(found.failed) + len(found.skipped),
        indexed=sum(row.state == "indexed" for row in files.values()),
        unchanged=sum(row.state == "indexed" for row in todo.unchanged) + changes.same,
        excluded=found.excluded,
        chunks=counts["chunks"],
        embedded=embedded.texts,
        reused=changes.reused,
        seconds=round(seconds, 3),
        dense_complete=library.catalog.dense_complete,
        pages_without_text=counts["pages_without_text"],
        cut_text=counts["cut_text"],
        model=f"{made['name']}",
        error=embedded.error,
        warnings=_warnings(library),
    )


def _sorted(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple(sorted(reasons, key=lambda reason: reason.uri))


def _by_state(files: Mapping[str, FileRow]) -> dict[str, list[Reason]]:
    states: dict[str, list[Reason]] = {"failed": [], "skipped": [], "empty": []}
    for uri, row in sorted(files.items()):
        if row.state in states:
            states[row.state].append(Reason(uri, row.reason))
    return states


def pending_uris(library: OpenLibrary) -> tuple[str, ...]:
    """Documents with a chunk that has no vector, by uri."""
    return tuple(dict.fromkeys(uri for uri, _, _ in library.catalog.unembedded()))


def _warnings(library: OpenLibrary) -> tuple[str, ...]:
    """Chunks the model could not embed, by place, with the reason."""
    found = [(uri, place, why) for uri, place, why in library.catalog.unembedded() if why]
    lines = [f"{place.location(uri)}: not embedded: {why}" for uri, place, why in found[:_NAMED_PROBLEMS]]
    if len(found) > _NAMED_PROBLEMS:
        lines.append(f"{len(found) - _NAMED_PROBLEMS} more chunks were not embedded")
    return tuple(lines)


def status(library: OpenLibrary) -> Status:
    """What the library holds, compared with the folder by size and times (no file is read)."""
    catalog, counts, files = library.catalog, library.catalog.counts(), library.catalog.files()
    found = walk(library.root, library.config.sync)
    states = _by_state(files)
    made = catalog.get("model") or {"name": "", "dimension": 0}
    there = {file.uri: file for file in found.files}
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
        by_type=catalog.by_type(),
        fields=dict(sorted((catalog.get("fields") or {}).items())),
        changed=tuple(u for u, row in files.items() if u in there and row.identity != there[u].identity),
        removed=tuple(uri for uri in files if uri not in there),
        unindexed=tuple(uri for uri in there if uri not in files),
        pending=pending_uris(library),
        failed=(*found.failed, *states["failed"]),
        skipped=_sorted([*found.skipped, *states["skipped"]]),
        empty=tuple(states["empty"]),
        pages_without_text=counts["pages_without_text"],
        cut_text=counts["cut_text"],
        stale_settings=library.stale_settings(),
    )


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
    )


def disk_bytes(folder: Path) -> int:
    """Bytes the index takes on disk (blocks, so that sparse files count as what they take)."""
    total = 0
    for here, _, names in os.walk(folder):
        for name in names:
            total += (Path(here) / name).lstat().st_blocks * 512
    return total


__all__ = ["disk_bytes", "pending_uris", "status", "sync_report"]
