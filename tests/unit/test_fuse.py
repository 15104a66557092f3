"""Fusion by rank and by score, with the values as fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import StoreError, UsageError
from pincite.fuse import convex, exact_first, rrf
from pincite.types import Candidate, Hit, Leg, Ranking

SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0.001, 50), max_size=8)


def ranking(leg: Leg, scores: Mapping[str, float] | Sequence[str]) -> Ranking:
    """A leg's ranking of scores, or of ids in order."""
    known = scores if isinstance(scores, Mapping) else {one: 1 / at for at, one in enumerate(scores, 1)}
    order = sorted(known, key=lambda one: (-known[one], one))
    return Ranking(leg, tuple(Hit(one, known[one], at, leg) for at, one in enumerate(order, 1)))


def fractions(candidates: Sequence[Candidate]) -> dict[str, Fraction]:
    return {c.chunk_id: Fraction(c.fused).limit_denominator(10_000) for c in candidates}


def test_rrf_of_two_legs() -> None:
    found = rrf([ranking("lexical", "pqr"), ranking("dense", "str")])
    assert list(fractions(found).items()) == [
        ("r", Fraction(2, 63)),
        ("p", Fraction(1, 61)),
        ("s", Fraction(1, 61)),
        ("q", Fraction(1, 62)),
        ("t", Fraction(1, 62)),
    ]


def test_rrf_k_and_a_single_leg() -> None:
    assert fractions(rrf([ranking("dense", "ab")], rrf_k=0)) == {"a": Fraction(1), "b": Fraction(1, 2)}


def test_rrf_keeps_each_hit_and_its_score() -> None:
    both, only = rrf([ranking("lexical", {"a": 7.5}), ranking("dense", {"a": 0.5, "b": 0.25})])
    assert both.lexical == Hit("a", 7.5, 1, "lexical")
    assert both.dense == Hit("a", 0.5, 1, "dense")
    assert both.scores == {"lexical": 7.5, "dense": 0.5}
    assert (only.lexical, only.scores) == (None, {"dense": 0.25})


def test_a_weight_of_zero_switches_a_leg_off() -> None:
    legs = [ranking("lexical", "pq"), ranking("dense", "qs")]
    assert rrf(legs, weights=[1, 0]) == rrf(legs[:1])
    lexical, dense = {"p": 2.0, "q": 1.0}, {"q": 0.9, "s": 0.1}
    found = convex(lexical, dense, [], lexical_weight=0, dense_weight=1)
    assert [(c.chunk_id, c.fused, c.scores) for c in found] == [
        ("q", 1.0, {"dense": 0.9}),
        ("s", 0.0, {"dense": 0.1}),
    ]


@pytest.mark.parametrize(
    "weights", [[-1, 1], [float("nan"), 1], [float("inf"), 1], [0, 0], [0.0, -0.0], [1], [1, 1, 1]]
)
def test_senseless_weights_are_refused(weights: list[float]) -> None:
    with pytest.raises(UsageError, match="weights"):
        rrf([ranking("lexical", "p"), ranking("dense", "q")], weights=weights)
    if len(weights) == 2:
        with pytest.raises(UsageError, match="weights"):
            convex({"p": 1}, {}, [], lexical_weight=weights[0], dense_weight=weights[1])


def test_a_negative_rrf_k_is_refused() -> None:
    with pytest.raises(UsageError, match="rrf_k"):
        rrf([ranking("lexical", "p")], rrf_k=-1)


def test_nothing_to_fuse() -> None:
    assert rrf([]) == rrf([ranking("lexical", ""), ranking("dense", "")]) == []
    assert convex({}, {}, [], lexical_weight=0.5, dense_weight=0.5) == []


