"""F53: windows around hits are joined; every line is in the context at most once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincite.assemble import assemble
from pincite.config import ContextConfig
from shelf import Shelf, words

HERE = Path(__file__).parent / "F53"
MERGES = json.loads((HERE / "expect.json").read_text("utf-8"))["merges"]


@pytest.mark.parametrize("case", MERGES, ids=lambda case: f"{case['hits']}-{case['window']}")
def test_windows_join_into_ranges(case: dict[str, Any]) -> None:
    shelf = Shelf()
    shelf.add("log.txt", (HERE / "log.txt").read_text("utf-8"))
    hits = shelf.hits(*(f"log.txt:{line}" for line in case["hits"]))
    config = ContextConfig(budget=10_000, neighbours=case["window"])
    context = assemble(hits, catalog=shelf, config=config, count=words)
    ranges = [[one.place.line_start, one.place.line_end] for one in context.evidence]
    assert ranges == case["ranges"]
    shown = [line for one in context.evidence for line in one.text.splitlines()]
    assert len(shown) == len(set(shown))
    assert context.left_out == ()
    known = {chunk_id for one in context.evidence for chunk_id in one.hits}
    assert known == {hit.stored.chunk.id for hit in hits}


def test_ranges_stand_in_the_order_of_their_best_hit() -> None:
    shelf = Shelf()
    shelf.add("log.txt", (HERE / "log.txt").read_text("utf-8"))
    hits = shelf.hits("log.txt:9", "log.txt:2", "log.txt:3", "log.txt:8")
    context = assemble(hits, catalog=shelf, config=ContextConfig(1000, neighbours=0), count=words)
    assert [one.place.line_start for one in context.evidence] == [8, 2]
    assert context.evidence[0].hits == ("log.txt:9", "log.txt:8")


def test_a_window_never_reaches_into_another_file() -> None:
    shelf = Shelf()
    shelf.add("a.txt", "alpha one\nalpha two\n")
    shelf.add("b.txt", "beta one\nbeta two\n")
    context = assemble(
        shelf.hits("a.txt:2"), catalog=shelf, config=ContextConfig(1000, neighbours=5), count=words
    )
    assert [one.uri for one in context.evidence] == ["a.txt"]
