"""F67: questions without a relevant document are counted beside the means, those without results as 0."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from libraries import FAULTS
from pincite.evaluate.measures import Scores, measure_all, parse_measure
from pincite.evaluate.trec import read_qrels, read_run

CASE = FAULTS / "F67"
EXPECT = json.loads((CASE / "expect.json").read_text("utf-8"))
UNANSWERABLE = set((CASE / "unanswerable.txt").read_text("utf-8").split())
LISTED = [line.split("\t")[0] for line in (CASE / "questions.tsv").read_text("utf-8").splitlines()]
ANSWERABLE = [one for one in LISTED if one not in UNANSWERABLE]
MEASURES = [parse_measure(name) for name in ("RR", "R@10")]


def scores(questions: Sequence[str]) -> Scores:
    judged = read_qrels(CASE / "qrels.tsv")
    return measure_all(MEASURES, read_run(CASE / "run.tsv"), {one: judged.get(one, {}) for one in questions})


@pytest.mark.parametrize("order", [ANSWERABLE, ["q2", "q1", "q3", "q4"], ["q1", "q3", "q4", "q2"]])
def test_means_are_over_the_questions_with_a_relevant_document(order: Sequence[str]) -> None:
    found = scores(order)
    assert sorted(found.by_question) == EXPECT["scored"]
    assert sorted(found.without_relevant) == EXPECT["excluded"]
    assert found.means == {"RR": EXPECT["mrr"], "R@10": EXPECT["recall@10"]}
    assert found.empty == ("q4",)
    assert (found.total, found.answered) == (2, 1)


def test_means_can_be_made_again_from_the_questions() -> None:
    found = scores(ANSWERABLE)
    for measure in found.measures:
        values = found.values(measure)
        assert sum(values.values()) / len(values) == found.means[str(measure)]


def test_without_any_relevant_document_there_is_no_mean() -> None:
    found = scores(["q2", "q3"])
    assert (found.total, found.means, found.without_relevant) == (0, {}, ("q2", "q3"))
    assert found.unjudged == ("q1",)
