"""F50: a budget is met by the rendered string; what does not fit is named, the best passage never lost.

Labels are counted here too, so each budget of the case grows by the labels of the passages expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.answer.frame import render_evidence
from pincite.answer.prompt import build_messages
from pincite.assemble import assemble
from pincite.config import ContextConfig
from pincite.types import Context
from shelf import Shelf

CASE = json.loads((Path(__file__).parent / "F50" / "chunks.json").read_text("utf-8"))


def case_words(texts: Sequence[str]) -> list[int]:
    """Tokens as the case counts them: its words, labels and separators being free."""
    return [len(re.findall(r"\bw\d+_\d+\b", text)) for text in texts]


def packed(name: str, budget: int) -> Context:
    shelf = Shelf()
    names = {}
    for chunk in CASE[name]:
        stored = shelf.add(chunk["path"], chunk["text"] + "\n")
        names[chunk["id"]] = stored[0].chunk.id
    hits = shelf.hits(*(names[chunk["id"]] for chunk in CASE[name]))
    config = ContextConfig(budget=budget, neighbours=0)
    context = assemble(hits, catalog=shelf, config=config, count=case_words)
    assert case_words([render_evidence(context.evidence)])[0] == context.n_tokens <= budget
    return context


@pytest.mark.parametrize(
    ("budget", "uris", "tokens"),
    [
        (100, ["d1.md", "d2.md", "d4.md"], 90),
        (130, ["d1.md", "d2.md", "d3.md", "d4.md"], 130),
        (129, ["d1.md", "d2.md", "d3.md"], 120),
    ],
)
def test_a_budget_may_be_met_exactly_and_never_passed(budget: int, uris: list[str], tokens: int) -> None:
    context = packed("a", budget)
    assert [one.uri for one in context.evidence] == uris
    assert context.n_tokens == tokens


def test_what_is_left_out_for_lack_of_room_is_listed_with_its_size() -> None:
    (dropped,) = packed("a", 100).left_out
    assert (dropped.chunk_id, dropped.n_tokens) == ("d3.md:1", 40)
    assert dropped.reason == "budget: needs 40 tokens, 20 of 100 left"


def test_the_best_passage_is_cut_at_a_word_end_and_cited_for_what_is_shown() -> None:
    context = packed("b", 100)
    best = context.evidence[0]
    assert best.cut
    assert case_words([best.text]) == [100]
    assert best.text.split()[-1] == CASE["b"][0]["text"].split()[99]
    assert len(best.span) == len(best.text)
    assert [one.chunk_id for one in context.left_out] == ["d6.md:1"]


@pytest.mark.parametrize(("name", "budget"), [("a", 9), ("a", 1), ("a", 0), ("b", 19), ("b", 0)])
def test_a_budget_under_the_smallest_chunk_gives_an_empty_context_with_the_numbers(
    name: str, budget: int
) -> None:
    context = packed(name, budget)
    assert context.evidence == ()
    assert len(context.left_out) == len(CASE[name])
    for chunk, dropped in zip(CASE[name], context.left_out, strict=True):
        assert dropped.reason == f"budget: needs {chunk['tokens']} tokens, {budget} of {budget} left"
    assert "There is no evidence" in build_messages("Which?", context)[1]["content"]
