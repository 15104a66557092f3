"""One question asked of a library: where its evidence stands in the ranking, and what stands there.

What counts is the evidence, not the chunk: a label's place is looked up in the chunks as they are now.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pincite.config import SearchConfig
from pincite.errors import PinciteError
from pincite.evaluate.golds import Resolver, holds
from pincite.index.opened import OpenLibrary
from pincite.pipeline import search
from pincite.types import Filter, Gold, Query, Question, SearchResult, Span, Trace, point_id

MOST_FAILURES = 3
"""Failures of a model from the start on after which nothing is to be expected of it."""

Found = tuple[str, Span]  # the document and span of a chunk


@dataclass(frozen=True, slots=True)
class Asked:
    """One question asked: where its evidence stands in the ranking, and what stands there.

    `rank` is the place at which the evidence is complete (one judgement of each group), counted in chunks,
    or in documents when the judgements name whole documents; None when it is not in the ranking. `ranking`
    and `judged` are what the measures are computed from: ids of evidence, and of what is none. `expected`
    are the judged places where they stand now, `found` those of the first k: locations, or documents.
    `error` is the message of a search that failed.
    """

    question: Question
    golds: tuple[Gold, ...]
    expected: tuple[str, ...]
    rank: int | None
    ranking: tuple[str, ...]
    judged: Mapping[str, int]
    found: tuple[str, ...]
    ms: float
    error: str = ""


@dataclass(slots=True)
class Asker:
    """Asks questions of a library that does not change meanwhile."""

    library: OpenLibrary
    k: int
    filter: Filter
    settings: SearchConfig
    resolver: Resolver = field(init=False)

    def __post_init__(self) -> None:
        self.resolver = resolver_of(self.library)

    def __call__(self, question: Question) -> tuple[Asked, SearchResult | None]:
        """What the question found, and the search itself; None when it failed or the question has no text."""
        golds = self.resolver.resolve(question)
        by_document = bool(golds) and all(_names_document(gold) for gold in golds)
        started = time.perf_counter()
        result, error = None, ""
        try:
            if question.text.strip():
                query = Query(question.text, self.filter, self.k, per_document=by_document)
                result = search(self.library, query, settings=self.settings)
        except PinciteError as problem:
            error = problem.message
        ms = round((time.perf_counter() - started) * 1000, 3)
        found = self._chunks(result.trace) if result else []
        ranking, judged = units(found, question, golds, by_document, self.resolver.doc_ids)
        hits = result.hits if result else ()
        places = ranking[: self.k] if by_document else tuple(hit.location for hit in hits)
        rank = complete_rank(_documents(found) if by_document else found, golds)
        expected = tuple(dict.fromkeys(map(self.resolver.location, golds)))
        return Asked(question, golds, expected, rank, ranking, judged, places, ms, error), result

    def _chunks(self, trace: Trace) -> list[Found]:
        """The document and span of every chunk in the final ranking, best first."""
        points = [point_id(chunk_id) for chunk_id in ranked_ids(trace)]
        spans = self.library.catalog.spans_of(points)
        return [spans[point] for point in points if point in spans]


def resolver_of(library: OpenLibrary) -> Resolver:
    """What finds judgements in the documents of a library, with chunks as large as its model allows."""
    reads = library.catalog.get("reads") or {}
    return Resolver(library.catalog, limit=int(reads.get("limit", 0)))


def ranked_ids(trace: Trace) -> list[str]:
    """The chunk ids of the last ranking before hits were cut at k, best first."""
    steps = [step for step in trace.steps if step.stage in ("fuse", "rerank", "regex")]
    return [str(item["chunk_id"]) for item in steps[-1].items] if steps else []


def _names_document(gold: Gold) -> bool:
    qrel = gold.qrel
    placed = qrel.line_start is not None or qrel.page is not None or qrel.part or qrel.chars is not None
    return not (placed or qrel.quote)


def _documents(found: Sequence[Found]) -> list[Found]:
    """The best chunk of each document."""
    best: dict[str, Found] = {}
    for one in found:
        best.setdefault(one[0], one)
    return list(best.values())


def complete_rank(found: Sequence[Found], golds: Sequence[Gold]) -> int | None:
    """The place, from 1, at which one gold of each group has been found; None if that is nowhere."""
    last = 0
    for group in {gold.qrel.group for gold in golds}:
        members = [gold for gold in golds if gold.qrel.group == group]
        at = next((n for n, one in enumerate(found, 1) if any(holds(gold, *one) for gold in members)), None)
        if at is None:
            return None
        last = max(last, at)
    return last or None


def units(
    found: Sequence[Found],
    question: Question,
    golds: Sequence[Gold],
    by_document: bool,
    doc_ids: Mapping[str, str],
) -> tuple[tuple[str, ...], dict[str, int]]:
    """A ranking of evidence, and its judgements, for measures that count each piece of evidence once.

    Whole documents are ranked by their best chunk, under their uris. Else each piece of evidence stands at
    the first chunk that holds it, under its location; a chunk that holds none that is new keeps its place
    as not relevant.
    """
    if by_document:
        uris = {doc_id: uri for uri, doc_id in doc_ids.items()}
        ranking = tuple(dict.fromkeys(uris.get(doc_id, doc_id) for doc_id, _ in found))
        return ranking, {qrel.uri: qrel.relevance for qrel in question.qrels}
    names = {_name(gold): gold for gold in golds}
    ranked: list[str] = []
    for number, one in enumerate(found, 1):
        new = [name for name, gold in names.items() if name not in ranked and holds(gold, *one)]
        ranked += new or [f"chunk {number}"]
    return tuple(ranked), {name: gold.qrel.relevance for name, gold in names.items()}


def _name(gold: Gold) -> str:
    """The evidence's own name: equal places are one piece of evidence."""
    if gold.span is None:
        return f"{gold.qrel.location} {gold.qrel.quote[:40]}".strip()
    return f"{gold.qrel.uri} {gold.span.start}-{gold.span.end}"
