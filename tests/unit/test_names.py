"""Names, codes and years of a question that the evidence does not hold: those it is not answered about."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite.analyze import analyze
from pincite.answer.abstain import weak
from pincite.answer.extract import extract
from pincite.answer.names import names_nobody, undated, unheld
from pincite.types import Context, Evidence, Query, Searched, SearchResult, Trace
from shelf import shelf_of

HOPS = """# Hops

The price of Saaz hops is 42 a kilo, that of Fuggle hops 38, after the contract of 2024 with the Hop
Growers Union. Germany grows Hallertau. King Charles drank ERR-5021 ale in the 12th century.
"""


def stems(text: str) -> set[str]:
    return set(analyze(text, side="query").split())


def evidence(text: str = HOPS) -> tuple[Evidence, ...]:
    return shelf_of(text)[1].evidence


def alike(texts: list[str] | tuple[str, ...]) -> NDArray[np.float32]:
    """Vectors of a model to which all texts mean the same."""
    return np.ones((len(texts), 1), np.float32)


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("What is the price of Cascade hops?", ["Cascade"]),
        ("Does Saaz cost more than Citra or Mosaic?", ["Citra", "Mosaic"]),
        ("What does ERR-9999 mean?", ["ERR-9999"]),
        ("Does Petra Novak buy Fuggle?", ["Petra", "Novak"]),
        ("Who at IBM buys Fuggle?", ["IBM"]),
    ],
)
def test_names_and_codes_that_no_passage_holds(question: str, absent: list[str]) -> None:
    assert unheld(question, evidence(), stems) == absent


@pytest.mark.parametrize(
    "question",
    [
        "What is the price of Fuggle's hops?",
        "Price of the Fugle hops?",  # misspelt
        "What do German farms grow?",
        "Who is in the GrowersUnion?",
        "Who is in the HGU?",
        "What did King Harold drink?",  # a role stands for the name
        "Cascade hops: what do they cost?",  # opens the sentence
        "May I buy hops on Monday in March?",
        "WHAT IS THE PRICE OF CASCADE HOPS?",
        "Can a tank hold 20 L of ale?",
        "what is the price of cascade hops?",
        "啤酒花的价格是多少?",
        "Wie lang ist die Garantie auf Pumpen?",
    ],
)
def test_other_forms_of_a_name_and_what_is_none(question: str) -> None:
    assert unheld(question, evidence(), stems) == []


def test_a_long_question_takes_no_long_time() -> None:
    started = time.process_time()
    unheld("Is it " + "A. (( Hallertaus Citrax, " * 1_000, evidence(), stems)
    undated("in 1900 " * 1_000, evidence(), evidence(), stems)
    assert time.process_time() - started < 5


def test_a_name_is_held_by_the_path_and_the_situating_line() -> None:
    (one,) = evidence("# Guide\n\nIt grows on poles.\n")
    known = replace(one, context="Cascade", uri="shop/Willamette.md")
    assert unheld("Where do Cascade and Willamette grow?", [known], stems) == []


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("What was the price of Fuggle hops in 2019?", ["2019"]),
        ("What was the price of Fuggle hops in 2024?", []),
        ("Who drank ale in the 11th century?", ["11th"]),
        ("Who drank ale in the 12th century?", []),
        ("Can it store 1900 readings?", []),
        ("What did hops cost in the 2020s?", []),
        ("What did hops cost in the 2030s?", ["2030s"]),
        ("Who grew hops in the 21st century?", []),
        ("Who grew hops in the 20th century?", ["20th"]),
        ("Who was the 21st brewer?", ["21st"]),
        ("Does it weigh 300 kilos?", []),
    ],
)
def test_years_and_ordinals(question: str, absent: list[str]) -> None:
    assert undated(question, evidence(), evidence(), stems) == absent


def test_a_person_without_a_name() -> None:
    asked = "Who is the mayor of Hollowmere?"
    assert names_nobody(asked, ["Hollowmere has 4,200 people."])
    assert not names_nobody(asked, ["The mayor is Ada Finch."])
    assert not names_nobody("Who may open it?", ["a workshop"])


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was the price of Fuggle hops in 2019?", "nothing found says anything about “2019”."),
        ("What do Cascade or Citra cost?", "nothing found says anything about “Cascade” or “Citra”."),
        ("Who was the brewer of Fuggle?", "nothing found names the person asked for."),
        ("What is the price of Fuggle hops?", ""),
    ],
)  # fmt: skip
def test_what_is_not_held_makes_it_abstain_in_plain_words(question: str, said: str) -> None:
    text = HOPS if "brewer" not in question else "fuggle is a hop.\n"
    _, context = shelf_of(text)
    searched = Searched(1, "", "")
    hits = shelf_of(text)[0].hits("1.md:1")
    result = SearchResult(Query(question), tuple(hits), 1.0, searched, Trace("q"))
    found = extract(question, context, embed=alike, terms=stems)
    reason = weak(question, result, context, found, stems)
    assert (said in reason) if said else reason == ""
    assert "%" not in reason


def test_no_passage_no_names() -> None:
    assert unheld("Does Saaz grow?", Context(()).evidence, stems) == ["Saaz"]
