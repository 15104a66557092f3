"""What is read of a catalog: files, documents, chunks, vectors and counts."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from pincite.index.checks import checked, checked_body, columns
from pincite.index.connection import Connection
from pincite.index.outbox import Outbox
from pincite.index.rows import bare, grouped, unpack_document, unpack_head, unpack_meta, unpack_stored
from pincite.index.schema import FileRow, fits
from pincite.protocols import Vectors
from pincite.types import Chunk, Document, Meta, Span, Stored

T = TypeVar("T")

_STORED = f"SELECT c.*, {columns('documents', 'd')} FROM chunks c JOIN documents d ON d.doc_id = c.doc_id "


class CatalogReader:
    """An open catalog as it is read. Other processes beside it see whole transactions."""

    def __init__(self, path: Path, *, read_only: bool = True) -> None:
        self.path = path
        self._db = Connection(path, read_only=read_only)
        self.outbox = Outbox(self._db)

    # ── manifest ──────────────────────────────────────────────────────────────────────────────
    def get(self, key: str) -> Any:
        """The manifest's value for `key`, or None."""
        with self._db.naming():
            text = self._db.once("manifest", self._manifest).get(key)
            value = None if text is None else json.loads(text)
            if text is not None and not fits(key, value):
                raise ValueError(f"{key} in its manifest is not what it should be")
            return value

    def get_as(self, key: str, make: Callable[[Any], T]) -> T | None:
        """What `make` makes of the manifest's value for `key`, or None; a value it cannot read is damage."""
        value = self.get(key)
        with self._db.naming():
            return None if value is None else make(value)

    def _manifest(self) -> dict[str, str]:
        rows = self._db.rows(f"SELECT {columns('manifest')} FROM manifest")
        return {row["key"]: row["value"] for row in rows if checked(row, "manifest")}

    # ── files ─────────────────────────────────────────────────────────────────────────────────
    def files(self) -> dict[str, FileRow]:
        """Every file the last sync saw, by uri."""
        return {row["uri"]: FileRow(*row) for row in self._db.rows("SELECT * FROM files ORDER BY uri")}

    def files_of(self, uris: Collection[str]) -> dict[str, FileRow]:
        """What the last sync knew of these files, by uri."""
        rows = self._db.rows_in("SELECT * FROM files WHERE uri IN (?)", list(uris))
        return {row["uri"]: FileRow(*row) for row in rows}

    def members(self, container: str) -> list[str]:
        """The uris of the files inside a file: of an archive, a mailbox, a mail with attachments."""
        rows = self._db.rows(
            "SELECT uri FROM files WHERE container = ? AND container <> '' ORDER BY uri", [container]
        )
        return [row["uri"] for row in rows]

    # ── documents ─────────────────────────────────────────────────────────────────────────────
    def document(self, doc_id: str, *, own_meta: bool = False) -> Document | None:
        """The stored document; None when there is none.

        `meta` holds all fields, or with `own_meta` those the file itself gave.
        """
        rows = self._db.rows("SELECT * FROM documents WHERE doc_id = ?", [doc_id])
        with self._db.naming():
            if not rows:
                return None
            row = checked_body(checked(rows[0], "documents"))
            return unpack_document(row, own_meta=own_meta)

    def document_ids(self) -> list[tuple[str, str]]:
        """(doc_id, uri) of every document, by uri."""
        rows = self._db.rows("SELECT doc_id, uri FROM documents ORDER BY uri")
        return [(row["doc_id"], row["uri"]) for row in rows]

    def metas(self) -> list[Meta]:
        """The metadata of every document."""
        with self._db.naming():
            return [unpack_meta(row["meta"]) for row in self._db.rows("SELECT meta FROM documents")]

    def metas_by_id(self) -> list[tuple[str, Meta]]:
        """(doc_id, metadata) of every document, by uri."""
        rows = self._db.rows("SELECT doc_id, meta FROM documents ORDER BY uri")
        with self._db.naming():
            return [(row["doc_id"], unpack_meta(row["meta"])) for row in rows]

    def document_rows(self, doc_ids: Sequence[str], *, every: bool = False) -> dict[str, Document]:
        """Documents without text or origins (title, uri, type, metadata), by id: cheap to read.

        With `every`, one that is not there is damage.
        """
        sql = f"SELECT {columns('documents')} FROM documents WHERE doc_id IN (?)"
        with self._db.naming():
            rows = self._db.rows_in(sql, list(doc_ids))
            found = {row["doc_id"]: unpack_head(checked(row, "documents")) for row in rows}
            if every and (missing := sorted(set(doc_ids) - found.keys())):
                raise ValueError(f"the document of a chunk is missing ({missing[0]})")
            return found

    # ── chunks ────────────────────────────────────────────────────────────────────────────────
    def stored(self, point_ids: Sequence[int]) -> dict[int, Stored]:
        """Stored chunks by point id; an id that is gone is left out."""
        with self._db.naming():
            rows = self._db.rows_in(_STORED + "WHERE c.point_id IN (?)", list(point_ids))
            return {row["point_id"]: _stored(row) for row in rows}

    def indexed_texts(self, point_ids: Sequence[int]) -> list[tuple[int, Chunk]]:
        """(point id, chunk with nothing but its document, context and text), by point id: cheap to read."""
        sql = f"SELECT {columns('chunks')} FROM chunks WHERE point_id IN (?) ORDER BY point_id"
        with self._db.naming():
            rows = [checked(row, "chunks") for row in self._db.rows_in(sql, sorted(point_ids))]
            return [(row["point_id"], bare(row, row["doc_id"])) for row in rows]

    def still_there(self, point_ids: Sequence[int]) -> set[int]:
        """Those of the points whose chunks are in the catalog."""
        rows = self._db.rows_in("SELECT point_id FROM chunks WHERE point_id IN (?)", list(point_ids))
        return {row["point_id"] for row in rows}

    def chunks_between(self, doc_id: str, first: int, last: int) -> list[Stored]:
        """The chunks with ordinals first..last (inclusive) of one document, in order."""
        where = "WHERE c.doc_id = ? AND c.ordinal BETWEEN ? AND ? ORDER BY c.ordinal"
        with self._db.naming():
            return [_stored(row) for row in self._db.rows(_STORED + where, [doc_id, first, last])]

    def points_of(self, doc_id: str) -> list[tuple[int, int, int]]:
        """(point_id, start, end) of a document's chunks, in order."""
        sql = "SELECT point_id, start, end FROM chunks WHERE doc_id = ? ORDER BY ordinal"
        points = [tuple(row) for row in self._db.rows(sql, [doc_id])]
        known = self._db.rows("SELECT n_chunks FROM documents WHERE doc_id = ?", [doc_id])
        with self.naming():
            if known and known[0]["n_chunks"] != len(points):
                raise ValueError(f"a document has {len(points)} of {known[0]['n_chunks']} chunks")
        return points

    def spans_of(self, point_ids: Sequence[int]) -> dict[int, tuple[str, Span]]:
        """(doc_id, span) of these chunks by point id: cheap to read."""
        sql = "SELECT point_id, doc_id, start, end FROM chunks WHERE point_id IN (?)"
        rows = self._db.rows_in(sql, list(point_ids))
        return {row["point_id"]: (row["doc_id"], Span(row["start"], row["end"])) for row in rows}

    def places_of(self, point_ids: Sequence[int]) -> dict[int, tuple[str, int]]:
        """(path of the file, start of the chunk) of these points: how equals are put in order."""
        sql = """SELECT c.point_id, c.start, d.uri FROM chunks c JOIN documents d ON d.doc_id = c.doc_id
                 WHERE c.point_id IN (?)"""
        rows = self._db.rows_in(sql, list(point_ids))
        return {row["point_id"]: (row["uri"], row["start"]) for row in rows}

    def text_keys(self, point_ids: Sequence[int]) -> dict[int, bytes]:
        """A key of each point's text: chunks of one key say the same."""
        rows = self._db.rows_in(
            "SELECT point_id, vector_key FROM chunks WHERE point_id IN (?)", list(point_ids)
        )
        return {row["point_id"]: bytes(row["vector_key"]) for row in rows}

    def point_ids(self, after: int, limit: int) -> list[int]:
        """Point ids above `after`, ascending."""
        sql = "SELECT point_id FROM chunks WHERE point_id > ? ORDER BY point_id LIMIT ?"
        return [row["point_id"] for row in self._db.rows(sql, [after, limit])]

    # ── vectors ───────────────────────────────────────────────────────────────────────────────
    def pending(self, limit: int) -> list[tuple[bytes, str, list[int]]]:
        """(key, dense text, point ids) of texts that wait for a vector, shortest first.

        Texts with a recorded problem are left out.
        """
        sql = """SELECT point_id, vector_key, context, text FROM chunks
                 WHERE embedded = 0 AND problem = '' ORDER BY n_tokens, point_id LIMIT ?"""
        return grouped(self._db.rows(sql, [limit]))

    def waiting(self, point_ids: Sequence[int]) -> list[tuple[bytes, str, list[int]]]:
        """Like `pending`, for these points only and without those that failed before."""
        sql = """SELECT point_id, vector_key, context, text FROM chunks
                 WHERE embedded = 0 AND problem = '' AND point_id IN (?)"""
        return grouped(self._db.rows_in(sql, list(point_ids)))

    def vectors_of(self, point_ids: Sequence[int]) -> dict[int, Vectors]:
        """float32 vectors by point id, for the points that have one."""
        sql = """SELECT c.point_id, v.* FROM chunks c JOIN vectors v ON v.key = c.vector_key
          WHERE c.point_id IN (?)"""
        with self._db.naming():
            rows = [checked(row, "vectors") for row in self._db.rows_in(sql, list(point_ids))]
            return {row["point_id"]: np.frombuffer(row["vector"], dtype="<f4") for row in rows}

    # ── the whole ─────────────────────────────────────────────────────────────────────────────
    def fingerprint(self) -> str:
        """A hash of what a search depends on: documents, chunks, model, terms."""
        made = (self.get("model") or {}).get("fingerprint")
        facts = repr((made, self.get("chunking"), self.get("analyzer"), self.get("fields")))
        digest = hashlib.sha256(facts.encode("utf-8", "surrogatepass"))
        for row in self._db.rows("SELECT uri, sha256, n_chunks, meta FROM documents ORDER BY uri"):
            digest.update(repr(tuple(row)).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:16]

    def counts(self) -> Mapping[str, int]:
        """documents, chunks and pending; counted anew only after a change."""
        sql = """SELECT (SELECT count(*) FROM documents) AS documents,
                   (SELECT count(*) FROM chunks) AS chunks,
                   (SELECT count(*) FROM chunks WHERE embedded = 0) AS pending"""
        counted: dict[str, int] = self._db.once("counts", lambda: dict(self._db.rows(sql)[0]))
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

    def naming(self) -> AbstractContextManager[None]:
        """Turns values that make no sense, read in the block, into our errors."""
        return self._db.naming()

    def close(self) -> None:
        """Folds the journal into the file and closes it."""
        self._db.close()


def _stored(row: sqlite3.Row) -> Stored:
    stored = unpack_stored(checked(checked(row, "chunks"), "documents", "d"))
    if len(stored.chunk.text) != len(stored.chunk.span):
        raise ValueError(f"chunk {stored.chunk.id} of {stored.uri} is not as long as its span")
    return stored
