"""Candidates to hits: the best k with their chunks, their files looked at again, copies named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from pincite.folder.reopen import Reopener
from pincite.index.catalog_reader import CatalogReader
from pincite.types import Candidate, Query, SearchHit, Stored, point_id

_GONE = 2  # read past k, for chunks that a sync took away meanwhile


def first_hits(
    candidates: Sequence[Candidate], query: Query, catalog: CatalogReader, reopen: Reopener
) -> list[SearchHit]:
    """The first k candidates with their chunks; each source is looked at again for changes."""
    best = list(islice(_wanted(candidates, query, catalog), query.k))
    states = reopen.states([(found.uri, found.doc_sha256) for _, found in best])
    return _with_copies(
        [
            SearchHit(rank, candidate, found, stale)
            for rank, ((candidate, found), stale) in enumerate(zip(best, states, strict=True), 1)
        ]
    )


def _wanted(
    candidates: Sequence[Candidate], query: Query, catalog: CatalogReader
) -> Iterator[tuple[Candidate, Stored]]:
    """Candidates with their chunks; with `per_document` only the best of each document."""
    documents: set[str] = set()
    for candidate, found in _stored(candidates, query.k + _GONE, catalog):
        if not query.per_document or found.uri not in documents:
            documents.add(found.uri)
            yield candidate, found


def _stored(
    candidates: Sequence[Candidate], size: int, catalog: CatalogReader
) -> Iterator[tuple[Candidate, Stored]]:
    """Candidates with their chunks, without those that are gone; read `size` at a time."""
    for at in range(0, len(candidates), size):
        page = {point_id(candidate.chunk_id): candidate for candidate in candidates[at : at + size]}
        stored = catalog.stored(list(page))
        yield from ((candidate, stored[point]) for point, candidate in page.items() if point in stored)


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
