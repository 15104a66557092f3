"""Intervals and paired tests: values that can be counted by hand, determinism, and what is refused."""

from __future__ import annotations

import itertools
import random
import statistics
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.evaluate.compare import compare, holm, randomisation_test
from pincite.evaluate.intervals import Interval, mean_interval

VALUES = st.integers(0, 8).map(lambda eighths: eighths / 8)
PAIRS = st.dictionaries(st.text("abcd", min_size=1, max_size=3), st.tuples(VALUES, VALUES), min_size=1)


# ── intervals ─────────────────────────────────────────────────────────────────────────────────
def test_equal_values_have_an_interval_without_width() -> None:
    assert mean_interval([0.25] * 7) == Interval(0.25, 0.25, 0.95)
    assert mean_interval([0.5]) == Interval(0.5, 0.5, 0.95)


def test_the_interval_is_near_that_of_the_normal_distribution() -> None:
    chance = random.Random(1)
    values = [chance.random() for _ in range(400)]
    found = mean_interval(values)
    half = 1.96 * statistics.stdev(values) / len(values) ** 0.5
    middle = statistics.fmean(values)
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), abs=0.1 * half)


def test_the_interval_holds_the_true_mean_as_often_as_it_says() -> None:
    chance = random.Random(2)
    inside = 0
    for _ in range(200):
        found = mean_interval([chance.random() for _ in range(50)], resamples=1000)
        inside += found.low <= 0.5 <= found.high
    assert 0.90 <= inside / 200 <= 0.99


def test_a_wider_level_gives_a_wider_interval() -> None:
    values = [0.0, 1.0, 0.5, 0.25, 1.0]
    narrow, wide = mean_interval(values, level=0.5), mean_interval(values, level=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


def test_seed_and_order_of_the_values() -> None:
    values = [chance / 97 for chance in range(97)]
    assert mean_interval(values) == mean_interval(values[::-1]) == mean_interval(iter(values), seed=0)
    assert mean_interval(values) != mean_interval(values, seed=1)


def test_memory_does_not_grow_with_the_questions() -> None:
    values = [at / 20_000 for at in range(20_000)]
    tracemalloc.start()
    mean_interval(values, resamples=200)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000


def test_intervals_that_cannot_be() -> None:
    with pytest.raises(UsageError, match="no questions"):
        mean_interval([])
    with pytest.raises(UsageError, match="expected a level between 0 and 1"):
        mean_interval([0.5], level=95)
    with pytest.raises(UsageError, match="at least one resample"):
        mean_interval([0.5], resamples=0)


# ── the randomisation test ────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("differences", "wanted"),
    [
        ([], 1.0),
        ([0.0, 0.0], 1.0),
        ([0.5], 1.0),
        ([1.0, 1.0], 2 / 4),
        ([1.0, 1.0, 1.0, 0.0], 2 / 8),
        ([-1.0, -1.0, -1.0], 2 / 8),
        ([3.0, 2.0, -1.0], 4 / 8),  # sums of 4 or more: 3+2+1, 3+2-1, and both turned round
        ([0.1] * 10, 2 / 1024),
        ([0.1, 0.2, -0.3], 1.0),
    ],
)
def test_few_differences_are_counted_exactly(differences: list[float], wanted: float) -> None:
    assert randomisation_test(differences) == (wanted, True)


def test_exact_up_to_15_differences_then_sampled() -> None:
    chance = random.Random(3)
    differences = [chance.uniform(-0.5, 1) for _ in range(15)]
    signs = itertools.product((1, -1), repeat=15)
    observed = abs(sum(differences)) - 1e-9
    wanted = sum(abs(sum(s * d for s, d in zip(row, differences, strict=True))) >= observed for row in signs)
    assert randomisation_test([*differences, 0.0]) == (wanted / 2**15, True)
    sampled, exact = randomisation_test([*differences, 1e-6])
    assert not exact
    assert sampled == pytest.approx(wanted / 2**15, abs=0.015)


def test_a_sampled_p_value_is_never_0() -> None:
    assert randomisation_test([1.0] * 200) == (1 / 10_001, False)
    assert randomisation_test([1.0] * 200, resamples=99) == (1 / 100, False)


def test_chance_alone_is_found_significant_as_often_as_it_should_be() -> None:
    chance = random.Random(4)
    drawn = ([chance.gauss(0, 1) for _ in range(30)] for _ in range(200))
    found = sum(randomisation_test(differences, resamples=500)[0] <= 0.05 for differences in drawn)
    assert 0.01 <= found / 200 <= 0.10


# ── two runs ──────────────────────────────────────────────────────────────────────────────────
def test_wins_ties_and_losses() -> None:
    before = {"q1": 0.5, "q2": 1.0, "q3": 0.0, "q4": 0.3, "q5": 0.0, "q6": 0.1 + 0.2}
    after = {"q1": 0.75, "q2": 0.0, "q3": 0.25, "q4": 0.3, "q5": 1.0, "q6": 0.3}
    found = compare(before, after)
    assert [(change.question_id, change.difference) for change in found.wins] == [
        ("q5", 1.0),
        ("q1", 0.25),
        ("q3", 0.25),
    ]
    assert [(change.question_id, change.before, change.after) for change in found.losses] == [
        ("q2", 1.0, 0.0)
    ]
    assert (found.ties, found.total) == (("q4", "q6"), 6)
    assert found.difference == pytest.approx(0.5 / 6)
    assert found.after - found.before == pytest.approx(found.difference)
    assert found.interval.low <= found.difference <= found.interval.high
    assert (found.p, found.exact) == (12 / 16, True)


def test_a_run_against_itself() -> None:
    values = {f"q{at}": at / 30 for at in range(30)}
    found = compare(values, values)
    assert (found.difference, found.interval, found.p, found.exact) == (
        0.0,
        Interval(0.0, 0.0, 0.95),
        1.0,
        True,
    )
    assert (found.wins, found.losses, len(found.ties)) == ((), (), 30)


@settings(deadline=None, max_examples=40)
@given(PAIRS, st.randoms())
def test_the_order_of_questions_changes_nothing_and_turning_round_turns_the_sign(pairs, chance) -> None:
    order = list(pairs)
    chance.shuffle(order)
    before, after = ({q: pairs[q][side] for q in pairs} for side in (0, 1))
    found = compare(before, after, resamples=200)
    again = compare({q: before[q] for q in order}, {q: after[q] for q in reversed(order)}, resamples=200)
    assert found == again
    turned = compare(after, before, resamples=200)
    assert (turned.p, turned.difference) == (found.p, -found.difference)
    assert [c.question_id for c in turned.wins] == [c.question_id for c in found.losses]


def test_other_questions_are_refused_with_the_difference() -> None:
    before = {f"q{at}": 0.5 for at in range(10)}
    with pytest.raises(UsageError) as caught:
        compare(before, {"q8": 0.5, "q9": 0.5, "new": 0.5})
    assert caught.value.message == (
        "the two runs do not have the same questions: "
        "8 only in the first (q0, q1, q2, q3, q4, …), 1 only in the second (new)"
    )
    with pytest.raises(UsageError, match="no questions to compare"):
        compare({}, {})


# ── several at once ───────────────────────────────────────────────────────────────────────────
def test_holm() -> None:
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert list(found) == ["a", "b", "c", "d"]
    assert found == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})
    assert holm({"a": 0.6, "b": 0.9}) == {"a": 1.0, "b": 1.0}
    assert holm({}) == {}
