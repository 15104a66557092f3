"""Labelled questions asked of a library: what each found, and the measures over all of them.

What counts is the evidence, not the chunk: a label's place is looked up in the chunks as they are now.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite.config import SearchConfig
from pincite.errors import PinciteError, UsageError
from pincite.evaluate.golds import Resolver, holds
from pincite.evaluate.intervals import Interval, mean_interval
from pincite.evaluate.measures import Measure, Scores, measure_all, parse_measure
from pincite.filter import check, describe
from pincite.index.opened import OpenLibrary
from pincite.pipeline import search
from pincite.types import (
    Everything,
    Filter,
    Gold,
    Progress,
    Query,
    Question,
    QuestionSet,
    SearchResult,
    Span,
    Trace,
    point_id,
)

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


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A question set asked under some settings.

    `scores` are over real questions only; `synthetic` over those drafted from the documents. `unjudged`
    are the answerable questions without evidence, which are not asked. `apart` are the unanswerable ones:
    whether they are refused is measured with answers, but an imported run says which found nothing
    (`refused`). `index` names the state of the index, "" when none was asked.
    """

    questions: QuestionSet
    asked: tuple[Asked, ...]
    unjudged: tuple[Question, ...]
    apart: tuple[Question, ...]
    scores: Scores
    synthetic: Scores
    intervals: Mapping[str, Interval]
    k: int
    settings: Mapping[str, object]
    index: str
    seconds: float
    notices: tuple[str, ...] = ()
    refused: tuple[str, ...] | None = None

    @property
    def failing(self) -> tuple[Asked, ...]:
        """Questions with evidence that is not complete in the first k."""
        return tuple(one for one in self.asked if one.golds and (one.rank is None or one.rank > self.k))

    @property
    def errors(self) -> tuple[Asked, ...]:
        """Questions whose search failed."""
        return tuple(one for one in self.asked if one.error)

    def by_tag(self) -> dict[str, dict[str, float]]:
        """The means of the questions that carry each tag, tags by name."""
        tags = sorted({tag for one in self.asked for tag in one.question.tags})
        return {tag: _means(self.scores, self.asked, tag) for tag in tags}


def default_measures(k: int) -> tuple[Measure, ...]:
    """What is shown unless other measures are named."""
    return tuple(map(parse_measure, (f"nDCG@{k}", f"R@{k}", f"R@{max(k, 100)}", f"RR@{k}", f"Hit@{k}")))


