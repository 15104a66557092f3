"""The search index keeps exactly the points that the meaning of a filter keeps."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.filter import check, matches
from pincite.filter.kinds import kind_of
from pincite.index.qdrant_edge import QdrantEdgeIndex
from pincite.protocols import Point
from pincite.types import And, Everything, Filter, Match, Meta, MetaValue, Not, Nothing, Or, Range, Scalar

FIELDS = {
    "team": "string",
    "mixed": "boolean or number or date or string",
    "year": "number",
    "draft": "boolean",
    "day": "date",
}
DAYS = [date(2026, 1, 1) + timedelta(days=7 * at) for at in range(3)] + [date.min, date.max]
VALUES: dict[str, list[Scalar]] = {
    "team": ["red", "RED", 'r"d', "red' OR 'k'='k", "红", "*", "1"],
    "mixed": ["1", 1, 2.5, True, "true", DAYS[0], "2026-01-01"],
    "year": [-1, 0, 1, 2.5, 2024, 2025],
    "draft": [True, False],
    "day": [*DAYS],
}


def meta(rng: random.Random) -> Meta:
    found: dict[str, MetaValue] = {}
    for name, values in VALUES.items():
        if rng.random() < 0.8:
            several = tuple(rng.sample(values, 2))
            found[name] = several if rng.random() < 0.3 else several[0]
    return found


def leaf(rng: random.Random) -> Filter:
    name = rng.choice(list(VALUES))
    values = VALUES[name]
    ordered = [[v for v in values if kind_of(v) == kind] for kind in ("number", "date")]
    if any(ordered) and rng.random() < 0.5:
        bounds = dict.fromkeys(rng.sample(["gt", "gte", "lt", "lte"], rng.randint(1, 2)))
        comparable = rng.choice([one for one in ordered if one])
        return Range(name, **{bound: rng.choice(comparable) for bound in bounds})
    return Match(name, tuple(rng.sample(values, rng.randint(0, 2))))


def grown(rng: random.Random, depth: int) -> Filter:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([leaf(rng), leaf(rng), leaf(rng), leaf(rng), Everything(), Nothing()])
    if rng.random() < 0.3:
        return Not(grown(rng, depth - 1))
    parts = tuple(grown(rng, depth - 1) for _ in range(rng.randint(0, 3)))
    return rng.choice([And, Or])(parts)


def test_the_index_agrees_with_the_meaning(tmp_path: Path) -> None:
    rng = random.Random(7)
    points = [Point(at, "word", meta(rng)) for at in range(200)]
    index = QdrantEdgeIndex(tmp_path / "search", dimension=4, create=True)
    try:
        index.index_fields(FIELDS)
        index.upsert(points)
        for _ in range(300):
            filter = grown(rng, 3)
            check(filter, FIELDS)
            kept = {point.id for point in points if matches(filter, point.meta)}
            found = {id for id, _ in index.lexical("word", filter=filter, depth=len(points))}
            assert found == kept, filter
            assert index.count(filter) == len(kept), filter
    finally:
        index.close()


# ── values at the edge of what the engine holds ───────────────────────────────────────────────
EDGES = [
    s * v + d
    for s in (1, -1)
    for v in (2**53, 2**54, 2**63, 2**64, 10**18, 10**30)
    for d in (-2, -1, 0, 1, 2)
]
NUMBERS = (
    st.sampled_from(EDGES)
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([0, -0.0, 5e-324, 1e308, -1e308, 10**300, 0.1, 0.30000000000000004])
)
LONG = ["x" * 1000, "x" * 1001, "x" * 1500, "x" * 1499 + "y", "x" * 100 + "\0" + "0" * 64, "x\0y"]
TEXTS = st.sampled_from([*LONG, "", "1", "true", str(2**53 + 1)]) | st.text(max_size=5)
TYPED = {"number": NUMBERS, "string": TEXTS, "date": st.dates(), "boolean": st.booleans()}
KINDS = {"n": "number", "s": "string", "d": "date", "b": "boolean"}


def edge_meta() -> st.SearchStrategy[Meta]:
    values = {name: TYPED[kind] for name, kind in KINDS.items()}
    both = {name: one | st.lists(one, max_size=3).map(tuple) for name, one in values.items()}
    return st.fixed_dictionaries({}, optional=both)  # type: ignore[arg-type,return-value]


@st.composite
def edge_filter(draw: st.DrawFn, metas: list[Meta]) -> Filter:
    """A condition on a value that a point has, or one beside it."""
    name = draw(st.sampled_from(sorted(KINDS)))
    held = [v for m in metas if name in m for v in (m[name] if isinstance(m[name], tuple) else (m[name],))]  # type: ignore[union-attr]
    value = draw(st.sampled_from(held) if held and draw(st.booleans()) else TYPED[KINDS[name]])
    if KINDS[name] == "number" and isinstance(value, int) and draw(st.booleans()):
        value += draw(st.integers(-2, 2))
    if KINDS[name] in ("number", "date") and draw(st.booleans()):
        return Range(name, **{draw(st.sampled_from(["gt", "gte", "lt", "lte"])): value})
    return Match(name, (value,))


@settings(deadline=None, max_examples=15)
@given(st.data())
def test_filters_are_exact_for_numbers_and_texts_of_any_size(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    metas = data.draw(st.lists(edge_meta(), min_size=1, max_size=8))
    index = QdrantEdgeIndex(tmp_path_factory.mktemp("edge") / "search", dimension=4, create=True)
    try:
        index.index_fields(KINDS)
        index.upsert([Point(at, "word", meta) for at, meta in enumerate(metas)])
        for _ in range(12):
            filter = data.draw(edge_filter(metas))
            kept = {at for at, meta in enumerate(metas) if matches(filter, meta)}
            try:
                check(filter, KINDS)
            except UsageError as error:
                assert "bound" in error.message and isinstance(filter, Range)
                continue
            assert {id for id, _ in index.lexical("word", filter=filter, depth=99)} == kept, filter
            assert index.count(Not(filter)) == len(metas) - len(kept), filter
    finally:
        index.close()


def test_what_was_stored_of_big_numbers_is_known_after_opening(tmp_path: Path) -> None:
    index = QdrantEdgeIndex(tmp_path / "search", dimension=4, create=True)
    index.upsert([Point(1, "word", {"n": 2**53 + 1}), Point(2, "word", {"n": 2**53})])
    index.flush()
    index.close()
    index = QdrantEdgeIndex(tmp_path / "search", dimension=4)
    try:
        for filter, kept in ((Match("n", (2**53,)), [2]), (Range("n", gt=2**53), [1])):
            assert [id for id, _ in index.lexical("word", filter=filter, depth=9)] == kept
    finally:
        index.close()


def test_a_bound_no_float_equals_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        check(Range("year", gte=2**53 + 1), FIELDS)
    assert str(2**53 + 1) in caught.value.message and str(2**53) in caught.value.hint
