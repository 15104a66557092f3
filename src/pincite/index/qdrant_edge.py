"""The embedded search index: BM25 and dense vectors in one Qdrant Edge shard.

A point is a chunk: its terms (already analysed, so the shard only splits at white space), its metadata
by type, and later its vector. The shard has no journal of its own: it is a cache of the catalog that is
sealed after each write and made again when the seal is broken.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import qdrant_edge as edge

from pincite.errors import StoreError
from pincite.protocols import Point, Vectors
from pincite.types import (
    And,
    Everything,
    Filter,
    Match,
    MetaValue,
    Not,
    Nothing,
    Or,
    Range,
    Scalar,
)

_TERMS, _DENSE = "terms", "dense"
_GRAPH_FROM = 25_000  # vectors; below this an exact scan is as fast as a graph
_SEARCH_WIDTH = 128  # candidates the graph keeps while it searches
_FILES = {"edge_config.json", "segments", "wal"}  # what a shard's folder holds
_Operation = edge.UpdateOperation


class QdrantEdgeIndex:
    """An open shard of unit vectors with `dimension` numbers.

    `size` is the number of points it is to hold: from 25,000 on `optimize` builds a graph (HNSW) over the
    vectors, below that every dense search is exact.
    """

    def __init__(self, path: Path, *, dimension: int, size: int = 0, create: bool = False) -> None:
        self.path = path
        self._dimension = dimension
        self._links = 16 if size >= _GRAPH_FROM else 0
        with _naming(path):
            self._shard = self._create() if create else edge.EdgeShard.load(str(path), self._config())

    def _config(self) -> edge.EdgeConfig:
        vectors = {_DENSE: edge.EdgeVectorParams(size=self._dimension, distance=edge.Distance.Dot)}
        return edge.EdgeConfig(
            vectors=vectors,
            wal_enabled=False,
            hnsw_config=edge.HnswIndexConfig(m=self._links, ef_construct=128, full_scan_threshold=10_000),
            optimizers=edge.EdgeOptimizersConfig(indexing_threshold=1, default_segment_number=1),
        )

    def _create(self) -> edge.EdgeShard:
        there = {entry.name for entry in self.path.iterdir()} if self.path.is_dir() else set()
        if others := sorted(there - _FILES):
            raise StoreError(
                f"{self.path} holds other files ({', '.join(others[:3])}); nothing was removed",
                stage="search index",
                hint="put the index elsewhere with --index DIR",
            )
        shutil.rmtree(self.path, ignore_errors=True)
        self.path.mkdir(parents=True)
        shard = edge.EdgeShard.create(str(self.path), self._config())
        terms = edge.TextIndexParams(
            tokenizer=edge.TokenizerType.Whitespace, lowercase=False, scoring=True, max_token_len=1000
        )
        shard.update(_Operation.create_field_index(_TERMS, terms))
        return shard

    def index_fields(self, fields: Mapping[str, str]) -> None:
        """Makes filters on these fields fast; known ones cost nothing."""
        kinds = {"n": edge.PayloadSchemaType.Float, "d": edge.PayloadSchemaType.Datetime}
        for name, kind in sorted(fields.items()):
            group = {"number": "n", "date": "d"}.get(kind, "s")
            index = kinds.get(group, edge.PayloadSchemaType.Keyword)
            self._update(_Operation.create_field_index(_key(group, name), index))

    # ── writing ───────────────────────────────────────────────────────────────────────────────
    def upsert(self, points: Sequence[Point]) -> None:
        """Writes points without a vector; an earlier point of the same id is replaced, its vector with it."""
        if points:
            self._update(_Operation.upsert_points([edge.Point(p.id, {}, _payload(p)) for p in points]))

    def set_vectors(self, vectors: Mapping[int, Vectors]) -> None:
        """Gives points that exist their vector."""
        if vectors:
            rows = [
                edge.PointVectors(id, {_DENSE: vector.tolist()}) for id, vector in sorted(vectors.items())
            ]
            self._update(_Operation.update_vectors(rows))

    def delete(self, ids: Sequence[int]) -> None:
        """Removes points; unknown ids are ignored."""
        if ids:
            self._update(_Operation.delete_points(list(ids)))

    def _update(self, operation: edge.UpdateOperation) -> None:
        with _naming(self.path):
            self._shard.update(operation)

    # ── searching ─────────────────────────────────────────────────────────────────────────────
    def lexical(self, terms: str, *, filter: Filter, depth: int) -> list[tuple[int, float]]:
        """The `depth` best (id, BM25 score) with a score over 0, best first."""
        if not terms or isinstance(filter, Nothing):
            return []
        return self._query(edge.TextQuery(_TERMS, terms), compile_filter(filter), depth)

    def dense(self, vector: Vectors, *, filter: Filter, depth: int) -> list[tuple[int, float]]:
        """The `depth` nearest (id, cosine), best first; points without a vector take no part."""
        if isinstance(filter, Nothing):
            return []
        return self._query(edge.Query.Nearest(vector.tolist(), _DENSE), compile_filter(filter), depth)

    def lexical_scores(self, terms: str, ids: Iterable[int]) -> dict[int, float]:
        """BM25 scores of these points; those that hold no term are left out."""
        wanted = set(ids)
        if not terms or not wanted:
            return {}
        return dict(self._query(edge.TextQuery(_TERMS, terms), _only(wanted), len(wanted)))

    def dense_scores(self, vector: Vectors, ids: Iterable[int]) -> dict[int, float]:
        """Cosines of these points; those without a vector are left out."""
        wanted = set(ids)
        if not wanted:
            return {}
        return dict(self._query(edge.Query.Nearest(vector.tolist(), _DENSE), _only(wanted), len(wanted)))

    def _query(self, query: Any, condition: edge.Filter | None, limit: int) -> list[tuple[int, float]]:
        with _naming(self.path):
            width = edge.SearchParams(hnsw_ef=max(_SEARCH_WIDTH, limit))
            request = edge.QueryRequest(limit=limit, query=query, filter=condition, params=width)
            found = self._shard.query(request)
        return [(int(point.id), float(point.score)) for point in found]

    def holding(self, terms: str, *, filter: Filter, limit: int, after: int = 0) -> list[int]:
        """The first `limit` ids above `after` of points that hold every one of the terms, ascending."""
        if not terms or isinstance(filter, Nothing):
            return []
        every: list[Any] = [edge.FieldCondition(_TERMS, match=edge.MatchText(terms))]
        if (condition := compile_filter(filter)) is not None:
            every.append(condition)
        with _naming(self.path):
            wanted = edge.Filter(must=every)
            request = edge.ScrollRequest(offset=after + 1, limit=limit, filter=wanted, with_payload=False)
            return sorted(int(record.id) for record in self._shard.scroll(request)[0])

    def vectors(self, ids: Sequence[int]) -> dict[int, Vectors]:
        """The vectors of these points, for those that have one."""
        with _naming(self.path):
            records = self._shard.retrieve(list(ids), False, True)
        rows = ((int(r.id), r.vector) for r in records if isinstance(r.vector, dict) and r.vector)
        return {id: np.asarray(vector[_DENSE], dtype=np.float32) for id, vector in rows}

    def count(self, filter: Filter) -> int:
        """The number of points the filter allows."""
        if isinstance(filter, Nothing):
            return 0
        with _naming(self.path):
            return int(self._shard.count(edge.CountRequest(exact=True, filter=compile_filter(filter))))

    def optimize(self) -> None:
        """Packs the points into one segment that opens fast, with a graph if there are many."""
        with _naming(self.path):
            self._shard.optimize()

    def flush(self) -> None:
        """Writes everything to disk."""
        with _naming(self.path):
            self._shard.flush()

    def close(self) -> None:
        """Frees the shard; it cannot be used afterwards."""
        with _naming(self.path):
            self._shard.close()


# ── filters ───────────────────────────────────────────────────────────────────────────────────
def compile_filter(filter: Filter) -> edge.Filter | None:
    """The shard's form of a filter; None stands for "everything" (and `Nothing` matches no point)."""
    match filter:
        case Everything():
            return None
        case Nothing():
            return _only(set())
        case Match(field, values):
            return edge.Filter(should=[_equals(field, value) for value in values]) if values else _only(set())
        case Range():
            return edge.Filter(must=[_range(filter)])
        case And(parts):
            return edge.Filter(must=[_part(part) for part in parts]) if parts else None
        case Or(parts):
            return edge.Filter(should=[_part(part) for part in parts]) if parts else _only(set())
        case Not(part):
            return edge.Filter(must_not=[_part(part)])


