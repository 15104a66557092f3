"""Two runs over the same questions, question by question: what changed, and whether it may be chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError
from pincite.evaluate.intervals import RESAMPLES, Interval, mean_interval

ALPHA = 0.05
"""A p below it is more than chance."""

_EXACT_UP_TO = 15  # differences: 2¹⁵ assignments of signs are all tried
_BATCH = 1_000_000
_EQUAL = 1e-12  # values closer than this differ by rounding only
_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Change:
    """The value of one question in both runs."""

    question_id: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        """After less before; above 0 is better."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs by one measure. `difference` is the mean of after less before, with its interval.

    `p` is that of the two-sided randomisation test: how often a difference as large would come about if
    it were chance which of the runs is which; `exact` says that all cases were counted, not a sample.
    `wins` and `losses` are sorted by the size of the change, largest first, then by id; `ties` by id.
    """

    before: float
    after: float
    difference: float
    interval: Interval
    p: float
    exact: bool
    wins: tuple[Change, ...]
    losses: tuple[Change, ...]
    ties: tuple[str, ...]

    @property
    def total(self) -> int:
        """How many questions were compared."""
        return len(self.wins) + len(self.losses) + len(self.ties)


def compare(
    before: Mapping[str, float],
    after: Mapping[str, float],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    level: float = 0.95,
) -> Comparison:
    """The comparison of two runs by their values per question, in whatever order the questions are.

    `UsageError` when the questions are not the same in both, with those that are in one only, and when
    there are none.
    """
    _check_same_questions(before, after)
    changes = [Change(one, before[one], after[one]) for one in sorted(before)]
    moved = [change for change in changes if abs(change.difference) > _EQUAL]
    moved.sort(key=lambda change: (-abs(change.difference), change.question_id))
    differences = [change.difference for change in changes]
    p, exact = randomisation_test(differences, seed=seed, resamples=resamples)
    return Comparison(
        before=math.fsum(before.values()) / len(changes),
        after=math.fsum(after.values()) / len(changes),
        difference=math.fsum(differences) / len(changes),
        interval=mean_interval(differences, seed=seed, resamples=resamples, level=level),
        p=p,
        exact=exact,
        wins=tuple(change for change in moved if change.difference > 0),
        losses=tuple(change for change in moved if change.difference < 0),
        ties=tuple(change.question_id for change in changes if abs(change.difference) <= _EQUAL),
    )


def randomisation_test(
    differences: Iterable[float], *, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[float, bool]:
    """The p value of the two-sided sign-flip test of paired differences, and whether it is exact.

    The share of assignments of signs whose sum is at least as far from 0 as that observed: of all of them
    for up to 15 differences that are not 0, else of `resamples` drawn at random together with the observed
    one. 1 without a difference. Fisher 1935; Smucker, Allan & Carterette 2007, "A comparison of statistical
    significance tests for information retrieval evaluation".
    """
    moved = sorted((d for d in differences if abs(d) > _EQUAL), key=lambda d: (abs(d), d))
    sizes = np.abs(np.asarray(moved, dtype=np.float64))
    observed = abs(math.fsum(moved)) - _EQUAL * max(1.0, math.fsum(sizes))
    if len(moved) <= _EXACT_UP_TO:
        cases = np.arange(2 ** len(moved))
        positive = (cases[:, None] >> np.arange(len(moved))) & 1
        return _as_far(positive, sizes, observed) / cases.size, True
    random = np.random.default_rng(seed)
    step = max(1, _BATCH // len(moved))
    parts = [min(step, resamples - start) for start in range(0, resamples, step)]
    draws = (random.integers(2, size=(count, len(moved)), dtype=np.int8) for count in parts)
    as_far = sum(_as_far(positive, sizes, observed) for positive in draws)
    return (1 + as_far) / (1 + resamples), False


def _as_far(positive: NDArray[np.integer], sizes: NDArray[np.float64], observed: float) -> int:
    """How many rows of signs (1 is plus, 0 minus) give a sum at least `observed` away from 0."""
    sums = 2 * (positive @ sizes) - sizes.sum()
    return int(np.count_nonzero(np.abs(sums) >= observed))


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """The p values adjusted for being several, by the same names in the same order.

    The i-th smallest of m is multiplied by m − i + 1, and none falls below a smaller one's result or goes
    over 1. Holm 1979, "A simple sequentially rejective multiple test procedure".
    """
    adjusted: dict[str, float] = {}
    highest = 0.0
    for at, name in enumerate(sorted(p_values, key=lambda name: (p_values[name], name))):
        highest = max(highest, min(1.0, (len(p_values) - at) * p_values[name]))
        adjusted[name] = highest
    return {name: adjusted[name] for name in p_values}


def _check_same_questions(before: Mapping[str, float], after: Mapping[str, float]) -> None:
    if not before and not after:
        raise UsageError("there are no questions to compare", stage="evaluate")
    parts = [
        f"{len(only)} only in the {name} ({_some(only)})"
        for name, only in (
            ("first", sorted(before.keys() - after.keys())),
            ("second", sorted(after.keys() - before.keys())),
        )
        if only
    ]
    if parts:
        raise UsageError(
            f"the two runs do not have the same questions: {', '.join(parts)}",
            stage="evaluate",
            hint="Measure both runs with the same questions.",
        )


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_MAX_SHOWN]) + (", …" if len(ids) > _MAX_SHOWN else "")
