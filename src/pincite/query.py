"""One query against an open library: its legs, its exact matches, its fused ranking and its hits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from pincite.analyze import analyze
from pincite.config import SearchConfig
from pincite.embed import embed_texts
from pincite.equals import copies_last, in_order
from pincite.filter.hint import did_you_mean
from pincite.filter.odd import left_out
from pincite.folder.reopen import Reopener
from pincite.fuse import convex, exact_first, rrf
from pincite.hits import first_hits
from pincite.index.opened import OpenLibrary
from pincite.models import Profile, profile
from pincite.protocols import SearchIndex, Vectors
from pincite.retrieve import dense_leg, exact_points, lexical_leg, regex_points
from pincite.types import Candidate, Everything, Leg, Query, Ranking, SearchHit, chunk_id, point_id

_ON_DEMAND = 50  # candidates that are embedded while a question waits
_DEEPER, _DEEPEST = 10, 10_000  # each leg's pool when more hits are wanted than the last one gave
_LEGS: tuple[Leg, ...] = ("lexical", "dense")


class QueryRun:
    """The stages of one query."""

    def __init__(self, library: OpenLibrary, query: Query, settings: SearchConfig, reopen: Reopener) -> None:
        self._library = library
        self._query = query
        self._settings = settings
        self._reopen = reopen
        self._on_demand: dict[int, Vectors] = {}
        self.depth = min(settings.depth, _DEEPEST)
        self._ranked: list[Candidate] = []
        self.notices: list[str] = []

    @cached_property
    def index(self) -> SearchIndex:
        """The search index as the query finds it; vectors made on demand are not in it yet."""
        return self._library.index()

    @cached_property
    def legs(self) -> tuple[Leg, ...]:
        """The legs that run: those of the settings, but no dense one beside a lexical one it would mislead.

        A model that does not know the query's script gives vectors that say nothing.
        """
        wanted = tuple(leg for leg in _LEGS if leg in self._settings.legs)
        if len(wanted) == 1 or self.profile.reads(self._query.text):
            return wanted
        self.notices.append(
            f"the model {self._library.choice} does not read this query's script; ranked by words alone"
        )
        return ("lexical",)

    @cached_property
    def _stemmers(self) -> tuple[str, ...]:
        return tuple(self._library.catalog.get("stemmers"))

    @cached_property
    def terms(self) -> str:
        """The query's lexical terms; "" when it has none (punctuation only)."""
        return analyze(self._query.text, side="query", stemmers=self._stemmers)

    @cached_property
    def profile(self) -> Profile:
        """Weights that fit the index's model, with those of the settings in their place."""
        return profile(self._library.choice, self._settings)

    @cached_property
    def _vector(self) -> Vectors:
        """The query's own vector."""
        embedder = self._library.checked_embedder()
        size = embedder.count([self._query.text])[0]
        if size > embedder.limit:
            self.notices.append(f"the query has {size} tokens; the model reads the first {embedder.limit}")
        return self._library.query_vector(self._query.text)

    # ── stages, in the order the pipeline runs them ───────────────────────────────────────────
    def allowed(self) -> int:
        """The number of chunks the filter allows."""
        every = self._library.catalog.counts()["chunks"]
        if isinstance(self._query.filter, Everything):
            return every
        self.notices += left_out(self._query.filter, self._library.catalog)
        allowed = self.index.count(self._query.filter)
        if not allowed and every:
            meant = did_you_mean(self._query.filter, self._library.catalog.metas())
            self.notices.append("the filter allows no document" + (f"; {meant}" if meant else ""))
        return allowed

    def leg(self, leg: Leg) -> Ranking:
        """The ranking of one leg, at most `depth` deep; empty when the query has no words."""
        if not self.terms:
            return Ranking(leg)
        index, among = self.index, self._query.filter
        if leg == "lexical":
            return lexical_leg(index, self.terms, filter=among, depth=self.depth, place=self._place)
        ranking, self._scoring = dense_leg(
            index,
            self._vector,
            filter=among,
            depth=self.depth,
            more=self._on_demand,
            feedback=self.profile.feedback,
            place=self._place,
        )
        return ranking

    def _place(self, points: Sequence[int]) -> Mapping[int, tuple[str, int]]:
        return self._library.catalog.places_of(points)

    def exact(self) -> frozenset[str]:
        """Chunks that hold the query's quoted phrases, or the one identifier or code that it is."""
        if not self.terms:
            return frozenset()
        library, among = self._library, self._query.filter
        text = self._query.text
        points, all_seen = exact_points(
            self.index, library.catalog, text, filter=among, stemmers=self._stemmers
        )
        if not all_seen:
            self.notices.append(
                "too many chunks hold the exact words to look at each: some may be ranked lower"
            )
        return frozenset(map(chunk_id, points))

    def embed_candidates(self) -> list[str]:
        """Gives the best lexical candidates the vectors the index does not have, and keeps them.

        This is how a folder can be asked by meaning before its vectors are complete.
        """
        library = self._library
        complete = library.catalog.outbox.is_empty() and not library.catalog.counts()["pending"]
        if complete or library.read_only or not self.terms or "dense" not in self.legs:
            return []
        ranked = self.index.lexical(self.terms, filter=self._query.filter, depth=_ON_DEMAND)
        best = [point for point, _ in ranked]
        embed_texts(library.catalog, library.checked_embedder(), library.catalog.waiting(best))
        there = self.index.vectors(best)
        made = library.catalog.vectors_of([point for point in best if point not in there])
        self._on_demand = made
        return sorted(map(chunk_id, made))

    def weights(self) -> dict[str, object]:
        """The fusion's name and numbers, for the trace."""
        return weights(self.legs, self._settings, self.profile)

    def fused(self, rankings: Mapping[Leg, Ranking], exact: frozenset[str]) -> list[Candidate]:
        """All candidates of the legs in one ranking, exact matches above the others.

        What was found less deep stays in front, so that the first k are the first of any larger k.
        """
        before = {candidate.chunk_id for candidate in self._ranked}
        found = [one for one in self._fused(rankings, exact) if one.chunk_id not in before]
        self._ranked += copies_last(in_order(found, self._place), self._library.catalog.text_keys)
        return self._ranked

    def _fused(self, rankings: Mapping[Leg, Ranking], exact: frozenset[str]) -> list[Candidate]:
        legs = [rankings[leg] for leg in self.legs]
        if self._settings.fusion == "rrf" or len(legs) == 1:
            ranked = rrf(legs, rrf_k=self._settings.rrf_k)
            if len(legs) == 1:
                ranked = [_alone(candidate, legs[0].leg) for candidate in ranked]
        else:
            ranked = self._convex(legs, exact)
        known = {candidate.chunk_id for candidate in ranked}
        ranked += [Candidate(chunk_id, 0.0) for chunk_id in sorted(exact - known)]
        return exact_first(ranked, exact)

    def _convex(self, legs: Sequence[Ranking], exact: frozenset[str]) -> list[Candidate]:
        """Weighted sum of both legs' true scores over the union of their pools."""
        union = {hit.chunk_id for leg in legs for hit in leg.hits} | exact
        if not union:
            return []  # a query without words has no vector of its own either
        there = {leg.leg: {hit.chunk_id for hit in leg.hits} for leg in legs}
        lexical = self.index.lexical_scores(self.terms, map(point_id, union - there["lexical"]))
        without = set(map(point_id, union - there["dense"]))
        dense = self.index.dense_scores(self._scoring, without)
        made = self._on_demand
        dense |= {point: float(made[point] @ self._scoring) for point in without & made.keys()}
        return convex(
            {chunk_id(point): score for point, score in lexical.items()},
            {chunk_id(point): score for point, score in dense.items()},
            legs,
            lexical_weight=self.profile.lexical_weight,
            dense_weight=self.profile.dense_weight,
        )

    def matching_regex(self) -> list[Candidate]:
        """Chunks a regular expression matches, in the order of the files."""
        catalog, query = self._library.catalog, self._query
        points = regex_points(
            catalog,
            query.text,
            filter=query.filter,
            limit=min(query.k, _DEEPEST),
            per_document=query.per_document,
        )
        return [Candidate(chunk_id(point), 1.0, exact=True) for point in points]

    def hits(self, candidates: Sequence[Candidate]) -> list[SearchHit]:
        """The first k candidates with their chunks; each source is looked at again for changes."""
        return first_hits(candidates, self._query, self._library.catalog, self._reopen)

    def deepen(self, hits: Sequence[SearchHit], rankings: Iterable[Ranking]) -> bool:
        """Whether the legs must go deeper: too few hits were found, and there is more to rank."""
        full = any(len(ranking.hits) == self.depth for ranking in rankings)
        if len(hits) >= self._query.k or not full or self.depth >= _DEEPEST:
            return False
        self.depth = min(self.depth * _DEEPER, _DEEPEST)
        return True


def _alone(candidate: Candidate, leg: Leg) -> Candidate:
    """A candidate of one leg, scored by that leg."""
    hit = candidate.lexical if leg == "lexical" else candidate.dense
    score = hit.score if hit else 0.0
    return replace(candidate, fused=score, scores={leg: score})


def weights(legs: Sequence[str], settings: SearchConfig, mine: Profile) -> dict[str, object]:
    """The fusion's name and numbers: those of the settings, and the model's where they leave it to that."""
    if len(legs) == 1:
        return {"fusion": "none"}
    if settings.fusion == "rrf":
        return {"fusion": "rrf", "rrf_k": settings.rrf_k}
    both = {"lexical_weight": mine.lexical_weight, "dense_weight": mine.dense_weight}
    return {"fusion": "convex", **both, "feedback": mine.feedback}
