"""The split of labelled questions: even over tags, the same whatever the order, nothing in both parts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from pincite.errors import UsageError
from pincite.evaluate.questions import question_set
from pincite.evaluate.tuning.split import FEW, given_split, in_random_order, limits, split
from pincite.types import Qrel, Question, QuestionSet


def question(name: str, *tags: str, text: str = "") -> Question:
    return Question(name, text or f"What is {name}?", (Qrel(name, "a.md"),), tags=tags)


def ids(part: QuestionSet) -> list[str]:
    return [one.id for one in part.questions]


MANY = [
    question(f"q{n}", "easy" if n % 3 else "hard", *(["rare"] if n % 20 == 0 else [])) for n in range(100)
]


def test_parts_are_disjoint_complete_and_even_over_tags() -> None:
    parts = split(question_set("set", MANY))
    assert sorted(ids(parts.tuning) + ids(parts.held_out)) == sorted(one.id for one in MANY)
    assert len(parts.tuning.questions) == 50
    tags = [
        Counter(tag for one in part.questions for tag in one.tags) for part in (parts.tuning, parts.held_out)
    ]
    for tag in ("easy", "hard", "rare"):
        assert abs(tags[0][tag] - tags[1][tag]) <= 3


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_the_share_is_that_of_the_tuning_part(share: float) -> None:
    assert len(split(question_set("set", MANY), share=share).tuning.questions) == round(100 * share)


def test_the_order_of_the_file_changes_nothing_and_the_seed_does() -> None:
    one, other = split(question_set("set", MANY)), split(question_set("set", MANY[::-1]))
    assert sorted(ids(one.tuning)) == sorted(ids(other.tuning))
    assert sorted(ids(split(question_set("set", MANY), seed=1).tuning)) != sorted(ids(one.tuning))
    assert in_random_order(MANY, 3) == in_random_order(MANY[::-1], 3) != in_random_order(MANY, 4)


def test_the_order_within_a_part_is_that_of_the_file() -> None:
    where = [one.id for one in MANY]
    assert ids(split(question_set("set", MANY)).held_out) == sorted(
        ids(split(question_set("set", MANY)).held_out), key=where.index
    )


def test_questions_without_evidence_and_synthetic_ones_are_left_out() -> None:
    more = [replace(question("none"), qrels=()), replace(question("no"), answerable=False)]
    drafted = [replace(question("made"), synthetic=True)]
    parts = split(question_set("set", [*MANY[:10], *more, *drafted]))
    assert not {"none", "no", "made"} & {*ids(parts.tuning), *ids(parts.held_out)}
    assert parts.notices == ("set: 1 synthetic questions were left out",)
    with pytest.raises(UsageError, match="synthetic"):
        split(question_set("set", drafted))


def test_a_question_that_is_held_out_too_does_not_tune() -> None:
    again = question("q0b", text="what  IS q0?")
    parts = given_split(question_set("a", MANY[:5]), question_set("b", [again, question("new")]))
    assert "q0" not in ids(parts.tuning) and len(parts.tuning.questions) == 4
    assert any("held out as well" in notice for notice in parts.notices)
    with pytest.raises(UsageError, match="all 1 questions of a are among those held out"):
        given_split(question_set("a", MANY[:1]), question_set("b", MANY[:1]))


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5])
def test_a_share_that_cannot_be(share: float) -> None:
    with pytest.raises(UsageError, match="between 0 and 1"):
        split(question_set("set", MANY), share=share)


def test_small_parts_say_what_cannot_be_concluded() -> None:
    assert limits(split(question_set("set", MANY))) == [] and FEW == 50
    few = limits(split(question_set("set", MANY[:60])))
    assert len(few) == 2 and "about 0.18 or more" in few[0]
    assert few[0].startswith("30 tuning questions") and few[1].startswith("30 held-out questions")
