"""What changed in the folder: what a sync has to read, and what is gone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from pincite.errors import InputError
from pincite.folder.walk import FoundFile, Walk
from pincite.index.schema import FileRow
from pincite.types import Reason

_SEVERAL = 2  # files that are gone from a folder at once, so that nobody may have deleted them


@dataclass(frozen=True, slots=True)
class Emptied:
    """A folder that holds nothing now, and how many files of it are indexed; they are `kept` or not."""

    uri: str
    files: int
    kept: bool

    def __str__(self) -> str:
        count = f"{self.files:,} file{'s' * (self.files > 1)} of it"
        if not self.kept:
            return f"{self.uri}/ is empty now; {count} left the index"
        hint = "if that is no share that is away, run: pincite sync --allow-empty"
        return f"{self.uri}/ is empty now; {count} stay in the index; {hint}"


@dataclass(frozen=True, slots=True)
class Missing:
    """The known files that were not found: those that are gone and those that may be there, each by uri."""

    removed: tuple[FileRow, ...]
    kept: tuple[Reason, ...]
    emptied: tuple[Emptied, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a sync has to do, each list by uri.

    `unchanged` files are as the catalog knows them and made with the same settings; `to_read` may differ
    (new, touched, or made with other settings); `removed` are no longer in the folder. `kept` lie in a folder
    that cannot be read now, or that is empty all at once: nobody knows whether they are still there.
    `emptied` are those empty folders. `settings` are those compared with.
    """

    unchanged: tuple[FileRow, ...]
    to_read: tuple[FoundFile, ...]
    removed: tuple[FileRow, ...]
    known: Mapping[str, FileRow]
    settings: Mapping[str, str] | None = None
    kept: tuple[Reason, ...] = ()
    emptied: tuple[Emptied, ...] = ()


def plan(
    found: Walk,
    known: Mapping[str, FileRow],
    settings: Mapping[str, str] | None,
    *,
    allow_empty: bool = False,
    unlock: bool = False,
) -> Plan:
    """Compares by size, times and inode only; a file that differs in any of them is read and hashed.

    `known` may hold files inside others: they stay and go with those. `settings` is the fingerprint, by
    document type, of all that shapes chunks ("" for other types); None takes files as they were cut. With
    `unlock`, locked files, and those that hold locked ones, are read again.
    Raises `InputError` when all known files are gone, unless `allow_empty`: a disk may not be mounted.
    """
    locked = {row.container or uri for uri, row in known.items() if row.code == "locked"} if unlock else set()
    known = {uri: row for uri, row in known.items() if not row.container}
    missing = gone(found, known, allow_empty=allow_empty)
    if (missing.removed or missing.emptied) and not found.files and not allow_empty:
        there = "1 is indexed" if len(known) == 1 else f"{len(known):,} are indexed"
        message = f"the folder holds no documents now, but {there}; nothing was removed"
        raise InputError(
            message, stage="sync", hint="if they are really gone, run: pincite sync --allow-empty"
        )
    known = {uri: _read_again(row) if uri in locked else row for uri, row in known.items()}
    unchanged = [known[file.uri] for file in found.files if _same(file, known.get(file.uri), settings)]
    same = {row.uri for row in unchanged}
    return Plan(
        unchanged=tuple(unchanged),
        to_read=tuple(file for file in found.files if file.uri not in same),
        removed=missing.removed,
        known=known,
        settings=settings,
        kept=missing.kept,
        emptied=missing.emptied,
    )


def gone(found: Walk, known: Mapping[str, FileRow], *, allow_empty: bool = False) -> Missing:
    """Known files that were not found: gone, unless their folder cannot be read or is empty all at once.

    Such a folder still stands and held several files, none of which was moved elsewhere: that is what a share
    looks like that is not mounted. With `allow_empty` what is in no folder that fails is gone.
    """
    failed = {reason.uri for reason in found.failed}
    missing = sorted(known.keys() - {file.uri for file in found.files} - failed)
    above = {uri: _folder_among(uri, failed) for uri in missing}
    kept = [Reason(uri, f"{folder} cannot be read now") for uri, folder in above.items() if folder]
    left = [known[uri] for uri, folder in above.items() if not folder]
    emptied = _emptied(found, left, keep=not allow_empty)
    held = {one.uri for one in emptied if one.kept}
    removed = []
    for row in left:
        if folder := _folder_among(row.uri, held):
            kept.append(Reason(row.uri, f"{folder}/ is empty now"))
        else:
            removed.append(row)
    return Missing(tuple(removed), tuple(sorted(kept, key=lambda one: one.uri)), emptied)


def _emptied(found: Walk, missing: Sequence[FileRow], *, keep: bool) -> tuple[Emptied, ...]:
    """The empty folders that the missing files were in, by uri."""
    inside: dict[str, list[FileRow]] = {}
    for row in missing:
        if folder := _folder_among(row.uri, found.empty):
            inside.setdefault(folder, []).append(row)
    elsewhere = {(file.inode, file.size, file.mtime_ns) for file in found.files}
    return tuple(
        Emptied(folder, len(rows), keep and len(rows) >= _SEVERAL)
        for folder, rows in sorted(inside.items())
        if elsewhere.isdisjoint((row.inode, row.size, row.mtime_ns) for row in rows)
    )


def _folder_among(uri: str, folders: Collection[str]) -> str:
    """The outermost folder around a file that is among these, with or without `/` at its end; "" for none."""
    parents = [str(parent) for parent in reversed(PurePosixPath(uri).parents)]
    return next((one for parent in parents for one in (f"{parent}/", parent) if one in folders), "")


def _same(file: FoundFile, row: FileRow | None, settings: Mapping[str, str] | None) -> bool:
    return row is not None and row.identity == file.identity and row.settled and current(row, settings)


def _read_again(row: FileRow) -> FileRow:
    """The row as if the file had been cut with other settings."""
    return replace(row, settings="")


def current(row: FileRow, settings: Mapping[str, str] | None) -> bool:
    """Whether a file was parsed and cut with these settings; with None, whether it was cut at all."""
    if settings is None:
        return bool(row.settings)
    return row.settings == settings.get(row.kind, settings[""])