def _part(filter: Filter) -> edge.Filter:
    compiled = compile_filter(filter)
    return edge.Filter(must_not=[_only(set())]) if compiled is None else compiled


def _only(ids: set[int]) -> edge.Filter:
    return edge.Filter(must=[edge.HasIdCondition(set(ids))])


def _equals(field: str, value: Scalar) -> edge.FieldCondition:
    if isinstance(value, bool | str):
        return edge.FieldCondition(_key("s", field), match=edge.MatchAny([_text(value)]))
    if isinstance(value, date):
        return _range(Range(field, gte=value, lte=value))
    return edge.FieldCondition(_key("n", field), range=edge.RangeFloat(gte=float(value), lte=float(value)))


def _range(bounds: Range) -> edge.FieldCondition:
    known = [v for v in (bounds.gt, bounds.gte, bounds.lt, bounds.lte) if v is not None]
    if known and isinstance(known[0], date):
        return edge.FieldCondition(_key("d", bounds.field), range=_days(bounds))
    numbers = {n: float(v) for n in ("gt", "gte", "lt", "lte") if (v := getattr(bounds, n)) is not None}
    return edge.FieldCondition(_key("n", bounds.field), range=edge.RangeFloat(**numbers))


def _days(bounds: Range) -> edge.RangeDateTime:
    """Bounds on days as bounds on instants: a day is stored as the instant it begins."""
    names = ("gt", "gte", "lt", "lte")
    return edge.RangeDateTime(
        **{name: _instant(day) for name in names if isinstance(day := getattr(bounds, name), date)}
    )


def _instant(day: date) -> str:
    return f"{day.isoformat()[:10]}T00:00:00Z"


def _key(group: str, name: str) -> str:
    return f'{group}."{name}"'


def _payload(point: Point) -> dict[str, Any]:
    """Terms, and every field as text under `s`, numbers also under `n`, dates also under `d`."""
    groups: dict[str, dict[str, Any]] = {"s": {}, "n": {}, "d": {}}
    for name, value in point.meta.items():
        if isinstance(value, str):
            groups["s"][name] = value
            continue
        values = value if isinstance(value, tuple) else (value,)
        groups["s"][name] = [_text(part) for part in values]
        if numbers := [float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool)]:
            groups["n"][name] = numbers
        if days := [_instant(v) for v in values if isinstance(v, date)]:
            groups["d"][name] = days
    return {_TERMS: point.terms, **{group: fields for group, fields in groups.items() if fields}}


def _text(value: MetaValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turns the shard's errors into ours, naming the folder."""
    try:
        yield
    except Exception as error:  # the shard raises plain Exception for everything
        hint = f"remove {path} and run: pincite sync"
        raise StoreError(f"{path}: {error}", stage="search index", hint=hint) from error
