"""The vectors in a reply of an `/embeddings` endpoint: each is one text's for sure, or none is taken."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from pincite.protocols import Vectors

_KEPT = 4000  # characters of what came in place of a number


class ReplyError(Exception):
    """What was expected, and what came."""


def vectors_in(reply: Any, n: int, dimension: int = 0) -> Vectors:
    """float32[n, dimension] in the order of the texts, NaN for numbers that are null or out of range.

    A `dimension` of 0 is any, the same for all. Raises `ReplyError` unless there is one vector a text: a
    vector at the wrong text would be stored for good.
    """
    items = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ReplyError("its reply is not a list of embeddings")
    if len(items) != n:
        raise ReplyError(f"expected {n} vectors for {n} texts, got {len(items)}")
    order = _order(items)
    rows = [_numbers(items[at].get("embedding")) for at in order]
    sizes = {len(row) for row in rows if row is not None}
    expected = dimension or next(iter(sizes), 0)
    if not expected:
        raise ReplyError("expected a vector for each text, got none")
    if sizes - {expected}:
        got = ", ".join(map(str, sorted(sizes)))
        raise ReplyError(f"expected vectors of {expected} numbers, got {got}")
    return _as_array([row or [math.nan] * expected for row in rows])


def _order(items: Sequence[dict[str, Any]]) -> list[int]:
    """Where the vector of each text stands: by the indexes, or as sent if there are none at all."""
    if not any("index" in item for item in items):
        return list(range(len(items)))
    indexes = [item.get("index") for item in items]
    wanted = f"expected the indexes 0 to {len(items) - 1} once each"
    for index in indexes:
        if isinstance(index, bool) or not isinstance(index, int):
            raise ReplyError(f"{wanted}, got {str(index)[:_KEPT]!r} of type {type(index).__name__}")
        if not 0 <= index < len(items):
            raise ReplyError(f"{wanted}, got {str(index)[:_KEPT]}")
    index, times = Counter(indexes).most_common(1)[0]
    if times > 1:
        raise ReplyError(f"{wanted}, got {index} {times} times")
    return sorted(range(len(items)), key=lambda at: indexes[at])  # type: ignore[arg-type, return-value]


def _numbers(values: object) -> list[float] | None:
    """The vector, NaN for numbers that are null; None if the server says that it has none."""
    if values is None:
        return None
    if not isinstance(values, list):
        raise ReplyError(
            f"expected a vector as a list of numbers, got {type(values).__name__}: {_short(values)}"
        )
    return [_number(value) for value in values]


def _number(value: object) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ReplyError(f"expected a vector of numbers, got {type(value).__name__} in one: {_short(value)}")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _short(value: object) -> str:
    return repr(value)[:_KEPT]


def _as_array(rows: Sequence[Sequence[float]]) -> Vectors:
    with np.errstate(over="ignore"):  # what float32 cannot hold becomes infinite, and is refused as that
        array: Vectors = np.array(rows, np.float64).astype(np.float32)
    return array
