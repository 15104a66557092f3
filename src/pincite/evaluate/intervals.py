"""How far a mean over questions may be chance: its bootstrap interval."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError

RESAMPLES = 10_000
_BATCH = 1_000_000  # numbers drawn at a time: 8 MB of them, and as many of their values


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, with the confidence `level` (0.95)."""

    low: float
    high: float
    level: float


def mean_interval(
    values: Iterable[float], *, seed: int = 0, resamples: int = RESAMPLES, level: float = 0.95
) -> Interval:
    """The interval of the mean of values, one a question, by the percentile bootstrap over questions.

    Questions are drawn with replacement `resamples` times; the interval is what the middle `level` of the
    means spans. The order of the values is of no consequence. `UsageError` without values.
    Efron & Tibshirani 1993, "An Introduction to the Bootstrap", chapter 13.
    """
    known: NDArray[np.float64] = np.sort(np.fromiter(values, np.float64))
    if not known.size:
        raise UsageError("there are no questions to give an interval for", stage="evaluate")
    if not 0 < level < 1 or resamples < 1:
        raise UsageError(
            f"expected a level between 0 and 1 and at least one resample, got {level} and {resamples}",
            stage="evaluate",
        )
    tail = (1 - level) / 2
    low, high = np.quantile(_resampled_means(known, seed, resamples), [tail, 1 - tail])
    return Interval(float(low), float(high), level)


def _resampled_means(values: NDArray[np.float64], seed: int, resamples: int) -> NDArray[np.float64]:
    """The means, float64[resamples]; drawn in batches, so that memory does not grow with the questions."""
    random = np.random.default_rng(seed)
    means = np.empty(resamples)
    step = max(1, _BATCH // values.size)
    for start in range(0, resamples, step):
        count = min(step, resamples - start)
        drawn = random.integers(values.size, size=(count, values.size))
        means[start : start + count] = values[drawn].mean(axis=1)
    return means
