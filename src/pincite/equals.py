"""The order of candidates that no score tells apart, and of those that say the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pincite.retrieve import Placing
from pincite.types import Candidate, point_id

_COPIES = 3  # passages of one text that are ranked among the others

Texts = Callable[[Sequence[int]], Mapping[int, bytes]]
"""A key of the text of each point."""


def in_order(ranked: Sequence[Candidate], place: Placing) -> list[Candidate]:
    """The ranking with candidates of one score by path and place."""
    tied = _equals(ranked, lambda one: (not one.exact, -one.fused))
    if not tied:
        return list(ranked)
    places = place(sorted(map(point_id, tied)))
    return sorted(
        ranked,
        key=lambda one: (
            not one.exact,
            -one.fused,
            places.get(point_id(one.chunk_id), ("", 0)),
            one.chunk_id,
        ),
    )


def copies_last(ranked: Sequence[Candidate], texts: Texts) -> list[Candidate]:
    """The ranking with the fourth and later passages of one text behind all that say something else.

    A hundred copies of a form would else fill a hundred places. Exact matches stay before the others.
    """
    alike = _equals(ranked, lambda one: one.scores.get("dense", one.fused))
    if len(alike) <= _COPIES:
        return list(ranked)
    keys = texts(sorted(map(point_id, alike)))
    seen: dict[bytes, int] = {}
    late: set[str] = set()
    for candidate in ranked:
        key = keys.get(point_id(candidate.chunk_id))
        if key is not None:
            seen[key] = seen.get(key, 0) + 1
            if seen[key] > _COPIES:
                late.add(candidate.chunk_id)
    return sorted(ranked, key=lambda one: (not one.exact, one.chunk_id in late))


def _equals(ranked: Sequence[Candidate], value: Callable[[Candidate], object]) -> list[str]:
    """The candidates whose value another one has too."""
    by_value: dict[object, list[str]] = {}
    for candidate in ranked:
        by_value.setdefault(value(candidate), []).append(candidate.chunk_id)
    return [one for alike in by_value.values() if len(alike) > 1 for one in alike]
