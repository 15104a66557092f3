"""The two legs: a lexical and a dense ranking of chunks, each filtered before it is ranked."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from pincite.analyze import analyze, codes, identifier, phrases
from pincite.expression import Expression
from pincite.filter import matches
from pincite.index.catalog import SqliteCatalog
from pincite.protocols import SearchIndex, Vectors
from pincite.types import Document, Filter, Hit, Leg, Ranking, Span, chunk_id

_SPARE = 28  # fetched past the depth; with 100 it is as wide as the engine searches its graph anyway
_FEEDBACK_FROM = 3
_PAGE = 1000  # points whose text is read at once
_EXACT_SECONDS = 2.0
_USES = 200  # best chunks for a symbol's name, among which its definition is looked for
_IS_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*").fullmatch
_MOST_CODES, _RARE = 2, 20  # codes in a longer query; points up to which such a code decides


Placing = Callable[[Sequence[int]], Mapping[int, tuple[str, int]]]
"""Where points stand: the path of their file and the start of their chunk in it."""


def lexical_leg(index: SearchIndex, terms: str, *, filter: Filter, depth: int, place: Placing) -> Ranking:
    """The `depth` best chunks by BM25; chunks that hold no term are never in it."""
    found = _with_ties(lambda size: index.lexical(terms, filter=filter, depth=size), depth)
    return rank("lexical", found, depth, place)


def dense_leg(
    index: SearchIndex,
    vector: Vectors,
    *,
    filter: Filter,
    depth: int,
    more: Mapping[int, Vectors],
    feedback: float,
    place: Placing,
) -> tuple[Ranking, Vectors]:
    """The `depth` nearest chunks by cosine, and the vector that scored them.

    Chunks without a vector are never in it; `more` holds vectors that are not in the index yet. With
    `feedback` the nearest chunks are found by the query's vector and ranked by the one moved towards them.
    """
    found = dict(_with_ties(lambda size: index.dense(vector, filter=filter, depth=size), depth))
    if feedback and found:
        vector = feedback_vector(index, vector, found, weight=feedback)
        found = index.dense_scores(vector, found)
    found.update((point, float(one @ vector)) for point, one in more.items())
    return rank("dense", found.items(), depth, place), vector


def _with_ties(fetch: Callable[[int], list[tuple[int, float]]], depth: int) -> list[tuple[int, float]]:
    """What the index finds, `_SPARE` beyond the depth, and all that score as the last one within it.

    The engine's order of equals is its own, so equals at the end that may not be complete are left out.
    """
    size = depth + _SPARE
    while True:
        found = fetch(size)
        if len(found) < size:
            return found
        if found[-1][1] < found[depth - 1][1]:
            return [one for one in found if one[1] > found[-1][1]]
        size *= 8


def rank(leg: Leg, found: Iterable[tuple[int, float]], depth: int, place: Placing) -> Ranking:
    """A ranking from what the index found: equals by path and place, cut at `depth`."""
    rows = by_score(found, place)[:depth]
    return Ranking(
        leg, tuple(Hit(chunk_id(point), score, n, leg) for n, (point, score) in enumerate(rows, 1))
    )


def by_score(found: Iterable[tuple[int, float]], place: Placing) -> list[tuple[int, float]]:
    """(point, score) by falling score; those of one score by path and place, however the index came to be."""
    rows = sorted(found, key=lambda one: (-one[1], one[0]))
    tied = {point for one, two in pairwise(rows) if one[1] == two[1] for point in (one[0], two[0])}
    if not tied:
        return rows
    places = place(sorted(tied))
    return sorted(rows, key=lambda one: (-one[1], places.get(one[0], ("", 0)), one[0]))


def feedback_vector(
    index: SearchIndex, vector: Vectors, nearest: Mapping[int, float], *, weight: float
) -> Vectors:
    """The query vector moved towards its nearest chunks: q + weight × mean of the top 3, of length 1.

    Pseudo-relevance feedback on the dense leg (Rocchio's formula without a negative part).
    """
    best = sorted(nearest, key=lambda point: (-nearest[point], point))[:_FEEDBACK_FROM]
    vectors = index.vectors(best)
    moved = vector + weight * np.mean([vectors[point] for point in sorted(vectors)], axis=0)
    unit: Vectors = (moved / np.linalg.norm(moved)).astype(np.float32)
    return unit


# ── exact matches ─────────────────────────────────────────────────────────────────────────────
def exact_points(
    index: SearchIndex, catalog: SqliteCatalog, query: str, *, filter: Filter, stemmers: tuple[str, ...]
) -> tuple[list[int], bool]:
    """Points that define the one symbol a query is, else hold its phrases or the one code it is; ascending.

    Without these, points that hold a rare code that it names (see `_with_codes`).

    Second is whether all were looked at: after `_EXACT_SECONDS` no more pages are read.
    """
    if defining := _defining(index, catalog, query, filter, stemmers):
        return defining, True
    wanted = phrases(query)
    needles = [_plain(phrase) for phrase in wanted]
    terms = analyze(" ".join(wanted), side="query", stemmers=stemmers) if wanted else identifier(query)
    if not terms:
        return _with_codes(index, codes(query), filter), True
    found: list[int] = []
    until = time.monotonic() + _EXACT_SECONDS
    for page in _pages(index, terms, filter):
        if time.monotonic() > until:
            return found, False
        found += _with_phrases(catalog, page, needles) if needles else page
    return found, True


def _defining(
    index: SearchIndex, catalog: SqliteCatalog, query: str, filter: Filter, stemmers: tuple[str, ...]
) -> list[int]:
    """Points of source code that define the symbol `Gate.open`, `open` or `open()`, among its best uses."""
    name = query.strip().strip("`").removesuffix("()")
    if not _IS_NAME(name):
        return []
    near = index.lexical(analyze(name, side="query", stemmers=stemmers), filter=filter, depth=_USES)
    stored = catalog.stored([point for point, _ in near])
    chunks = {point: one.chunk for point, one in stored.items() if one.chunk.kind == "definition"}
    documents = sorted({chunk.doc_id for chunk in chunks.values()})
    titles = {doc_id: _titles(catalog.document(doc_id), name) for doc_id in documents}
    defining = (p for p, chunk in chunks.items() if any(chunk.span.holds(at) for at in titles[chunk.doc_id]))
    return sorted(defining)


def _titles(document: Document | None, name: str) -> list[Span]:
    """Where a file defines `name`, with or without the names of what encloses it."""
    sections = document.sections if document is not None else ()
    return [one.title_span for one in sections if f".{one.title}".endswith(f".{name}")]


def _with_codes(index: SearchIndex, named: Sequence[str], filter: Filter) -> list[int]:
    """Points that hold one of at most `_MOST_CODES` codes; a code of many points tells nothing."""
    found: set[int] = set()
    for code in named if len(named) <= _MOST_CODES else ():
        points = index.holding(code, filter=filter, limit=_RARE + 1)
        found.update(points if len(points) <= _RARE else ())
    return sorted(found)


def _pages(index: SearchIndex, terms: str, filter: Filter) -> Iterator[list[int]]:
    """The points that hold all the terms, ascending, page by page."""
    after = 0
    while terms and (page := index.holding(terms, filter=filter, limit=_PAGE, after=after)):
        yield page
        after = page[-1]


def _with_phrases(catalog: SqliteCatalog, points: Sequence[int], needles: Sequence[str]) -> list[int]:
    texts = ((point, _plain(chunk.text)) for point, chunk in catalog.indexed_texts(points))
    return [point for point, text in texts if all(needle in text for needle in needles)]


def _plain(text: str) -> str:
    """Text as compared for phrases: NFKC, no case, one space between words."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def regex_points(
    catalog: SqliteCatalog, expression: str, *, filter: Filter, limit: int, per_document: bool = False
) -> list[int]:
    """The first `limit` points whose text an expression matches, by uri and place.

    With `per_document` the first of each document only. Raises `UsageError` for an expression that is none,
    takes too long or needs too much memory.
    """
    found: list[int] = []
    with Expression(expression) as tried:
        for doc_id, _ in catalog.document_ids():
            document = catalog.document(doc_id)
            if document is None or not matches(filter, document.meta):
                continue
            most = 1 if per_document else limit - len(found)
            found += tried.points(document.text, catalog.points_of(doc_id), most=most)
            if len(found) >= limit:
                break
    return found
