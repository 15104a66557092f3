"""Every search index keeps the protocol's promises, and the suite sees when one does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from pincite.filter import matches
from pincite.index.qdrant_edge import QdrantEdgeIndex
from pincite.protocols import Point, SearchIndex, Vectors
from pincite.testing import DIMENSION, FIELDS, check_search_index
from pincite.testing.search_index import bm25
from pincite.types import Everything, Filter


def test_qdrant_edge(tmp_path: Path) -> None:
    def make() -> SearchIndex:
        index = QdrantEdgeIndex(tmp_path / "search", dimension=DIMENSION, create=True)
        index.index_fields(FIELDS)
        return index

    check_search_index(make)


def test_qdrant_edge_needs_no_list_of_fields(tmp_path: Path) -> None:
    check_search_index(lambda: QdrantEdgeIndex(tmp_path / "search", dimension=DIMENSION, create=True))


# ── what the suite must see ───────────────────────────────────────────────────────────────────
class BruteForce:
    """The protocol in memory, by its plain meaning, made wrong in one way if `fault` says so."""

    def __init__(self, fault: str = "") -> None:
        self.fault = fault
        self.points: dict[int, Point] = {}
        self.rows: dict[int, Vectors] = {}

    def upsert(self, points: Sequence[Point]) -> None:
        for point in points:
            self.points[point.id] = point
            if self.fault != "keeps vectors":
                self.rows.pop(point.id, None)

    def set_vectors(self, vectors: Mapping[int, Vectors]) -> None:
        self.rows |= vectors

    def delete(self, ids: Sequence[int]) -> None:
        for id in ids:
            self.points.pop(id, None)
            if self.fault != "keeps deleted":
                self.rows.pop(id, None)

    def _allowed(self, filter: Filter) -> set[int]:
        if self.fault == "no filter":
            return set(self.points)
        return {id for id, point in self.points.items() if matches(filter, point.meta)}

    def _ranked(self, scores: Mapping[int, float], filter: Filter, depth: int) -> list[tuple[int, float]]:
        rows = sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
        allowed = self._allowed(filter) | (self.rows.keys() - self.points.keys())
        if self.fault == "filters after the cut":
            return [hit for hit in rows[:depth] if hit[0] in allowed]
        return [hit for hit in rows if hit[0] in allowed][:depth]

    def _bm25(self, terms: str, filter: Filter) -> dict[int, float]:
        local = self._allowed(filter) if self.fault == "local statistics" else self.points.keys()
        texts = {id: self.points[id].terms for id in local}
        scores = bm25(terms, texts) if texts else {}
        if self.fault == "zero scores":
            scores = {id: scores.get(id, 0.0) for id in texts}
        return scores

    def lexical(self, terms: str, *, filter: Filter, depth: int) -> list[tuple[int, float]]:
        found = self._ranked(self._bm25(terms, filter), filter, depth)
        return found[::-1] if self.fault == "worst first" else found

    def dense(self, vector: Vectors, *, filter: Filter, depth: int) -> list[tuple[int, float]]:
        factor = 2 if self.fault == "not cosines" else 1
        scores = {id: factor * float(row @ vector) for id, row in self.rows.items()}
        return self._ranked(scores, filter, depth)

    def lexical_scores(self, terms: str, ids: Iterable[int]) -> dict[int, float]:
        scores = self._bm25(terms, Everything())
        if self.fault == "scores all":
            return scores
        return {id: scores[id] for id in ids if id in scores}

    def dense_scores(self, vector: Vectors, ids: Iterable[int]) -> dict[int, float]:
        return {id: float(self.rows[id] @ vector) for id in ids if id in self.rows}

    def holding(self, terms: str, *, filter: Filter, limit: int, after: int = 0) -> list[int]:
        test = any if self.fault == "holds any" else all
        held = {id: self.points[id].terms.split() for id in self._allowed(filter)}
        found = (id for id in held if terms and test(term in held[id] for term in terms.split()))
        return sorted(id for id in found if id > after or self.fault == "first page only")[:limit]

    def vectors(self, ids: Sequence[int]) -> dict[int, Vectors]:
        return {id: np.array(self.rows[id]) for id in ids if id in self.rows}

    def count(self, filter: Filter) -> int:
        return len(self._allowed(filter))

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_the_plain_meaning_passes() -> None:
    check_search_index(BruteForce, tolerance=1e-9)


@pytest.mark.parametrize(
    "fault",
    [
        "keeps vectors",
        "keeps deleted",
        "no filter",
        "filters after the cut",
        "local statistics",
        "zero scores",
        "worst first",
        "not cosines",
        "scores all",
        "holds any",
        "first page only",
    ],
)
def test_the_suite_sees(fault: str) -> None:
    with pytest.raises(AssertionError):
        check_search_index(lambda: BruteForce(fault))
