"""The suite of `SearchIndex`: what an implementation must keep, as plain assertions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import date

import numpy as np

from pincite.filter import matches
from pincite.protocols import Point, SearchIndex, Vectors
from pincite.types import And, Everything, Filter, Match, Meta, MetaValue, Not, Nothing, Or, Range

DIMENSION = 4
"""Numbers of a vector in the indexes to be checked."""
FIELDS: Mapping[str, str] = {"team": "string", "year": "number", "draft": "boolean", "day": "date"}
"""The fields points may have, with their types: what an index may want to know beforehand."""

K1, B = 1.2, 0.75
TERMS = {
    1: "valve seal valve",
    2: "seal",
    3: "valve pump seal ring pump pump",
    4: "err-5021 pump",
    5: "轴承 轴 承 seal",
    6: "nothing of this",
}
METAS: dict[int, Meta] = {
    1: {"team": "red", "year": 2024, "draft": True, "day": date(2026, 3, 14)},
    2: {"team": ("red", "blue"), "year": 2025, "draft": False, "day": date(2026, 3, 15)},
    3: {"team": "blue", "year": 2024.5},
    4: {"team": 'r"d', "year": (1, 2025), "day": date(2025, 12, 31)},
    5: {"team": "RED", "draft": False},
    6: {},
}
FILTERS: tuple[Filter, ...] = (
    Everything(),
    Nothing(),
    Match("team", ("red",)),
    Match("team", ('r"d', "RED")),
    Match("team", ()),
    Match("team", ("nobody",)),
    Match("year", (2025,)),
    Match("draft", (False,)),
    Match("day", (date(2026, 3, 14),)),
    Range("year", gt=2024, lte=2025),
    Range("day", gte=date(2026, 3, 14), lt=date(2026, 3, 15)),
    Range("day", gt=date(2025, 12, 31)),
    Not(Match("team", ("red",))),
    And((Match("team", ("red", "blue")), Not(Match("draft", (True,))))),
    Or((Match("year", (1,)), Match("team", ("RED",)))),
    And(()),
    Or(()),
    Not(Nothing()),
    Not(Everything()),
)
QUERY = "seal valve"
VECTOR: Vectors = np.array([0.6, 0.8, 0.0, 0.0], np.float32)


def check_search_index(make: Callable[[], SearchIndex], *, tolerance: float = 0.01) -> None:
    """Asserts that the empty indexes `make` returns keep the protocol's promises.

    `tolerance` is how far a BM25 score may lie from the formula's, as a share of it.
    """
    index = make()
    try:
        check_empty(index)
        index.upsert([Point(id, terms, METAS[id]) for id, terms in TERMS.items()])
        check_lexical(index, tolerance)
        check_points_without_vectors(index)
        check_dense(index)
        check_filters(index)
        check_holding(index)
        check_replacing(index)
        check_deleting(index)
    finally:
        index.close()


def vectors() -> dict[int, Vectors]:
    """The unit vectors the suite gives to points 1–5: at growing angles from the query's."""
    angles = {id: 0.3 * id for id in range(1, 6)}
    rows = {id: [0.6 * math.cos(a), 0.8 * math.cos(a), math.sin(a), 0.0] for id, a in angles.items()}
    return {id: np.array(row, np.float32) for id, row in rows.items()}


def bm25(query: str, texts: Mapping[int, str]) -> dict[int, float]:
    """Lucene's BM25 of each text that holds a term; texts are terms between spaces."""
    terms = {id: text.split() for id, text in texts.items()}
    mean = sum(map(len, terms.values())) / len(terms)
    scores: dict[int, float] = {}
    for term in query.split():
        df = sum(term in held for held in terms.values())
        idf = math.log(1 + (len(terms) - df + 0.5) / (df + 0.5))
        for id, held in terms.items():
            if n := held.count(term):
                norm = n + K1 * (1 - B + B * len(held) / mean)
                scores[id] = scores.get(id, 0.0) + idf * n * (K1 + 1) / norm
    return scores


def check_empty(index: SearchIndex) -> None:
    """An empty index finds nothing and takes empty changes."""
    index.upsert([])
    index.set_vectors({})
    index.delete([])
    assert index.lexical(QUERY, filter=Everything(), depth=10) == []
    assert index.dense(VECTOR, filter=Everything(), depth=10) == []
    assert index.lexical_scores(QUERY, [1]) == index.dense_scores(VECTOR, [1]) == index.vectors([1]) == {}
    assert index.holding("seal", filter=Everything(), limit=10) == []
    assert index.count(Everything()) == 0


def check_lexical(index: SearchIndex, tolerance: float) -> None:
    """BM25 over the whole index, best first, only points that hold a term; also under a filter and ids."""
    wanted = bm25(QUERY, TERMS)
    found = index.lexical(QUERY, filter=Everything(), depth=10)
    assert _best_first(found) and {id for id, _ in found} == wanted.keys(), "points with a term are missing"
    for id, score in found:
        assert abs(score - wanted[id]) <= tolerance * wanted[id], f"BM25 of {id}: {score}, not {wanted[id]}"
    assert index.lexical(QUERY, filter=Everything(), depth=2) == found[:2], "depth is not a plain cut"
    scores = dict(found)
    for id, score in index.lexical(QUERY, filter=Match("team", ("blue",)), depth=10):
        assert math.isclose(score, scores[id], rel_tol=1e-6), "a filter changes the statistics"
    assert index.lexical_scores(QUERY, [6, 3, 1, 99]) == {id: scores[id] for id in (1, 3)}
    assert index.lexical("", filter=Everything(), depth=10) == []
    assert [id for id, _ in index.lexical("轴承", filter=Everything(), depth=10)] == [5]
    assert [id for id, _ in index.lexical("err-5021", filter=Everything(), depth=10)] == [4]


