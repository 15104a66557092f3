"""F36: a filter holds before candidates are cut, on every leg, so a narrow one still gives its k hits."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from embedders import StandIn, maker
from libraries import FAULTS, PLAIN, write
from pincite.index.qdrant_edge import QdrantEdgeIndex
from pincite.library import Library
from pincite.protocols import Point
from pincite.types import Everything, Match, Nothing

EXPECT = json.loads((FAULTS / "F36" / "expect.json").read_text("utf-8"))
with (FAULTS / "F36" / "points.csv").open(newline="") as lines:
    POINTS = list(csv.DictReader(lines))
VECTORS = {int(row["id"]): np.array([float(row["x"]), float(row["y"])], np.float32) for row in POINTS}
QUERY = np.array(EXPECT["query"], np.float32)
RED = Match("team", ("red",))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QdrantEdgeIndex]:
    made = QdrantEdgeIndex(tmp_path_factory.mktemp("f36") / "search", dimension=2, create=True)
    made.index_fields({"team": "string"})
    made.upsert([Point(int(row["id"]), "valve", {"team": row["team"]}) for row in POINTS])
    made.set_vectors(VECTORS)
    yield made
    made.close()


def test_the_index_filters_before_it_ranks(index: QdrantEdgeIndex) -> None:
    for k in (3, 5, 10):
        found = index.dense(QUERY, filter=RED, depth=k)
        assert [[id, round(score, 6)] for id, score in found] == EXPECT["k5"][:k]
    assert [id for id, _ in index.dense(QUERY, filter=RED, depth=3)] == EXPECT["k3"]
    everything = sorted(
        index.dense(QUERY, filter=Everything(), depth=1000), key=lambda hit: (-hit[1], hit[0])
    )
    assert [id for id, _ in everything].index(EXPECT["k3"][0]) + 1 == EXPECT["best_rank_unfiltered"]
    assert sorted(id for id, _ in index.lexical("valve", filter=RED, depth=10)) == [480, 481, 482, 483, 484]
    assert index.dense(QUERY, filter=Nothing(), depth=10) == []
    assert index.lexical("valve", filter=Nothing(), depth=10) == []


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """1,000 files whose text names their point."""
    root = tmp_path_factory.mktemp("f36_files")
    write(root, {f"{row['team']}/{row['id']}.txt": f"valve number {row['id']}\n" for row in POINTS})

    def vector_of(text: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        number = text.split()[-1]
        return VECTORS[int(number)] if number.isdigit() else QUERY

    model = StandIn(vector_of, name="circle", dimension=2)
    with Library(root, root / ".pincite", PLAIN, make_embedder=maker(model)) as lib:
        lib.sync()
        yield lib


def numbers(lib: Library, legs: Sequence[str], k: int, filter: str = "folder=red") -> list[int]:
    hits = lib.search("the valve", legs=legs, k=k, filter=filter).hits
    return [int(Path(hit.stored.uri).stem) for hit in hits]


@pytest.mark.parametrize("k", [3, 5, 10])
def test_each_leg_and_both_give_every_hit_the_filter_allows(k: int, opened: Library) -> None:
    wanted = [id for id, _ in EXPECT["k5"]]
    assert numbers(opened, ("dense",), k) == wanted[:k]
    assert len(numbers(opened, ("lexical",), k)) == min(k, 5)
    assert set(numbers(opened, ("lexical",), k)) <= set(wanted)
    for fusion in ("convex", "rrf"):
        hits = opened.search("the valve", k=k, filter="folder=red", fusion=fusion).hits
        assert len(hits) == min(k, 5)
        assert {hit.stored.uri.split("/")[0] for hit in hits} == {"red"}


def test_a_filter_that_allows_nothing_says_so(opened: Library) -> None:
    found = opened.search("the valve", filter="folder=green")
    assert found.hits == ()
    assert found.searched.chunks == 0
    (step,) = [step for step in found.trace.steps if step.stage == "filter"]
    assert step.items == ({"chunks": 0},)
    assert "green" in found.searched.filter
    assert found.notices == ("the filter allows no document",)
