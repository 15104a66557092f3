"""Which folder an index was made for: recorded at each sync, so that no other folder is taken for it.

An index at `<folder>/.pincite` records that it lies there, and so moves with its folder; one put elsewhere
records the folder's absolute, real path.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from pincite.errors import UsageError
from pincite.index.catalog import SqliteCatalog
from pincite.index.folder import INDEX_FOLDER

_ABOVE = ".."


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
