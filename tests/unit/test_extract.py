"""Quotes without a model: which sentences, with which conditions, as which claims; and abstention."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite.analyze import analyze
from pincite.answer import answer
from pincite.answer.abstain import weak
from pincite.answer.claims import claim_text, claims
from pincite.answer.extract import MOST_QUOTES, Quote, extract
from pincite.answer.passages import sentences
from pincite.answer.scores import MOST_EMBEDDED, coverage
from pincite.answer.support import plain_words
from pincite.types import Context, Query, Searched, SearchResult, Span, Step, Trace
from shelf import Shelf, as_indexed, context_of, disk, shelf_of, typed

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
    assert texts == ["| CR2032 | 2 years |", "```battery\nrun = 1\n```"]
    _, context = shelf_of("```battery\n```\n\n~~~\n---\n~~~\n")
    assert not any(one.quotable for one in sentences(context.evidence[0])), "fences that hold nothing"


CODE = """# Prompts

Names are read aloud. Passwords are read like this:

```python
@option(
    "--password", hide=True,
)
```

Ask twice to be sure.
"""


@pytest.mark.parametrize("question", ["Which option hides the password?", "How are passwords read?"])
def test_a_code_fence_is_quoted_whole_with_the_sentence_before_it(question: str) -> None:
    shelf, context = shelf_of(CODE)
    quote = quotes(question, context)[0]
    assert quote.text == CODE[CODE.index("Passwords") : CODE.index("\n\nAsk")]
    (claim,) = claims([quote], context, as_indexed(shelf))
    fence = '```python\n@option(\n    "--password", hide=True,\n)\n```'
    assert claim.text == f"Passwords are read like this:\n{fence}"
    assert (claim.citations[0].location, claim.citations[0].verified) == ("1.md:3-9", True)


def test_the_marker_of_code_does_not_stand_on_the_fence() -> None:
    shelf, context = shelf_of(CODE)
    asked, result = "option password hide", result_of(shelf, "1.md:1")
    reopen, terms = as_indexed(shelf), plain_words
    made = answer(asked, result, context, generator=None, reopen=reopen, embed=None, terms=terms)
    assert "\n```\n[1]" in made.text


def test_a_long_fence_is_quoted_in_stretches_of_whole_lines() -> None:
    lines = [f"    run({n})\n    stop({n})\n\n" for n in range(20)]
    shelf, context = shelf_of("See:\n\n```\n" + "".join(lines) + "```\n")
    (quote, *_) = quotes("What is stop 7?", context)
    assert quote.text == "    run(7)\n    stop(7)"
    (claim,) = claims([quote], context, as_indexed(shelf))
    assert claim.text == "```\n    run(7)\n    stop(7)\n```"


def test_the_end_of_a_fence_that_began_before_the_passage_opens_none() -> None:
    _, context = shelf_of("stop(7)\n```\n\nThe lid is red.\n\n```python\nlid = 1\n```\n")
    found = [one.text for one in sentences(context.evidence[0]) if one.quotable]
    assert "The lid is red." in found and "```python\nlid = 1\n```" in found


def test_at_most_three_quotes_none_clearly_worse() -> None:
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
    text = 'code,meaning\nE1,"lid, open"\nE2,no water\n'
    shelf = Shelf()
    shelf.add("codes.csv", text, type="csv")
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


def test_lines_joined_to_one_do_not_run_together() -> None:
    text = (
        "Take to the red tank:\n\n- a red hose\n- a red bucket\n\n每周清洗过滤器，并检查\n密封圈是否老化。\n"
    )
    shelf, context = shelf_of(text)
    quote = Quote(1, Span(23, 50), text[23:50], 1.0, 1.0, None)
    assert claim_text(quote, context.evidence[0]) == "a red hose; a red bucket"
    (claim,) = claims(quotes("过滤器 密封圈", context)[:1], context, as_indexed(shelf))
    assert claim.text == "每周清洗过滤器，并检查密封圈是否老化。"
    assert claim.citations[0].quote == "每周清洗过滤器，并检查\n密封圈是否老化。"


# ── rows, records and lines ───────────────────────────────────────────────────────────────────
PARTS = """part_number,description,price
B-1104,Battery door,18.50
B-1107,"Door seal
of rubber",6.90
B-1109,Cap,4.20
"""


def words_of_names(text: str) -> set[str]:
    """Plain words, names like part_number in parts."""
    return plain_words(text.replace("_", " "))


def test_one_csv_record_is_quoted_alone_and_its_column_names_count() -> None:
    shelf, context = typed("parts.csv", PARTS, "csv", "table")
    asked = "What is the part number of the door seal?"
    found = extract(asked, context, embed=None, terms=words_of_names)
    claim = claims(found, context, as_indexed(shelf))[0]
    assert claim.text == "part_number: B-1107; description: Door seal of rubber; price: 6.90"
    assert claim.citations[0].quote == 'B-1107,"Door seal\nof rubber",6.90'
    assert claim.citations[0].location == "parts.csv:3-4"


def test_a_quotation_mark_that_is_never_closed_takes_one_line() -> None:
    text = 'name,size\nscreen,34" wide\n' + "".join(f"part {n},{n}\n" for n in range(30))
    _, context = typed("a.csv", text, "csv", "table")
    assert [one.text for one in sentences(context.evidence[0])][1] == 'screen,34" wide'


def test_a_csv_without_a_header_row_is_claimed_as_it_stands() -> None:
    shelf, context = typed("a.csv", "E1,7,lid open\nE2,8,no water\n", "csv", "row")
    (claim,) = claims(quotes("What is E1?", context), context, as_indexed(shelf))
    assert (claim.text, claim.citations[0].location) == ("E1,7,lid open", "a.csv:1")


def test_neighbouring_records_are_claims_of_their_own() -> None:
    text = '{"event": "door opened", "n": 1}\n{"event": "door opened", "by": {"id": 7}}\nno json\n'
    shelf, context = typed("log.jsonl", text, "jsonl", "record")
    found = claims(quotes("When was the door opened?", context), context, as_indexed(shelf))
    assert [claim.text for claim in found] == [
        "event: door opened; n: 1",
        'event: door opened; by: {"id": 7}',
    ]
    assert [claim.citations[0].location for claim in found] == ["log.jsonl:1", "log.jsonl:2"]


def test_a_json_value_is_found_by_the_keys_around_it_and_claimed_with_them() -> None:
    text = '{\n  "logging": {\n    "interval": 300\n  },\n  "display": {\n    "interval": 5\n  }\n}\n'
    shelf, context = typed("a.json", text, "json", "record")
    claim = claims(quotes("logging interval", context), context, as_indexed(shelf))[0]
    assert claim.text == "logging › interval: 300"
    assert claim.citations[0].quote.strip() == '"interval": 300'


def test_the_message_after_a_question_is_the_answer() -> None:
    text = "[09:31] Mara: Does the meter float in water?\n[09:33] Joel: Not alone.\n[09:34] Mara: Thanks.\n"
    _, context = typed("chat.txt", text, "chat", "turn")
    assert quotes("Does the meter float?", context)[0].text == "[09:33] Joel: Not alone."


def test_stamped_lines_are_units_in_a_text_file() -> None:
    text = "2026-01-02 10:00 pump started ok\n2026-01-02 10:05 valve stuck. Closed by hand\n"
    _, context = typed("a.log", text, "text", "paragraph")
    assert quotes("Which valve stuck?", context)[0].text == text.splitlines()[1]


def test_rows_extracted_from_html_have_the_first_as_names() -> None:
    text = "Prices follow.\n\ncode | price\nE1 | 5\nE2 | 7\n\nMore below. And more.\n"
    shelf, context = typed("a.html", text, "html", "paragraph")
    claim = claims(quotes("price of E2", context), context, as_indexed(shelf))[0]
    assert claim.text == "code: E2; price: 7"
    assert "code | price" not in [one.text for one in sentences(context.evidence[0]) if one.quotable]


def test_prose_beside_a_table_keeps_its_sentences() -> None:
    text = "A reset clears\nevery code.\n\n| code | fix |\n|---|---|\n| E1 | close it |\n"
    _, context = typed("a.md", text, "markdown", "row")
    assert quotes("What clears every code?", context)[0].text == "A reset clears\nevery code."


def test_the_first_line_of_a_function_comes_before_its_uses() -> None:
    text = "x = crc(1)\n\ndef crc(data):\n    return data\n"
    _, context = typed("a.py", text, "python", "definition")
    assert quotes("crc", context)[0].text.startswith("def crc(data):")


# ── headings and questions ────────────────────────────────────────────────────────────────────
FAQ = """# 常见问题

