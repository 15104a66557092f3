"""The two legs: a lexical and a dense ranking of chunks, each filtered before it is ranked."""

from __future__ import annotations

import time
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

import numpy as np
import regex

from pincite.analyze import analyze, identifier, phrases
from pincite.errors import UsageError
from pincite.filter import matches
from pincite.index.catalog import SqliteCatalog
from pincite.protocols import SearchIndex, Vectors
from pincite.types import Filter, Hit, Leg, Ranking, Span

_SPARE = 50  # fetched past the depth, so that ties at the cut are broken by id and not by the engine
_FEEDBACK_FROM = 3
_EXACT_LIMIT = 1000
_REGEX_SECONDS = 5.0

Scored = list[tuple[int, float]]
ChunkIds = Callable[[Sequence[int]], Mapping[int, str]]


def lexical_leg(index: SearchIndex, terms: str, *, filter: Filter, depth: int, ids: ChunkIds) -> Ranking:
    """The `depth` best chunks by BM25; chunks that hold no term are never in it."""
    return rank("lexical", index.lexical(terms, filter=filter, depth=depth + _SPARE), depth, ids)


def dense_leg(index: SearchIndex, vector: Vectors, *, filter: Filter, depth: int, ids: ChunkIds) -> Ranking:
    """The `depth` nearest chunks by cosine; chunks without a vector are never in it."""
    return rank("dense", index.dense(vector, filter=filter, depth=depth + _SPARE), depth, ids)


def rank(leg: Leg, found: Scored, depth: int, ids: ChunkIds) -> Ranking:
    """A ranking from what the index found: gone chunks dropped, ties by chunk id, cut at `depth`."""
    names = ids([point for point, _ in found])
    rows = sorted((-score, names[point]) for point, score in found if point in names)
    hits = (Hit(chunk_id, -score, n, leg) for n, (score, chunk_id) in enumerate(rows[:depth], 1))
    return Ranking(leg, tuple(hits))


def feedback_vector(index: SearchIndex, vector: Vectors, *, filter: Filter, weight: float) -> Vectors:
    """The query vector moved towards its nearest chunks: q + weight × mean of the top 3, of length 1.

    Pseudo-relevance feedback on the dense leg (Rocchio's formula without a negative part).
    """
    nearest = index.dense(vector, filter=filter, depth=_FEEDBACK_FROM + _SPARE)
    best = sorted(nearest, key=lambda item: (-item[1], item[0]))[:_FEEDBACK_FROM]
    vectors = index.vectors([point for point, _ in best])
    if not vectors or not weight:
        return vector
    moved = vector + weight * np.mean([vectors[point] for point in sorted(vectors)], axis=0)
    unit: Vectors = (moved / np.linalg.norm(moved)).astype(np.float32)
    return unit


# ── exact matches ─────────────────────────────────────────────────────────────────────────────
def exact_points(
    index: SearchIndex, catalog: SqliteCatalog, query: str, *, filter: Filter, stemmers: tuple[str, ...]
) -> list[int]:
    """Points that hold the query's quoted phrases, or the one identifier or code it is; ascending."""
    if found := phrases(query):
        return _holding_phrases(index, catalog, found, filter, stemmers)
    whole = identifier(query)
    return index.holding(whole, filter=filter, limit=_EXACT_LIMIT) if whole else []


def _holding_phrases(
    index: SearchIndex,
    catalog: SqliteCatalog,
    wanted: Sequence[str],
    filter: Filter,
    stemmers: tuple[str, ...],
) -> list[int]:
    terms = analyze(" ".join(wanted), side="query", stemmers=stemmers)
    stored = catalog.stored(index.holding(terms, filter=filter, limit=_EXACT_LIMIT))
    texts = {point: _plain(found.chunk.text) for point, found in stored.items()}
    needles = [_plain(phrase) for phrase in wanted]
    return sorted(point for point, text in texts.items() if all(needle in text for needle in needles))


def _plain(text: str) -> str:
    """Text as compared for phrases: NFKC, no case, one space between words."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def regex_points(catalog: SqliteCatalog, expression: str, *, filter: Filter, limit: int) -> list[int]:
    """Points whose text an expression matches, by uri and place. A bad or slow one is a `UsageError`."""
    pattern = _compiled(expression)
    found: list[int] = []
    left = _REGEX_SECONDS
    for doc_id, _ in catalog.document_ids():
        document = catalog.document(doc_id)
        if document is None or not matches(filter, document.meta):
            continue
        started = time.monotonic()
        spans = _matches(pattern, document.text, left, limit)
        left -= time.monotonic() - started
        for point, start, end in catalog.points_of(doc_id) if spans else ():
            first = bisect_right(spans, start, key=lambda span: span.end)
            if first < len(spans) and spans[first].start < end:
                found.append(point)
        if len(found) >= limit:
            break
    return found[:limit]


def _compiled(expression: str) -> regex.Pattern[str]:
    try:
        return regex.compile(expression, regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError) as error:
        raise UsageError(f"--regex: {_short(expression)} is not a regular expression: {error}") from error


def _matches(pattern: regex.Pattern[str], text: str, seconds: float, limit: int) -> list[Span]:
    """The first matches that are not empty, at most `limit`; a `UsageError` when they take too long."""
    try:
        found = (Span(*match.span()) for match in pattern.finditer(text, timeout=max(0.001, seconds)))
        return list(islice((span for span in found if len(span)), limit))
    except TimeoutError as error:
        what = f"--regex: {_short(pattern.pattern)} took longer than {_REGEX_SECONDS:g} s over the library"
        raise UsageError(what, hint="make it simpler, or narrow the search with --filter") from error


def _short(expression: str) -> str:
    return repr(expression if len(expression) <= 80 else f"{expression[:80]}…")
