"""F68: recall is over all relevant documents, precision over k, whatever number came back."""

from __future__ import annotations

import json

import pytest

from libraries import FAULTS
from pincite.errors import UsageError
from pincite.evaluate.measures import Measure, parse_measure, score
from pincite.evaluate.trec import read_qrels, read_run

CASE = FAULTS / "F68"
EXPECT = json.loads((CASE / "expect.json").read_text("utf-8"))
RANKED = read_run(CASE / "run.tsv")["q"]
JUDGED = read_qrels(CASE / "qrels.tsv")["q"]


def value(name: str) -> float:
    return score(parse_measure(name), RANKED, JUDGED)


@pytest.mark.parametrize(("letter", "key"), [("R", "recall"), ("P", "precision")])
def test_denominators(letter: str, key: str) -> None:
    found = {k: value(f"{letter}@{k}") for k in EXPECT[key]}
    assert found == pytest.approx(EXPECT[key], abs=1e-6)


def test_recall_never_falls() -> None:
    values = [value(f"R@{k}") for k in range(1, 20)]
    assert values == sorted(values)


def test_other_measures() -> None:
    assert [value(f"Hit@{k}") for k in (1, 2, 5, 10)] == [1.0] * 4
    assert value("AP") == pytest.approx(EXPECT["ap"], abs=1e-6)
    assert value("nDCG@5") == pytest.approx(EXPECT["ndcg@5"], abs=1e-6)


@pytest.mark.parametrize("k", [0, -1])
def test_a_cutoff_below_1_is_refused(k: int) -> None:
    with pytest.raises(UsageError, match="from 1 to"):
        Measure("R", k)
    with pytest.raises(UsageError, match="from 1 to"):
        parse_measure(f"nDCG@{k}")


def test_a_document_counts_once_at_its_first_place() -> None:
    twice = ["R1", "R1", "R2"]
    assert score(Measure("R", 3), twice, JUDGED) == 0.4
    assert score(Measure("P", 3), twice, JUDGED) == pytest.approx(2 / 3)
    assert score(Measure("AP"), twice, JUDGED) == pytest.approx((1 + 2 / 3) / 5)
    assert score(Measure("nDCG", 3), twice, JUDGED) == score(Measure("nDCG", 3), ["R1", "N", "R2"], JUDGED)
