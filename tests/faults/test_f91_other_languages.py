"""F91: an answer in another language than its sources raises no false alarm about figures."""

from __future__ import annotations

import pytest

from pincite.answer.generate import claims_from
from shelf import as_indexed, shelf_of

VALVE = "The relief valve V7 opens at 8.5 bar. The spring of V7 costs 1,250 euros. Test V7 every 12 months.\n"
SHELF, CONTEXT = shelf_of(VALVE)


@pytest.mark.parametrize(
    "text",
    [
        "V7 öffnet bei 8,5 bar [1].",
        "Die Feder von V7 kostet 1.250 Euro [1].",
        "V7 wird alle zwölf Monate geprüft [1].",
        "V7 s'ouvre à 8,5 bar [1].",
        "V7 se prueba cada doce meses [1].",
        "V7每十二个月测试一次 [1]。",
    ],
)
def test_figures_of_another_language_are_those_of_the_source(text: str) -> None:
    made = claims_from(text, CONTEXT, as_indexed(SHELF))
    (claim,) = made.claims
    assert claim.lacks == () and made.problems == () and claim.citations[0].verified
    assert made.text == text


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("V7 öffnet bei 9,5 bar [1].", ("9,5 bar",)),
        ("Die Feder von V7 kostet 1.520 Euro [1].", ("1.520 Euro",)),
        ("V7 wird alle elf Monate geprüft [1].", ("elf Monate",)),
        ("V7 wird alle 12 Wochen geprüft [1].", ("12 Wochen",)),
    ],
)
def test_another_figure_is_marked_in_any_language(text: str, lacks: tuple[str, ...]) -> None:
    made = claims_from(text, CONTEXT, as_indexed(SHELF))
    (claim,) = made.claims
    assert claim.lacks == lacks and not any(one.verified for one in claim.citations)
    assert f"[not in the source: {lacks[0]}]" in made.text


def test_a_passage_that_shares_no_word_is_told_as_that() -> None:
    made = claims_from("电池要晾干 [1]。", CONTEXT, as_indexed(SHELF))
    (citation,) = made.claims[0].citations
    assert (citation.verified, citation.doubt) == (False, "words")
