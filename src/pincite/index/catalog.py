"""The truth of a library: one SQLite file with documents, chunks, vectors, metadata and the manifest.

Every change is one transaction that also writes what the search index must do to the `outbox`; the
search index can be made again from this file alone, without parsing or embedding.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

from pincite.index import schema
from pincite.index.checks import COVERED, crc
from pincite.index.connection import Connection
from pincite.index.schema import FileRow
from pincite.protocols import Vectors
from pincite.types import Chunk, Document, Meta, Span, Stored, point_id

_STORED = (
    """SELECT c.*, d.uri, d.title, d.sha256, d.meta FROM chunks c JOIN documents d ON d.doc_id = c.doc_id """
)
_NOTHING_KEPT: tuple[tuple[int, int], dict[str, Any]] = ((-1, -1), {})
_FILE_COLUMNS = tuple(column.name for column in fields(FileRow))
_file_values = attrgetter(*_FILE_COLUMNS)


def vector_key(model_fingerprint: str, text: str) -> bytes:
    """16 bytes that name the vector of `text` under a model."""
    seed = f"{model_fingerprint}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(seed, digest_size=16).digest()


class SqliteCatalog:
    """An open catalog. Threads take turns; other processes beside it see whole transactions.

    With `read_only` nothing is written, no journal and no stamp either.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._fields: dict[str, str] | None = None
        self._has_vectors = False
        self._kept = _NOTHING_KEPT
        self._db = Connection(path, read_only=read_only)
        if not read_only and self.get("format") is None:
            self.put(format=schema.FORMAT)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes inside the block, or none of them."""
        try:
            with self._db.transaction():
                yield
        except BaseException:
            # What was noted in the block is gone with it.
            self._fields, self._kept = None, _NOTHING_KEPT
            raise

    def _once(self, name: str, read: Callable[[], Any]) -> Any:
        """What `read` gives, read again only after a change of the file."""
        version = self._db.version()
        if self._kept[0] != version:
            self._kept = (version, {})
        kept = self._kept[1]
        if name not in kept:
            kept[name] = read()
        return kept[name]

    # ── manifest ──────────────────────────────────────────────────────────────────────────────
    def get(self, key: str) -> Any:
        """The manifest's value for `key`, or None."""
        rows = self._once("manifest", lambda: self._db.rows("SELECT key, value FROM manifest"))
        value = next((row["value"] for row in rows if row["key"] == key), None)
        with self._db.naming():
            return None if value is None else json.loads(value)

    def put(self, **values: Any) -> None:
        """Sets manifest values (JSON)."""
        with self._db.naming(rows=False):
            self._db.executemany(
                "INSERT OR REPLACE INTO manifest VALUES (?, ?, ?)",
                [(*row, crc(row)) for row in schema.json_rows(values)],
            )
        self._fields = values.get("fields", self._fields)

    @property
    def fields(self) -> Mapping[str, str]:
        """Names and types of filterable fields as the sync that runs now knows them."""
        if self._fields is None:
            self._fields = self.get("fields") or {}
        return self._fields

    # ── files ─────────────────────────────────────────────────────────────────────────────────
    def files(self) -> dict[str, FileRow]:
        """Every file the last sync saw, by uri."""
        return {row["uri"]: FileRow(*row) for row in self._db.rows("SELECT * FROM files ORDER BY uri")}

    def files_of(self, uris: Collection[str]) -> dict[str, FileRow]:
        """What the last sync knew of these files, by uri."""
        rows = self._db.rows_in("SELECT * FROM files WHERE uri IN (?)", list(uris))
        return {row["uri"]: FileRow(*row) for row in rows}

    def put_file(self, file: FileRow) -> None:
        """Records a file's state."""
        marks = ",".join("?" * len(_FILE_COLUMNS))
        self._db.execute(f"INSERT OR REPLACE INTO files VALUES ({marks})", _file_values(file))

    def members(self, container: str) -> list[str]:
        """The uris of the files inside a file: of an archive, a mailbox, a mail with attachments."""
        rows = self._db.rows(
            "SELECT uri FROM files WHERE container = ? AND container <> '' ORDER BY uri", [container]
        )
        return [row["uri"] for row in rows]

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
        values = schema.document_values(document, meta, len(chunks))
        marks = ",".join("?" * (len(values) + 1))
        sql = f"INSERT OR REPLACE INTO documents ({COVERED['documents']}, crc) VALUES ({marks})"
        self._db.execute(sql, (*values, crc(values)))
        self._drop_chunks(document.id, keep={point_id(chunk.id) for chunk in chunks})
        return self._put_chunks(document, chunks, model_fingerprint)

    def _sign_document(self, doc_id: str) -> None:
        row = self._db.execute(f"SELECT {COVERED['documents']} FROM documents WHERE doc_id = ?", [doc_id])
        self._db.execute("UPDATE documents SET crc = ? WHERE doc_id = ?", [crc(row.fetchone()), doc_id])

    def _put_chunks(self, document: Document, chunks: Sequence[Chunk], model_fingerprint: str) -> int:
        """Writes chunks; returns how many have their vector."""
        keys = [vector_key(model_fingerprint, chunk.dense_text) for chunk in chunks]
        known = self._known_vectors(keys)
        rows = []
        for ordinal, (chunk, key) in enumerate(zip(chunks, keys, strict=True)):
            values = schema.chunk_values(document, ordinal, chunk)
            rows.append((*values, key, key in known, crc(values)))
        columns = f"{COVERED['chunks']}, vector_key, embedded, crc"
        marks = ",".join("?" * len(columns.split(",")))
        self._db.executemany(f"INSERT INTO chunks ({columns}) VALUES ({marks})", rows)
        self._note([row[0] for row in rows], "put")
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
        self._note((row["point_id"] for row in rows if row["point_id"] not in keep), "delete")

    def put_meta(self, doc_id: str, meta: Meta) -> None:
        """Replaces a document's fields; nothing is parsed or embedded again."""
        self._db.execute("UPDATE documents SET meta = ? WHERE doc_id = ?", [schema.pack_meta(meta), doc_id])
        self._sign_document(doc_id)
        rows = self._db.execute("SELECT point_id FROM chunks WHERE doc_id = ?", [doc_id]).fetchall()
        self._note([row["point_id"] for row in rows], "put")

    def document(self, doc_id: str, *, own_meta: bool = False) -> Document | None:
        """The stored document, without its blocks; None when there is none.

        `meta` holds all fields, or with `own_meta` those the file itself gave.
        """
        rows = self._db.rows("SELECT * FROM documents WHERE doc_id = ?", [doc_id])
        with self._db.naming():
            return schema.unpack_document(dict(rows[0]), own_meta=own_meta) if rows else None

    def document_ids(self) -> list[tuple[str, str]]:
        """(doc_id, uri) of every document, by uri."""
        rows = self._db.rows("SELECT doc_id, uri FROM documents ORDER BY uri")
        return [(row["doc_id"], row["uri"]) for row in rows]

    def metas(self) -> list[Meta]:
        """The metadata of every document."""
        with self._db.naming():
            return [schema.unpack_meta(row["meta"]) for row in self._db.rows("SELECT meta FROM documents")]

    def document_rows(self, doc_ids: Sequence[str]) -> dict[str, Document]:
        """Documents without text or origins (title, uri, type, metadata), by id: cheap to read."""
        sql = """SELECT doc_id, uri, title, type, sha256, encoding, language, meta
          FROM documents WHERE doc_id IN (?)"""
        with self._db.naming():
            return {
                row["doc_id"]: schema.unpack_head(dict(row)) for row in self._db.rows_in(sql, list(doc_ids))
            }

    def stored(self, point_ids: Sequence[int]) -> dict[int, Stored]:
        """Stored chunks by point id; an id that is gone is left out."""
        with self._db.naming():
            rows = self._db.rows_in(_STORED + "WHERE c.point_id IN (?)", list(point_ids))
            return {row["point_id"]: self._whole(schema.unpack_stored(dict(row))) for row in rows}

    def _whole(self, stored: Stored) -> Stored:
        if len(stored.chunk.text) != len(stored.chunk.span):
            raise ValueError(f"chunk {stored.chunk.id} of {stored.uri} is not as long as its span")
        return stored

    def indexed_texts(self, point_ids: Sequence[int]) -> list[tuple[int, Chunk]]:
        """(point id, chunk with nothing but its document, context and text), by point id: cheap to read."""
        sql = "SELECT point_id, doc_id, context, text FROM chunks WHERE point_id IN (?) ORDER BY point_id"
        rows = self._db.rows_in(sql, sorted(point_ids))
        return [(row["point_id"], schema.bare(row, row["doc_id"])) for row in rows]

    def still_there(self, point_ids: Sequence[int]) -> set[int]:
        """Those of the points whose chunks are in the catalog."""
        rows = self._db.rows_in("SELECT point_id FROM chunks WHERE point_id IN (?)", list(point_ids))
        return {row["point_id"] for row in rows}

    def chunks_between(self, doc_id: str, first: int, last: int) -> list[Stored]:
        """The chunks with ordinals first..last (inclusive) of one document, in order."""
        where = "WHERE c.doc_id = ? AND c.ordinal BETWEEN ? AND ? ORDER BY c.ordinal"
        with self._db.naming():
            return [
                schema.unpack_stored(dict(row))
                for row in self._db.rows(_STORED + where, [doc_id, first, last])
            ]

    def points_of(self, doc_id: str) -> list[tuple[int, int, int]]:
        """(point_id, start, end) of a document's chunks, in order."""
        sql = "SELECT point_id, start, end FROM chunks WHERE doc_id = ? ORDER BY ordinal"
        return [tuple(row) for row in self._db.rows(sql, [doc_id])]

    def spans_of(self, point_ids: Sequence[int]) -> dict[int, tuple[str, Span]]:
        """(doc_id, span) of these chunks by point id: cheap to read."""
        sql = "SELECT point_id, doc_id, start, end FROM chunks WHERE point_id IN (?)"
        rows = self._db.rows_in(sql, list(point_ids))
        return {row["point_id"]: (row["doc_id"], Span(row["start"], row["end"])) for row in rows}

    def fingerprint(self) -> str:
        """A hash of what a search depends on: documents, chunks, model, terms."""
        made = (self.get("model") or {}).get("fingerprint")
        facts = repr((made, self.get("chunking"), self.get("analyzer"), self.get("fields")))
        digest = hashlib.sha256(facts.encode("utf-8", "surrogatepass"))
        for row in self._db.rows("SELECT uri, sha256, n_chunks, meta FROM documents ORDER BY uri"):
            digest.update(repr(tuple(row)).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:16]

    # ── vectors ───────────────────────────────────────────────────────────────────────────────
    def pending(self, limit: int) -> list[tuple[bytes, str, list[int]]]:
        """(key, dense text, point ids) of texts that wait for a vector, shortest first.

        Texts with a recorded problem are left out.
        """
        sql = """SELECT point_id, vector_key, context, text FROM chunks
                 WHERE embedded = 0 AND problem = '' ORDER BY n_tokens, point_id LIMIT ?"""
        return schema.grouped(self._db.rows(sql, [limit]))

    def waiting(self, point_ids: Sequence[int]) -> list[tuple[bytes, str, list[int]]]:
        """Like `pending`, for these points only and without those that failed before."""
        sql = """SELECT point_id, vector_key, context, text FROM chunks
                 WHERE embedded = 0 AND problem = '' AND point_id IN (?)"""
        return schema.grouped(self._db.rows_in(sql, list(point_ids)))

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
            self._note([row["point_id"] for row in rows], "vector")

    def put_problem(self, key: bytes, problem: str) -> None:
        """Records why a text has no vector."""
        self._db.execute(
            "UPDATE chunks SET problem = ? WHERE vector_key = ? AND embedded = 0", [problem, key]
        )

    def clear_problems(self) -> None:
        """Makes every failed text wait for its vector again."""
        self._db.execute("UPDATE chunks SET problem = '' WHERE problem <> ''")

    def vectors_of(self, point_ids: Sequence[int]) -> dict[int, Vectors]:
        """float32 vectors by point id, for the points that have one."""
        sql = """SELECT c.point_id, v.vector FROM chunks c JOIN vectors v ON v.key = c.vector_key
          WHERE c.point_id IN (?)"""
        rows = self._db.rows_in(sql, list(point_ids))
        return {row["point_id"]: np.frombuffer(row["vector"], dtype="<f4") for row in rows}

    def drop_unused_vectors(self) -> int:
        """Removes vectors no chunk refers to; returns how many."""
        sql = "DELETE FROM vectors WHERE key NOT IN (SELECT vector_key FROM chunks)"
        with self._db.naming():
            return self._db.execute(sql).rowcount

    def rekey(self, model_fingerprint: str) -> None:
        """Gives every chunk its key under another model and marks those without a vector there as pending."""
        for row in self._db.rows("SELECT point_id, context, text FROM chunks"):
            key = vector_key(model_fingerprint, schema.bare(row).dense_text)
            there = bool(self._db.execute("SELECT 1 FROM vectors WHERE key = ?", [key]).fetchone())
            self._db.execute(
                "UPDATE chunks SET vector_key = ?, embedded = ?, problem = '' WHERE point_id = ?",
                [key, there, row["point_id"]],
            )

    # ── outbox ────────────────────────────────────────────────────────────────────────────────
    def _note(self, point_ids: Iterable[int], op: str) -> None:
        rows = [(point_id, op) for point_id in point_ids]
        self._db.executemany("INSERT INTO outbox (point_id, op) VALUES (?, ?)", rows)

    def outbox(self, limit: int) -> list[tuple[int, int, str]]:
        """The oldest (seq, point_id, op) not applied to the search index; op is put, vector or delete."""
        rows = self._db.rows("SELECT * FROM outbox ORDER BY seq LIMIT ?", [limit])
        return [(row["seq"], row["point_id"], row["op"]) for row in rows]

    def texts_wait(self) -> bool:
        """Whether anything but vectors waits to be applied: texts that are new, changed or gone."""
        sql = "SELECT 1 FROM outbox WHERE op <> 'vector' LIMIT 1"
        return bool(self._once("texts wait", lambda: self._db.rows(sql)))

    def all_applied(self) -> bool:
        """Whether the search index has every change."""
        return not self._once("outbox", lambda: self.outbox(1))

    def applied(self, up_to: int) -> None:
        """Forgets outbox entries with a seq up to `up_to`, and remembers that the index has them."""
        with self.transaction():
            self._db.execute("DELETE FROM outbox WHERE seq <= ?", [up_to])
            self.put(applied=up_to)

    def last_outbox(self) -> int:
        """The seq of the newest outbox entry ever written."""
        rows = self._db.rows("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
        return int(rows[0]["seq"]) if rows else 0

    def point_ids(self, after: int, limit: int) -> list[int]:
        """Point ids above `after`, ascending."""
        sql = "SELECT point_id FROM chunks WHERE point_id > ? ORDER BY point_id LIMIT ?"
        return [row["point_id"] for row in self._db.rows(sql, [after, limit])]

    # ── counts ────────────────────────────────────────────────────────────────────────────────
    def counts(self) -> Mapping[str, int]:
        """documents, chunks and pending; counted anew only after a change."""
        sql = """SELECT (SELECT count(*) FROM documents) AS documents,
                   (SELECT count(*) FROM chunks) AS chunks,
                   (SELECT count(*) FROM chunks WHERE embedded = 0) AS pending"""
        counted: dict[str, int] = self._once("counts", lambda: dict(self._db.rows(sql)[0]))
        return counted

    @property
    def dense_complete(self) -> float:
        """The share of chunks that have their vector; 1 when there are no chunks."""
        counts = self.counts()
        return 1.0 if not counts["chunks"] else round(1 - counts["pending"] / counts["chunks"], 4)

    def total_tokens(self) -> int:
        """The tokens of all chunks together."""
        return int(self._db.rows("SELECT coalesce(sum(n_tokens), 0) AS n FROM chunks")[0]["n"])

    def rows(self, sql: str) -> list[Any]:
        """What a SELECT gives: for the overviews of `listing.py`."""
        return self._db.rows(sql)

    def close(self) -> None:
        """Folds the journal into the file and closes it."""
        self._db.close()
