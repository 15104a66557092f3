"""What both legs found for each question, kept, so that other ways to fuse them need no new search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from pincite.config import SearchConfig
from pincite.equals import copies_last, in_order
from pincite.evaluate.asking import Asker, Found, units
from pincite.fuse import convex, exact_first, rrf
from pincite.index.catalog_reader import CatalogReader
from pincite.models import Profile
from pincite.types import Candidate, Gold, Hit, Leg, Question, Ranking, Step, chunk_id, point_id

_LEGS: tuple[Leg, ...] = ("lexical", "dense")


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one question as arrays of one length, by point id.

    `scores` are true scores by leg, NaN where there is none; `ranks` the places in the leg's own pool, 0
    for a candidate that is not in it. `places` and `texts` put equals in order.
    """

    question: Question
    golds: tuple[Gold, ...]
    by_document: bool
    points: NDArray[np.int64]
    scores: Mapping[Leg, NDArray[np.float64]]
    ranks: Mapping[Leg, NDArray[np.int32]]
    exact: frozenset[str]
    places: Mapping[int, tuple[str, int]]
    texts: Mapping[int, bytes]


def fusing(settings: SearchConfig) -> SearchConfig:
    """The settings under which a search tells the true scores of both legs for every candidate."""
    return replace(settings, fusion="convex", lexical_weight=0.5, dense_weight=0.5)


@dataclass(slots=True)
class Pools:
    """The pools of some questions under one index, depth and feedback.

    `fixed` are the rankings that no fusion changes: of questions that ran on one leg, or failed. `places`
    holds the document and span of each candidate.
    """

    pools: list[Pool]
    fixed: list[tuple[Question, tuple[str, ...], Mapping[str, int]]]
    places: dict[int, Found]
    doc_ids: Mapping[str, str]
    failed: int = 0


def collect(ask: Asker, questions: Sequence[Question], tick: Callable[[int, int], None]) -> Pools:
    """The pools of these questions; `ask` searches with the settings of `fusing`."""
    found = Pools([], [], {}, ask.resolver.doc_ids)
    for number, question in enumerate(questions, 1):
        asked, result = ask(question)
        found.failed += bool(asked.error)
        steps = {step.stage: step for step in result.trace.steps} if result else {}
        if "lexical" in steps and "dense" in steps:
            by_document = result is not None and result.query.per_document
            pool = _pool(question, asked.golds, by_document, steps, ask.library.catalog)
            known = [int(point) for point in pool.points if int(point) not in found.places]
            found.places.update(ask.library.catalog.spans_of(known))
            found.pools.append(pool)
        else:
            found.fixed.append((question, asked.ranking, asked.judged))
        tick(number, len(questions))
    return found


def _pool(
    question: Question,
    golds: tuple[Gold, ...],
    by_document: bool,
    steps: Mapping[str, Step],
    catalog: CatalogReader,
) -> Pool:
    items = steps["fuse"].items
    ids = [str(item["chunk_id"]) for item in items]
    scores: dict[Leg, NDArray[np.float64]] = {}
    ranks: dict[Leg, NDArray[np.int32]] = {}
    for leg in _LEGS:
        values = [cast("float | None", item[leg]) for item in items]
        scores[leg] = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
        at = {str(item["chunk_id"]): cast("int", item["rank"]) for item in steps[leg].items}
        ranks[leg] = np.array([at.get(one, 0) for one in ids], dtype=np.int32)
    exact = frozenset(str(item["chunk_id"]) for item in steps["exact"].items)
    points = np.array([point_id(one) for one in ids], dtype=np.int64)
    every = [int(point) for point in points]
    places, texts = catalog.places_of(every), catalog.text_keys(every)
    return Pool(question, golds, by_document, points, scores, ranks, exact, places, texts)


def rankings(
    pools: Pools, settings: SearchConfig, profile: Profile
) -> dict[str, tuple[tuple[str, ...], Mapping[str, int]]]:
    """Each question's ranking of evidence, and its judgements, as a search with these settings gives them."""
    found = {question.id: (ranking, judged) for question, ranking, judged in pools.fixed}
    for pool in pools.pools:
        ranked = [point_id(one.chunk_id) for one in fused(pool, settings, profile)]
        chunks = [pools.places[point] for point in ranked if point in pools.places]
        found[pool.question.id] = units(chunks, pool.question, pool.golds, pool.by_document, pools.doc_ids)
    return found


def fused(pool: Pool, settings: SearchConfig, profile: Profile) -> list[Candidate]:
    """The candidates of a pool in the order the search itself would give them."""
    ids = [chunk_id(int(point)) for point in pool.points]
    legs = [_ranking(pool, leg, ids) for leg in _LEGS]
    if settings.fusion == "rrf":
        ranked = rrf(legs, rrf_k=settings.rrf_k)
    else:
        ranked = convex(
            _known(pool, "lexical", ids),
            _known(pool, "dense", ids),
            legs,
            lexical_weight=profile.lexical_weight,
            dense_weight=profile.dense_weight,
        )
    known = {one.chunk_id for one in ranked}
    ranked += [Candidate(one, 0.0) for one in sorted(pool.exact - known)]
    in_front = exact_first(ranked, pool.exact)
    return copies_last(in_order(in_front, lambda _: pool.places), lambda _: pool.texts)


def _ranking(pool: Pool, leg: Leg, ids: list[str]) -> Ranking:
    rows = sorted(
        (int(rank), one, float(score))
        for rank, one, score in zip(pool.ranks[leg], ids, pool.scores[leg], strict=True)
        if rank
    )
    return Ranking(leg, tuple(Hit(one, score, rank, leg) for rank, one, score in rows))


def _known(pool: Pool, leg: Leg, ids: list[str]) -> dict[str, float]:
    values = pool.scores[leg]
    return {one: float(value) for one, value in zip(ids, values, strict=True) if not np.isnan(value)}
