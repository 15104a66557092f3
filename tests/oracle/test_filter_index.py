"""The search index keeps exactly the points that the meaning of a filter keeps."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path

from pincite.filter import check, matches
from pincite.index.qdrant_edge import QdrantEdgeIndex
from pincite.protocols import Point
from pincite.types import And, Everything, Filter, Match, Meta, MetaValue, Not, Nothing, Or, Range, Scalar

FIELDS = {"team": "string", "mixed": "string", "year": "number", "draft": "boolean", "day": "date"}
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
    values = [value for value in VALUES[name] if FIELDS[name] != "string" or isinstance(value, str)]
    if FIELDS[name] in ("number", "date") and rng.random() < 0.5:
        bounds = dict.fromkeys(rng.sample(["gt", "gte", "lt", "lte"], rng.randint(1, 2)))
        return Range(name, **{bound: rng.choice(values) for bound in bounds})
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
