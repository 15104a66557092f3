"""Rows that cannot be: bodies that swell, paths that lead out, spans, places and vectors that lie."""

from __future__ import annotations

import json
import random
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path

COUNT = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
BOMB = 3 << 30
Change = Callable[[sqlite3.Connection, Path, random.Random], str]
"""Changes an open catalog, given what lies outside; returns what was done."""


def body_bomb(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    """A document's body that inflates to 3 GB."""
    packer, block = zlib.compressobj(9), bytes(1 << 24)
    made = b"".join(packer.compress(block) for _ in range(BOMB // len(block))) + packer.flush()
    db.execute("UPDATE documents SET body = ?", (made,))
    return f"{len(made)} bytes"


def big_text(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    column = rng.choice(("text", "heading", "header", "context", "place", "kind"))
    db.execute(f"UPDATE chunks SET {column} = ? WHERE ordinal = 0", ("word " * 40_000_000,))
    return column


def deep_json(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    table, column = rng.choice(
        (("documents", "meta"), ("documents", "losses"), ("chunks", "heading"), ("chunks", "place"))
    )
    odd = rng.choice(
        ("[" * 200_000, '{"a":' * 50_000, "null", "7", '"x"', "{", '{"a": NaN}', "[[[]]]", '{"a": 1e999}')
    )
    db.execute(f"UPDATE {table} SET {column} = ?", (odd,))
    return f"{table}.{column}: {odd[:20]}"


def outside_uri(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    """A document whose path leads to the secret; a search that looks at the file again would read it."""
    ways = (
        "../outside/secret.md",
        str(outside / "secret.md"),
        "a/../../outside/secret.md",
        "./../outside/secret.md",
    )
    uri = rng.choice((*ways, "..\\outside\\secret.md", f"file://{outside}/secret.md"))
    db.execute("UPDATE files SET uri = ? WHERE uri = 'n01.md'", (uri,))
    db.execute("UPDATE documents SET uri = ? WHERE uri = 'n01.md'", (uri,))
    return uri


def outside_place(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    """All that the manifest says of its folder leads out."""
    key = rng.choice([key for (key,) in db.execute("SELECT key FROM manifest ORDER BY key")])
    to = rng.choice(
        (str(outside / "lib"), "/", "..", "../..", "a\0b", "-" * 5000, "9" * 400, "", "null", "{")
    )
    db.execute("UPDATE manifest SET value = ? WHERE key = ?", (to, key))
    return f"{key}: {to[:40]}"


def odd_uri(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    uri = rng.choice(
        (
            "a\0b.md",
            "",
            ".",
            "..",
            "/",
            "x" * 300_000,
            "\x1b[31mred\x1b[0m.md",
            "n02.md/",
            "\udcff.md",
            "C:\\x.md",
        )
    )
    raw = uri.encode("utf-8", "surrogateescape")
    for table in ("files", "documents"):
        db.execute(f"UPDATE {table} SET uri = CAST(? AS TEXT) WHERE uri = 'n01.md'", (raw,))
    return repr(uri[:30])


def wrong_types(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    table = rng.choice(("files", "documents", "chunks", "vectors"))
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] != "crc"]
    column, value = rng.choice(columns), rng.choice((b"\xff\xfe", 3.5, -1, "no number", 2**62, "", -(2**63)))
    try:
        db.execute(
            f"UPDATE {table} SET {column} = ? WHERE rowid = 1"
            if table != "files"
            else f"UPDATE files SET {column} = ? WHERE uri = 'n01.md'",
            (value,),
        )
    except sqlite3.Error:
        db.execute(f"UPDATE {table} SET crc = 'x'" if table != "files" else "UPDATE files SET size = 'x'")
    return f"{table}.{column}: {value!r}"


def lying_spans(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    start, end = rng.choice(
        ((-5, 10), (10, -5), (0, 2**62), (2**62, 2**62 + 9), (9, 3), (-(2**63), 2**63 - 1))
    )
    db.execute("UPDATE chunks SET start = ?, end = ?", (start, end))
    return f"{start}–{end}"


def lying_places(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    """Line numbers that no file has."""
    first = rng.choice((-3, 0, 10**9, 10**30, "1", None, 1.5))
    for name, text in db.execute("SELECT point_id, place FROM chunks").fetchall():
        place = json.loads(text) if text[:1] in "{[" else {}
        odd = dict.fromkeys(place, first) if isinstance(place, dict) else [first] * len(place)
        db.execute("UPDATE chunks SET place = ? WHERE point_id = ?", (json.dumps(odd), name))
    return str(first)


def lying_counts(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    count = rng.choice((0, -1, 10**15, 7))
    db.execute("UPDATE documents SET n_chunks = ?", (count,))
    db.execute("UPDATE chunks SET n_tokens = ?, ordinal = ordinal + ?", (count, count))
    return str(count)


def vectors_odd(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    """Vectors of another length, or of no numbers."""
    made = rng.choice(
        (b"", b"\0" * 7, b"\xff" * 1536, b"\x00\x00\x80\x7f" * 384, bytes(1 << 28), b"\0" * 1536)
    )
    db.execute("UPDATE vectors SET vector = ? WHERE rowid <= 2", (made,))
    return f"{len(made)} bytes of {made[:4]!r}"


def many_entries(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    op = rng.choice(("upsert", "delete", "nonsense", ""))
    db.execute(f"INSERT INTO outbox (point_id, op) {COUNT} SELECT x, ? FROM n LIMIT 1000000", (op,))
    return op


def other_model(db: sqlite3.Connection, outside: Path, rng: random.Random) -> str:
    """A model that an index may not choose, under each name the manifest has for one."""
    name = rng.choice(
        ("api:evil", "hub:nobody/none", str(outside / "secret.md"), "../outside/box", "st:evil", "-x", "\0")
    )
    keys = [key for (key,) in db.execute("SELECT key FROM manifest") if "model" in key]
    for key in keys:
        db.execute("UPDATE manifest SET value = ? WHERE key = ?", (name, key))
    return f"{keys}: {name}"


CHANGES: tuple[Change, ...] = (
    *(body_bomb, big_text, deep_json, outside_uri, outside_place, odd_uri, wrong_types, lying_spans),
    *(lying_places, lying_counts, vectors_odd, many_entries, other_model),
)