def test_convex_by_hand() -> None:
    """Lexical 8, 4, 0 over 8; dense .9, .5, .1 between .1 and .9; .4 : .6."""
    lexical = {"a": 8.0, "b": 4.0, "c": 0.0}
    dense = {"a": 0.1, "b": 0.9, "c": 0.5}
    legs = [ranking("lexical", {"a": 8.0, "b": 4.0}), ranking("dense", {"b": 0.9, "c": 0.5})]
    found = convex(lexical, dense, legs, lexical_weight=0.4, dense_weight=0.6)
    assert list(fractions(found).items()) == [
        ("b", Fraction(4, 5)),
        ("a", Fraction(2, 5)),
        ("c", Fraction(3, 10)),
    ]
    last = found[-1]
    assert last.lexical is None
    assert last.dense == Hit("c", 0.5, 2, "dense")
    assert last.scores == {"lexical": 0.0, "dense": 0.5}


def test_convex_takes_the_scores_of_the_rankings_too() -> None:
    legs = [ranking("lexical", {"a": 8.0, "b": 4.0}), ranking("dense", {"b": 0.9, "c": 0.5})]
    with_all = convex({"c": 0.0}, {"a": 0.1}, legs, lexical_weight=0.4, dense_weight=0.6)
    assert [c.chunk_id for c in with_all] == ["b", "a", "c"]
    assert with_all[0].scores == {"lexical": 4.0, "dense": 0.9}


def test_a_chunk_without_a_vector_gets_no_dense_share_and_moves_no_bound() -> None:
    found = convex({"a": 1.0, "b": 1.0, "c": 1.0}, {"a": 0.9, "b": 0.8}, [], lexical_weight=1, dense_weight=1)
    assert fractions(found) == {"a": Fraction(2), "b": Fraction(1), "c": Fraction(1)}
    assert "dense" not in found[-1].scores


def test_a_leg_with_one_value_gives_one() -> None:
    found = convex({"a": 3.0, "b": 3.0}, {"a": -0.2, "b": -0.2}, [], lexical_weight=0.5, dense_weight=0.5)
    assert [(c.chunk_id, c.fused) for c in found] == [("a", 1.0), ("b", 1.0)]


def test_no_query_word_anywhere_leaves_the_dense_order() -> None:
    found = convex({"a": 0.0, "b": 0.0}, {"a": 0.1, "b": 0.2}, [], lexical_weight=0.5, dense_weight=0.5)
    assert [(c.chunk_id, c.fused) for c in found] == [("b", 0.5), ("a", 0.0)]


def test_a_score_that_is_no_number_names_its_chunk() -> None:
    with pytest.raises(StoreError, match="dense score of chunk b"):
        convex({}, {"a": 1.0, "b": float("nan")}, [], lexical_weight=1, dense_weight=1)


def test_exact_ones_come_first_in_their_order() -> None:
    found = exact_first(rrf([ranking("lexical", "abcd")]), {"d", "b", "elsewhere"})
    assert [(c.chunk_id, c.exact) for c in found] == [("b", True), ("d", True), ("a", False), ("c", False)]


@given(SCORES, SCORES, st.floats(0.05, 1), st.floats(0.05, 1))
def test_fused_scores_stay_between_zero_and_the_weights(
    lexical: dict[str, float], dense: dict[str, float], left: float, right: float
) -> None:
    legs = [ranking("lexical", lexical), ranking("dense", dense)]
    found = convex(lexical, dense, legs, lexical_weight=left, dense_weight=right)
    assert {c.chunk_id for c in found} == lexical.keys() | dense.keys()
    assert all(0 <= c.fused <= left + right + 1e-9 for c in found)
    assert found == sorted(found, key=lambda c: (-c.fused, c.chunk_id))
    larger = convex(
        {i: s * 10 for i, s in lexical.items()}, dense, [], lexical_weight=left, dense_weight=right
    )
    assert {c.chunk_id: c.fused for c in larger} == pytest.approx({c.chunk_id: c.fused for c in found})


@given(st.lists(st.permutations("abcdef"), min_size=1, max_size=4))
def test_rrf_does_not_depend_on_the_order_of_the_legs(orders: list[list[str]]) -> None:
    legs = [ranking("lexical" if at % 2 else "dense", order) for at, order in enumerate(orders)]
    forward, back = rrf(legs), rrf(legs[::-1])
    assert [(c.chunk_id, c.fused) for c in forward] == [(c.chunk_id, c.fused) for c in back]
