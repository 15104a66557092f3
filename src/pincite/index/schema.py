"""The tables of the catalog, and what the one of files says of each."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from functools import cache

from pincite.errors import FileCode

FORMAT = 6
MOST_DIMENSIONS = 65_536  # numbers of a vector, as the engine takes them

TABLES = """
CREATE TABLE IF NOT EXISTS manifest (
  key TEXT PRIMARY KEY, value TEXT NOT NULL, crc INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
  uri TEXT PRIMARY KEY, doc_id TEXT NOT NULL, state TEXT NOT NULL, code TEXT NOT NULL, reason TEXT NOT NULL,
  size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER, inode INTEGER, sha256 TEXT NOT NULL,
  kind TEXT NOT NULL, settings TEXT NOT NULL, seen_ns INTEGER NOT NULL, container TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS files_by_container ON files (container) WHERE container <> '';
CREATE TABLE IF NOT EXISTS documents (
  doc_id TEXT PRIMARY KEY, uri TEXT NOT NULL, sha256 TEXT NOT NULL, title TEXT NOT NULL, type TEXT NOT NULL,
  encoding TEXT NOT NULL, language TEXT NOT NULL, meta TEXT NOT NULL, losses TEXT NOT NULL,
  n_chunks INTEGER NOT NULL, crc INTEGER NOT NULL, body BLOB NOT NULL, body_crc INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS chunks (
  point_id INTEGER NOT NULL UNIQUE, doc_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL, parent TEXT, text TEXT NOT NULL,
  kind TEXT NOT NULL, heading TEXT NOT NULL, header TEXT NOT NULL, context TEXT NOT NULL,
  n_tokens INTEGER NOT NULL, place TEXT NOT NULL, vector_key BLOB NOT NULL, embedded INTEGER NOT NULL,
  problem TEXT NOT NULL DEFAULT '', crc INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS chunks_of_document ON chunks (doc_id, ordinal);
CREATE INDEX IF NOT EXISTS chunks_by_vector ON chunks (vector_key);
CREATE INDEX IF NOT EXISTS chunks_pending ON chunks (n_tokens, point_id) WHERE embedded = 0;
CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, point_id INTEGER NOT NULL, op TEXT NOT NULL
);
"""


_MANIFEST: dict[str, type] = {
    "format": int, "library": str, "root": str, "read": bool, "last_sync": str,
    "model": dict, "dimension": int, "probe": str, "analyzer": str, "stemmers": list, "chunking": str,
    "epoch": int, "applied": int, "optimized": int, "reads": dict,
    "fields": dict, "fields_of": list, "odd_fields": dict, "given": str,
}  # fmt: skip
"""What the values of the manifest are; those that are not named are compared and nothing else."""


def fits(key: str, value: object) -> bool:
    """Whether a value of the manifest is what its readers expect."""
    if value is None or not isinstance(value, _MANIFEST.get(key, object)):
        return False
    if isinstance(value, dict) and key in ("model", "fields"):
        return all(isinstance(one, str) for one in value.values()) and (key == "fields" or _is_model(value))
    if isinstance(value, list) and key == "stemmers":
        return all(isinstance(one, str) for one in value)
    return key != "dimension" or (isinstance(value, int) and 0 < value <= MOST_DIMENSIONS)


def _is_model(value: dict[str, str]) -> bool:
    return {"choice", "name", "fingerprint", "dimension"} <= value.keys() and value["dimension"].isdecimal()


@cache
def declared() -> frozenset[tuple[str, str, str | None]]:
    """What `sqlite_master` of a catalog holds: (type, name, sql). Views and triggers have no place in it."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(TABLES)
        return frozenset(db.execute("SELECT type, name, sql FROM sqlite_master"))


@dataclass(frozen=True, slots=True)
class FileRow:
    """What the last sync knew of a file: its state ("indexed", "empty", "failed", "skipped") and identity.

    `reason` says why it is not indexed, `code` so where something depends on it; the reason of one that is
    indexed says which text speaks to an assistant. `kind` is the type of its document, `settings` the
    fingerprint of all that shaped its chunks; a change means parsing it again. A file
    inside an archive or a mail has the identity of the file on disk it is in, whose uri is its `container`.
    """

    uri: str
    doc_id: str
    state: str
    code: FileCode
    reason: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    sha256: str
    kind: str
    settings: str
    seen_ns: int = 0
    container: str = ""

    @property
    def settled(self) -> bool:
        """Whether an edit after it was read must show in its times: the clock had ticked since the last one.

        Clocks of file systems tick every 1 to 10 ms; those that store whole seconds, up to 2 s.
        """
        tick = 2_000_000_000 if self.ctime_ns % 1_000_000_000 == 0 else 20_000_000
        return self.ctime_ns + tick < self.seen_ns

    @property
    def identity(self) -> tuple[int, int, int, int]:
        """What must be equal for the file to count as unchanged without reading it."""
        return (self.size, self.mtime_ns, self.ctime_ns, self.inode)
