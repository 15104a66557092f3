"""Writes the truth of a library: a SQLite file with documents, chunks, vectors, metadata and the manifest.

Every change is one transaction that also writes what the search index must do to the `outbox`; the
search index can be made again from this file alone, without parsing or embedding.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from pincite.index.catalog_reader import CatalogReader
from pincite.index.checks import COVERED, columns, crc
from pincite.index.rows import bare, chunk_values, document_values, pack_body, pack_meta
from pincite.index.schema import FORMAT, FileRow
from pincite.protocols import Vectors
from pincite.types import Chunk, Document, Meta, point_id

_FILE_COLUMNS = tuple(column.name for column in fields(FileRow))
_file_values = attrgetter(*_FILE_COLUMNS)


def vector_key(model_fingerprint: str, text: str) -> bytes:
    """16 bytes that name the vector of `text` under a model."""
    seed = f"{model_fingerprint}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(seed, digest_size=16).digest()


class SqliteCatalog(CatalogReader):
    """An open catalog. Threads take turns; other processes beside it see whole transactions.

    With `read_only` nothing is written, no journal and no stamp either.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        super().__init__(path, read_only=read_only)
        self._fields: dict[str, str] | None = None
        self._has_vectors = False
        if not read_only and self.get("format") is None:
            self.put(format=FORMAT)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes inside the block, or none of them."""
        try:
            with self._db.transaction():
                yield
        except BaseException:
            self._fields = None  # what was noted in the block is gone with it
            raise

    def put(self, **values: Any) -> None:
        """Sets manifest values (JSON)."""
        if "fields" in values and values["fields"] != self.get("fields"):
            self.outbox.add([0], "fields")
        rows = [(key, json.dumps(value, ensure_ascii=False)) for key, value in values.items()]
        with self._db.naming(rows=False):
            self._db.executemany(
                "INSERT OR REPLACE INTO manifest VALUES (?, ?, ?)", [(*row, crc(row)) for row in rows]
            )
        self._fields = values.get("fields", self._fields)

    @property
    def fields(self) -> Mapping[str, str]:
        """Names and types of filterable fields as the sync that runs now knows them."""
        if self._fields is None:
            self._fields = self.get("fields") or {}
        return self._fields

    # ── files ─────────────────────────────────────────────────────────────────────────────────
    def put_file(self, file: FileRow) -> None:
        """Records a file's state."""
        marks = ",".join("?" * len(_FILE_COLUMNS))
        self._db.execute(f"INSERT OR REPLACE INTO files VALUES ({marks})", _file_values(file))

    def touch_members(self, file: FileRow) -> None:
        """Gives the files inside a file its new identity: it was touched, and its bytes are the same."""
        sql = """UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, seen_ns = ?
                 WHERE container = ? AND container <> ''"""
        self._db.execute(sql, (*file.identity, file.seen_ns, file.uri))

    def remove(self, uri: str) -> None:
        """Forgets a file and those inside it with their documents and chunks; the outbox tells the index."""
        for member in self.members(uri):
            self.remove_alone(member)
        self.remove_alone(uri)

    def remove_alone(self, uri: str) -> None:
        """Forgets a file, but not those inside it."""
        rows = self._db.rows("SELECT doc_id FROM files WHERE uri = ?", [uri])
        for row in rows:
            self._drop_chunks(row["doc_id"])
            self._db.execute("DELETE FROM documents WHERE doc_id = ?", [row["doc_id"]])
        self._db.execute("DELETE FROM files WHERE uri = ?", [uri])

    # ── documents and chunks ──────────────────────────────────────────────────────────────────
    def put_document(
        self, document: Document, meta: Meta, chunks: Sequence[Chunk], model_fingerprint: str
    ) -> int:
        """Stores a document and its chunks in place of earlier ones; returns how many have their vector.

        `meta` are all its fields; the document's own stay with it, so that rules can change later.
        A chunk that is still the same keeps its row and its point in the search index.
        """
        values, body = document_values(document, meta, len(chunks)), pack_body(document)
        marks = ",".join("?" * (len(values) + 3))
        sql = f"INSERT OR REPLACE INTO documents ({columns('documents')}, body, body_crc) VALUES ({marks})"
        self._db.execute(sql, (*values, crc(values), body, crc([document.id, body])))
        self._drop_chunks(document.id, keep={point_id(chunk.id) for chunk in chunks})
        return self._put_chunks(document, chunks, model_fingerprint)

    def _put_chunks(self, document: Document, chunks: Sequence[Chunk], model_fingerprint: str) -> int:
        """Writes chunks; returns how many have their vector."""
        keys = [vector_key(model_fingerprint, chunk.dense_text) for chunk in chunks]
        known = self._known_vectors(keys)
        rows = []
        for ordinal, (chunk, key) in enumerate(zip(chunks, keys, strict=True)):
            values = chunk_values(document, ordinal, chunk)
            rows.append((*values, crc(values), key, key in known))
        named = f"{columns('chunks')}, vector_key, embedded"
        marks = ",".join("?" * len(named.split(",")))
        self._db.executemany(f"INSERT INTO chunks ({named}) VALUES ({marks})", rows)
        self.outbox.add([row[0] for row in rows], "put")
        return sum(key in known for key in keys)

    def _known_vectors(self, keys: Sequence[bytes]) -> set[bytes]:
        """Which of these vectors are there; a catalog that never had one is not asked again."""
        if not self._has_vectors:
            self._has_vectors = bool(self._db.rows("SELECT 1 FROM vectors LIMIT 1"))
        if not self._has_vectors:
            return set()
        return {
            bytes(row["key"]) for row in self._db.rows_in("SELECT key FROM vectors WHERE key IN (?)", keys)
        }

    def _drop_chunks(self, doc_id: str, keep: Collection[int] = ()) -> None:
        """Removes a document's rows; the search index hears of those whose points are not kept."""
        rows = self._db.execute("DELETE FROM chunks WHERE doc_id = ? RETURNING point_id", [doc_id]).fetchall()
        self.outbox.add((row["point_id"] for row in rows if row["point_id"] not in keep), "delete")

    def put_meta(self, doc_id: str, meta: Meta) -> None:
        """Replaces a document's fields; nothing is parsed or embedded again."""
        self._db.execute("UPDATE documents SET meta = ? WHERE doc_id = ?", [pack_meta(meta), doc_id])
        self._sign_document(doc_id)
        rows = self._db.execute("SELECT point_id FROM chunks WHERE doc_id = ?", [doc_id]).fetchall()
        self.outbox.add([row["point_id"] for row in rows], "put")

    def _sign_document(self, doc_id: str) -> None:
        covered = ", ".join(COVERED["documents"])
        row = self._db.execute(f"SELECT {covered} FROM documents WHERE doc_id = ?", [doc_id])
        self._db.execute("UPDATE documents SET crc = ? WHERE doc_id = ?", [crc(row.fetchone()), doc_id])

    # ── vectors ───────────────────────────────────────────────────────────────────────────────
    def put_vectors(self, vectors: Mapping[bytes, Vectors]) -> None:
        """Stores vectors and marks every chunk that waits for one of them as embedded."""
        for key, vector in vectors.items():
            blob = np.ascontiguousarray(vector, dtype="<f4").tobytes()
            self._db.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", [key, blob, crc([key, blob])])
            rows = self._db.execute(
                """UPDATE chunks SET embedded = 1, problem = ''
                   WHERE vector_key = ? AND embedded = 0 RETURNING point_id""",
                [key],
            ).fetchall()
            self.outbox.add([row["point_id"] for row in rows], "vector")

    def put_problem(self, key: bytes, problem: str) -> None:
        """Records why a text has no vector."""
        self._db.execute(
            "UPDATE chunks SET problem = ? WHERE vector_key = ? AND embedded = 0", [problem, key]
        )

    def clear_problems(self) -> None:
        """Makes every failed text wait for its vector again."""
        self._db.execute("UPDATE chunks SET problem = '' WHERE problem <> ''")

    def drop_unused_vectors(self) -> int:
        """Removes vectors no chunk refers to; returns how many."""
        sql = "DELETE FROM vectors WHERE key NOT IN (SELECT vector_key FROM chunks)"
        with self._db.naming():
            return self._db.execute(sql).rowcount

    def forget_vectors(self) -> None:
        """Has every chunk wait for its vector."""
        self._db.execute("DELETE FROM vectors")
        self._db.execute("UPDATE chunks SET embedded = 0, problem = ''")

    def rekey(self, model_fingerprint: str) -> None:
        """Gives every chunk its key under another model and marks those without a vector there as pending."""
        for row in self._db.rows("SELECT point_id, context, text FROM chunks"):
            key = vector_key(model_fingerprint, bare(row).dense_text)
            there = bool(self._db.execute("SELECT 1 FROM vectors WHERE key = ?", [key]).fetchone())
            self._db.execute(
                "UPDATE chunks SET vector_key = ?, embedded = ?, problem = '' WHERE point_id = ?",
                [key, there, row["point_id"]],
            )

    # ── outbox ────────────────────────────────────────────────────────────────────────────────
    def applied(self, up_to: int) -> None:
        """Forgets outbox entries with a seq up to `up_to`, and remembers that the index has them."""
        with self.transaction():
            self.outbox.forget(up_to)
            self.put(applied=up_to)
