"""Catalogs that lie: other schemas, endless views, impossible rows, bodies that swell, paths that lead out.

The sums of changed rows and the stamp are made anew with the program's own code where it is where it was, so
that a lie is not refused for a wrong sum alone.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from hostile import crafted_rows
from hostile.crafted_links import Craft
from hostile.crafted_rows import COUNT, Change

ENDLESS = f"{COUNT} SELECT x FROM n"


def can_sum() -> bool:
    try:
        from pincite.index.checks import BODY, COVERED, crc, stamp
    except ImportError:
        return False
    return bool(COVERED and BODY) and callable(crc) and callable(stamp)


def sums(db: sqlite3.Connection) -> None:
    """Gives every row the sum of its values, and every body its own."""
    from pincite.index.checks import BODY, COVERED

    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table, columns in COVERED.items():
        if table in tables:
            sum_up(db, table, columns, "crc")
    if "documents" in tables:
        sum_up(db, "documents", BODY, "body_crc")


def sum_up(db: sqlite3.Connection, table: str, columns: Sequence[str], into: str) -> None:
    from pincite.index.checks import crc

    for *values, old in db.execute(f"SELECT {', '.join(columns)}, {into} FROM {table}").fetchall():
        if (new := crc(values)) != old:
            db.execute(f"UPDATE {table} SET {into} = ? WHERE {columns[0]} IS ?", (new, values[0]))


def as_it_is(raw: bytes) -> str | bytes:
    """A text of the catalog; one that is no UTF-8, as some changes make it, as its bytes."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw


def changed(change: Change) -> Craft:
    """A way to craft an index: its catalog with one change."""

    def craft(index: Path, outside: Path, rng: random.Random) -> str:
        path = index / "catalog.db"
        db = sqlite3.connect(path, isolation_level=None)
        db.text_factory = as_it_is
        try:
            done = change(db, outside, rng)
            if can_sum():
                sums(db)
        finally:
            db.close()
        if can_sum():
            from pincite.index.checks import stamp

            stamp(path)
        return done

    return craft


