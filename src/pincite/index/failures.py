"""What SQLite reports, as errors that name the file and what mends it."""

from __future__ import annotations

import shlex
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.errors import StoreError

# What a value that makes no sense sets off.
_NO_SENSE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


@contextmanager
def naming(path: Path, *, rows: bool = True) -> Iterator[None]:
    """Turns what goes wrong while reading or writing the catalog at `path` into a `StoreError`.

    With `rows`, the block reads rows, and a value that makes no sense is damage too.
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path}: {error}", stage="catalog", hint=_hint(str(error), path)) from error
    except (sqlite3.DatabaseError, zlib.error, *_NO_SENSE) as error:
        if not rows and not isinstance(error, sqlite3.Error):
            raise
        raise StoreError(f"{path} is damaged: {error}", stage="catalog", hint=start_anew(path)) from error


@contextmanager
def naming_files(folder: Path) -> Iterator[None]:
    """Turns what the system says of files of the index in `folder` into a `StoreError`."""
    try:
        yield
    except OSError as error:
        where = error.filename if isinstance(error.filename, str) else folder
        raise StoreError(
            f"{where}: {(error.strerror or str(error)).lower()}",
            stage="search index",
            hint="see that the disk is well and nobody moves the index; then: pincite sync",
        ) from error


def _hint(error: str, path: Path) -> str:
    if "full" in error or "disk I/O" in error:
        return "see that the disk is well and has room: free some disk space, then run: pincite sync"
    if "readonly" in error or "unable to open" in error:
        return "the folder is not writable: put the index elsewhere with --index DIR"
    if "locking protocol" in error:
        return "see that its file system has locks that work, or put the index elsewhere with --index DIR"
    if "locked" in error:
        return "another process is writing; try again"
    return start_anew(path)


def start_anew(path: Path) -> str:
    """The command after which a sync makes a new catalog: the folder stays, as it may hold other things."""
    catalog, stamp = shlex.quote(str(path)), shlex.quote(str(path.with_suffix(".stamp")))
    return f"run: rm -f {catalog}* {stamp}; then: pincite sync"
