"""What changed: the folder as it is against the files the catalog knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.index.schema import FileRow
from pincite.sources import FoundFile, Walk


@dataclass(frozen=True, slots=True)
class Plan:
    """What a sync has to do, each list by uri.

    `unchanged` files are as the catalog knows them and made with the same settings; `to_read` may differ
    (new, touched, or made with other settings); `removed` are no longer in the folder.
    """

    unchanged: tuple[FileRow, ...]
    to_read: tuple[FoundFile, ...]
    removed: tuple[FileRow, ...]


def plan(found: Walk, known: Mapping[str, FileRow], settings: Mapping[str, str]) -> Plan:
    """Compares by size, times and inode only; a file that differs in any of them is read and hashed.

    `settings` is the fingerprint, by document type, of all that shapes chunks ("" for other types).
    """
    unchanged = [known[file.uri] for file in found.files if _same(file, known.get(file.uri), settings)]
    kept = {row.uri for row in unchanged}
    there = {file.uri for file in found.files}
    return Plan(
        unchanged=tuple(unchanged),
        to_read=tuple(file for file in found.files if file.uri not in kept),
        removed=tuple(row for uri, row in sorted(known.items()) if uri not in there),
    )


def _same(file: FoundFile, row: FileRow | None, settings: Mapping[str, str]) -> bool:
    return row is not None and row.identity == file.identity and current(row, settings)


def current(row: FileRow, settings: Mapping[str, str]) -> bool:
    """Whether a file was parsed and cut with today's settings."""
    kind, _, fingerprint = row.settings.partition("\t")
    return fingerprint == settings.get(kind, settings[""])


def moved(added: Sequence[FileRow], removed: Sequence[FileRow]) -> dict[str, str]:
    """New uri → old uri of files that went away here and appeared there with the same bytes."""
    origins: dict[str, list[str]] = {}
    for row in removed:
        origins.setdefault(row.sha256, []).append(row.uri)
    pairs = {}
    for row in added:
        if olds := origins.get(row.sha256):
            pairs[row.uri] = olds.pop(0)
    return pairs
