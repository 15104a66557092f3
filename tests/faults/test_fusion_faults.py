"""F43 and F45: the values of rank fusion and of score fusion."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import UsageError
from pincite.fuse import convex, rrf
from pincite.types import Candidate, Hit, Leg, Ranking

HERE = Path(__file__).parent


def read(path: str) -> Any:
    return json.loads((HERE / path).read_text("utf-8"))


def ranking(leg: Leg, ids: Sequence[str]) -> Ranking:
    return Ranking(leg, tuple(Hit(one, 1 / rank, rank, leg) for rank, one in enumerate(ids, 1)))


def rounded(candidates: Sequence[Candidate]) -> list[list[object]]:
    return [[c.chunk_id, round(c.fused, 8)] for c in candidates]


def test_f43_values_and_order() -> None:
    lists, expect = read("F43/lists.json"), read("F43/expect.json")
    legs = [ranking("lexical", lists["keyword"]), ranking("dense", lists["vector"])]
    assert rounded(rrf(legs, rrf_k=lists["k"])) == expect["rrf"]
    assert rounded(rrf(legs, weights=[2, 1])) == expect["weights_2_1"]
    uneven = [ranking("lexical", "p"), ranking("dense", "stpu")]
    assert rounded(rrf(uneven)) == expect["uneven"]


def test_f43_as_fractions() -> None:
    legs = [ranking("lexical", "pqr"), ranking("dense", "str")]
    exact = {
        "r": Fraction(1, 63) + Fraction(1, 63),
        "p": Fraction(1, 61),
        "s": Fraction(1, 61),
        "q": Fraction(1, 62),
        "t": Fraction(1, 62),
    }
    assert [(c.chunk_id, c.fused) for c in rrf(legs)] == [(i, float(value)) for i, value in exact.items()]


def test_f43_an_empty_list_changes_nothing() -> None:
    legs = [ranking("lexical", "pqr"), ranking("dense", "")]
    assert [c.chunk_id for c in rrf(legs)] == ["p", "q", "r"]
    assert rrf([ranking("lexical", ""), ranking("dense", "")]) == []


def test_f43_a_weight_of_zero_switches_a_leg_off() -> None:
    legs = [ranking("lexical", "pqr"), ranking("dense", "str")]
    for weights, alone in (([0.0, 1.0], legs[1]), ([1.0, 0.0], legs[0])):
        found = rrf(legs, weights=weights)
        assert found == rrf([alone])
        assert [c.chunk_id for c in found] == [hit.chunk_id for hit in alone.hits]
        assert {c.chunk_id: c.fused for c in found} == {
            hit.chunk_id: 1 / (60 + hit.rank) for hit in alone.hits
        }


@pytest.mark.parametrize("weights", [[1.0, -0.5], [1.0, float("nan")], [float("inf"), 1.0], [1.0]])
def test_f43_a_wrong_weight_of_either_leg_is_refused(weights: list[float]) -> None:
    with pytest.raises(UsageError):
        rrf([ranking("lexical", "p"), ranking("dense", "stpu")], weights=weights)


@pytest.mark.parametrize("weights", [[-1.0, 1.0], [float("nan"), 1.0], [0.0, 0.0]])
def test_f43_weights_refused(weights: list[float]) -> None:
    with pytest.raises(UsageError):
        rrf([ranking("lexical", "p"), ranking("dense", "q")], weights=weights)


def test_f45_scores_of_different_scale() -> None:
    """The faulty form gives x .14 or puts z first with 3.70; here the legs' best ones are equal.

    y stands lowest on the dense leg and has a keyword hit, which counts 3.1 / 7.4 of the best one.
    """
    given, weights = read("F45/scores.json"), read("F45/scores.json")["weights"]
    found = convex(given["keyword"], given["vector"], [], lexical_weight=weights[0], dense_weight=weights[1])
    fused = {c.chunk_id: c.fused for c in found}
    assert fused == {"x": 0.5, "z": 0.5, "y": pytest.approx(0.5 * 3.1 / 7.4)}
    assert [c.chunk_id for c in found] == read("F45/expect.json")["order"]
    times_ten = {one: score * 10 for one, score in given["keyword"].items()}
    again = convex(times_ten, given["vector"], [], lexical_weight=weights[0], dense_weight=weights[1])
    assert [c.chunk_id for c in again] == [c.chunk_id for c in found]
    assert found[0].scores == {"dense": 0.82}


def test_f45_equal_scores_and_a_single_hit() -> None:
    equal = convex({"a": 2.0, "b": 2.0}, {"c": 0.3}, [], lexical_weight=0.5, dense_weight=0.5)
    assert [(c.chunk_id, c.fused) for c in equal] == [("a", 0.5), ("b", 0.5), ("c", 0.5)]
