"""One query against an open library: its legs, its exact matches, its fused ranking and its hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from pincite.analyze import analyze
from pincite.config import SearchConfig
from pincite.embed import embed_texts, unit
from pincite.fuse import convex, exact_first, rrf
from pincite.index.opened import OpenLibrary
from pincite.models import Profile, profile
from pincite.protocols import SearchIndex, Vectors
from pincite.retrieve import dense_leg, exact_points, feedback_vector, lexical_leg, regex_points
from pincite.sources import Reopener
from pincite.types import Candidate, Leg, Query, Ranking, SearchHit

_ON_DEMAND = 50  # candidates that are embedded while a question waits
_DEEPEST = 10_000
_LEGS: tuple[Leg, ...] = ("lexical", "dense")


class QueryRun:
    """The stages of one query. Points of the index become chunk ids here, so that gone chunks cannot pass."""

    def __init__(self, library: OpenLibrary, query: Query, settings: SearchConfig) -> None:
        self._library = library
        self._query = query
        self._settings = settings
        self._points: dict[str, int] = {}
        self._on_demand: dict[int, Vectors] = {}
        self.depth = min(max(settings.depth, query.k), _DEEPEST)
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
        """The query's vector, moved by feedback if the profile asks for it."""
        embedder = self._library.checked_embedder()
        size = embedder.count([self._query.text])[0]
        if size > embedder.limit:
            self.notices.append(f"the query has {size} tokens; the model reads the first {embedder.limit}")
        vector = unit(embedder.embed_query(self._query.text))
        if not self.profile.feedback:
            return vector
        return feedback_vector(self.index, vector, filter=self._query.filter, weight=self.profile.feedback)

    def _ids(self, points: Sequence[int]) -> Mapping[int, str]:
        names = self._library.catalog.chunk_ids(points)
        self._points.update((chunk_id, point) for point, chunk_id in names.items())
        return names

    # ── stages, in the order the pipeline runs them ───────────────────────────────────────────
    def allowed(self) -> int:
        """The number of chunks the filter allows."""
        allowed = self.index.count(self._query.filter)
        if not allowed and (every := self._library.catalog.counts()["chunks"]):
            self.notices.append(f"the filter excludes all {every} chunks")
        return allowed

    def leg(self, leg: Leg) -> Ranking:
        """The ranking of one leg, at most `depth` deep; empty when the query has no words."""
        if not self.terms:
            return Ranking(leg)
        index, among = self.index, self._query.filter
        if leg == "lexical":
            return lexical_leg(index, self.terms, filter=among, depth=self.depth, ids=self._ids)
        return dense_leg(index, self._vector, filter=among, depth=self.depth, ids=self._ids)

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
        return frozenset(self._ids(points).values())

    def embed_candidates(self, rankings: Mapping[Leg, Ranking]) -> list[str]:
        """Embeds the best lexical candidates that have no vector yet, and keeps the vectors."""
        if "dense" not in rankings or "lexical" not in rankings:
            return []
        best = [self._points[hit.chunk_id] for hit in rankings["lexical"].hits[:_ON_DEMAND]]
        waiting = self._library.catalog.waiting(best)
        if waiting:
            embed_texts(self._library.catalog, self._library.checked_embedder(), waiting)
            points = [point for _, _, points in waiting for point in points if point in best]
            self._on_demand = self._library.catalog.vectors_of(points)
        return [chunk_id for chunk_id, point in self._points.items() if point in self._on_demand]

    def weights(self) -> dict[str, object]:
        """The fusion's name and numbers, for the trace."""
        if len(self.legs) == 1:
            return {"fusion": "none"}
        if self._settings.fusion == "rrf":
            return {"fusion": "rrf", "rrf_k": self._settings.rrf_k}
        mine = self.profile
        return {"fusion": "convex", "lexical_weight": mine.lexical_weight, "dense_weight": mine.dense_weight}

    def fused(self, rankings: Mapping[Leg, Ranking], exact: frozenset[str]) -> list[Candidate]:
        """All candidates of the legs in one ranking, exact matches above the others."""
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
        points = {self._points[chunk_id]: chunk_id for chunk_id in sorted(union)}
        lexical = self.index.lexical_scores(self.terms, points)
        dense = self.index.dense_scores(self._vector, points)
        dense.update((point, float(vector @ self._vector)) for point, vector in self._on_demand.items())
        return convex(
            {points[point]: score for point, score in lexical.items()},
            {points[point]: score for point, score in dense.items() if point in points},
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
        names = self._ids(points)
        return [Candidate(names[point], 1.0, exact=True) for point in points if point in names]

    def hits(self, candidates: Sequence[Candidate]) -> list[SearchHit]:
        """The first k candidates with their chunks; each source is looked at again for changes."""
        reopen = Reopener(self._library.root, self._library.parse)
        hits: list[SearchHit] = []
        seen: set[str] = set()
        wanted = candidates if self._query.per_document else candidates[: self._query.k]
        stored = self._library.catalog.stored([self._points[c.chunk_id] for c in wanted])
        for candidate in wanted:
            found = stored.get(self._points[candidate.chunk_id])
            if found is None or (self._query.per_document and found.uri in seen):
                continue
            seen.add(found.uri)
            stale = reopen.state(found.uri, found.doc_sha256)
            hits.append(SearchHit(len(hits) + 1, candidate, found, stale))
            if len(hits) == self._query.k:
                break
        return hits


def _alone(candidate: Candidate, leg: Leg) -> Candidate:
    """A candidate of one leg, scored by that leg."""
    hit = candidate.lexical if leg == "lexical" else candidate.dense
    score = hit.score if hit else 0.0
    return replace(candidate, fused=score, scores={leg: score})
