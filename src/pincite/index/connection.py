"""One open SQLite file: whole transactions, rows, and errors that name it."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Literal

from pincite.errors import IndexStaleError
from pincite.index import schema
from pincite.index.checks import identity, stamp, stamped, verify, was_stamped
from pincite.index.failures import naming, start_anew
from pincite.index.lock import is_held
from pincite.index.private import private
from pincite.index.rows import MOST_BYTES
from pincite.index.tree import entry_of

_BATCH = 500  # SQLite's variables per statement, kept far below its limit
_FOLD_BYTES = 4_000_000  # a journal of this size is folded into the file
_FOLD_SECONDS = 2.0  # longer than folding takes
_NOTHING_KEPT: tuple[tuple[int, int], dict[str, Any]] = ((-1, -1), {})
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")  # sqlite.org/fileformat2.html, "The Rollback Journal"
_READING = ("query_only = ON",)
# The journal is folded in by `_fold` alone, which knows whether the file may be stamped after it.
_WRITING = ("journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 0", "journal_size_limit = 0")


class Connection:
    """The catalog's file, opened, of a format we read, and found whole.

    Threads take turns, each with a whole statement or transaction. `read_only` writes nothing at all;
    a catalog that was never begun is empty then. Raises `StoreError` when it is damaged and
    `IndexStaleError` when it has another format.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._turn = RLock()
        self._kept = _NOTHING_KEPT
        with naming(path):
            size = path.stat().st_size if path.exists() else 0
            if not size and was_stamped(path):
                raise ValueError("it is empty")
            self._db = _connect(path, read_only=read_only)
            try:
                self._open(read_only=read_only)
            except BaseException:
                self._db.close()
                raise

    def _open(self, *, read_only: bool) -> None:
        self._set_up(_READING if read_only else _WRITING)
        kinds = {row["type"] for row in self.rows("SELECT type FROM sqlite_master WHERE name = 'manifest'")}
        if kinds:
            self._check_format(kinds)
            if not _settled_stamp(self.path):
                self._look(keep=not read_only)
            return
        if read_only:
            self._db.close()
            self._db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            self._set_up(())
        self._db.executescript(f"BEGIN IMMEDIATE; {schema.TABLES} COMMIT;")
        if not read_only:
            self._fold(whole=True)

    def _set_up(self, settings: Sequence[str]) -> None:
        self._db.row_factory = sqlite3.Row
        self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
        for setting in (*settings, "trusted_schema = OFF"):
            self._db.execute(f"PRAGMA {setting}")

    def _look(self, *, keep: bool) -> None:
        """Reads all of it; with `keep`, stamps the file unless somebody wrote to it meanwhile."""
        before = identity(self.path)
        verify(self._db)
        if keep and identity(self.path) == before:
            stamp(self.path)

    def _fold(self, *, whole: bool) -> None:
        """Moves the journal into the file; stamps it if it was `whole` until then.

        Only what the journal holds, which has sums of its own, can have come in between.
        """
        try:
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.Error:
            return  # the disk is full: the journal stays beside the file
        if whole:
            stamp(self.path)

    def _check_format(self, kinds: set[str]) -> None:
        """Refuses a catalog of another format, or with other tables, before anything in it is changed.

        A view, a trigger or a table that computes may do anything for ever: none is ever read from.
        """
        if kinds != {"table"}:
            raise sqlite3.DatabaseError("its tables are not those of a catalog")
        found = self.rows("SELECT value FROM manifest WHERE key = 'format'")
        if found and found[0]["value"] != str(schema.FORMAT):
            raise IndexStaleError(
                f"{self.path}: index format {found[0]['value']}, this Pincite reads {schema.FORMAT}",
                stage="open",
                hint=start_anew(self.path),
            )
        there = {tuple(row) for row in self.rows("SELECT type, name, sql FROM sqlite_master")}
        if there != schema.declared():
            raise sqlite3.DatabaseError("its tables are not those of a catalog")

    def naming(self, *, rows: bool = True) -> AbstractContextManager[None]:
        """Turns what goes wrong in the block into our errors, naming the file; `rows` if it reads some."""
        return naming(self.path, rows=rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes inside the block, or none of them."""
        with self._turn, naming(self.path, rows=False):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                self._kept = _NOTHING_KEPT  # what was read in the block is gone with it
                if self._db.in_transaction:  # a full disk has rolled it back already
                    self._db.execute("ROLLBACK")
                raise
            if _journal_size(self.path) >= _FOLD_BYTES:
                self._fold(whole=stamped(self.path))

    def execute(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Runs one statement."""
        with self._turn:
            return self._db.execute(sql, values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Runs one statement for each row of values."""
        with self._turn:
            self._db.executemany(sql, rows)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """All rows of a statement."""
        with self._turn, self.naming():
            return self._db.execute(sql, values).fetchall()

    def rows_in(self, sql: str, values: Sequence[Any]) -> Iterator[sqlite3.Row]:
        """Rows of a statement with `IN (?)`, in batches of values."""
        for at in range(0, len(values), _BATCH):
            part = values[at : at + _BATCH]
            yield from self.rows(sql.replace("(?)", f"({','.join('?' * len(part))})"), part)

    def once(self, name: str, read: Callable[[], Any]) -> Any:
        """What `read` gives, read again only after a change of the file."""
        version = self._version()
        if self._kept[0] != version:
            self._kept = (version, {})
        kept = self._kept[1]
        if name not in kept:
            kept[name] = read()
        return kept[name]

    def _version(self) -> tuple[int, int]:
        """Differs whenever this or another connection has changed the file since."""
        with self._turn, self.naming():
            return self._db.execute("PRAGMA data_version").fetchone()[0], self._db.total_changes

    def close(self) -> None:
        """Folds the journal into the file if anything was written here, and closes it."""
        with self._turn:
            try:
                if self._db.total_changes:
                    self._fold(whole=stamped(self.path))
            finally:
                self._db.close()


def whose(path: Path) -> Literal["ours", "foreign", "unknown"]:
    """Whose database a file is; "unknown" when it is missing, empty, or no database that can be read."""
    try:
        if not path.is_file() or not path.stat().st_size:
            return "unknown"
        with closing(_connect(path, read_only=True)) as db:
            names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    except (OSError, sqlite3.Error):
        return "unknown"
    if {"manifest", "files", "documents", "chunks", "vectors", "outbox"} <= names:
        return "ours"
    return "foreign" if names else "unknown"


def _connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    _refuse_odd(path)
    if not read_only:
        if not path.exists():
            with private():
                path.touch()  # SQLite gives its other files the rights of this one
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    # Beside a journal that holds something, SQLite needs its own small files; else it touches nothing.
    mode = "mode=ro" if _journal_size(path) else "mode=ro&immutable=1"
    address = f"{path.resolve().as_uri()}?{mode}"
    return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=30)


def _refuse_odd(path: Path) -> None:
    """Raises `sqlite3.DatabaseError` for a link, pipe or device in the place of the file or its journals.

    Also for a journal that ends with the name of another one: SQLite would remove that file, wherever it
    is. Such a name is written only where a program works on several databases at once; ours never does.
    """
    for name in (path.name, *(f"{path.name}-{kind}" for kind in ("wal", "shm", "journal"))):
        there = path.with_name(name)
        if os.path.lexists(there) and entry_of(name, there.lstat()).kind != "file":
            raise sqlite3.DatabaseError(f"{name} is no regular file of one name")
    journal = path.with_name(f"{path.name}-journal")
    if os.path.lexists(journal) and _end_of(journal) == _JOURNAL_MAGIC:
        raise sqlite3.DatabaseError(f"{journal.name} names another file")


def _end_of(journal: Path) -> bytes:
    handle = os.open(journal, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.pread(handle, len(_JOURNAL_MAGIC), max(0, os.fstat(handle).st_size - len(_JOURNAL_MAGIC)))
    finally:
        os.close(handle)


def _journal_size(path: Path) -> int:
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size
    except FileNotFoundError:
        return 0


def _settled_stamp(path: Path) -> bool:
    """Whether the file is the stamped one; a sync that is just folding its journal in is waited for."""
    deadline = time.monotonic() + _FOLD_SECONDS
    while not stamped(path):
        if time.monotonic() >= deadline or not is_held(path.with_name("sync.lock")):
            return stamped(path)
        time.sleep(0.02)
    return True
