"""Which documents are editions of one work, and which of them is the earlier."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from pincite.answer.claims import claims
from pincite.answer.extract import extract
from pincite.answer.support import plain_words
from pincite.assemble.editions import edition_of, later
from pincite.types import Meta, Stored
from shelf import Shelf, as_indexed, context_of

TRAVEL = "Travel policy"
QUESTION = "How deep may the meter go?"
OLD, NEW = "The meter may go 1 m deep.", "The meter may go 2 m deep."


def stored(uri: str, meta: Meta | None = None, title: str = "") -> Stored:
    found = Shelf().add(uri, "text", meta=meta)[0]
    return replace(found, doc_title=title)


def is_earlier(first: Stored, second: Stored) -> bool:
    one, other = edition_of(first), edition_of(second)
    assert not later(other, [one])
    return bool(later(one, [other]))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (stored("manual-v1.md"), stored("manual-v2.md")),
        (stored("manual_v9.md"), stored("manual_v10.md")),
        (stored("policy-2021.md"), stored("policy-2024.md")),
        (stored("travel-2021/policy.md"), stored("travel-2024/policy.md")),
        (stored("policy-2021-03-01.md"), stored("policy-2021-11-01.md")),
        (stored("a.md", {"date": date(2021, 3, 1)}, TRAVEL), stored("b.md", {"date": "2024"}, TRAVEL)),
        (stored("archive/rules.md", {"version": "1.4"}), stored("rules.md", {"version": 2})),
        (stored("old/rules.md", {"status": "Superseded"}), stored("rules.md")),
        (stored("rules-old.md", {"updated": "2020-01"}), stored("rules.md", {"updated": date(2022, 1, 1)})),
    ],
)  # fmt: skip
def test_the_earlier_edition(first: Stored, second: Stored) -> None:
    assert is_earlier(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (stored("pump-v1.md"), stored("valve-v2.md")),
        (stored("manual.md"), stored("manual-v1.md")),
        (stored("minutes/2024-01-09-seal.md"), stored("minutes/2024-02-09-seal.md")),
        (stored("a.md", {"date": "2021"}, "Overview"), stored("b.md", {"date": "2024"}, "Overview")),
        (stored("policy-2021.md"), stored("policy-2021-03-01.md")),
        (stored("same.md", {"version": "1"}), stored("same.md", {"version": "2"})),
    ],
)  # fmt: skip
def test_no_order_between_other_works_or_without_one(first: Stored, second: Stored) -> None:
    assert not is_earlier(first, second)


def shelf() -> Shelf:
    made = Shelf()
    made.add("meter-v1.md", OLD, meta={"date": date(2021, 3, 1)})
    made.add("meter-v2.md", NEW, meta={"date": date(2024, 5, 2)})
    return made


def test_the_newest_edition_is_quoted_first_and_the_earlier_one_is_marked() -> None:
    made = shelf()
    context = context_of(made, "meter-v1.md:1", "meter-v2.md:1")
    found = claims(extract(QUESTION, context, embed=None, terms=plain_words), context, as_indexed(made))
    assert [claim.text for claim in found] == [NEW, OLD]
    assert [claim.citations[0].edition for claim in found] == ["", "earlier edition, 2021-03-01"]
    assert [claim.citations[0].quote for claim in found] == [NEW, OLD]


@pytest.mark.parametrize(
    ("question", "first"),
    [("How deep may the old meter go?", OLD), ("How deep may the meter go in 2024?", NEW)],
)
def test_a_question_about_an_edition_gets_that_one_first(question: str, first: str) -> None:
    context = context_of(shelf(), "meter-v2.md:1", "meter-v1.md:1")
    found = extract(question, context, embed=None, terms=plain_words)
    assert sorted(quote.text for quote in found) == [OLD, NEW]
    assert found[0].text == first


def test_an_edition_whose_successor_was_not_found_is_marked_only_if_it_says_so() -> None:
    made = Shelf()
    made.add("meter-v1.md", OLD, meta={"status": "superseded", "version": "1"})
    made.add("scale-v1.md", OLD)
    context = context_of(made, "meter-v1.md:1")
    assert context.evidence[0].edition == "earlier edition, version 1"
    assert context_of(made, "scale-v1.md:1").evidence[0].edition == ""
