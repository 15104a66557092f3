"""The rankings of the legs to one: by rank (RRF), or by a weighted sum of normalised scores."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from pincite.errors import StoreError, UsageError
from pincite.types import Candidate, Hit, Leg, Ranking

_LEGS: tuple[Leg, ...] = ("lexical", "dense")


def rrf(
    rankings: Sequence[Ranking], *, rrf_k: int = 60, weights: Sequence[float] | None = None
) -> list[Candidate]:
    """Every chunk of the rankings, best first: the sum of weight / (rrf_k + rank), rank from 1.

    A ranking without the chunk adds nothing, so a chunk in two rankings never falls behind for it; a
    weight of 0 switches a ranking off. Ties go by id. `UsageError` for weights that are negative, not
    finite, all zero, or not one for each ranking, and for a negative `rrf_k`.
    Cormack, Clarke & Büttcher 2009, "Reciprocal Rank Fusion outperforms Condorcet".
    """
    shares = [1.0] * len(rankings) if weights is None else list(weights)
    _check_weights(shares, len(rankings))
    if rrf_k < 0:
        raise UsageError(f"rrf_k: expected 0 or more, got {rrf_k}", stage="fuse")
    on = [(ranking, share) for ranking, share in zip(rankings, shares, strict=True) if share > 0]
    parts: dict[str, list[float]] = {}
    for ranking, share in on:
        for hit in ranking.hits:
            parts.setdefault(hit.chunk_id, []).append(share / (rrf_k + hit.rank))
    fused = {chunk_id: math.fsum(values) for chunk_id, values in parts.items()}
    ranked = [ranking for ranking, _ in on]
    return _candidates(fused, ranked, {leg: _true_scores(leg, {}, ranked) for leg in _LEGS})


def convex(
    lexical: Mapping[str, float],
    dense: Mapping[str, float],
    rankings: Sequence[Ranking],
    *,
    lexical_weight: float,
    dense_weight: float,
) -> list[Candidate]:
    """Every chunk of the rankings and mappings, best first: the weighted sum of its normalised scores.

    `lexical` and `dense` hold the true scores of chunks a leg's own pool may lack; a ranking's scores
    count as well. Lexical: score / best, so a chunk without a query word gets 0. Dense: (score − min) /
    (max − min) over all chunks with a vector; chunks of one equal score get 1, a chunk without a vector 0.
    A weight of 0 switches a leg off. Ties go by id. Bruch, Gai & Ingber 2023, "An Analysis of Fusion
    Functions".
    """
    _check_weights([lexical_weight, dense_weight], 2)
    weights: dict[Leg, float] = {"lexical": lexical_weight, "dense": dense_weight}
    on = [ranking for ranking in rankings if weights[ranking.leg] > 0]
    scores = {
        "lexical": _true_scores("lexical", lexical, on) if lexical_weight else {},
        "dense": _true_scores("dense", dense, on) if dense_weight else {},
    }
    lexical_share = _over_best(scores["lexical"])
    dense_share = _between(scores["dense"])
    fused = {
        chunk_id: lexical_weight * lexical_share.get(chunk_id, 0.0)
        + dense_weight * dense_share.get(chunk_id, 0.0)
        for chunk_id in scores["lexical"].keys() | scores["dense"].keys()
    }
    return _candidates(fused, on, scores)


def exact_first(candidates: Iterable[Candidate], exact_ids: Collection[str]) -> list[Candidate]:
    """The candidates with those of `exact_ids` marked and in front, each part in its order."""
    if not exact_ids:
        return list(candidates)
    marked = [replace(c, exact=True) if c.chunk_id in exact_ids else c for c in candidates]
    return sorted(marked, key=lambda c: not c.exact)


def _check_weights(weights: Sequence[float], expected: int) -> None:
    if len(weights) != expected:
        raise UsageError(f"fusion weights: expected {expected}, got {len(weights)}", stage="fuse")
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights):
        raise UsageError(f"fusion weights: expected numbers of 0 or more, got {list(weights)}", stage="fuse")
    if weights and not any(weights):
        raise UsageError("fusion weights: expected at least one over 0, got only zeros", stage="fuse")


def _true_scores(leg: Leg, scores: Mapping[str, float], rankings: Iterable[Ranking]) -> dict[str, float]:
    """The score of each chunk on one leg: as ranked by it, and as given."""
    ranked = {hit.chunk_id: hit.score for r in rankings if r.leg == leg for hit in r.hits}
    merged = ranked | dict(scores)
    wrong = sorted(chunk_id for chunk_id, score in merged.items() if not math.isfinite(score))
    if wrong:
        raise StoreError(f"the {leg} score of chunk {wrong[0]} is {merged[wrong[0]]}", stage="fuse")
    return merged


def _over_best(scores: Mapping[str, float]) -> dict[str, float]:
    best = max(scores.values(), default=0.0)
    return {chunk_id: max(0.0, score / best) if best > 0 else 0.0 for chunk_id, score in scores.items()}


def _between(scores: Mapping[str, float]) -> dict[str, float]:
    """Each score's place between the lowest and the highest, 0 to 1."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    if high == low:
        return dict.fromkeys(scores, 1.0)
    return {chunk_id: (score - low) / (high - low) for chunk_id, score in scores.items()}


def _candidates(
    fused: Mapping[str, float], rankings: Sequence[Ranking], scores: Mapping[str, Mapping[str, float]]
) -> list[Candidate]:
    """Candidates by falling fused score, then by id, each with its best hit of each leg."""
    hits: dict[str, dict[str, Hit]] = {"lexical": {}, "dense": {}}
    for hit in sorted((hit for r in rankings for hit in r.hits), key=lambda hit: -hit.rank):
        hits[hit.leg][hit.chunk_id] = hit
    of_lexical, of_dense = hits["lexical"].get, hits["dense"].get
    true = [(leg, scores[leg]) for leg in _LEGS]
    ranked = sorted((-score, chunk_id) for chunk_id, score in fused.items())
    return [
        Candidate(
            one,
            -score,
            of_lexical(one),
            of_dense(one),
            {leg: known[one] for leg, known in true if one in known},
        )
        for score, one in ranked
    ]
