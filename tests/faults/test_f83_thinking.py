"""F83: a model's thinking is not its answer, in whatever form it is written; nor is a refusal inside it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pincite.answer import answer
from pincite.answer.support import plain_words
from pincite.answer.thinking import answer_of
from pincite.errors import ModelError
from pincite.tables import rows_of
from pincite.types import Answer, Context, Query, Searched, SearchResult, Trace
from shelf import as_indexed, shelf_of

VALVE = "The relief valve V7 opens at 8.5 bar.\n"
ANSWER = "V7 opens at 8.5 bar [1]."
FORMS = [row for row in rows_of("lexicon/thinking.tsv") if row[0] != "-"]


@dataclass(frozen=True)
class Says:
    """A generator that gives one reply."""

    reply: str
    name: str = "small"

    def generate(self, question: str, context: Context) -> str:
        return self.reply


def asked(reply: str) -> Answer:
    shelf, context = shelf_of(VALVE)
    hits = tuple(shelf.hits("1.md:1"))
    result = SearchResult(Query("q"), hits, 1.0, Searched(1, "", "minilm"), Trace("q"))
    said = Says(reply)
    return answer(
        "q", result, context, generator=said, reopen=as_indexed(shelf), embed=None, terms=plain_words
    )


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
@pytest.mark.parametrize("text", ["{0}Evidence [1] says 9 bar?{1}\n\n" + ANSWER, "9 bar [2]?\n{1}" + ANSWER])
def test_the_answer_is_what_follows_the_thinking(form: tuple[str, ...], text: str) -> None:
    assert answer_of(text.format(form[0], form[1])) == ANSWER


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form[0])
def test_thinking_that_never_ends_is_no_answer(form: tuple[str, ...]) -> None:
    with pytest.raises(ModelError, match="within its thinking"):
        asked(f"{form[0]} Evidence [1] says 8.5 bar. I should answer")


@pytest.mark.parametrize(
    "reply",
    [
        "Sure! <think>[1] says 9 bar.</think> " + ANSWER,
        "<think>a <think>b</think> c</think>" + ANSWER,
        "< THINK >a</ think >" + ANSWER + "<|im_end|>",
        '<think effort="high">\n9\n</think>' + ANSWER,
        "<|channel|>analysis<|message|>9 bar<|end|><|start|>assistant<|channel|>final<|message|>" + ANSWER,
        "analysisThe user asks [2].assistantfinal" + ANSWER,
        "<think>9</think><|begin_of_solution|>" + ANSWER + "<|end_of_solution|>",
        "<think>9</think>\n<answer>" + ANSWER + "</answer></s>",
    ],
)
def test_other_ways_to_think(reply: str) -> None:
    made = asked(reply)
    assert made.text.endswith(ANSWER) and "9" not in made.text
    assert made.claims[-1].citations[0].verified


def test_a_refusal_counts_outside_the_thinking_alone() -> None:
    refused = asked("Check [1] again: no.\n</think>\nINSUFFICIENT EVIDENCE: the owner is not named.")
    assert refused.abstained and refused.reason.startswith("the owner is not named.")
    assert not asked("<think>INSUFFICIENT EVIDENCE: hm, no.</think>" + ANSWER).abstained


def test_a_tag_that_is_spoken_of_stays() -> None:
    text = "The tag `</think>` ends it, `<think>` opens it [1]."
    assert answer_of(text) == text


def test_a_reply_of_thinking_alone_is_no_answer() -> None:
    with pytest.raises(ModelError, match="no answer"):
        asked("<think>8.5 bar [1]</think>\n")
