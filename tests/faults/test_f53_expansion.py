"""F53: windows around hits are joined; every line is in the context at most once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincite.assemble import assemble
from pincite.config import ContextConfig
from pincite.types import Span
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


def test_hits_of_one_parent_give_it_once() -> None:
    text = (HERE / "log.txt").read_text("utf-8")
    half = text.index("Sentence number 6")
    shelf = Shelf()
    shelf.add("log.txt", text, parents=(Span(0, half), Span(half, len(text))))
    hits = shelf.hits("log.txt:4", "log.txt:2", "log.txt:5")
    context = assemble(hits, catalog=shelf, config=ContextConfig(1000), count=words)
    (one,) = context.evidence
    assert (one.place.line_start, one.place.line_end) == (1, 5)
    assert one.text == text[:half].rstrip()
    assert one.hits == tuple(hit.stored.chunk.id for hit in hits)


@pytest.mark.parametrize("window", [0, 1, 3])
def test_a_neighbour_never_pushes_out_a_hit(window: int) -> None:
    shelf = Shelf()
    shelf.add("log.txt", (HERE / "log.txt").read_text("utf-8"))
    hits = shelf.hits("log.txt:2", "log.txt:5", "log.txt:8", "log.txt:10")
    alone = assemble(hits, catalog=shelf, config=ContextConfig(1000, neighbours=0), count=words)
    tight = ContextConfig(alone.n_tokens, neighbours=window)
    context = assemble(hits, catalog=shelf, config=tight, count=words)
    assert context.left_out == () and context.n_tokens <= tight.budget
    shown = {line for one in context.evidence for line in one.text.splitlines()}
    assert shown == {hit.stored.chunk.text for hit in hits}
    roomier = ContextConfig(2 * alone.n_tokens, neighbours=window)
    more = assemble(hits, catalog=shelf, config=roomier, count=words)
    assert {one for evidence in more.evidence for one in evidence.hits} == {h.stored.chunk.id for h in hits}
    lines = [line for one in more.evidence for line in one.text.splitlines()]
    assert len(lines) == len(set(lines))
    assert (len(lines) > len(hits)) == (window > 0)
