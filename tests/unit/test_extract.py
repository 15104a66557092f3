"""Quotes without a model: which sentences, with which conditions, as which claims; and abstention."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite.answer import answer
from pincite.answer.abstain import weak
from pincite.answer.claims import claim_text, claims
from pincite.answer.extract import MOST_EMBEDDED, MOST_QUOTES, Quote, extract
from pincite.answer.generate import plain_words
from pincite.answer.passages import sentences
from pincite.types import Context, Query, Searched, SearchResult, Step, Trace
from shelf import Shelf, as_indexed, context_of, disk, shelf_of

MANUAL = """# Battery

Open the lid with a coin. The battery lasts two years. Replace the battery with a CR2032 cell.
Do not touch the contacts before the cover is closed.

Warning: a wrong battery can burn.

# Immersion

The device may be immersed to 10 m. After replacing the battery, wait 24 hours before immersion.
"""


def letters(texts: Sequence[str]) -> NDArray[np.float32]:
    """Unit vectors of letter counts: a small true embedding, the same on every run."""
    counts = np.array([[text.lower().count(chr(97 + n)) + 0.01 for n in range(26)] for text in texts])
    unit: NDArray[np.float32] = (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)
    return unit


def quotes(question: str, context: Context) -> list[Quote]:
    return extract(question, context, embed=None, terms=plain_words)


def result_of(shelf: Shelf, *ids: str) -> SearchResult:
    trace = Trace("q", (Step("retrieve", 1.0),))
    searched = Searched(7, "type=markdown", "minilm")
    return SearchResult(Query("q"), tuple(shelf.hits(*ids)), 1.0, searched, trace)


def test_the_sentence_that_answers_is_quoted_verbatim() -> None:
    _, context = shelf_of(MANUAL)
    best = quotes("How long should I wait after replacing the battery before immersion?", context)[0]
    assert best.text == "After replacing the battery, wait 24 hours before immersion."
    assert MANUAL[best.span.start : best.span.end] == best.text
    assert best.marker == 1


def test_a_condition_and_a_warning_next_to_it_come_along() -> None:
    _, context = shelf_of(MANUAL)
    best = quotes("Replace the battery with which cell?", context)[0]
    assert best.text.startswith("Replace the battery with a CR2032 cell.\nDo not touch")
    assert best.text.endswith("Warning: a wrong battery can burn.")


def test_a_condition_of_another_section_does_not() -> None:
    _, context = shelf_of("# A\n\nThe pump runs at night.\n\n# B\n\nNever open the tank.\n")
    (best,) = quotes("When does the pump run?", context)
    assert best.text == "The pump runs at night."


def test_a_plain_neighbour_in_another_paragraph_does_not() -> None:
    _, context = shelf_of("The pump runs at night.\n\nThe tank holds water until it is emptied.\n")
    (best,) = quotes("When does the pump run?", context)
    assert best.text == "The pump runs at night."


def test_chinese_conditions_come_along() -> None:
    text = "# 电池\n\n更换电池需要十分钟。但是必须先关闭电源。设备是黑色的。\n"
    _, context = shelf_of(text)
    (best,) = quotes("更换电池需要多久？", context)
    assert best.text == "更换电池需要十分钟。但是必须先关闭电源。"


@pytest.mark.parametrize("text", ["# Battery life\n\nIt is long.\n", "# Battery life\n"])
def test_a_heading_alone_is_never_quoted(text: str) -> None:
    _, context = shelf_of(text)
    assert all("Battery" not in quote.text for quote in quotes("battery life", context))


def test_rules_fences_and_table_headers_are_not_quoted() -> None:
    text = "| battery | life |\n|---|---|\n| CR2032 | 2 years |\n\n---\n\n```battery\nrun = 1\n```\n"
    _, context = shelf_of(text)
    texts = [one.text for one in sentences(context.evidence[0]) if one.quotable]
    assert texts == ["| CR2032 | 2 years |", "run = 1"]


def test_at_most_four_quotes_none_clearly_worse() -> None:
    lines = [f"The pump number {n} runs at night.\n\n" for n in range(9)]
    _, context = shelf_of("".join(lines) + "Pump.\n\nNothing else.\n")
    found = quotes("When does the pump run, at night?", context)
    assert len(found) == MOST_QUOTES
    assert all("runs at night" in quote.text for quote in found)


def test_the_better_passage_wins_a_tie() -> None:
    _, context = shelf_of("The lid is red today.\n", "The lid is red now.\n")
    assert [quote.marker for quote in quotes("Is the lid red?", context)] == [1, 2]


def test_sentences_side_by_side_are_one_quote() -> None:
    _, context = shelf_of("The red lid opens. The red lid closes. Water is wet.\n")
    (one,) = quotes("red lid", context)
    assert one.text == "The red lid opens. The red lid closes."


def test_vectors_find_what_shares_no_word_and_are_asked_for_once() -> None:
    asked: list[int] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        asked.append(len(texts))
        return letters(texts)

    _, context = shelf_of("".join(f"Zebra {n} buzz.\n\n" for n in range(80)) + "Tea seated.\n")
    found = extract("a steed ate", context, embed=embed, terms=plain_words)
    assert asked == [MOST_EMBEDDED + 1]
    assert all(quote.dense is not None for quote in found)
    _, small = shelf_of("Zoom buzz fuzz.\n\nTea seated.\n")
    best = extract("a steed ate", small, embed=letters, terms=plain_words)[0]
    assert best.text == "Tea seated."
    assert best.lexical == 0
    assert best.dense is not None and best.dense > 0.8


def test_nothing_in_common_gives_nothing() -> None:
    _, context = shelf_of("The pump runs.\n")
    assert quotes("Who wrote Faust?", context) == []
    assert quotes("", context) == []
    assert extract("x", Context(()), embed=None, terms=plain_words) == []


def test_equal_words_in_two_files_are_one_claim_with_two_citations() -> None:
    shelf, context = shelf_of("Intro one.\n\nThe fee is nine.\n", "Another start.\n\nThe fee is nine.\n")
    (claim,) = claims(quotes("What is the fee?", context), context, as_indexed(shelf))
    assert claim.text == "The fee is nine."
    assert [citation.location for citation in claim.citations] == ["1.md:3", "2.md:3"]
    assert all(citation.verified for citation in claim.citations)


def test_versions_that_disagree_are_both_claimed() -> None:
    shelf, context = shelf_of("Wait 12 hours before immersion.\n", "Wait 24 hours before immersion.\n")
    found = claims(quotes("How long to wait before immersion?", context), context, as_indexed(shelf))
    assert [claim.text for claim in found] == [
        "Wait 12 hours before immersion.",
        "Wait 24 hours before immersion.",
    ]


def test_a_table_row_is_claimed_with_its_column_names_and_quoted_as_it_stands() -> None:
    head = "# Codes\n\n| code | meaning | fix |\n|---|---|---|\n"
    text = head + "| E1 | lid \\| cover open | close it |\n| E2 | no water | |\n"
    shelf, context = shelf_of(text)
    (claim,) = claims(quotes("What does E1 mean?", context), context, as_indexed(shelf))
    assert claim.text == "code: E1; meaning: lid \\| cover open; fix: close it"
    assert claim.citations[0].quote == "| E1 | lid \\| cover open | close it |"
    assert claim.citations[0].location == "1.md:5"
    (empty,) = claims(quotes("What does E2 mean?", context), context, as_indexed(shelf))
    assert empty.text == "code: E2; meaning: no water"


def test_a_row_without_its_header_takes_the_passage_s() -> None:
    from dataclasses import replace

    text = 'code,meaning\nE1,"lid, open"\nE2,no water\n'
    shelf = Shelf()
    stored = shelf.add("codes.csv", text)
    shelf.stored["codes.csv"] = [
        replace(
            one, chunk=replace(one.chunk, kind="row" if n else "table", header="code,meaning" if n else "")
        )
        for n, one in enumerate(stored)
    ]
    shelf.documents["codes.csv"] = replace(shelf.documents["codes.csv"], type="csv")
    context = context_of(shelf, "codes.csv:2")
    (quote,) = quotes("What is E1?", context)
    assert quote.text == 'E1,"lid, open"'
    assert claim_text(quote, context.evidence[0]) == "code: E1; meaning: lid, open"
    whole = context_of(shelf, "codes.csv:1", "codes.csv:2")
    (quote,) = quotes("What is E1?", whole)
    assert claim_text(quote, whole.evidence[0]) == "code: E1; meaning: lid, open"


def test_a_list_item_is_claimed_without_its_mark() -> None:
    shelf, context = shelf_of("- [ ] open the lid\n- fill the\n  red tank\n2. close\n")
    (claim,) = claims(quotes("the red tank", context), context, as_indexed(shelf))
    assert claim.text == "fill the red tank"
    assert claim.citations[0].quote == "- fill the\n  red tank"
    assert claim.citations[0].location == "1.md:2-3"


# ── the whole answer ──────────────────────────────────────────────────────────────────────────
def test_an_answer_names_its_markers_and_extends_the_trace() -> None:
    shelf, context = shelf_of(MANUAL)
    asked = "How long should I wait after replacing the battery before immersion?"
    made = answer(
        asked,
        result_of(shelf, "1.md:1"),
        context,
        generator=None,
        reopen=as_indexed(shelf),
        embed=letters,
        terms=plain_words,
        steps=[Step("assemble", 0.5)],
    )
    assert not made.abstained
    assert made.reason == ""
    assert re.match(r"After replacing the battery, wait 24 hours before immersion\. \[1\]", made.text)
    assert [step.stage for step in made.trace.steps] == ["retrieve", "assemble", "extract", "cite"]
    assert all(step.ms >= 0 for step in made.trace.steps)
    assert made.trace.steps[2].items[0]["marker"] == 1
    assert made.claims[0].citations[0].location == "1.md:10"


def test_weak_evidence_makes_it_abstain_and_say_what_was_searched() -> None:
    shelf, context = shelf_of(MANUAL)
    made = answer(
        "Who composed the opera about the flying Dutchman, and the year?",
        result_of(shelf, "1.md:1"),
        context,
        generator=None,
        reopen=disk({}),
        embed=None,
        terms=plain_words,
    )
    assert made.abstained
    assert (made.text, made.claims) == ("", ())
    assert "Searched: 7 chunks, filter type=markdown, model minilm." in made.reason
    assert "exist" not in made.reason


def test_every_way_to_have_no_evidence_has_its_own_reason() -> None:
    shelf, context = shelf_of(MANUAL)
    some, none = result_of(shelf, "1.md:1"), result_of(shelf)
    assert weak(" ", some, context, []) == "The question is empty."
    assert weak("q", none, Context(()), []).startswith("Nothing was found")
    assert "shares anything" in weak("q", some, context, [])
    from pincite.types import Dropped

    full = Context((), (Dropped("c", "budget: needs 30 tokens, 5 of 5 left", 30),))
    assert "needs 30 tokens, 5 of 5 left" in weak("q", some, full, [])
