"""What changed in the folder, brought into the catalog: nothing that stayed the same is read again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.errors import InputError
from pincite.folder.walk import FoundFile
from pincite.index.draft import NEW_SHARD_BYTES
from pincite.index.opened import OpenLibrary, chunking
from pincite.index.schema import FileRow
from pincite.models.absent import AbsentEmbedder
from pincite.parse.detect import is_isolated
from pincite.sync.ingest import Cutters, Prepared, prepare
from pincite.sync.plan import Plan, current
from pincite.sync.settings import put_fields
from pincite.sync.store import file_row, refresh_fields, store
from pincite.sync.workers import MANY_BYTES, MANY_FILES, prepare_all, team
from pincite.types import Meta, Progress

_COMMIT_SECONDS, _LONGEST_BATCH = 0.5, 20.0
_PUBLISH_SHARE = 10  # times that a batch takes longer to make than to publish
_MOST_ROOM = 256_000_000  # bytes that must be free for what a sync reads; less for small changes


@dataclass(slots=True)
class Changes:
    """What a sync did to the catalog so far; lists of uris in the order they were met."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)  # read, and found to hold the same bytes
    reused: int = 0


def apply_plan(
    library: OpenLibrary,
    todo: Plan,
    cutters: Cutters,
    *,
    given: Meta,
    ended: Mapping[str, Prepared],
    progress: Callable[[Progress], None] | None = None,
    stored: Callable[[], None] = lambda: None,
) -> Changes:
    """Removes, reads, cuts and stores. Each file is in the catalog whole, or as it was before.

    What `ended` a worker in this sync is not read again. `stored` is called after each batch of files that
    is in the catalog.
    """
    total, done = sum(file.size for file in todo.to_read), 0
    if todo.to_read or todo.removed:
        library.search_index.need_room(NEW_SHARD_BYTES + min(3 * total, _MOST_ROOM))
    changes = Changes()
    removed = _with_members(library, todo.removed)
    _remove(library, removed, changes)
    stored()
    pace = _Pace()
    for batch in _by_time(_prepared(library, todo, cutters, ended), pace):
        with library.catalog.transaction():
            for prepared in batch:
                _store(library, prepared, todo, cutters, given, changes)
        pace.timed(stored)
        done += sum(prepared.file.size for prepared in batch)
        if progress:
            progress(Progress("read", done, total, "bytes", batch[-1].file.uri))
    refresh_fields(library.catalog)
    stored()  # makes what filters on new types of fields need
    if library.catalog.get("chunking") != (now := chunking(library.config)):
        library.catalog.put(chunking=now)
    _pair_moves(removed, library.catalog.files() if changes.removed else {}, changes)
    return changes


def _remove(library: OpenLibrary, removed: Sequence[FileRow], changes: Changes) -> None:
    if removed:
        with library.catalog.transaction():
            for row in removed:
                library.catalog.remove(row.uri)
    changes.removed.extend(row.uri for row in removed)


def _with_members(library: OpenLibrary, removed: Sequence[FileRow]) -> list[FileRow]:
    """The rows, each followed by those of the indexed files inside it."""
    rows: list[FileRow] = []
    for row in removed:
        rows += [row, *_indexed_members(library, row.uri).values()]
    return rows


def _indexed_members(library: OpenLibrary, uri: str) -> dict[str, FileRow]:
    rows = library.catalog.files_of(library.catalog.members(uri))
    return {name: row for name, row in sorted(rows.items()) if row.state == "indexed"}


class _Pace:
    """How long a batch takes to make: what a kill can lose, and many times what it takes to publish it."""

    def __init__(self) -> None:
        self.seconds = _COMMIT_SECONDS

    def timed(self, publish: Callable[[], None]) -> None:
        """Publishes a batch, and makes the next one as long as that asks for."""
        started = time.monotonic()
        publish()
        took = time.monotonic() - started
        self.seconds = min(max(_COMMIT_SECONDS, _PUBLISH_SHARE * took), _LONGEST_BATCH)


def _by_time(items: Iterator[Prepared], pace: _Pace) -> Iterator[list[Prepared]]:
    """Batches that take about as long to make as the pace says."""
    batch: list[Prepared] = []
    started = time.monotonic()
    for item in items:
        batch.append(item)
        if time.monotonic() - started >= pace.seconds:
            yield batch
            batch, started = [], time.monotonic()
    if batch:
        yield batch


