"""How the time of some work grows with its size, on any machine and beside any other work."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

TIMES = 16 if "FUZZ_INPUTS" in os.environ else 1
"""`make fuzz` takes sizes so many times as large."""
_TRIES = 5
_SECONDS = 0.05  # below this, what else the process does weighs more than the work


def assert_linear(work: Callable[[int], object], size: int) -> None:
    """Fails if `work(4 * size)` takes over eight times as long as `work(size)`.

    It takes four times as long where time is linear, and sixteen times where it is quadratic. Only what
    every try shows counts: another process may slow down one of them.
    """
    work(max(size // 16, 1))  # imports what it needs
    took: list[tuple[float, float]] = []
    while len(took) < _TRIES:
        short, long = _seconds(work, size * TIMES), _seconds(work, 4 * size * TIMES)
        if long < 8 * short + _SECONDS:
            return
        took.append((short, long))
    raise AssertionError(f"seconds for {size * TIMES} and {4 * size * TIMES}: {took}")


def _seconds(work: Callable[[int], object], size: int) -> float:
    started = time.process_time()
    work(size)
    return time.process_time() - started
