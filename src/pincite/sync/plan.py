"""What changed in the folder: what a sync has to read, and what is gone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from pincite.errors import InputError
from pincite.folder.walk import FoundFile, Walk
from pincite.index.schema import FileRow
from pincite.types import Reason


@dataclass(frozen=True, slots=True)
class Plan:
    """What a sync has to do, each list by uri.

    `unchanged` files are as the catalog knows them and made with the same settings; `to_read` may differ
    (new, touched, or made with other settings); `removed` are no longer in the folder. `kept` lie in a folder
    that cannot be read now: nobody knows whether they are still there. `settings` are those compared with.
    """

    unchanged: tuple[FileRow, ...]
    to_read: tuple[FoundFile, ...]
    removed: tuple[FileRow, ...]
    known: Mapping[str, FileRow]
    settings: Mapping[str, str] | None = None
    kept: tuple[Reason, ...] = ()


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
    locked = {row.container or uri for uri, row in known.items() if _is_locked(row)} if unlock else set()
    known = {uri: row for uri, row in known.items() if not row.container}
    removed, kept = gone(found, known)
    if removed and not found.files and not allow_empty:
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
        removed=removed,
        known=known,
        settings=settings,
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


def _same(file: FoundFile, row: FileRow | None, settings: Mapping[str, str] | None) -> bool:
    return row is not None and row.identity == file.identity and row.settled and current(row, settings)


def _read_again(row: FileRow) -> FileRow:
    """The row as if the file had been cut with other settings."""
    return replace(row, settings=row.settings.partition("\t")[0] + "\t")


def current(row: FileRow, settings: Mapping[str, str] | None) -> bool:
    """Whether a file was parsed and cut with these settings; with None, whether it was cut at all."""
    kind, _, fingerprint = row.settings.partition("\t")
    if settings is None:
        return bool(fingerprint)
    return fingerprint == settings.get(kind, settings[""])


def _is_locked(row: FileRow) -> bool:
    """Whether a file could not be read for want of its password."""
    return row.state == "failed" and "locked with a password" in row.reason
