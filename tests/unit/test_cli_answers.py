"""How `ask` prints: claims with the numbers of their sources, doubts beside them, plain refusals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import records

from pincite.answer.generate import claims_from
from pincite.cli.answered import answer_text
from pincite.cli.render import explain_text
from pincite.cli.terminal import Terminal
from pincite.types import Answer, Citation, Claim, Place, Step, Trace
from shelf import as_indexed, shelf_of

ROOT = Path("/lib")
PLAIN = Terminal()
QUOTE = "Wait 24 hours before immersing it."


def shown(answer: Answer, term: Terminal = PLAIN) -> list[str]:
    return answer_text(answer, root=ROOT, term=term).splitlines()


def cited(text: str, *citations: Citation) -> Claim:
    return Claim(text, citations)


def source(
    uri: str, line: int, quote: str, *, verified: bool = True, stale: str | None = None, edition: str = ""
) -> Citation:
    return Citation(1, uri, Place(line, line), quote, verified, stale, edition)


def complete(*claims: Claim, text: str = "", stage: str = "extract") -> Answer:
    """An answer of a library with all its vectors, whose claims all cite passage 1."""
    made = records.answer()
    trace = Trace("q", (Step(stage, 1.0),))
    return replace(
        made, text=text, claims=claims, trace=trace, search=replace(made.search, dense_complete=1.0)
    )


def test_claims_then_checked_sources_and_what_has_no_vector_yet() -> None:
    assert shown(records.answer()) == [
        "Wait 24 hours before immersing it. [1][2: not verified]",
        "",
        "Sources",
        "[1]  guide/manual.md:4  verified",
        "[2]  guide/manual.md:4  not verified: the file does not hold these words there",
        "     “no such words”",
        "",
        "Searched 2 chunks (model: english); 50 % have their vector so far.",
    ]


def test_each_number_is_one_place_and_they_count_up_in_order_of_appearance() -> None:
    one, other = source("b.md", 9, "Nine."), source("a.md", 3, "Three.")
    lines = shown(complete(cited("Nine.", one), cited("Three.", other), cited("Both.", other, one)))
    assert lines == [
        "Nine. [1]",
        "Three. [2]",
        "Both. [2][1]",
        "",
        "Sources",
        "[1]  b.md:9  verified",
        "[2]  a.md:3  verified",
    ]


def test_words_that_the_claim_does_not_repeat_are_shown_line_by_line() -> None:
    lines = shown(complete(cited("steps › a: 1; b: 2", source("a.yaml", 2, "  - a: 1\n    b: 2"))))
    assert lines[-3:] == ["[1]  a.yaml:2  verified", "     “- a: 1", "       b: 2”"]


def test_a_quote_over_two_lines_that_is_the_claim_is_not_repeated() -> None:
    lines = shown(complete(cited("每周清洗过滤器。", source("a.md", 2, "- 每周清洗\n过滤器。"))))
    assert lines == ["每周清洗过滤器。 [1]", "", "Sources", "[1]  a.md:2  verified"]


def test_what_is_doubtful_about_a_source_stands_beside_the_claim() -> None:
    claims = (
        cited("A.", source("a.md", 1, "A.", verified=False, stale="changed")),
        cited("B.", source("b.md", 1, "B.", verified=False, stale="gone")),
        cited("C.", source("c.md", 1, "C.", edition="earlier edition, 2021-03-01")),
        cited("D.", source("d.md", 1, "D.", stale="changed")),
    )
    lines = shown(complete(*claims))
    assert lines[:4] == [
        "A. [1: changed on disk, not verified]",
        "B. [2: file is gone, not verified]",
        "C. [3: earlier edition, 2021-03-01]",
        "D. [4]",
    ]
    assert lines[-2:] == [
        "[3]  c.md:1  verified  earlier edition, 2021-03-01",
        "[4]  d.md:1  verified  file changed since",
    ]


def test_long_lines_are_wrapped_to_a_terminal_but_code_is_not() -> None:
    code = "```\nrun --with many words --and more words --than fit\n```"
    answer = complete(
        cited("one two three four five six seven", source("a.csv", 2, "many, " * 9)), cited(code)
    )
    lines = shown(answer, Terminal(width=24))
    assert lines[:2] == ["one two three four five", "six seven [1]"]
    assert shown(complete(cited("one two three four six", source("a.md", 1, "x"))), Terminal(width=24))[
        :2
    ] == [
        "one two three four",
        "six [1]",
    ]
    assert "run --with many words --and more words --than fit" in lines
    assert all(len(line) <= 24 for line in lines if line.startswith("     "))


def test_a_model_s_numbers_stay_and_list_every_place_of_their_passage() -> None:
    shelf, context = shelf_of("Dry it for 24 hours. Then close the lid.\n", "The fee is 9 EUR.\n")
    reply = (
        "It costs 9 EUR [2]. Dry it [1] for 24 hours [1], then close the lid [1].\n\n- Close the lid. [1] [7]"
    )
    written = claims_from(reply, context, as_indexed(shelf))
    lines = shown(complete(*written.claims, text=written.text, stage="generate"))
    assert lines[0] == "It costs 9 EUR [2]. Dry it [1] for 24 hours [1], then close the lid [1]."
    assert lines[2] == "- Close the lid. [1] [no evidence 7]"
    assert lines[4:] == [
        "Sources",
        "[2]  2.md:1  verified",
        "     “The fee is 9 EUR.”",
        "[1]  1.md:1  verified",
        "     “Dry it for 24 hours.”",
        "[1]  1.md:1  verified",
        "     “Then close the lid.”",
    ]


def test_why_a_model_s_source_is_not_verified_stands_beside_it() -> None:
    shelf, context = shelf_of("Dry it for 24 hours.\n", "The fee is 9 EUR.\n")
    written = claims_from("Dry it for 36 hours [1]. 电池 [2].", context, as_indexed(shelf))
    lines = shown(complete(*written.claims, text=written.text, stage="generate"))
    assert (
        lines[0]
        == "Dry it for 36 hours [1: not verified] [not in the source: 36 hours]. 电池 [2: not verified]."
    )
    assert lines[3] == "[1]  1.md:1  not verified: these words lack a figure of the statement"
    assert lines[5] == "[2]  2.md:1  not verified: no word of the statement stands here"
    both = claims_from("Dry it for 36 hours [1]. Dry it for 24 hours [1].", context, as_indexed(shelf))
    lines = shown(complete(*both.claims, text=both.text, stage="generate"))
    assert lines[3] == "[1]  1.md:1  verified"


def test_an_abstention_gives_its_reason_and_the_nearest_passages_with_their_words() -> None:
    assert shown(records.answer(abstained=True)) == [
        "No answer: the best passage is weak",
        "Nearest passages:",
        " 1  guide/manual.md:3-4  Battery  also at copy.md:3",
        "     Replace it.",
        "     Wait 24 hours before immersing it.",
        " 2  guide/manual.md:4  Battery  file changed since",
        "     Wait 24 hours before immersing it.",
    ]


def test_explain_shows_what_each_quote_was_measured_at() -> None:
    item = {"marker": 2, "score": 0.5, "lexical": 0.25, "dense": None, "missing": 0.125}
    answer = replace(records.answer(), trace=Trace("q", (Step("extract", 1.0, {}, (item,)),)))
    text = explain_text(answer, root=ROOT, term=PLAIN)
    assert "[2]  0.50 score, 0.25 of the terms, 0.12 nowhere in the evidence" in text