def check_points_without_vectors(index: SearchIndex) -> None:
    """Points that have no vector yet take no part in the dense ranking."""
    assert index.dense(VECTOR, filter=Everything(), depth=10) == []
    assert index.dense_scores(VECTOR, [1, 2]) == index.vectors([1, 2]) == {}


def check_dense(index: SearchIndex) -> None:
    """Cosines, best first, of the points that have a vector; the vectors come back as they were given."""
    index.set_vectors(vectors())
    found = index.dense(VECTOR, filter=Everything(), depth=10)
    assert [id for id, _ in found] == [1, 2, 3, 4, 5], f"dense order is {found}"
    assert all(abs(score - math.cos(0.3 * id)) < 1e-5 for id, score in found), f"cosines are {found}"
    assert [id for id, _ in index.dense(VECTOR, filter=Everything(), depth=2)] == [1, 2]
    scores = index.dense_scores(VECTOR, [5, 2, 6, 99])
    assert sorted(scores) == [2, 5] and abs(scores[5] - math.cos(1.5)) < 1e-5
    given, back = vectors(), index.vectors([1, 5, 6, 99])
    assert sorted(back) == [1, 5] and all(np.allclose(back[id], given[id], atol=1e-6) for id in back)


def check_filters(index: SearchIndex) -> None:
    """Every leg keeps exactly the points a filter's meaning keeps, before it cuts at the depth."""
    for filter in FILTERS:
        kept = {id for id, meta in METAS.items() if matches(filter, meta)}
        assert index.count(filter) == len(kept), f"{filter}: counts {index.count(filter)}, not {len(kept)}"
        lexical = {id for id, _ in index.lexical("seal valve pump nothing", filter=filter, depth=10)}
        assert lexical == kept, f"{filter}: keyword search keeps {sorted(lexical)}, not {sorted(kept)}"
        dense = [id for id, _ in index.dense(VECTOR, filter=filter, depth=10)]
        assert dense == sorted(kept - {6}), f"{filter}: the dense leg keeps {dense}"
        last = [id for id, _ in index.dense(VECTOR, filter=filter, depth=1)]
        assert last == dense[:1], f"{filter}: filtered after the cut"


def check_holding(index: SearchIndex) -> None:
    """`holding` gives the points with every one of the terms, ascending, under the filter."""
    assert index.holding("seal valve", filter=Everything(), limit=10) == [1, 3]
    assert index.holding("seal", filter=Match("team", ("blue",)), limit=10) == [2, 3]
    assert index.holding("seal", filter=Nothing(), limit=10) == []
    assert index.holding("absent", filter=Everything(), limit=10) == []
    assert index.holding("", filter=Everything(), limit=10) == []
    assert index.holding("seal", filter=Everything(), limit=2) == [1, 2]
    assert index.holding("seal", filter=Everything(), limit=2, after=2) == [3, 5], "pages go on by id"


def check_replacing(index: SearchIndex) -> None:
    """A point written again has the new terms and fields only, and no vector until it gets one."""
    year: MetaValue = 1999
    index.upsert([Point(2, "gasket", {"year": year})])
    assert [id for id, _ in index.lexical("gasket", filter=Everything(), depth=10)] == [2]
    assert 2 not in dict(index.lexical("seal", filter=Everything(), depth=10)), "the old terms still answer"
    assert index.count(Match("year", (1999,))) == 1 and index.count(Match("team", ("red",))) == 1
    assert 2 not in dict(index.dense(VECTOR, filter=Everything(), depth=10)), "the old vector still answers"
    index.set_vectors({2: VECTOR})
    assert index.dense(VECTOR, filter=Everything(), depth=1)[0][0] == 2
    assert index.count(Everything()) == len(TERMS)


def check_deleting(index: SearchIndex) -> None:
    """A deleted point is found by nothing; unknown ids are ignored; a change can be written to disk."""
    index.delete([2, 3, 99])
    index.flush()
    left = {id: terms for id, terms in TERMS.items() if id not in (2, 3)}
    wanted = bm25("seal", left)
    found = dict(index.lexical("seal", filter=Everything(), depth=10))
    assert found.keys() == wanted.keys(), "a deleted point still answers"
    assert 2 not in index.dense_scores(VECTOR, [2, 3]) and index.vectors([2, 3]) == {}
    assert [id for id, _ in index.dense(VECTOR, filter=Everything(), depth=10)] == [1, 4, 5]
    assert index.holding("pump", filter=Everything(), limit=10) == [4]
    assert index.count(Everything()) == len(left)


def _best_first(found: list[tuple[int, float]]) -> bool:
    scores = [score for _, score in found]
    return scores == sorted(scores, reverse=True) and all(score > 0 for score in scores)
