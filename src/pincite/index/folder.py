"""The index folder: made when it is missing, and refused when what lies in it is not ours.

An index is written to and parts of it are deleted, so nothing is touched until the folder is known to be
one: a library may come from anywhere and bring links or files of these names.
"""

from __future__ import annotations

import os
from pathlib import Path

from pincite.errors import StoreError
from pincite.index.connection import whose

INDEX_FOLDER = ".pincite"
_CATALOG = ("catalog.db", "catalog.db-wal", "catalog.db-shm", "catalog.db-journal", "catalog.stamp")
_OURS = frozenset(
    {
        *_CATALOG,
        "catalog.tmp",
        "search.seal",
        "search.tmp",
        "search.lock",
        "sync.lock",
        ".gitignore",
        "runs",
        "queries.jsonl",
        "queries.1.jsonl",
        "tune",
    }
)
_SHARD, _SEAL = "search", "search.seal"
_ELSEWHERE = "put the index elsewhere with --index DIR"


def make_folder(folder: Path) -> None:
    """Makes the index folder. Raises `StoreError` if it holds links or others' files, or is not writable."""
    try:
        if folder.exists() or folder.is_symlink():
            _check(folder)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sync.lock").touch()
        ignore = folder / ".gitignore"
        if folder.name == INDEX_FOLDER and not ignore.exists():
            ignore.write_text("*\n")
    except OSError as error:
        raise StoreError(
            f"the index folder {folder} cannot be written: {(error.strerror or str(error)).lower()}",
            stage="open",
            hint=_ELSEWHERE,
        ) from error


def _check(folder: Path) -> None:
    if folder.name == INDEX_FOLDER and folder.is_symlink():
        raise _refused(folder, "it is a link", "remove the link, or name where it leads with --index DIR")
    with os.scandir(folder) as entries:
        links = {entry.name: entry.is_symlink() for entry in entries}
    if linked := sorted(name for name, link in links.items() if link):
        raise _refused(folder, f"{linked[0]} in it is a link, and links are not followed", _ELSEWHERE)
    if (owner := whose(folder / _CATALOG[0])) == "foreign":
        raise _refused(folder, "its catalog.db is another program's", _ELSEWHERE)
    known = _OURS | {_SHARD} if _SEAL in links else _OURS
    if owner != "ours" and (others := sorted(links.keys() - known)):
        raise _refused(folder, f"it holds other files ({', '.join(others[:3])})", _ELSEWHERE)


def _refused(folder: Path, why: str, hint: str) -> StoreError:
    return StoreError(f"{folder} is not used as index folder: {why}", stage="open", hint=hint)
