"""The index folder: made when it is missing, and refused when what lies in it is not ours.

An index is written to and parts of it are deleted, so nothing is touched until the folder is known to be
one: a library may come from anywhere and bring links or files of these names.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from pincite.errors import StoreError
from pincite.index.connection import whose
from pincite.index.generations import belongs
from pincite.index.private import private
from pincite.index.tree import Entry, entry_of

INDEX_FOLDER = ".pincite"
_CATALOG = ("catalog.db", "catalog.db-wal", "catalog.db-shm", "catalog.db-journal", "catalog.stamp")
_FILES = frozenset(
    {
        *_CATALOG,
        "catalog.tmp",
        "search.lock",
        "search.seal",  # of formats up to 3
        "search.tmp",
        "sync.lock",
        ".gitignore",
        "queries.jsonl",
        "queries.1.jsonl",
    }
)
_SHARDS = "search"
_FOLDERS = frozenset({"runs", "tune", _SHARDS})
_REPLACED = frozenset({"catalog.stamp", "catalog.tmp", "search.seal", "search.tmp"})  # never written into
_ELSEWHERE = "put the index elsewhere with --index DIR"


def make_folder(folder: Path) -> None:
    """Makes the index folder, for its owner alone.

    Raises `StoreError` if it holds links or others' files, or is not writable.
    """
    try:
        with private():
            if folder.exists() or folder.is_symlink():
                check_folder(folder)
            folder.mkdir(parents=True, exist_ok=True)
            _close_to_others(folder)
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


def _close_to_others(folder: Path) -> None:
    """Takes the rights of others from the folder and the files in it: documents may be private."""
    for path in (folder, *(folder / name for name in _FILES), folder / _SHARDS):
        try:
            mode = path.lstat().st_mode & 0o777
        except FileNotFoundError:
            continue
        if mode & 0o077:
            path.chmod(mode & 0o700)


def can_be_written(folder: Path) -> bool:
    """Whether an index folder can be written; true for one that is not there yet."""
    as_who_we_are = os.access in os.supports_effective_ids
    return not os.path.lexists(folder / "catalog.db") or os.access(
        folder, os.W_OK, effective_ids=as_who_we_are
    )


def check_folder(folder: Path) -> None:
    """Raises `StoreError` if a folder is no index, or has something in it that must not be followed."""
    if folder.name == INDEX_FOLDER and folder.is_symlink():
        raise _refused(folder, "it is a link", "remove the link, or name where it leads with --index DIR")
    entries = _entries(folder)
    for entry in entries.values():
        _refuse_odd(folder, entry)
    if (owner := whose(folder / _CATALOG[0])) == "foreign":
        raise _refused(folder, "its catalog.db is another program's", _ELSEWHERE)
    if owner == "ours":
        return
    others = sorted(entries.keys() - _FILES - _FOLDERS)
    if _SHARDS in entries and not all(belongs(path.name) for path in (folder / _SHARDS).iterdir()):
        others.append(_SHARDS)
    if others:
        raise _refused(folder, f"it holds other files ({', '.join(others[:3])})", _ELSEWHERE)


def _entries(folder: Path) -> dict[str, Entry]:
    found = {}
    for path in folder.iterdir():
        try:
            found[path.name] = entry_of(path.name, path.lstat())
        except FileNotFoundError:  # another process has just put it in its place
            continue
    return found


def _refuse_odd(folder: Path, entry: Entry) -> None:
    """A link, pipe, device or second name of a file elsewhere is refused; so is a folder for a file."""
    path = folder / entry.name
    if entry.name in _REPLACED and not path.is_symlink():
        return
    if entry.kind == "odd":
        if path.is_symlink():
            raise _refused(folder, f"{entry.name} in it is a link, and links are not followed", _ELSEWHERE)
        mend = (
            f"if it is a copy made with hard links, part it: cp -p {path} {path}.own && mv {path}.own {path}"
        )
        hint = mend if path.is_file() else f"remove {path}"
        raise _refused(folder, f"{entry.name} in it is no regular file of one name", hint)
    expected = "file" if entry.name in _FILES else "folder" if entry.name in _FOLDERS else entry.kind
    if entry.kind != expected:
        raise _refused(
            folder,
            f"{entry.name} in it is a {entry.kind}, not a {expected}",
            f"run: rm -r {shlex.quote(str(path))}",
        )


def _refused(folder: Path, why: str, hint: str) -> StoreError:
    return StoreError(f"{folder} is not used as index folder: {why}", stage="open", hint=hint)