def _prepared(
    library: OpenLibrary, todo: Plan, cutters: Cutters, ended: Mapping[str, Prepared]
) -> Iterator[Prepared]:
    """The files to read, in order: those whose bytes did not change as "same", the others parsed and cut."""
    settings = todo.settings
    same = {
        file.uri: Prepared(file, sha, "same")
        for file in todo.to_read
        if (sha := _unchanged_bytes(file, todo.known, settings))
    }
    done = {**ended, **same}
    changed = [file for file in todo.to_read if file.uri not in done]
    if library.loads_by_name and _worth_workers(changed, todo.known):
        estimated = isinstance(cutters.embedder, AbsentEmbedder) and cutters.embedder.estimates
        prepared = prepare_all(
            changed, library.config, library.choice, workers=team(changed), estimated=estimated
        )
    else:
        prepared = (prepare(file, cutters) for file in changed)
    for file in todo.to_read:
        yield done[file.uri] if file.uri in done else next(prepared)


def _worth_workers(files: Sequence[FoundFile], known: Mapping[str, FileRow]) -> bool:
    """Whether to read these in processes of their own: for speed, or as one may bring its process down."""
    if len(files) >= MANY_FILES or sum(file.size for file in files) >= MANY_BYTES:
        return True
    return any(_may_end_it(file.head(), file, known.get(file.uri)) for file in files)


def _may_end_it(head: bytes, file: FoundFile, row: FileRow | None) -> bool:
    """Whether reading a file may end its process: its format is more than text, or it did so before.

    Of a file that could be opened, and whose hash is not known, the process did not live to tell it.
    """
    did = row is not None and row.state == "failed" and not row.sha256
    return is_isolated(file.uri, head) or (did and bool(head))


def _unchanged_bytes(
    file: FoundFile, known: Mapping[str, FileRow], settings: Mapping[str, str] | None
) -> str:
    """The hash of a touched file whose bytes are those the catalog knows; "" for every other file."""
    row = known.get(file.uri)
    if row is None or not current(row, settings):
        return ""
    try:
        sha256 = file.read().sha256
    except InputError:
        return ""  # reading it again gives the reason
    return sha256 if sha256 == row.sha256 else ""


def _store(
    library: OpenLibrary, prepared: Prepared, todo: Plan, cutters: Cutters, given: Meta, changes: Changes
) -> None:
    uri, row = prepared.file.uri, todo.known.get(prepared.file.uri)
    if prepared.state == "same" and row:
        touched = FileRow(
            uri, row.doc_id, row.state, row.code, row.reason, *prepared.file.identity,
            sha256=row.sha256, kind=row.kind, settings=row.settings, seen_ns=prepared.file.seen_ns,
        )  # fmt: skip
        library.catalog.put_file(touched)
        library.catalog.touch_members(touched)
        for one in (touched, *_indexed_members(library, uri).values()):
            put_fields(library, one.doc_id, one.mtime_ns, given)
        changes.same.append(uri)
        return
    if row and prepared.state == "failed" and prepared.sha256 in ("", row.sha256):
        # It is not the fault of new bytes: what is stored stays.
        library.catalog.put_file(file_row(prepared, row.doc_id, row.kind, cutters))
        return
    was_there = row is not None and bool(library.catalog.document_rows([row.doc_id]))
    inside = _indexed_members(library, uri)
    stored = store(library.catalog, prepared, cutters, library.config, given)
    changes.reused += stored.reused
    if prepared.state == "indexed":
        (changes.changed if was_there else changes.added).append(uri)
    elif was_there:
        changes.removed.append(uri)
    _note_members(prepared, inside, cutters, changes)


def _note_members(
    prepared: Prepared, before: Mapping[str, FileRow], cutters: Cutters, changes: Changes
) -> None:
    """What became of the files inside a file; `before` are those that were indexed."""
    now = {one.file.uri: one for one in prepared.members if one.state == "indexed"}
    for uri, one in now.items():
        kind = one.document.type if one.document else ""
        made = (one.sha256, kind, cutters.settings_of(kind))
        if (was := before.get(uri)) is None:
            changes.added.append(uri)
        else:
            (changes.same if made == (was.sha256, was.kind, was.settings) else changes.changed).append(uri)
    changes.removed += [uri for uri in before if uri not in now]


def _pair_moves(removed: Sequence[FileRow], now: Mapping[str, FileRow], changes: Changes) -> None:
    """Turns a removed and an added file with the same bytes into one that moved."""
    origins: dict[str, list[str]] = {}
    for row in removed:
        if row.state == "indexed":
            origins.setdefault(row.sha256, []).append(row.uri)
    for uri in list(changes.added):
        if olds := origins.get(now[uri].sha256 if uri in now else ""):
            changes.removed.remove(olds.pop(0))
            changes.added.remove(uri)
            changes.moved.append(uri)
