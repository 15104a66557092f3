"""What kind of thing a question asks for, and which sentences hold one."""

from __future__ import annotations

import pytest

from pincite.answer.asked import wanted
from pincite.answer.extract import extract
from pincite.answer.support import plain_words
from shelf import shelf_of

VALVE = """# Incident

## What happened

The relief valve of tank 3 opened at night and released beer. The shift closed the inlet of the tank.

## Cause

A blocked vent line let the pressure rise.
"""


@pytest.mark.parametrize(
    ("question", "holds", "lacks"),
    [
        ("How long is the warranty?", "covered for 36 months", "governed by law"),
        (
            "How long is the warranty?",
            "covered for 12 months",
            "claims within 30 days, tests every 12 months",
        ),
        ("How long does it take?", "It takes about two full days.", "It takes 3 men."),
        ("How many hours does it last?", "It lasts 200 hours.", "It has 4 cells."),
        ("How deep may it go?", "down to 2 m", "not very deep"),
        ("How many people live there?", "Twelve people live there.", "Few people live there."),
        ("When did it start?", "It started in March.", "It started well."),
        ("In what year did it open?", "It opened in 1976.", "It opened late."),
        ("Why did it open?", "because the vent was blocked", "It opened at 4:10."),
        ("Wie hoch ist der Beitrag?", "Der Beitrag beträgt 72 Euro", "Der Beitrag steht fest"),
        ("Wie lange gilt das?", "Es gilt drei Wochen", "Es gilt in Halle 7"),
        ("Wann ist zu?", "Zu ist montags", "Zu ist das Tor"),
        ("Warum ist zu?", "weil gebaut wird", "seit 3 Tagen"),
        ("Combien coûte l'entrée ?", "Elle coûte 5 euros", "Elle est libre"),
        ("¿Cuándo abre?", "Abre en marzo", "Abre la puerta"),
        ("机械密封多久更换一次?", "每六个月更换一次", "定期更换"),
        ("为什么要等待?", "因为密封圈需要复位", "请等待"),
    ],
)
def test_the_kind_asked_for_is_told_from_the_question(question: str, holds: str, lacks: str) -> None:
    kind = wanted(question)
    assert kind is not None
    assert kind.search(holds)
    assert not kind.search(lacks)


@pytest.mark.parametrize("question", ["What is a pump?", "How do I replace it?", "Who wrote it?", "何种泵?"])
def test_other_questions_ask_for_no_known_kind(question: str) -> None:
    assert wanted(question) is None


def test_why_is_answered_from_below_a_heading_that_names_the_cause() -> None:
    _, context = shelf_of(VALVE)
    found = extract("Why did the relief valve of tank 3 open?", context, embed=None, terms=plain_words)
    assert any("blocked vent" in quote.text for quote in found)


def test_a_number_is_preferred_where_one_is_asked_for() -> None:
    _, context = shelf_of("The pump has good speeds.\n\nThe pump has two speeds.\n")
    found = extract("How many speeds has the pump?", context, embed=None, terms=plain_words)
    assert found[0].text == "The pump has two speeds."


def test_a_sentence_that_leaves_the_answer_to_the_next_comes_with_it() -> None:
    text = "The warranty covers all parts. It runs for 30 months.\n\nThe pump runs at night.\n"
    _, context = shelf_of(text)
    found = extract("How long is the warranty of the parts?", context, embed=None, terms=plain_words)
    assert found[0].text == "The warranty covers all parts. It runs for 30 months."
    found = extract("What does the warranty cover?", context, embed=None, terms=plain_words)
    assert found[0].text == "The warranty covers all parts."
