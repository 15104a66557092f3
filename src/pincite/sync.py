"""What changed in the folder, brought into the catalog: nothing that stayed the same is read again."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pincite import analyze
from pincite.errors import InputError, PinciteError
from pincite.index.opened import OpenLibrary, chunking
from pincite.index.schema import FileRow
from pincite.index.search_index import NEW_SHARD_BYTES
from pincite.ingest import (
    Cutters,
    Prepared,
    ended_worker,
    file_row,
    note_fields,
    prepare,
    refresh_fields,
    store,
)
from pincite.metadata import document_meta
from pincite.models.local import cores
from pincite.parse import parse
from pincite.sources import FoundFile, Walk, read
from pincite.types import Meta, MetaValue, Progress, Reason
from pincite.workers import prepare_all

_COMMIT_SECONDS = 0.5
_SAMPLE_FILES, _SAMPLE_BYTES = 64, 1_000_000
_MOST_ROOM = 256_000_000  # bytes that must be free for what a sync reads; less for small changes
_MANY_FILES, _MANY_BYTES = 64, 1_000_000  # from here on worker processes earn the time they take to start


@dataclass(frozen=True, slots=True)
class Plan:
    """What a sync has to do, each list by uri.

    `unchanged` files are as the catalog knows them and made with the same settings; `to_read` may differ
    (new, touched, or made with other settings); `removed` are no longer in the folder. `kept` lie in a folder
    that cannot be read now: nobody knows whether they are still there.
    """

    unchanged: tuple[FileRow, ...]
    to_read: tuple[FoundFile, ...]
    removed: tuple[FileRow, ...]
    known: Mapping[str, FileRow]
    kept: tuple[Reason, ...] = ()


@dataclass(slots=True)
class Changes:
    """What a sync did to the catalog so far; lists of uris in the order they were met."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    same: int = 0  # read, and found to hold the same bytes
    reused: int = 0


def plan(
    found: Walk, known: Mapping[str, FileRow], settings: Mapping[str, str], *, allow_empty: bool = False
) -> Plan:
    """Compares by size, times and inode only; a file that differs in any of them is read and hashed.

    `settings` is the fingerprint, by document type, of all that shapes chunks ("" for other types).
    Raises `InputError` when all known files are gone, unless `allow_empty`: a disk may not be mounted.
    """
    removed, kept = gone(found, known)
    if removed and not found.files and not allow_empty:
        message = f"the folder holds no documents now, but {len(known)} are indexed; nothing was removed"
        raise InputError(
            message, stage="sync", hint="if they are really gone, run: pincite sync --allow-empty"
        )
    unchanged = [known[file.uri] for file in found.files if _same(file, known.get(file.uri), settings)]
    same = {row.uri for row in unchanged}
    return Plan(
        unchanged=tuple(unchanged),
        to_read=tuple(file for file in found.files if file.uri not in same),
        removed=removed,
        known=known,
        kept=kept,
    )


def gone(found: Walk, known: Mapping[str, FileRow]) -> tuple[tuple[FileRow, ...], tuple[Reason, ...]]:
    """Known files that are no longer there, and those below a folder that cannot be read; each by uri."""
    there = {file.uri for file in found.files}
    failed = {reason.uri for reason in found.failed}
    above = {uri: _unreadable_folder(uri, failed) for uri in sorted(known.keys() - there - failed)}
    removed = tuple(known[uri] for uri, folder in above.items() if not folder)
    kept = tuple(Reason(uri, f"{folder} cannot be read now") for uri, folder in above.items() if folder)
    return removed, kept


def _unreadable_folder(uri: str, failed: Collection[str]) -> str:
    """The folder around a file that is among those that could not be read; "" when there is none."""
    above = ("./", *(f"{parent}/" for parent in reversed(PurePosixPath(uri).parents)))
    return next((folder for folder in above if folder in failed), "")


def _same(file: FoundFile, row: FileRow | None, settings: Mapping[str, str]) -> bool:
    return row is not None and row.identity == file.identity and row.settled and _current(row, settings)


def _current(row: FileRow, settings: Mapping[str, str]) -> bool:
    """Whether a file was parsed and cut with today's settings."""
    kind, _, fingerprint = row.settings.partition("\t")
    return fingerprint == settings.get(kind, settings[""])


