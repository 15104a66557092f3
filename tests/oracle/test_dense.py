"""The engine's dense ranking against brute force over the same vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from pincite.filter import matches
from pincite.index.qdrant_edge import QdrantEdgeIndex
from pincite.protocols import Point, Vectors
from pincite.types import And, Everything, Filter, Match, Meta, Not, Nothing, Or, Range

N, DIMENSION, DEPTH = 1200, 24, 50
FILTERS: dict[str, Filter] = {
    "everything": Everything(),
    "nothing": Nothing(),
    "one in three": Match("team", ("t1",)),
    "one in a hundred": Match("number", (7, 8)),
    "range": Range("number", gte=40, lt=60),
    "both": And((Match("team", ("t0", "t2")), Not(Range("number", lt=90)))),
    "either": Or((Match("number", (3,)), Match("team", ("t2",)))),
}


def unit(rng: np.random.Generator, n: int) -> Vectors:
    rows = rng.standard_normal((n, DIMENSION))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


class Filled:
    """An index and, beside it, what it should hold."""

    def __init__(self, folder: Path) -> None:
        self.rng = np.random.default_rng(7)
        self.index = QdrantEdgeIndex(folder / "search", dimension=DIMENSION, create=True)
        self.index.index_fields({"team": "string", "number": "number"})
        self.meta: dict[int, Meta] = {}
        self.vectors: dict[int, Vectors] = {}

    def put(self, ids: range) -> None:
        """Points without a vector, in place of earlier ones."""
        metas: Mapping[int, Meta] = {id: {"team": f"t{id % 3}", "number": id % 100} for id in ids}
        self.index.upsert([Point(id, "word", meta) for id, meta in metas.items()])
        self.meta |= metas
        for id in ids:
            self.vectors.pop(id, None)

    def embed(self, ids: range) -> None:
        rows = dict(zip(ids, unit(self.rng, len(ids)), strict=True))
        self.index.set_vectors(rows)
        self.vectors |= rows

    def delete(self, ids: range) -> None:
        self.index.delete(list(ids))
        for id in ids:
            del self.meta[id]
            self.vectors.pop(id, None)

    def brute_force(self, query: Vectors, filter: Filter) -> list[tuple[int, float]]:
        ids = [id for id in sorted(self.vectors) if matches(filter, self.meta[id])]
        scored = [(id, float(self.vectors[id].astype(np.float64) @ query.astype(np.float64))) for id in ids]
        return sorted(scored, key=lambda hit: (-hit[1], hit[0]))[:DEPTH]

    def check(self) -> None:
        for query in unit(self.rng, 5):
            for name, filter in FILTERS.items():
                found = self.index.dense(query, filter=filter, depth=DEPTH)
                wanted = self.brute_force(query, filter)
                assert [id for id, _ in found] == [id for id, _ in wanted], name
                np.testing.assert_allclose([s for _, s in found], [s for _, s in wanted], atol=2e-6)
            some = range(0, N, 37)
            scores = self.index.dense_scores(query, some)
            assert sorted(scores) == [id for id in some if id in self.vectors]
            for id, score in scores.items():
                assert score == pytest.approx(float(self.vectors[id] @ query), abs=2e-6)
        for id, vector in self.index.vectors(list(range(0, N, 41))).items():
            np.testing.assert_allclose(vector, self.vectors[id], atol=1e-6)
        for filter in FILTERS.values():
            assert self.index.count(filter) == sum(matches(filter, meta) for meta in self.meta.values())


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[Filled]:
    made = Filled(tmp_path)
    yield made
    made.index.close()


def test_dense_ranking_is_that_of_brute_force(filled: Filled) -> None:
    filled.put(range(N))
    filled.check()
    filled.embed(range(0, N, 2))
    filled.check()
    filled.embed(range(N))
    filled.check()


def test_after_updates_deletions_and_reopening(filled: Filled) -> None:
    filled.put(range(N))
    filled.embed(range(N))
    filled.delete(range(0, N, 3))
    filled.check()
    filled.embed(range(1, N, 3))  # other vectors in place of the first
    filled.check()
    filled.put(range(2, N, 6))  # a point written again has no vector until it gets one
    filled.check()
    filled.put(range(0, N, 3))
    filled.embed(range(0, N, 3))
    filled.index.optimize()
    filled.index.flush()
    filled.check()
    filled.index.close()
    filled.index = QdrantEdgeIndex(filled.index.path, dimension=DIMENSION)
    filled.check()
