"""F67: questions without relevant documents stay in the set, and are told from those that are judged."""

from __future__ import annotations

from dataclasses import replace

from libraries import FAULTS
from pincite.evaluate.questions import question_set, read_questions

HERE = FAULTS / "F67"


def test_each_question_is_read_for_what_it_is() -> None:
    found = read_questions(HERE / "questions.tsv", HERE / "qrels.tsv")
    assert [question.id for question in found.questions] == ["q1", "q2", "q3", "q4", "q5"]
    assert {q.id: [(r.uri, r.relevance) for r in q.qrels] for q in found.questions} == {
        "q1": [("A", 1)],
        "q2": [],
        "q3": [("C", 0)],
        "q4": [("B", 1)],
        "q5": [],
    }
    assert [question.id for question in found.questions if question.judged] == ["q1", "q4"]


def test_a_refusal_is_no_missing_judgement() -> None:
    """q5 is marked unanswerable, q2 is merely not judged: the two sets say different things."""
    found = read_questions(HERE / "questions.tsv", HERE / "qrels.tsv")
    unanswerable = (HERE / "unanswerable.txt").read_text("utf-8").split()
    marked = [replace(q, answerable=q.id not in unanswerable) for q in found.questions]
    assert [q.id for q in marked if q.answerable and not q.judged] == ["q2", "q3"]
    assert question_set(found.name, marked).sha256 != found.sha256
