"""The index folder: made when it is missing, and refused when what lies in it is not ours.

An index is written to and parts of it are deleted, so nothing is touched until the folder is known to be
one: a library may come from anywhere and bring links or files of these names. Which folder it was made for
is recorded at each sync, so that no other folder is taken for it.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from pincite.errors import StoreError, UsageError
from pincite.index.catalog import SqliteCatalog
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
_ABOVE = ".."  # recorded by an index that lies in its folder
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
    """Takes the rights of others from the folder and the files in it: documents may be private.

    A second name of a file elsewhere keeps its rights, which are those of that file.
    """
    for path in (folder, *(folder / name for name in _FILES), folder / _SHARDS):
        try:
            status = path.lstat()
        except FileNotFoundError:
            continue
        # Not by a handle: closing one of the catalog's files ends the locks that SQLite has on them here.
        if status.st_mode & 0o077 and entry_of(path.name, status).kind != "odd":
            path.chmod(status.st_mode & 0o700)


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


# ── whose index it is ─────────────────────────────────────────────────────────────────────────
def to_record(folder: Path, root: Path) -> str:
    """What the manifest's `root` is to hold for an index in `folder` made for the documents in `root`."""
    real = root.resolve()
    return _ABOVE if folder.resolve() == real / INDEX_FOLDER else str(real)


def home(folder: Path, recorded: str | None) -> Path | None:
    """The real path of the folder an index was made for; None if it is not recorded or not there now."""
    real = folder.resolve()
    if not recorded or (recorded == _ABOVE and real.name != INDEX_FOLDER):
        return None  # never synced, or a copy of an index that lay in its folder
    root = real.parent if recorded == _ABOVE else Path(recorded)
    return root.resolve() if os.path.isdir(root) else None  # noqa: PTH112  unlike Path's, it never raises


def find_root(start: Path) -> Path | None:
    """The nearest folder with an index, from `start` upwards; None when there is none."""
    here = start.resolve()
    return next((f for f in (here, *here.parents) if (f / INDEX_FOLDER / "catalog.db").is_file()), None)


def recorded_home(folder: Path) -> Path | None:
    """`home` of the index in `folder`, None without an index. Nothing is written."""
    if not (folder / "catalog.db").is_file():
        return None
    catalog = SqliteCatalog(folder / "catalog.db", read_only=True)
    try:
        return home(folder, catalog.get("root"))
    finally:
        catalog.close()


def refuse_other_root(folder: Path, root: Path, recorded: str | None) -> None:
    """Raises `UsageError` if the index in `folder` was made for another folder than `root`."""
    made_for = home(folder, recorded)
    if made_for is None or made_for == root.resolve():
        return
    where = "" if folder.resolve() == made_for / INDEX_FOLDER else f" --index {shlex.quote(str(folder))}"
    raise UsageError(
        f"{folder}: this index was made for {made_for}, not for {root.resolve()}; nothing was changed",
        stage="open",
        hint=f"add: --in {shlex.quote(str(made_for))}{where}; or give this folder an index of its own",
    )
