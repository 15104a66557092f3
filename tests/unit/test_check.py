"""What is said of labels against an index, in the order of the questions."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from pincite.errors import UsageError
from pincite.evaluate.golds import Resolver
from pincite.evaluate.labels.check import check, needed, resolution
from pincite.evaluate.labels.leaks import MAX_CHARS
from pincite.evaluate.questions import question_set
from pincite.types import Document, LabelProblem, Qrel, Question
from shelf import document

PUMP = """# Pump

## How often must the pump be oiled?

Twice a year,
or when it is loud. What does a new seal cost? Ask.

- 3. 密封圈需要多久更换一次？
"""


class Documents:
    """Documents by id, which is their uri."""

    def __init__(self, **texts: str) -> None:
        self.by_id = {name.replace("_", "/") + ".md": text for name, text in texts.items()}

    def document(self, doc_id: str) -> Document | None:
        return document(doc_id, self.by_id[doc_id]) if doc_id in self.by_id else None

    def document_ids(self) -> list[tuple[str, str]]:
        return [(doc_id, doc_id) for doc_id in sorted(self.by_id)]


LIBRARY = Documents(docs_pump=PUMP, docs_valve="# Valve\n\nTurn it.\n", zz="Where is the spare key kept?\n")


def at(text: str, uri: str = "docs/pump.md", line: int | None = 5, **more: object) -> Question:
    """A question with one label."""
    return Question(text, text, (Qrel(text, uri, line, line, **more),))  # type: ignore[arg-type]


def found(*questions: Question, difference: float = 1.0) -> list[tuple[str, str]]:
    problems = check(question_set("set", questions), LIBRARY, difference=difference)
    return [(problem.where, problem.code) for problem in problems]


def told(question: Question) -> str:
    (problem,) = check(question_set("set", [question]), LIBRARY, difference=1.0)
    return problem.message


def test_nothing_is_wrong() -> None:
    assert found(at("How loud?"), Question("no", "Does it fly?", (), answerable=False)) == []


def test_problems_come_in_the_order_of_the_questions() -> None:
    assert found(
        at("a", line=99),
        at("b", line=4),
        at("c", "pump.md"),
        at("d", quote="never said"),
        at("e", line=1, quote="Twice a year"),
        Question("f", "f"),
        Question("g", "g", at("x").qrels, answerable=False),
        Question("h", " "),
        difference=0.1,
    ) == [
        ("a", "no such place"),
        ("b", "span empty"),
        ("c", "file gone"),
        ("d", "quote not there"),
        ("e", "moved"),
        ("f", "no evidence"),
        ("g", "no evidence"),
        ("h", "unreadable"),
        ("h", "no evidence"),
        ("set", "too few"),
    ]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (at("q", "pump.md"), "pump.md:5: did you mean docs/pump.md?"),
        (at("q", "docs/pumpe.md"), "docs/pumpe.md:5: did you mean docs/pump.md?"),
        (at("q", "other/valve.md", None), "other/valve.md: did you mean docs/valve.md?"),
        (at("q", "x", None), "x: there is no file of this or a similar name"),
        (at("q", line=4), "docs/pump.md:4: nothing stands there"),
        (at("q", line=99), "docs/pump.md:99: the file has 8 lines"),
        (at("q", line=1, quote="Twice"), "docs/pump.md:1: its quote stands at docs/pump.md:5 now"),
    ],
)
def test_messages_name_the_label_and_what_may_be_meant(question: Question, message: str) -> None:
    assert told(question) == message


def test_many_missing_files_are_looked_for_by_name() -> None:
    questions = [at(f"q{n}", f"nowhere/{n * 7919}.txt") for n in range(60)]
    problems = check(question_set("set", [*questions, at("last", "pump.md")]), LIBRARY, difference=1.0)
    assert len(problems) == 61 and problems[-1].message.endswith("did you mean docs/pump.md?")


def test_a_question_asked_twice() -> None:
    first, second = at("How  LOUD?"), replace(at("how loud?"), id="2")
    assert found(first, second) == [("2", "duplicate")]


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("How often must the pump be oiled", "docs/pump.md:3"),
        ("how often must the PUMP be oiled?", "docs/pump.md:3"),
        ("What does a new seal cost?", "docs/pump.md:6"),
        ("Twice a year, or when it is loud.", "docs/pump.md:5-6"),
        ("密封圈需要多久更换一次？", "docs/pump.md:8"),
        ("Where is the spare key kept?", "zz.md:1"),
    ],
)
def test_a_question_that_stands_in_a_document(text: str, location: str) -> None:
    assert told(at(text)) == f"the question stands word for word at {location}"


@pytest.mark.parametrize(
    "text", ["Pump", "a new seal", "How often must the pump be oiled in winter?", "oiled?"]
)
def test_a_keyword_or_a_part_of_a_sentence_is_no_leak(text: str) -> None:
    assert found(at(text)) == []


def test_documents_no_label_names_are_read_up_to_a_limit() -> None:
    long = "Nothing to see here. " * (MAX_CHARS // 21 + 1)
    library = Documents(a=PUMP, b=long, c="Where is the spare key kept?\n")
    questions = question_set("set", [at("Where is the spare key kept?", "a.md")])
    assert check(questions, library, difference=1.0) == []
    named = question_set("set", [at("Where is the spare key kept?", "c.md", 1)])
    assert [problem.code for problem in check(named, library, difference=1.0)] == ["leaked"]


# ── size ──────────────────────────────────────────────────────────────────────────────────────
def test_what_a_number_of_questions_can_show() -> None:
    assert resolution(100) == pytest.approx(0.098)
    assert resolution(0) == math.inf
    for difference in (0.02, 0.05, 0.1):
        count = needed(difference)
        assert resolution(count) <= difference < resolution(count - 1)


def test_too_few_questions() -> None:
    few = question_set("mine", [at("one"), Question("no", "no", (), answerable=False)])
    message = "1 question with evidence can show differences of about 0.98 or more; 97 are needed for 0.1"
    assert check(few, LIBRARY) == [LabelProblem("mine", "too few", message)]
    many = question_set("many", [at(f"number {n}") for n in range(97)])
    assert check(many, LIBRARY) == []
    none = question_set("none", [Question("no", "no", (), answerable=False)])
    assert "can show no difference" in check(none, LIBRARY)[0].message


@pytest.mark.parametrize("difference", [0, -0.1, 1.5, math.nan, math.inf])
def test_a_difference_that_no_means_have(difference: float) -> None:
    with pytest.raises(UsageError, match="difference: expected above 0, up to 1"):
        check(question_set("mine", [at("one")]), LIBRARY, difference=difference)


def test_a_resolver_at_hand_is_used_and_reads_a_document_once() -> None:
    resolver = Resolver(LIBRARY)
    questions = question_set("set", [at("a"), at("b", line=6)])
    assert check(questions, LIBRARY, resolver=resolver, difference=1.0) == []
    assert resolver.document.cache_info().misses == 1
