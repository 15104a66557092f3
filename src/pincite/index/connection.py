"""One open SQLite file: whole transactions, rows, and errors that name it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from pincite.errors import IndexStaleError
from pincite.index import schema
from pincite.index.checks import stamp, stamped, verify, was_stamped
from pincite.index.failures import naming

_BATCH = 500  # SQLite's variables per statement, kept far below its limit


class Connection:
    """The catalog's file, opened, of a format we read, and found whole.

    Raises `StoreError` when it is damaged and `IndexStaleError` when it has another format.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with naming(path):
            size = path.stat().st_size if path.exists() else None
            if size == 0 and was_stamped(path):
                raise ValueError("it is empty")
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
            try:
                self._open(checked=not size or stamped(path))
            except BaseException:
                self._db.close()
                raise

    def _open(self, *, checked: bool) -> None:
        self._db.row_factory = sqlite3.Row
        for setting in ("journal_mode = WAL", "synchronous = NORMAL", "trusted_schema = OFF"):
            self._db.execute(f"PRAGMA {setting}")
        self._check_format()
        self._db.executescript(schema.TABLES)
        if not checked:
            verify(self._db)
            stamp(self.path)

    def _check_format(self) -> None:
        """Refuses a catalog of another format before anything in it is read or changed."""
        if not self.rows("SELECT 1 FROM sqlite_master WHERE name = 'manifest'"):
            return
        found = self.rows("SELECT value FROM manifest WHERE key = 'format'")
        if found and found[0]["value"] != str(schema.FORMAT):
            raise IndexStaleError(
                f"{self.path}: index format {found[0]['value']}, this Pincite reads {schema.FORMAT}",
                stage="open",
                hint=f"remove {self.path.parent} and run: pincite sync",
            )

    def naming(self) -> AbstractContextManager[None]:
        """Turns what goes wrong in the block into our errors, naming the file."""
        return naming(self.path)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes inside the block, or none of them."""
        with naming(self.path, rows=False):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # a full disk has rolled it back already
                    self._db.execute("ROLLBACK")
                raise

    def execute(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Runs one statement."""
        return self._db.execute(sql, values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Runs one statement for each row of values."""
        self._db.executemany(sql, rows)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """All rows of a statement."""
        with self.naming():
            return self._db.execute(sql, values).fetchall()

    def rows_in(self, sql: str, values: Sequence[Any]) -> Iterator[sqlite3.Row]:
        """Rows of a statement with `IN (?)`, in batches of values."""
        for at in range(0, len(values), _BATCH):
            part = values[at : at + _BATCH]
            yield from self.rows(sql.replace("(?)", f"({','.join('?' * len(part))})"), part)

    def version(self) -> tuple[int, int]:
        """Differs whenever this or another connection has changed the file since."""
        return self._db.execute("PRAGMA data_version").fetchone()[0], self._db.total_changes

    def close(self) -> None:
        """Folds the journal into the file and closes it."""
        try:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error:
            pass  # another process is reading, or the disk is full: the journal stays beside the file
        finally:
            self._db.close()
        if self.path.exists() and not stamped(self.path):
            stamp(self.path)
