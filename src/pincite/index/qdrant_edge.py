"""The embedded search index: BM25 and dense vectors in one Qdrant Edge shard.

A point is a chunk: its terms (already analysed, so the shard only splits at white space), its metadata
by type, and later its vector. The shard has no journal of its own: it is a cache of the catalog that is
sealed after each write and made again when the seal is broken.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import qdrant_edge as edge

from pincite.errors import PinciteError, StoreError
from pincite.index.payload import (
    DENSE,
    TERMS,
    big_fields,
    big_in,
    compile_filter,
    field_indexes,
    only,
    payload,
)
from pincite.index.private import private
from pincite.protocols import Point, Vectors
from pincite.types import Everything, Filter, Nothing

_GRAPH_FROM = 25_000  # vectors; below this an exact scan is as fast as a graph
_SEARCH_WIDTH = 128  # candidates the graph keeps while it searches
# How the engine tells that the disk has no room, a quota is used up, or a file may not grow.
_FULL = tuple(f"os error {code}" for code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
_Operation = edge.UpdateOperation


class QdrantEdgeIndex:
    """An open shard of unit vectors with `dimension` numbers; without one it is only read.

    `size` is the number of points it is to hold: from 25,000 on `optimize` builds a graph (HNSW) over the
    vectors, below that every dense search is exact. `create` makes a new shard in a folder that must be
    missing or empty. `broken` says that the engine has failed: the shard does not hold what it should.
    """

    def __init__(
        self, path: Path, *, dimension: int | None = None, size: int = 0, create: bool = False
    ) -> None:
        self.path = path
        self.broken = False
        config = None if dimension is None else _config(dimension, size)
        with private(), self._naming():
            if create and config is not None:
                self._shard = self._create(config)
            else:
                self._shard = edge.EdgeShard.load(str(path), config)

    def _create(self, config: edge.EdgeConfig) -> edge.EdgeShard:
        if self.path.is_dir() and (others := sorted(entry.name for entry in self.path.iterdir())):
            raise StoreError(
                f"{self.path} holds other files ({', '.join(others[:3])}); nothing was removed",
                stage="search index",
                hint="put the index elsewhere with --index DIR",
            )
        self.path.mkdir(parents=True, exist_ok=True)
        shard = edge.EdgeShard.create(str(self.path), config)
        terms = edge.TextIndexParams(
            tokenizer=edge.TokenizerType.Whitespace, lowercase=False, scoring=True, max_token_len=1000
        )
        shard.update(_Operation.create_field_index(TERMS, terms))
        return shard

    def index_fields(self, fields: Mapping[str, str]) -> None:
        """Makes filters on these fields fast; known ones cost nothing."""
        for key, kind in field_indexes(fields, ()):
            self._update(_Operation.create_field_index(key, kind))

    # ── writing ───────────────────────────────────────────────────────────────────────────────
    def upsert(self, points: Sequence[Point]) -> None:
        """Writes points without a vector; an earlier point of the same id is replaced, its vector with it."""
        if points:
            if new := big_fields([point.meta for point in points]) - self._big:
                for key, kind in field_indexes({}, new):
                    self._update(_Operation.create_field_index(key, kind))
                self._big |= new
            self._update(_Operation.upsert_points([edge.Point(p.id, {}, payload(p)) for p in points]))

    def set_vectors(self, vectors: Mapping[int, Vectors]) -> None:
        """Gives points that exist their vector."""
        if vectors:
            rows = [edge.PointVectors(id, {DENSE: vector.tolist()}) for id, vector in sorted(vectors.items())]
            self._update(_Operation.update_vectors(rows))

    def delete(self, ids: Sequence[int]) -> None:
        """Removes points; unknown ids are ignored."""
        if ids:
            self._update(_Operation.delete_points(list(ids)))

    def _update(self, operation: edge.UpdateOperation) -> None:
        with private(), self._naming():
            self._shard.update(operation)

    @cached_property
    def _big(self) -> set[str]:
        """The fields with numbers that no float equals."""
        with self._naming():
            return big_in(self._shard.info().payload_schema)

    def _compiled(self, filter: Filter) -> edge.Filter | None:
        return None if isinstance(filter, Everything) else compile_filter(filter, self._big)

    # ── searching ─────────────────────────────────────────────────────────────────────────────
    def lexical(self, terms: str, *, filter: Filter, depth: int) -> list[tuple[int, float]]:
        """The `depth` best (id, BM25 score) with a score over 0, best first."""
        if not terms or isinstance(filter, Nothing):
            return []
        return self._query(edge.TextQuery(TERMS, terms), self._compiled(filter), depth)

    def dense(self, vector: Vectors, *, filter: Filter, depth: int) -> list[tuple[int, float]]:
        """The `depth` nearest (id, cosine), best first; points without a vector take no part."""
        if isinstance(filter, Nothing):
            return []
        return self._query(edge.Query.Nearest(vector.tolist(), DENSE), self._compiled(filter), depth)

    def lexical_scores(self, terms: str, ids: Iterable[int]) -> dict[int, float]:
        """BM25 scores of these points; those that hold no term are left out."""
        wanted = set(ids)
        if not terms or not wanted:
            return {}
        return dict(self._query(edge.TextQuery(TERMS, terms), only(wanted), len(wanted)))

    def dense_scores(self, vector: Vectors, ids: Iterable[int]) -> dict[int, float]:
        """Cosines of these points; those without a vector are left out."""
        wanted = set(ids)
        if not wanted:
            return {}
        return dict(self._query(edge.Query.Nearest(vector.tolist(), DENSE), only(wanted), len(wanted)))

    def _query(self, query: Any, condition: edge.Filter | None, limit: int) -> list[tuple[int, float]]:
        with self._naming():
            width = edge.SearchParams(hnsw_ef=max(_SEARCH_WIDTH, limit))
            request = edge.QueryRequest(limit=limit, query=query, filter=condition, params=width)
            found = self._shard.query(request)
        return [(int(point.id), float(point.score)) for point in found]

    def holding(self, terms: str, *, filter: Filter, limit: int, after: int = 0) -> list[int]:
        """The first `limit` ids above `after` of points that hold every one of the terms, ascending."""
        if not terms or isinstance(filter, Nothing):
            return []
        every: list[Any] = [edge.FieldCondition(TERMS, match=edge.MatchText(terms))]
        if (condition := self._compiled(filter)) is not None:
            every.append(condition)
        with self._naming():
            wanted = edge.Filter(must=every)
            request = edge.ScrollRequest(offset=after + 1, limit=limit, filter=wanted, with_payload=False)
            return sorted(int(record.id) for record in self._shard.scroll(request)[0])

    def vectors(self, ids: Sequence[int]) -> dict[int, Vectors]:
        """The vectors of these points, for those that have one."""
        with self._naming():
            records = self._shard.retrieve(list(ids), False, True)
        rows = ((int(r.id), r.vector) for r in records if isinstance(r.vector, dict) and r.vector)
        return {id: np.asarray(vector[DENSE], dtype=np.float32) for id, vector in rows}

    def count(self, filter: Filter) -> int:
        """The number of points the filter allows."""
        if isinstance(filter, Nothing):
            return 0
        with self._naming():
            return int(self._shard.count(edge.CountRequest(exact=True, filter=self._compiled(filter))))

    def optimize(self) -> None:
        """Packs the points into one segment that opens fast, with a graph if there are many."""
        with private(), self._naming():
            self._shard.optimize()

    def flush(self) -> None:
        """Writes everything to disk."""
        with private(), self._naming():
            self._shard.flush()

    def close(self) -> None:
        """Frees the shard; it cannot be used afterwards."""
        with private(), self._naming():
            self._shard.close()

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turns the shard's errors into ours, naming the folder."""
        try:
            yield
        except PinciteError:
            raise
        except BaseException as error:  # it raises plain Exception, and one of its own when it panics
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            full = any(code in str(error) for code in _FULL)
            self.broken = not full
            hint = "free some disk space, then run: pincite sync" if full else "run: pincite sync"
            raise StoreError(f"{self.path}: {error}", stage="search index", hint=hint) from error


def _config(dimension: int, size: int) -> edge.EdgeConfig:
    vectors = {DENSE: edge.EdgeVectorParams(size=dimension, distance=edge.Distance.Dot)}
    links = 16 if size >= _GRAPH_FROM else 0
    return edge.EdgeConfig(
        vectors=vectors,
        wal_enabled=False,
        hnsw_config=edge.HnswIndexConfig(m=links, ef_construct=128, full_scan_threshold=10_000),
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=1, default_segment_number=1),
    )