def evaluate(
    library: OpenLibrary,
    questions: QuestionSet,
    *,
    k: int = 10,
    filter: Filter = Everything(),  # noqa: B008
    settings: SearchConfig | None = None,
    measures: Sequence[Measure] = (),
    allow_empty: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Evaluation:
    """Every question with evidence asked, and measured.

    Raises `UsageError` when none has evidence, unless `allow_empty`, for a filter on an unknown field, and
    for k below 1; `IndexStaleError` when the index does not fit the settings.
    """
    started = time.monotonic()
    if k < 1:
        raise UsageError(f"k: expected 1 or more, got {k}", stage="evaluate")
    settings = settings or library.config.search
    chosen = tuple(measures) or default_measures(k)
    wanted = with_evidence(questions, allow_empty=allow_empty)
    library.refuse_if_stale()
    check(filter, library.catalog.get("fields") or {})
    ask = Asker(library, k=k, filter=filter, settings=settings)
    asked = []
    for number, question in enumerate(wanted, 1):
        asked.append(ask(question)[0])
        if progress:
            progress(Progress("ask", number, len(wanted), "questions", question.id))
    result = measured(
        questions, asked, chosen, k=k, settings=settings_of(library, settings, k, filter), started=started
    )
    notices = (*_label_notices(asked), *_notices(library, k, settings, chosen))
    return replace(result, index=library.catalog.fingerprint(), notices=notices)


def with_evidence(questions: QuestionSet, *, allow_empty: bool = False) -> list[Question]:
    """The answerable questions with a judgement above 0.

    Raises `UsageError` when there are none, unless `allow_empty`.
    """
    answerable = [one for one in questions.questions if one.answerable]
    found = [one for one in answerable if one.judged]
    if not found and not allow_empty:
        what = "a judgement above 0" if answerable else "an answer in the documents, by their labels"
        raise UsageError(
            f"{questions.name}: none of its {len(questions.questions)} questions has {what}",
            stage="evaluate",
            hint="pincite questions check shows what is wrong with labels"
            if answerable
            else "pincite eval --answers measures whether such questions are refused",
        )
    return found


def measured(
    questions: QuestionSet,
    asked: Sequence[Asked],
    measures: Sequence[Measure],
    *,
    k: int,
    settings: Mapping[str, object],
    started: float,
) -> Evaluation:
    """The measures over questions that were asked; `started` is on the monotonic clock."""
    scores = _scores(measures, [one for one in asked if not one.question.synthetic])
    answerable = [one for one in questions.questions if one.answerable]
    return Evaluation(
        questions=questions,
        asked=tuple(asked),
        unjudged=tuple(one for one in answerable if not one.judged),
        apart=tuple(one for one in questions.questions if not one.answerable),
        scores=scores,
        synthetic=_scores(measures, [one for one in asked if one.question.synthetic]),
        intervals={
            str(m): mean_interval(list(scores.values(m).values())) for m in scores.measures if scores.total
        },
        k=k,
        settings=settings,
        index="",
        seconds=round(time.monotonic() - started, 3),
    )


def _scores(measures: Sequence[Measure], asked: Sequence[Asked]) -> Scores:
    return measure_all(
        measures,
        {one.question.id: one.ranking for one in asked},
        {one.question.id: one.judged for one in asked},
    )


def _means(scores: Scores, asked: Sequence[Asked], tag: str) -> dict[str, float]:
    tagged = [one.question.id for one in asked if tag in one.question.tags]
    rows = [scores.by_question[one] for one in tagged if one in scores.by_question]
    return {name: sum(row[name] for row in rows) / len(rows) for name in scores.means if rows}


def _notices(
    library: OpenLibrary, k: int, settings: SearchConfig, measures: Sequence[Measure]
) -> Iterable[str]:
    counts = library.catalog.counts()
    size = library.catalog.total_tokens() / max(1, counts["chunks"])
    room = library.config.context.budget
    if k * size > room:
        yield f"k = {k}: a prompt of context.budget = {room} tokens holds about {int(room // size)} chunks"
    if counts["pending"] and "dense" in settings.legs:
        yield f"{counts['pending']} chunks have no vector: pincite status names their files"
    deepest = max((m.cutoff or 0 for m in measures), default=0)
    if max(k, settings.depth) < deepest:
        yield f"measures at {deepest}: each leg hands on search.depth = {settings.depth} candidates, no more"


def _label_notices(asked: Sequence[Asked]) -> Iterable[str]:
    """How many labels are not where they say, and how many of them are nowhere."""
    golds = [gold for one in asked for gold in one.golds]
    gone, moved = sum(bool(gold.problem) for gold in golds), sum(bool(gold.moved_to) for gold in golds)
    if gone:
        yield f"{gone} of {len(golds)} labels are not found in the index: pincite questions check names them"
    if moved:
        yield f"{moved} of {len(golds)} labels moved with their quotes: pincite questions check names them"


def settings_of(
    library: OpenLibrary,
    settings: SearchConfig,
    k: int,
    filter: Filter = Everything(),  # noqa: B008
) -> dict[str, object]:
    """What shaped the figures: the search's settings, the model, how documents were cut."""
    from dataclasses import asdict

    made = library.catalog.get("model") or {}
    return {
        "k": k,
        "filter": describe(filter),
        "search": asdict(settings),
        "chunk": asdict(library.config.chunk),
        "context": asdict(library.config.context),
        "model": made.get("name", ""),
        "chunks": library.catalog.counts()["chunks"],
    }


# ── one question ──────────────────────────────────────────────────────────────────────────────
@dataclass(slots=True)
class Asker:
    """Asks questions of a library that does not change meanwhile."""

    library: OpenLibrary
    k: int
    filter: Filter
    settings: SearchConfig
    resolver: Resolver = field(init=False)

    def __post_init__(self) -> None:
        self.resolver = Resolver(self.library.catalog)

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


def ranked_ids(trace: Trace) -> list[str]:
    """The chunk ids of the last ranking before hits were cut at k, best first."""
    steps = [step for step in trace.steps if step.stage in ("fuse", "rerank", "regex")]
    return [str(item["chunk_id"]) for item in steps[-1].items] if steps else []


def _names_document(gold: Gold) -> bool:
    qrel = gold.qrel
    return qrel.line_start is None and qrel.page is None and qrel.chars is None and not qrel.quote


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
