"""Measures of one ranking with values worked by hand, and their names in every spelling."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.evaluate.measures import Measure, measure_all, parse_measure, score

RANKED = ("d3", "x", "d1", "y", "d2")
JUDGED = {"d1": 3, "d2": 1, "d3": 1, "d4": 2, "x": 0, "bad": -1}
"""Relevant at ranks 1, 3 and 5 with gains 1, 3, 1; the ideal order has gains 3, 2, 1, 1."""

DOCS = [f"d{at}" for at in range(9)]
NAMES = ["nDCG@10", "nDCG", "R@3", "RR", "RR@2", "AP", "AP@4", "P@5", "Hit@1", "Judged@3"]
IDS = st.sampled_from(DOCS)
RUNS = st.lists(IDS, max_size=15)
LABELS = st.dictionaries(IDS, st.integers(-2, 4), max_size=9)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("nDCG", (1 + 3 / 2 + 1 / math.log2(6)) / (3 + 2 / math.log2(3) + 1 / 2 + 1 / math.log2(5))),
        ("nDCG@3", (1 + 3 / 2) / (3 + 2 / math.log2(3) + 1 / 2)),
        ("nDCG@1", 1 / 3),
        ("R@1", 1 / 4),
        ("R@5", 3 / 4),
        ("R@100", 3 / 4),
        ("RR", 1.0),
        ("AP", (1 + 2 / 3 + 3 / 5) / 4),
        ("AP@3", (1 + 2 / 3) / 4),
        ("P@2", 1 / 2),
        ("P@10", 3 / 10),
        ("Hit@1", 1.0),
        ("Judged@2", 1.0),
        ("Judged@4", 3 / 4),
        ("Judged@10", 4 / 5),
    ],
)
def test_values(name: str, wanted: float) -> None:
    assert score(parse_measure(name), RANKED, JUDGED) == pytest.approx(wanted, abs=1e-12)


def test_the_first_relevant_result_beyond_the_cutoff_is_none() -> None:
    assert score(Measure("RR"), ("x", "bad", "d1"), JUDGED) == pytest.approx(1 / 3)
    assert score(Measure("RR", 2), ("x", "bad", "d1"), JUDGED) == 0.0
    assert score(Measure("Hit", 2), ("x", "bad", "d1"), JUDGED) == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_nothing_found_and_nothing_relevant_are_0(name: str) -> None:
    measure = parse_measure(name)
    assert score(measure, (), JUDGED) == 0.0
    assert score(measure, (), {}) == 0.0
    assert score(measure, ("x",), {}) == 0.0


def test_a_judgement_of_0_counts_as_judged_only() -> None:
    assert score(Measure("Judged", 2), ("x", "bad"), JUDGED) == 1.0
    assert score(Measure("P", 2), ("x", "bad"), JUDGED) == 0.0


# ── names ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("spellings", "wanted", "trec_eval"),
    [
        (("nDCG@10", "ndcg@10", " NDCG@10 ", "ndcg_cut_10", "ndcg_cut.10"), "nDCG@10", "ndcg_cut_10"),
        (("nDCG", "ndcg"), "nDCG", "ndcg"),
        (("R@100", "r@100", "Recall@100", "recall_100"), "R@100", "recall_100"),
        (("RR", "MRR", "recip_rank"), "RR", "recip_rank"),
        (("RR@10", "MRR@10", "mrr@10"), "RR@10", ""),
        (("AP", "map", "MAP"), "AP", "map"),
        (("AP@100", "map_cut_100", "MAP@100"), "AP@100", "map_cut_100"),
        (("P@5", "P_5", "precision@5"), "P@5", "P_5"),
        (("Hit@10", "Success@10", "success_10"), "Hit@10", "success_10"),
        (("Judged@10", "judged@10"), "Judged@10", ""),
    ],
)
def test_spellings(spellings: tuple[str, ...], wanted: str, trec_eval: str) -> None:
    found = {parse_measure(spelling) for spelling in spellings}
    assert {str(measure) for measure in found} == {wanted}
    assert {measure.trec_eval for measure in found} == {trec_eval}
    assert parse_measure(wanted) in found


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("nDGC@10", "did you mean nDCG@10?"),
        ("ndcg10", "did you mean nDCG@10?"),
        ("recal_100", "did you mean R@100?"),
        ("recip_rnk", "did you mean RR?"),
        ("sucess@5", "did you mean Hit@5?"),
        ("Judge", "did you mean Judged@10?"),
        ("nDCG@ten", "did you mean nDCG?"),
        ("nDCG(dcg='exp-log2')@10", "No parameters are taken: gains are linear, and relevant means above 0."),
        ("speed", ""),
        ("", ""),
        ("@10", ""),
        ("nDCG@１０", "did you mean nDCG?"),
    ],
)
def test_a_misspelt_name_is_refused_with_the_nearest(wrong: str, hint: str) -> None:
    with pytest.raises(UsageError, match=r"there is no measure .*; known: nDCG, R@10, RR") as caught:
        parse_measure(wrong)
    assert caught.value.hint == hint


@pytest.mark.parametrize("wrong", ["nDCG@0", "R@-3", "P@1000001", f"RR@{'9' * 9999}", "ndcg_cut_0"])
def test_a_cutoff_that_cannot_be_is_refused(wrong: str) -> None:
    with pytest.raises(UsageError, match="from 1 to 1,000,000"):
        parse_measure(wrong)


@pytest.mark.parametrize("wrong", ["R", "P", "hit", "judged", "ndcg_cut", "map_cut"])
def test_a_missing_cutoff_is_named(wrong: str) -> None:
    with pytest.raises(UsageError, match="needs a number of results, such as"):
        parse_measure(wrong)


# ── many questions ────────────────────────────────────────────────────────────────────────────
def test_equal_measures_are_computed_once_and_unknown_questions_listed() -> None:
    measures = [parse_measure(name) for name in ("R@10", "recall_10", "RR")]
    found = measure_all(measures, {"q1": ("d1",), "other": ("d1",)}, {"q1": {"d1": 1}, "q2": {"d2": 0}})
    assert [str(measure) for measure in found.measures] == ["R@10", "RR"]
    assert found.by_question == {"q1": {"R@10": 1.0, "RR": 1.0}}
    assert (found.without_relevant, found.unjudged, found.empty) == (("q2",), ("other",), ())


@given(RUNS, LABELS)
def test_values_lie_between_0_and_1(ranked: list[str], judged: dict[str, int]) -> None:
    for name in NAMES:
        assert 0.0 <= score(parse_measure(name), ranked, judged) <= 1.0


@given(RUNS, LABELS)
def test_recall_and_hits_never_fall_with_k(ranked: list[str], judged: dict[str, int]) -> None:
    for name in ("R", "Hit", "AP", "RR"):
        values = [score(Measure(name, k), ranked, judged) for k in range(1, 18)]
        assert values == sorted(values)


@given(LABELS)
def test_the_best_order_has_an_ndcg_of_1(judged: dict[str, int]) -> None:
    best = sorted(judged, key=lambda doc: -judged[doc])
    if judged and judged[best[0]] > 0:
        for measure in (Measure("nDCG"), Measure("nDCG", 3), Measure("nDCG", 50)):
            assert score(measure, best, judged) == 1.0


@given(st.dictionaries(st.sampled_from("abcdefg"), st.tuples(RUNS, LABELS)), st.randoms())
def test_the_order_of_questions_changes_nothing(
    questions: dict[str, tuple[list[str], dict[str, int]]], random
) -> None:
    measures = [parse_measure(name) for name in NAMES]
    order = list(questions)
    random.shuffle(order)
    one, other = (
        measure_all(measures, {q: questions[q][0] for q in ids}, {q: questions[q][1] for q in ids})
        for ids in (list(questions), order)
    )
    assert (one.means, one.by_question) == (other.means, other.by_question)
    assert (set(one.empty), set(one.without_relevant)) == (set(other.empty), set(other.without_relevant))
