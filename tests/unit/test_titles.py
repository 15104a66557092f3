"""Which lines of plain text are titles, and which are text that only looks short."""

from __future__ import annotations

import pytest

from pincite.answer.extract import extract
from pincite.answer.passages import sentences
from pincite.answer.support import plain_words
from pincite.parse.titles import title_spans
from pincite.types import Context
from shelf import typed

WARRANTY = """PUMP WORKS - LIMITED WARRANTY

1. Term
The pump is covered for 36 months and its seals for 12 months from the day on which it
was delivered. Belts are not covered.

2. Law
This warranty is governed by the law of the country in which the owner lives.
"""


def titles(text: str) -> list[str]:
    return [text[span.start : span.end] for span in title_spans(text)]


def plain(text: str) -> Context:
    """The text as a passage of a plain text file."""
    return typed("a.txt", text, "text")[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (WARRANTY, ["PUMP WORKS - LIMITED WARRANTY", "1. Term", "2. Law"]),
        ("Opening hours\n\nThe shop opens at nine.\n", ["Opening hours"]),
        ("Opening hours\n=============\nThe shop opens at nine.\n", ["Opening hours\n============="]),
        ("THE TOWN\n\nIt has 4,200 people.\n", ["THE TOWN"]),
        ("第一章 总则\n本条例适用于所有仓库和车间。\n", ["第一章 总则"]),
        ("3. Not covered\n(a) Damage by water.\n(b) Damage by fire.\n", ["3. Not covered"]),
    ],
)
def test_title_lines_are_found(text: str, expected: list[str]) -> None:
    assert titles(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1. Open the valve\n2. Wait for the pump.\n3. Close it.\n",
        "1. Open the valve\n   and wait for the pump to stop.\n",
        "1. Open the valve\nand wait for the pump to stop.\n",
        "The shop opens\nat nine.\n",
        "Brackwell Instruments\n12 Mill Lane\nOxford\n",
        "Call 555-1234\n\nAsk for Petra.\n",
        "The gate code is the year in which the works was founded\n\nTell nobody.\n",
        "Phone: 555-1234\n\nAsk for Petra.\n",
        "2. Turn the lower wheel to the left until the mark on its edge\nFM shows up in the window.\n",
    ],
)
def test_text_that_is_only_short_is_no_title(text: str) -> None:
    assert titles(text) == []


def test_a_title_is_neither_quoted_nor_glued_to_the_sentence_below_it() -> None:
    (evidence,) = plain(WARRANTY).evidence
    told = [one.text for one in sentences(evidence) if one.quotable]
    assert told[0].startswith("The pump is covered")
    assert told[-1] == "This warranty is governed by the law of the country in which the owner lives."
    assert len(told) == 3


def test_what_stands_under_a_title_is_read_with_it() -> None:
    (evidence,) = plain(WARRANTY).evidence
    covered = next(one for one in sentences(evidence) if one.text.startswith("The pump"))
    assert covered.under == "PUMP WORKS - LIMITED WARRANTY\n1. Term"


def test_how_long_the_warranty_is_answered_with_the_months() -> None:
    best = extract("How long is the warranty?", plain(WARRANTY), embed=None, terms=plain_words)[0]
    assert "36 months" in best.text