## 更换电池后可以马上下水吗？

不可以。密封圈需要时间复位。

## 最大浸水深度是多少？

不超过两米。
"""


def pairs(text: str) -> set[str]:
    """Terms as a query has them."""
    return set(analyze(text, side="query").split())


@pytest.mark.parametrize(
    ("question", "said"),
    [("更换电池后可以马上下水吗？", "不可以。密封圈需要时间复位。"), ("最大可以浸到多深？", "不超过两米。")],
)
def test_what_stands_under_a_question_answers_it(question: str, said: str) -> None:
    shelf, context = shelf_of(FAQ)
    found = extract(question, context, embed=None, terms=pairs)
    assert found[0].text == said
    assert weak(question, result_of(shelf, "1.md:1"), context, found, pairs) == ""


def test_own_words_count_more_than_those_of_the_heading() -> None:
    _, context = shelf_of("# Pump pressure\n\nRed paint.\n\nThe pump pressure is 3 bar.\n")
    told = [one for one in sentences(context.evidence[0]) if one.quotable]
    shares, missing = coverage("pump pressure", told, plain_words)
    assert 0 < shares[0] < shares[1] == pytest.approx(1)
    assert missing == 0


def test_words_that_only_ask_are_not_missed() -> None:
    _, context = shelf_of("Do not run the pump dry for more than 30 seconds.\n")
    assert coverage("How long may the pump run dry?", sentences(context.evidence[0]), pairs) == ([1.0], 0.0)


def test_a_short_yes_or_no_comes_with_what_follows() -> None:
    _, context = shelf_of("No. The pump must be dry when it is opened.\n")
    assert quotes("May the pump be wet when opened?", context)[0].text.startswith("No. The pump")


def test_a_sentence_in_the_script_of_the_question_is_preferred() -> None:
    _, context = shelf_of("E7 shown.\n", "显示 E7 时请重启。\n")
    assert quotes("E7 怎么办？", context)[0].marker == 2


def test_the_one_word_that_is_nowhere_makes_it_abstain() -> None:
    shelf, context = shelf_of("The meter measures oxygen in water.\n\nThe meter measures salt.\n")

    def close(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[1.0, 0.0], *[[0.5, 0.75**0.5]] * (len(texts) - 1)], np.float32)

    for asked, abstains in {"meter measures oxygen": False, "meter chlorine": True}.items():
        found = extract(asked, context, embed=close, terms=plain_words)
        reason = weak(asked, result_of(shelf, "1.md:1"), context, found, plain_words)
        assert bool(reason) == abstains
        assert ("the passages found do not mention “chlorine”." in reason) == abstains


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
    )
    assert not made.abstained
    assert made.reason == ""
    assert re.match(r"After replacing the battery, wait 24 hours before immersion\. \[1\]", made.text)
    assert [step.stage for step in made.trace.steps] == ["retrieve", "extract", "cite"]
    assert all(step.ms >= 0 for step in made.trace.steps)
    assert made.trace.steps[1].items[0]["marker"] == 1
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
    assert weak(" ", some, context, [], plain_words) == "The question is empty."
    assert weak("q", none, Context(()), [], plain_words).startswith("Nothing was found")
    assert "not close enough" in weak("q", some, context, [], plain_words)
    from pincite.types import Dropped

    full = Context((), (Dropped("c", "budget", "budget: needs 30 tokens, 5 of 5 left", 30),))
    assert "needs 30 tokens, 5 of 5 left" in weak("q", some, full, [], plain_words)
