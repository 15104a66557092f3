"""Fusion made again from a trace, with the evidence in first place on a leg that missed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pincite.fuse import convex, exact_first, rrf
from pincite.types import Candidate, Hit, Leg, Ranking, Trace

_LEGS: tuple[Leg, ...] = ("lexical", "dense")


def recovered(trace: Trace, holders: frozenset[str], leg: Leg, k: int) -> bool:
    """Whether the evidence would be in the first k if `leg` had it in first place: fused anew."""
    steps = {step.stage: step for step in trace.steps}
    fuse = steps["fuse"]
    exact = {str(item["chunk_id"]) for item in fuse.items if item["exact"]}
    known: dict[str, dict[str, float]] = {
        name: {str(i["chunk_id"]): _number(i[name]) for i in fuse.items if i[name] is not None}
        for name in _LEGS
    }
    for holder in sorted(holders):
        rankings = [_ranking(name, steps[name].items, first=holder if name == leg else "") for name in _LEGS]
        scores = {one.leg: known[one.leg] | {hit.chunk_id: hit.score for hit in one.hits} for one in rankings}
        ranked = _fused(rankings, scores, fuse.params)
        if holder in [one.chunk_id for one in exact_first(ranked, exact)[:k]]:
            return True
    return False


def _fused(
    rankings: Sequence[Ranking], scores: Mapping[Leg, Mapping[str, float]], params: Mapping[str, Any]
) -> list[Candidate]:
    if params["fusion"] == "rrf":
        return rrf(rankings, rrf_k=params["rrf_k"])
    weights = {name: params[name] for name in ("lexical_weight", "dense_weight")}
    return convex(scores["lexical"], scores["dense"], rankings, **weights)


def _ranking(leg: Leg, items: Sequence[Mapping[str, object]], *, first: str) -> Ranking:
    """A leg's ranking from its trace; a chunk put first takes the best score, and each below the next one.

    What the leg would have scored it is not known, but how its scores fall from place to place is.
    """
    ids = [str(item["chunk_id"]) for item in items]
    scores = [_number(item["score"]) for item in items]
    if first:
        ids, scores = [first, *ids], [*scores, scores[-1]] if scores else [1.0]
    rows = enumerate(zip(ids, scores, strict=True), 1)
    return Ranking(leg, tuple(Hit(one, score, n, leg) for n, (one, score) in rows))


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
