"""Labelled questions asked of a library: what each found, and the measures over all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from pincite.config import SearchConfig
from pincite.errors import UsageError
from pincite.evaluate.asking import Asked, Asker
from pincite.evaluate.intervals import Interval, mean_interval
from pincite.evaluate.labels.placed import matched
from pincite.evaluate.measures import Measure, Scores, measure_all, parse_measure
from pincite.filter import check, describe
from pincite.index.opened import OpenLibrary
from pincite.models import profile
from pincite.query import weights
from pincite.types import Everything, Filter, Progress, Question, QuestionSet


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
    for k below 1; `InputError` when most labels name no file of the index; `IndexStaleError` when the index
    does not fit the settings.
    """
    started = time.monotonic()
    if k < 1:
        raise UsageError(f"k: expected 1 or more, got {k}", stage="evaluate")
    settings = settings or library.config.search
    chosen = tuple(measures) or default_measures(k)
    with_evidence(questions, allow_empty=allow_empty)
    questions = matched(questions, library)
    wanted = with_evidence(questions, allow_empty=allow_empty)
    library.refuse_if_stale(dense="dense" in settings.legs)
    check(filter, library.catalog.get("fields") or {}, library.catalog.metas)
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
    """What shaped the figures: the settings and true weights, the model, the stemmers, how files were cut."""
    made = library.catalog.get("model") or {}
    return {
        "k": k,
        "filter": describe(filter),
        "search": asdict(settings),
        "weights": weights(settings.legs, settings, profile(library.choice, settings)),
        "stemmers": list(library.catalog.get("stemmers") or ()),
        "chunk": asdict(library.config.chunk),
        "context": asdict(library.config.context),
        "model": made.get("name", ""),
        "chunks": library.catalog.counts()["chunks"],
    }
