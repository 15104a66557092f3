"""Whether a catalog is as it was written: a checksum in each row, and a stamp that saves looking twice.

SQLite notices a broken page, not a changed byte in a text. So rows carry a CRC-32 of their values, and a
catalog is read through once when its file is not the one that was last known to be whole (after a crash, a
copy or damage). `catalog.stamp` holds that file's size and time; it is given after a look at everything,
and after our own writes to a file that was the stamped one until then.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from pincite.folder.regular import read_regular, write_anew

_MOST_BYTES = 1000  # of a stamp

# Per table: the columns its `crc` covers, the first of which names the row in a message. The body of a
# document has a sum of its own, so that its row can be looked at without it.
COVERED = {
    "manifest": ("key", "value"),
    "documents": (
        "uri", "doc_id", "sha256", "title", "type", "encoding", "language", "meta", "losses", "n_chunks",
    ),
    "chunks": (
        "point_id", "doc_id", "ordinal", "start", "end", "parent", "text", "kind", "heading", "header",
        "context", "n_tokens", "place",
    ),
    "vectors": ("key", "vector"),
}  # fmt: skip
BODY = ("doc_id", "body")
# Rows that cannot be: what a query finds here was changed from outside.
_IMPOSSIBLE = (
    "SELECT doc_id FROM documents WHERE doc_id NOT IN "
    "(SELECT doc_id FROM files WHERE state IN ('indexed', 'failed'))",
    "SELECT point_id FROM chunks WHERE doc_id NOT IN (SELECT doc_id FROM documents)",
    "SELECT point_id FROM chunks WHERE embedded AND vector_key NOT IN (SELECT key FROM vectors)",
    "SELECT uri FROM files WHERE state NOT IN ('indexed', 'empty', 'failed', 'skipped')",
)


def crc(values: Iterable[object]) -> int:
    """CRC-32 of a row's values, in order."""
    total = 0
    for value in values:
        data = value if isinstance(value, bytes) else f"\0{value}".encode("utf-8", "surrogatepass")
        total = zlib.crc32(data, total)
    return total


def columns(table: str, alias: str = "") -> str:
    """The columns that a row's checksum covers, and the checksum, as SQL; with an alias it is `ALIAS_crc`."""
    if not alias:
        return ", ".join((*COVERED[table], "crc"))
    named = [f"{alias}.{column} AS {alias}_{column}" for column in (*COVERED[table], "crc")]
    return ", ".join(named)


def checked(row: sqlite3.Row, table: str, alias: str = "") -> sqlite3.Row:
    """The row, read with `columns`. Raises `ValueError` if its values are not those its sum was made of."""
    prefix = f"{alias}_" if alias else ""
    covered = COVERED[table]
    if crc(row[prefix + column] for column in covered) != row[f"{prefix}crc"]:
        raise ValueError(f"a row of {table} ({row[prefix + covered[0]]!r}) has changed")
    return row


def checked_body(row: sqlite3.Row) -> sqlite3.Row:
    """The row of a document whose body has its sum. Raises `ValueError` if it has not."""
    if crc(row[column] for column in BODY) != row["body_crc"]:
        raise ValueError(f"the text of a row of documents ({row['uri']!r}) has changed")
    return row


def verify(db: sqlite3.Connection) -> None:
    """Reads the whole catalog. Raises `sqlite3.DatabaseError` naming the first thing that is wrong."""
    for (problem,) in db.execute("PRAGMA integrity_check(1)"):
        if problem != "ok":
            raise sqlite3.DatabaseError(problem)
    for table in COVERED:
        for row in _rows(db, f"SELECT {columns(table)} FROM {table}"):
            _whole(checked, row, table)
    for row in _rows(db, "SELECT uri, doc_id, body, body_crc FROM documents"):
        _whole(checked_body, row)
    for sql in _IMPOSSIBLE:
        for (name,) in db.execute(f"{sql} LIMIT 1"):
            raise sqlite3.DatabaseError(f"{name} is without its counterpart")


def _rows(db: sqlite3.Connection, sql: str) -> Iterator[sqlite3.Row]:
    cursor = db.cursor()
    cursor.row_factory = sqlite3.Row
    yield from cursor.execute(sql)


def _whole(check: Callable[..., object], *what: object) -> None:
    try:
        check(*what)
    except ValueError as error:
        raise sqlite3.DatabaseError(str(error)) from None


def stamped(path: Path) -> bool:
    """Whether the catalog's file is the one that was last stamped."""
    return _read(path) == identity(path)


def was_stamped(path: Path) -> bool:
    """Whether there was a whole catalog here before."""
    return _read(path) is not None


def stamp(path: Path) -> None:
    """Notes that the catalog's file is whole now."""
    with suppress(OSError):  # without a stamp the next opening reads it through
        write_anew(_stamp(path), json.dumps(identity(path)))


def _stamp(path: Path) -> Path:
    return path.with_suffix(".stamp")


def identity(path: Path) -> list[int]:
    """Size, times and inode of the catalog's file; nothing when it is gone.

    The time of the last change tells what was written and dated back.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return []
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


def _read(path: Path) -> list[int] | None:
    try:
        found = json.loads(read_regular(_stamp(path), limit=_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None