# ── settings ──────────────────────────────────────────────────────────────────────────────────
def sample_texts(found: Walk) -> Iterator[str]:
    """Texts of files spread evenly over the folder: what the choice of a model looks at."""
    step = max(1, len(found.files) // _SAMPLE_FILES)
    for file in found.files[::step]:
        if file.size > _SAMPLE_BYTES:
            continue
        try:
            yield parse(read(file.path, file.uri)).text
        except PinciteError:
            continue  # the sync itself names the file and the reason


def note_settings(library: OpenLibrary, cutters: Cutters, choice: str) -> None:
    """Writes the settings the index is made with; those that differ from before re-do what they must.

    Another model re-keys all chunks, so that only texts it never embedded wait for a vector; another
    dimension, analyzer or stemmer makes the search index anew from the catalog. Other chunk settings are
    written when all files are cut with them; until then the index is stale for any.
    """
    catalog, embedder = library.catalog, cutters.embedder
    stemmers = library.config.stemmers
    analyzer = analyze.fingerprint(stemmers)
    before = catalog.get("model")
    model = {"choice": choice, "name": embedder.name, "fingerprint": embedder.fingerprint}
    model["dimension"] = str(embedder.dimension)
    cut_alike = catalog.get("chunking") == chunking(library.config)
    if before == model and catalog.get("analyzer") == analyzer and cut_alike:
        return
    with catalog.transaction():
        if before and before["fingerprint"] != model["fingerprint"]:
            catalog.rekey(embedder.fingerprint)
        if before != model or catalog.get("analyzer") != analyzer:
            catalog.put(epoch=int(catalog.get("epoch") or 0) + 1)
        catalog.put(model=model, dimension=embedder.dimension, analyzer=analyzer, stemmers=list(stemmers))
        if not cut_alike:
            catalog.put(chunking="")


def note_given(library: OpenLibrary, given: Mapping[str, MetaValue]) -> dict[str, MetaValue]:
    """Metadata given by flags, now and at earlier syncs; an empty value takes a field away again."""
    from pincite.index.schema import pack_meta, unpack_meta

    catalog = library.catalog
    before = unpack_meta(catalog.get("given") or "{}")
    now = {name: value for name, value in {**before, **given}.items() if value != ""}
    rules = f"{library.config.sync.meta!r} {pack_meta(now)}"
    if rules != catalog.get("meta_rules"):
        with catalog.transaction():
            _refresh_meta(library, now)
            catalog.put(given=pack_meta(now), meta_rules=rules)
    return now


def _refresh_meta(library: OpenLibrary, given: Meta) -> None:
    """Gives every stored document its fields anew; nothing is parsed or embedded."""
    files = library.catalog.files()
    for doc_id, uri in library.catalog.document_ids():
        if uri in files:
            put_fields(library, doc_id, files[uri].mtime_ns, given)


def put_fields(library: OpenLibrary, doc_id: str, mtime_ns: int, given: Meta) -> None:
    """Writes a stored document's fields if they are not what they were."""
    catalog = library.catalog
    own, stored = catalog.document(doc_id, own_meta=True), catalog.document_rows([doc_id]).get(doc_id)
    if own is None or stored is None:
        return
    meta = document_meta(own, mtime_ns, library.config.sync.meta, given)
    if dict(stored.meta) != meta:
        note_fields(catalog, meta)
        catalog.put_meta(doc_id, meta)


# ── files ─────────────────────────────────────────────────────────────────────────────────────
def apply_plan(
    library: OpenLibrary,
    todo: Plan,
    cutters: Cutters,
    *,
    given: Meta,
    progress: Callable[[Progress], None] | None = None,
    stored: Callable[[], None] = lambda: None,
) -> Changes:
    """Removes, reads, cuts and stores. Each file is in the catalog whole, or as it was before.

    `stored` is called after each batch of files that is in the catalog.
    """
    total, done = sum(file.size for file in todo.to_read), 0
    if todo.to_read or todo.removed:
        library.search_index.need_room(NEW_SHARD_BYTES + min(3 * total, _MOST_ROOM))
    changes = Changes()
    _remove(library, todo.removed, changes)
    stored()
    for batch in _by_time(_prepared(library, todo, cutters)):
        with library.catalog.transaction():
            for prepared in batch:
                _store(library, prepared, todo, cutters, given, changes)
        stored()
        done += sum(prepared.file.size for prepared in batch)
        if progress:
            progress(Progress("read", done, total, "bytes", batch[-1].file.uri))
    refresh_fields(library.catalog)
    stored()  # makes what filters on new types of fields need
    if library.catalog.get("chunking") != (now := chunking(library.config)):
        library.catalog.put(chunking=now)
    _pair_moves(todo, library.catalog.files() if changes.removed else {}, changes)
    return changes


def _remove(library: OpenLibrary, removed: Sequence[FileRow], changes: Changes) -> None:
    if removed:
        with library.catalog.transaction():
            for row in removed:
                library.catalog.remove(row.uri)
    changes.removed.extend(row.uri for row in removed)


def _by_time(items: Iterator[Prepared]) -> Iterator[list[Prepared]]:
    """Batches that take about `_COMMIT_SECONDS` to make: what a kill can lose."""
    batch: list[Prepared] = []
    started = time.monotonic()
    for item in items:
        batch.append(item)
        if time.monotonic() - started >= _COMMIT_SECONDS:
            yield batch
            batch, started = [], time.monotonic()
    if batch:
        yield batch


def _prepared(library: OpenLibrary, todo: Plan, cutters: Cutters) -> Iterator[Prepared]:
    """The files to read, in order: those whose bytes did not change as "same", the others parsed and cut."""
    settings = cutters.settings
    same = {file.uri: sha for file in todo.to_read if (sha := _unchanged_bytes(file, todo.known, settings))}
    changed = [file for file in todo.to_read if file.uri not in same]
    if library.loads_by_name and _worth_workers(changed, todo.known):
        team = min(cores(), len(changed))
        prepared = prepare_all(changed, library.config, library.choice, workers=team)
    else:
        prepared = (prepare(file, cutters) for file in changed)
    for file in todo.to_read:
        yield Prepared(file, same[file.uri], "same") if file.uri in same else next(prepared)


def _worth_workers(files: Sequence[FoundFile], known: Mapping[str, FileRow]) -> bool:
    """Whether to read these in processes of their own: for speed, or as a process ended on one before."""
    if len(files) >= _MANY_FILES or sum(file.size for file in files) >= _MANY_BYTES:
        return True
    return any(file.uri in known and ended_worker(known[file.uri].reason) for file in files)


def _unchanged_bytes(file: FoundFile, known: Mapping[str, FileRow], settings: Mapping[str, str]) -> str:
    """The hash of a touched file whose bytes are those the catalog knows; "" for every other file."""
    row = known.get(file.uri)
    if row is None or not _current(row, settings):
        return ""
    try:
        sha256 = read(file.path, file.uri).sha256
    except InputError:
        return ""  # reading it again gives the reason
    return sha256 if sha256 == row.sha256 else ""


def _store(
    library: OpenLibrary, prepared: Prepared, todo: Plan, cutters: Cutters, given: Meta, changes: Changes
) -> None:
    uri, row = prepared.file.uri, todo.known.get(prepared.file.uri)
    if prepared.state == "same" and row:
        touched = FileRow(
            uri, row.doc_id, row.state, row.reason, *prepared.file.identity,
            sha256=row.sha256, settings=row.settings, seen_ns=prepared.file.seen_ns,
        )  # fmt: skip
        library.catalog.put_file(touched)
        put_fields(library, row.doc_id, prepared.file.mtime_ns, given)
        changes.same += row.state == "indexed"
        return
    if row and prepared.state == "failed" and prepared.sha256 in ("", row.sha256):
        kind = row.settings.partition("\t")[0]  # not the fault of new bytes: what is stored stays
        library.catalog.put_file(file_row(prepared, row.doc_id, cutters.settings_of(kind)))
        return
    was_there = row is not None and bool(library.catalog.document_rows([row.doc_id]))
    stored = store(library.catalog, prepared, cutters, library.config, given)
    changes.reused += stored.reused
    if prepared.state == "indexed":
        (changes.changed if was_there else changes.added).append(uri)
    elif was_there:
        changes.removed.append(uri)


def _pair_moves(todo: Plan, now: Mapping[str, FileRow], changes: Changes) -> None:
    """Turns a removed and an added file with the same bytes into one that moved."""
    origins: dict[str, list[str]] = {}
    for row in todo.removed:
        if row.state == "indexed":
            origins.setdefault(row.sha256, []).append(row.uri)
    for uri in list(changes.added):
        if olds := origins.get(now[uri].sha256 if uri in now else ""):
            changes.removed.remove(olds.pop(0))
            changes.added.remove(uri)
            changes.moved.append(uri)
