"""F65: the ideal order is made of all relevant documents, and a question without results counts as 0."""

from __future__ import annotations

import json

import pytest

from libraries import FAULTS
from pincite.evaluate.measures import Scores, measure_all, parse_measure
from pincite.evaluate.trec import read_qrels, read_run

CASE = FAULTS / "F65"
EXPECT = json.loads((CASE / "expect.json").read_text("utf-8"))
MEASURES = [parse_measure(name) for name in ("nDCG@10", "R@10", "RR", "Hit@10")]


def scores() -> Scores:
    return measure_all(MEASURES, read_run(CASE / "run.tsv"), read_qrels(CASE / "qrels.tsv"))


@pytest.mark.parametrize(("measure", "key"), [("nDCG@10", "ndcg@10"), ("R@10", "recall@10")])
def test_values_per_question_and_their_mean(measure: str, key: str) -> None:
    found, wanted = scores(), EXPECT[key]
    for question_id in ("q1", "q2", "q3"):
        assert found.by_question[question_id][measure] == pytest.approx(wanted[question_id], abs=1e-6)
    assert found.means[measure] == pytest.approx(wanted["mean"], abs=1e-6)


def test_gain_is_linear() -> None:
    assert scores().by_question["q3"]["nDCG@10"] != pytest.approx(
        EXPECT["ndcg@10"]["q3_exponential"], abs=1e-3
    )


def test_first_relevant_result() -> None:
    assert scores().values("RR") == {"q1": 1.0, "q2": 0.0, "q3": 1.0}
    assert scores().means["RR"] == pytest.approx(EXPECT["mrr"], abs=1e-6)


def test_recall_is_not_hit_rate() -> None:
    found = scores()
    assert found.values("Hit@10") == {"q1": 1.0, "q2": 0.0, "q3": 1.0}
    assert found.values("R@10") == {"q1": 0.5, "q2": 0.0, "q3": 1.0}


def test_totals() -> None:
    found = scores()
    assert (found.total, found.answered, found.empty) == (3, 2, ("q2",))
    assert len(found.empty) == EXPECT["empty_queries"]


def test_all_empty_is_0_and_no_nan() -> None:
    found = measure_all(MEASURES, {}, read_qrels(CASE / "qrels.tsv"))
    assert found.means == {"nDCG@10": 0.0, "R@10": 0.0, "RR": 0.0, "Hit@10": 0.0}
    assert (found.total, found.answered, found.empty) == (3, 0, ("q1", "q2", "q3"))