def statements(*texts: str) -> Change:
    """The catalog after these statements."""

    def change(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
        for text in texts:
            db.execute(text)
        return "; ".join(texts)[:300]

    return change


def endless_view(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    """One of the tables as a view that never ends."""
    table = rng.choice(("manifest", "files", "documents", "chunks", "vectors", "outbox"))
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    named = ", ".join(f"x AS {name}" for name in columns)
    db.execute(f"DROP TABLE {table}")
    db.execute(f"CREATE VIEW {table} AS {COUNT} SELECT {named} FROM n")
    return table


def view_over(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    """One of the tables renamed, with a view of the same rows in its place."""
    table = rng.choice(("files", "documents", "chunks", "vectors"))
    db.execute("PRAGMA legacy_alter_table = ON")
    db.execute(f"ALTER TABLE {table} RENAME TO kept_{table}")
    db.execute(f"CREATE VIEW {table} AS SELECT * FROM kept_{table}")
    return table


def trigger(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    table = rng.choice(("files", "chunks", "outbox", "manifest"))
    when = rng.choice(("INSERT", "UPDATE", "DELETE"))
    db.execute(f"CREATE TRIGGER lies AFTER {when} ON {table} BEGIN DELETE FROM vectors; END")
    return f"{when} on {table}"


def endless_trigger(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    table = rng.choice(("files", "outbox", "manifest"))
    body = f"INSERT INTO swell SELECT x FROM ({ENDLESS} LIMIT 900000000)"
    db.execute("CREATE TABLE swell (x)")
    for when in ("INSERT", "UPDATE", "DELETE"):
        db.execute(f"CREATE TRIGGER lies_{when} BEFORE {when} ON {table} BEGIN {body}; END")
    return table


def twice(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    """A table without its keys, with each row twice."""
    table = rng.choice(("files", "documents", "chunks", "manifest"))
    db.execute("PRAGMA legacy_alter_table = ON")
    db.execute(f"ALTER TABLE {table} RENAME TO old")
    db.execute(f"CREATE TABLE {table} AS SELECT * FROM old UNION ALL SELECT * FROM old")
    db.execute("DROP TABLE old")
    return table


def other_schema(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    """A page of the schema that says something else, written by hand."""
    db.execute("PRAGMA writable_schema = ON")
    odd = rng.choice(
        ("CREATE TABLE", "no SQL", "CREATE TABLE chunks (x)", "CREATE VIEW chunks AS SELECT 1", "x" * 900_000)
    )
    db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'chunks'", (odd,))
    return odd[:40]


def not_sqlite(index: Path, outside: Path, rng: random.Random) -> str:
    texts = (
        b"",
        b"SQLite format 3\0",
        b"\0" * 100_000,
        rng.randbytes(50_000),
        b"SQLite format 3\0" + rng.randbytes(8176),
    )
    (index / "catalog.db").write_bytes(rng.choice(texts))
    return "catalog.db"


def strange_journal(index: Path, outside: Path, rng: random.Random) -> str:
    """A journal of another catalog beside this one, or noise by its name."""
    name = rng.choice(("catalog.db-wal", "catalog.db-journal", "catalog.db-shm"))
    magic = {"catalog.db-wal": b"\x37\x7f\x06\x82", "catalog.db-journal": b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"}
    (index / name).write_bytes(magic.get(name, b"") + rng.randbytes(rng.choice((28, 4096, 40_000))))
    return name


def journal_of_another(index: Path, outside: Path, rng: random.Random) -> str:
    """A hot journal that names a super-journal outside."""
    told = str(outside / "secret.md").encode()
    size = (index / "catalog.db").stat().st_size // 4096
    head = (
        b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
        + (0).to_bytes(4, "big")
        + rng.randbytes(4)
        + size.to_bytes(4, "big")
    )
    head += (512).to_bytes(4, "big") + (4096).to_bytes(4, "big")
    tail = (1).to_bytes(4, "big") + told + len(told).to_bytes(4, "big") + sum(told).to_bytes(4, "big")
    (index / "catalog.db-journal").write_bytes(
        head.ljust(512, b"\0") + tail + b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
    )
    return "catalog.db-journal"


VIRTUAL = "CREATE VIRTUAL TABLE lies USING fts5(x)"
PLAIN: dict[str, Change] = {
    "virtual table": statements(VIRTUAL),
    "virtual table as files": statements(
        "DROP TABLE files",
        "CREATE VIRTUAL TABLE files USING fts5(uri, doc_id, state, reason, size, mtime_ns)",
    ),
    "no tables": statements("DROP TABLE chunks", "DROP TABLE documents"),
    "no manifest": statements("DELETE FROM manifest"),
    "newer format": statements("UPDATE manifest SET value = '99' WHERE key = 'format'"),
    "older format": statements("UPDATE manifest SET value = '1' WHERE key = 'format'"),
    "no format": statements("UPDATE manifest SET value = 'x' WHERE key = 'format'"),
    "format of many digits": statements(
        "UPDATE manifest SET value = replace(hex(zeroblob(4000)), '0', '9') WHERE key = 'format'"
    ),
    "strange file": statements("PRAGMA application_id = 77", "PRAGMA user_version = 2147483647"),
    "no chunks": statements("DELETE FROM chunks"),
    "no documents": statements("DELETE FROM documents"),
    "no files": statements("DELETE FROM files"),
    "containers in a ring": statements("UPDATE files SET container = uri"),
    "one document for all": statements("UPDATE chunks SET doc_id = (SELECT doc_id FROM documents LIMIT 1)"),
    "expensive index": statements(
        "CREATE INDEX lies ON chunks (abs(length(hex(zeroblob(100000000))) + n_tokens))"
    ),
    "NUL in texts": statements(
        "UPDATE chunks SET text = char(0) || text || char(0), heading = '[\"a\\u0000b\"]'"
    ),
    "control characters": statements("UPDATE chunks SET text = char(27) || '[2J' || char(8238) || text"),
}
CHANGES: tuple[Change, ...] = (endless_view, view_over, trigger, endless_trigger, twice, other_schema)
KINDS: dict[str, Craft] = {
    **{
        f"catalog: {made.__name__.replace('_', ' ')}": changed(made)
        for made in (*CHANGES, *crafted_rows.CHANGES)
    },
    **{f"catalog: {name}": changed(made) for name, made in PLAIN.items()},
    "catalog: no SQLite": not_sqlite,
    "catalog: strange journal": strange_journal,
    "catalog: journal of another": journal_of_another,
}
