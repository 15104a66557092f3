"""Labelled questions answered: whether the answers cite the evidence, and whether the rest is refused.

Everything but the judge goes by places and words: a citation is right when its verified quote stands in
labelled evidence. `figures` computes the figures from these rows alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite.answer.abstain import strength
from pincite.answer.extract import Quote
from pincite.config import SearchConfig
from pincite.errors import ModelError, PinciteError, UsageError
from pincite.evaluate.answers.judge import Judge, Verdicts
from pincite.evaluate.asking import MOST_FAILURES, resolver_of
from pincite.evaluate.chat import Chat
from pincite.evaluate.golds import Resolver
from pincite.evaluate.labels.placed import matched
from pincite.filter import check
from pincite.index.opened import OpenLibrary
from pincite.pipeline import ask
from pincite.types import (
    Answer,
    Citation,
    Everything,
    Filter,
    Gold,
    Progress,
    Qrel,
    Query,
    Question,
    QuestionSet,
    Span,
)


@dataclass(frozen=True, slots=True)
class Answered:
    """One question answered; all figures are counts.

    `refused` is an abstention, or that nothing was found. `citations` are those of its claims, `verified`
    those whose quote its file holds, `right` those of them that stand in labelled evidence. `evidence` are
    the groups of its judgements, of which one place each is needed, `cited` those of which one is cited.
    `supported` are claims with a verified citation. `strength` is what abstaining goes by: the best
    sentence's, or the best hit's fused score under a model; None without any. `places` are cited places.
    """

    question: Question
    refused: bool = False
    claims: int = 0
    supported: int = 0
    citations: int = 0
    verified: int = 0
    right: int = 0
    evidence: int = 0
    cited: int = 0
    strength: float | None = None
    by_sentence: bool = False
    judged: Verdicts | None = None
    places: tuple[str, ...] = ()
    reason: str = ""
    ms: float = 0.0
    error: str = ""

    @property
    def answered(self) -> bool:
        """Whether an answer was given."""
        return not self.refused and not self.error

    @property
    def wrong(self) -> bool:
        """Whether an answer was given that cites no labelled evidence, or none was to be given."""
        return self.answered and (not self.question.answerable or not self.cited)


@dataclass(frozen=True, slots=True)
class Answers:
    """A question set answered, in its order. `unjudged` are answerable questions without evidence: not asked.

    `model` wrote the answers ("" for quoted sentences), `judge` judged the claims ("" if none did).
    """

    questions: QuestionSet
    answered: tuple[Answered, ...]
    unjudged: tuple[Question, ...]
    model: str = ""
    judge: str = ""
    seconds: float = 0.0
    notices: tuple[str, ...] = ()


def measure_answers(
    library: OpenLibrary,
    questions: QuestionSet,
    *,
    k: int = 10,
    filter: Filter = Everything(),  # noqa: B008
    settings: SearchConfig | None = None,
    judge: Chat | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Answers:
    """Every question with evidence and every unanswerable one, answered as `ask` does.

    An answer that fails is a row with its `error`. Raises `UsageError` when there is nothing to ask or k
    is below 1, `InputError` when most labels name no file of the index, and `ModelError` when the model
    fails from the start.
    """
    started = time.monotonic()
    questions = matched(questions, library)
    wanted = [one for one in questions.questions if one.judged or not one.answerable]
    if not wanted:
        raise UsageError(f"{questions.name}: none of its questions can be judged", stage="evaluate")
    if k < 1:
        raise UsageError(f"k: expected 1 or more, got {k}", stage="evaluate")
    settings = settings or library.config.search
    library.refuse_if_stale(dense="dense" in settings.legs)
    check(filter, library.catalog.get("fields") or {}, library.catalog.metas)
    examine = Examiner(library, k, filter, settings, Judge(judge) if judge else None)
    rows: list[Answered] = []
    for number, question in enumerate(wanted, 1):
        rows.append(examine(question, first=len(rows) < MOST_FAILURES and all(row.error for row in rows)))
        if progress:
            progress(Progress("answer", number, len(wanted), "questions", question.id))
    return Answers(
        questions=questions,
        answered=tuple(rows),
        unjudged=tuple(one for one in questions.questions if one not in wanted),
        model=library.config.llm.model,
        judge=judge.name if judge else "",
        seconds=round(time.monotonic() - started, 3),
        notices=examine.judge.notices if examine.judge else (),
    )


@dataclass(slots=True)
class Examiner:
    """Answers questions of a library that does not change meanwhile, and counts what is right."""

    library: OpenLibrary
    k: int
    filter: Filter
    settings: SearchConfig
    judge: Judge | None = None
    resolver: Resolver = field(init=False)
    _failures: int = 0

    def __post_init__(self) -> None:
        self.resolver = resolver_of(self.library)

    def __call__(self, question: Question, *, first: bool = False) -> Answered:
        """One question; `first` says that no answer before it came off."""
        golds = self.resolver.resolve(question) if question.answerable else ()
        row = Answered(question, evidence=len({gold.qrel.group for gold in golds}))
        started = time.perf_counter()
        try:
            answer = ask(self.library, Query(question.text, self.filter, self.k), settings=self.settings)
        except PinciteError as problem:
            self._failures += 1
            if first and isinstance(problem, ModelError) and self._failures == MOST_FAILURES:
                raise
            return replace(row, error=problem.message)
        ms = round((time.perf_counter() - started) * 1000, 3)
        return replace(self._counted(row, answer, golds), ms=ms)

    def _counted(self, row: Answered, answer: Answer, golds: Sequence[Gold]) -> Answered:
        value, by_sentence = strength_of(answer)
        row = replace(row, strength=value, by_sentence=by_sentence, reason=answer.reason)
        if answer.abstained or not answer.claims:
            return replace(row, refused=True)
        citations = [citation for claim in answer.claims for citation in claim.citations]
        verified = [citation for citation in citations if citation.verified]
        found = [(citation, self._golds_of(citation, golds)) for citation in verified]
        return replace(
            row,
            claims=len(answer.claims),
            supported=sum(any(one.verified for one in claim.citations) for claim in answer.claims),
            citations=len(citations),
            verified=len(verified),
            right=sum(bool(cited) for _, cited in found),
            cited=len({gold.qrel.group for _, cited in found for gold in cited}),
            places=tuple(dict.fromkeys(citation.location for citation in citations)),
            judged=self.judge(answer.claims) if self.judge else None,
        )

    def _golds_of(self, citation: Citation, golds: Sequence[Gold]) -> list[Gold]:
        """The golds with which a verified quote shares text, both looked up in the indexed document."""
        place = citation.place
        quote = Qrel("", citation.uri, place.line_start, place.line_end, place.page, quote=citation.quote)
        there = self.resolver.gold(quote)
        if there.doc_id is None or there.span is None:
            return []
        return [gold for gold in golds if shares(gold, there.doc_id, there.span)]


def shares(gold: Gold, doc_id: str, span: Span) -> bool:
    """Whether a quote's span has any text of a gold; any of its document when the label names no place."""
    if gold.problem or gold.doc_id != doc_id:
        return False
    return gold.span is None or gold.span.overlap(span) > 0


def strength_of(answer: Answer) -> tuple[float | None, bool]:
    """What an answer is given by, and whether that is a sentence's strength: else it is a fused score."""
    extracted = [step for step in answer.trace.steps if step.stage == "extract"]
    if extracted:
        return max((_strength(item) for item in extracted[-1].items), default=None), True
    hits = answer.search.hits
    return (hits[0].candidate.fused if hits else None), False


def _strength(item: Mapping[str, object]) -> float:
    lexical, dense = item["lexical"], item["dense"]
    assert isinstance(lexical, float | int) and (dense is None or isinstance(dense, float | int))
    return strength(Quote(0, Span(0, 0), "", 0.0, float(lexical), None if dense is None else float(dense)))
