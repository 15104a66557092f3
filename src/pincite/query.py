"""One query against an open library: its legs, its exact matches, its fused ranking and its hits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from pincite.types import Candidate, Everything, Leg, Query, Ranking, SearchHit, Stored

_ON_DEMAND = 50  # candidates that are embedded while a question waits
_DEEPEST = 10_000
_GONE = 2  # read past k, for chunks that a sync took away meanwhile
_LEGS: tuple[Leg, ...] = ("lexical", "dense")


class QueryRun:
    """The stages of one query. Points of the index become chunk ids here."""

    def __init__(self, library: OpenLibrary, query: Query, settings: SearchConfig, reopen: Reopener) -> None:
        self._library = library
        self._query = query
        self._settings = settings
        self._reopen = reopen
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
        names = self._library.names(points)
        self._points.update((chunk_id, point) for point, chunk_id in names.items())
        return names

    # ── stages, in the order the pipeline runs them ───────────────────────────────────────────
    def allowed(self) -> int:
        """The number of chunks the filter allows."""
        every = self._library.catalog.counts()["chunks"]
        if isinstance(self._query.filter, Everything):
            return every
        allowed = self.index.count(self._query.filter)
        if not allowed and every:
            self.notices.append(f"the filter excludes all {every} chunks")
        return allowed

    def leg(self, leg: Leg) -> Ranking:
        """The ranking of one leg, at most `depth` deep; empty when the query has no words."""
        if not self.terms:
            return Ranking(leg)
        index, among = self.index, self._query.filter
        if leg == "lexical":
            return lexical_leg(index, self.terms, filter=among, depth=self.depth, ids=self._ids)
        vector, more = self._vector, self._on_demand
        return dense_leg(index, vector, filter=among, depth=self.depth, ids=self._ids, more=more)

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

    def embed_candidates(self) -> list[str]:
        """Gives the best lexical candidates the vectors the index does not have, and keeps them.

        This is how a folder can be asked by meaning before its vectors are complete.
        """
        library = self._library
        incomplete = library.catalog.counts()["pending"] or library.catalog.outbox(1)
        if not self.terms or "dense" not in self.legs or not incomplete:
            return []
        ranked = self.index.lexical(self.terms, filter=self._query.filter, depth=_ON_DEMAND)
        best = [point for point, _ in ranked]
        embed_texts(library.catalog, library.checked_embedder(), library.catalog.waiting(best))
        there = self.index.vectors(best)
        made = library.catalog.vectors_of([point for point in best if point not in there])
        self._on_demand = made
        return sorted(self._ids(list(made)).values())

    def weights(self) -> dict[str, object]:
        """The fusion's name and numbers, for the trace."""
        if len(self.legs) == 1:
            return {"fusion": "none"}
        if self._settings.fusion == "rrf":
            return {"fusion": "rrf", "rrf_k": self._settings.rrf_k}
        mine = self.profile
        weights = {"lexical_weight": mine.lexical_weight, "dense_weight": mine.dense_weight}
        return {"fusion": "convex", **weights, "feedback": mine.feedback}

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
        there = {leg.leg: {hit.chunk_id for hit in leg.hits} for leg in legs}
        lexical = self._missing(union - there["lexical"])
        dense = self._missing(union - there["dense"])
        lexical_scores = self.index.lexical_scores(self.terms, lexical)
        dense_scores = self.index.dense_scores(self._vector, dense)
        for point, vector in self._on_demand.items():
            dense_scores[point] = float(vector @ self._vector)
        return convex(
            {lexical[point]: score for point, score in lexical_scores.items()},
            {dense[point]: score for point, score in dense_scores.items() if point in dense},
            legs,
            lexical_weight=self.profile.lexical_weight,
            dense_weight=self.profile.dense_weight,
        )

    def _missing(self, chunk_ids: Iterable[str]) -> dict[int, str]:
        """Chunk ids by point, of chunks whose score on a leg is not known from its ranking."""
        return {self._points[chunk_id]: chunk_id for chunk_id in sorted(chunk_ids)}

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
        hits: list[SearchHit] = []
        documents: set[str] = set()
        for candidate, found in self._stored(candidates):
            if self._query.per_document and found.uri in documents:
                continue
            documents.add(found.uri)
            stale = self._reopen.state(found.uri, found.doc_sha256)
            hits.append(SearchHit(len(hits) + 1, candidate, found, stale))
            if len(hits) == self._query.k:
                break
        return _with_copies(hits)

    def _stored(self, candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, Stored]]:
        """Candidates with their chunks, without those that are gone since the index was opened."""
        size = self._query.k + _GONE
        for at in range(0, len(candidates), size):
            page = candidates[at : at + size]
            stored = self._library.catalog.stored([self._points[one.chunk_id] for one in page])
            for candidate in page:
                if (found := stored.get(self._points[candidate.chunk_id])) is not None:
                    yield candidate, found

    def deepen(self, hits: Sequence[SearchHit], rankings: Iterable[Ranking]) -> bool:
        """Whether the legs must go deeper: a few documents fill the pool, and there is more to rank."""
        full = any(len(ranking.hits) == self.depth for ranking in rankings)
        if not self._query.per_document or len(hits) >= self._query.k or not full or self.depth >= _DEEPEST:
            return False
        self.depth = min(self.depth * 8, _DEEPEST)
        return True


def _with_copies(hits: Sequence[SearchHit]) -> list[SearchHit]:
    """The hits, each with the places of the others that hold the same text."""
    places: dict[str, list[str]] = {}
    for hit in hits:
        places.setdefault(hit.stored.chunk.text, []).append(hit.location)
    if len(places) == len(hits):
        return list(hits)
    copies = (places[hit.stored.chunk.text] for hit in hits)
    return [
        replace(hit, also_at=tuple(place for place in same if place != hit.location))
        for hit, same in zip(hits, copies, strict=True)
    ]


def _alone(candidate: Candidate, leg: Leg) -> Candidate:
    """A candidate of one leg, scored by that leg."""
    hit = candidate.lexical if leg == "lexical" else candidate.dense
    score = hit.score if hit else 0.0
    return replace(candidate, fused=score, scores={leg: score})
