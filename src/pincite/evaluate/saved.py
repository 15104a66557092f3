"""A measured run as plain data: what is printed as JSON, kept on disk, compared and reported.

What can be counted from the questions is counted from them (`metrics`, `by_tag`, `counts`), so a total
never says anything else than the rows below it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pincite.evaluate.asking import Asked
from pincite.evaluate.intervals import Interval
from pincite.evaluate.run import Evaluation
from pincite.evaluate.saved_why import SavedDiagnosis, diagnosis_json

FORMAT = 1
Json = dict[str, Any]
Named = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class RunQuestion:
    """What one question found. `metrics` has no value for a measure that was not computed.

    `relevant` is how many pieces of evidence there are, and `relevant_at` the places from 1 at which they
    stand in the ranking, as the measures see it. `labels` says which of its labels are not where they
    were: `manual.md:78: moved to manual.md:80`.
    """

    question_id: str
    question: str
    expected: tuple[str, ...]
    found: tuple[str, ...]
    rank: int | None
    metrics: Mapping[str, float]
    relevant: int
    relevant_at: tuple[int, ...]
    ms: float = 0.0
    tags: tuple[str, ...] = ()
    synthetic: bool = False
    error: str = ""
    labels: tuple[str, ...] = ()
    empty: bool = False


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A question set measured under some settings; `questions` are those with evidence, in their order.

    `set_ids` are the ids of the whole set, whose content `set_sha256` names. `refused` are the unanswerable
    questions that a run from elsewhere left without a result; None when that was not looked at.
    `diagnosis` is None unless the stages were looked at too, `answers` (as `answers_json` gives them) unless
    the questions were answered too.
    """

    set_name: str
    set_sha256: str
    set_ids: tuple[str, ...]
    measures: tuple[str, ...]
    intervals: Mapping[str, Interval]
    questions: tuple[RunQuestion, ...]
    without_evidence: tuple[str, ...]
    unanswerable: tuple[str, ...]
    refused: tuple[str, ...] | None
    k: int
    settings: Mapping[str, Any]
    index: str
    seconds: float
    notices: tuple[str, ...]
    made: str
    diagnosis: SavedDiagnosis | None = None
    answers: Mapping[str, Any] | None = None

    @property
    def real(self) -> tuple[RunQuestion, ...]:
        """The questions that people asked; only they enter the metrics."""
        return tuple(one for one in self.questions if not one.synthetic)

    @property
    def synthetic(self) -> tuple[RunQuestion, ...]:
        """The questions that were drafted from the documents."""
        return tuple(one for one in self.questions if one.synthetic)

    @property
    def metrics(self) -> dict[str, float]:
        """The mean of each measure."""
        return self.means(self.real)

    @property
    def failing(self) -> tuple[RunQuestion, ...]:
        """Questions whose evidence is not complete in the first k, failed searches aside."""
        return tuple(one for one in self.questions if not one.error and not self.is_ok(one))

    @property
    def failed(self) -> tuple[RunQuestion, ...]:
        """Questions whose search raised an error."""
        return tuple(one for one in self.questions if one.error)

    @property
    def empty(self) -> tuple[str, ...]:
        """The ids of the questions that found nothing at all."""
        return tuple(one.question_id for one in self.questions if one.empty)

    def is_ok(self, one: RunQuestion) -> bool:
        """Whether the evidence is complete in the first k."""
        return one.rank is not None and one.rank <= self.k

    def means(self, questions: Sequence[RunQuestion]) -> dict[str, float]:
        """The mean of each measure over some questions; nothing over none."""
        values = {name: [one.metrics[name] for one in questions] for name in self.measures if questions}
        return {name: math.fsum(each) / len(each) for name, each in values.items()}

    def by_tag(self) -> dict[str, tuple[RunQuestion, ...]]:
        """The real questions that carry each tag, tags by name."""
        tags = sorted({tag for one in self.real for tag in one.tags})
        return {tag: tuple(one for one in self.real if tag in one.tags) for tag in tags}

    def values(self, measure: str) -> dict[str, float]:
        """The values of a measure by question, synthetic ones left out."""
        return {one.question_id: one.metrics[measure] for one in self.real}

    def ms_at(self, share: float) -> float:
        """The milliseconds within which this share of the questions was answered (nearest rank)."""
        ordered = sorted(one.ms for one in self.questions)
        return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0

    def counts(self) -> dict[str, int]:
        """How many questions there are of each kind."""
        return {
            "questions": len(self.set_ids),
            "measured": len(self.questions),
            "synthetic": len(self.synthetic),
            "failing": len(self.failing),
            "failed": len(self.failed),
            "answered": len(self.questions) - len(self.empty),
            "empty": len(self.empty),
            "without_evidence": len(self.without_evidence),
            "unanswerable": len(self.unanswerable),
        }


# ── from an evaluation ────────────────────────────────────────────────────────────────────────
def saved_run(
    evaluation: Evaluation, named: Named = str, diagnosis: SavedDiagnosis | None = None
) -> SavedRun:
    """The evaluation as plain data; `named` puts documents' own ids in the text of places."""
    scores = {**evaluation.synthetic.by_question, **evaluation.scores.by_question}
    return SavedRun(
        set_name=evaluation.questions.name,
        set_sha256=evaluation.questions.sha256,
        set_ids=tuple(one.id for one in evaluation.questions.questions),
        measures=tuple(map(str, evaluation.scores.measures)),
        intervals=dict(evaluation.intervals),
        questions=tuple(_question(one, scores[one.question.id], named) for one in evaluation.asked),
        without_evidence=tuple(one.id for one in evaluation.unjudged),
        unanswerable=tuple(one.id for one in evaluation.apart),
        refused=evaluation.refused,
        k=evaluation.k,
        settings=json.loads(json.dumps(evaluation.settings, default=str)),
        index=evaluation.index,
        seconds=evaluation.seconds,
        notices=evaluation.notices,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        diagnosis=diagnosis,
    )


def rankings(evaluation: Evaluation, named: Named = str) -> dict[str, tuple[str, ...]]:
    """What each question ranked, as the measures see it: documents, or evidence among other chunks."""
    return {one.question.id: tuple(map(named, one.ranking)) for one in evaluation.asked}


def judgements(evaluation: Evaluation, named: Named = str) -> dict[str, dict[str, int]]:
    """What each question's rankings are judged by, in the same ids."""
    return {
        one.question.id: {named(name): grade for name, grade in one.judged.items()}
        for one in evaluation.asked
    }


def _question(one: Asked, metrics: Mapping[str, float], named: Named) -> RunQuestion:
    where = f" ({one.question.where})" if one.question.where else ""
    labels = [f"{named(g.qrel.location)}: {g.told}{where}" for g in one.golds if g.problem]
    labels += [f"{named(g.qrel.location)}: moved to {named(g.moved_to)}" for g in one.golds if g.moved_to]
    return RunQuestion(
        question_id=one.question.id,
        question=one.question.text,
        expected=tuple(map(named, one.expected)),
        found=tuple(map(named, one.found)),
        rank=one.rank,
        metrics=dict(metrics),
        relevant=sum(grade > 0 for grade in one.judged.values()),
        relevant_at=tuple(n for n, name in enumerate(one.ranking, 1) if one.judged.get(name, 0) > 0),
        ms=one.ms,
        tags=one.question.tags,
        synthetic=one.question.synthetic,
        error=one.error,
        labels=tuple(labels),
        empty=not one.ranking,
    )


# ── as JSON ───────────────────────────────────────────────────────────────────────────────────
def run_json(run: SavedRun) -> Json:
    """The run as JSON's own types; `runs.run_of` reads it back."""
    synthetic = {"questions": len(run.synthetic), "metrics": run.means(run.synthetic)}
    return {
        "format": FORMAT,
        "made": run.made,
        "question_set": {"name": run.set_name, "sha256": run.set_sha256, "ids": list(run.set_ids)},
        "k": run.k,
        "measures": list(run.measures),
        "metrics": run.metrics,
        "intervals": {
            name: {"low": one.low, "high": one.high, "level": one.level}
            for name, one in run.intervals.items()
        },
        "counts": run.counts(),
        "by_tag": {tag: {"questions": len(of), "metrics": run.means(of)} for tag, of in run.by_tag().items()},
        "synthetic": synthetic,
        "questions": [_question_json(one, run) for one in run.questions],
        "without_evidence": list(run.without_evidence),
        "unanswerable": list(run.unanswerable),
        "refused": None if run.refused is None else list(run.refused),
        "answers": None if run.answers is None else dict(run.answers),
        "settings": dict(run.settings),
        "index": run.index,
        "ms": {"p50": run.ms_at(0.5), "p95": run.ms_at(0.95)},
        "seconds": run.seconds,
        "notices": list(run.notices),
        "diagnosis": None if run.diagnosis is None else diagnosis_json(run.diagnosis),
    }


def _question_json(one: RunQuestion, run: SavedRun) -> Json:
    return {
        "question_id": one.question_id,
        "question": one.question,
        "expected": list(one.expected),
        "found": list(one.found),
        "rank": one.rank,
        "ok": run.is_ok(one),
        "metrics": dict(one.metrics),
        "relevant": one.relevant,
        "relevant_at": list(one.relevant_at),
        "ms": one.ms,
        "tags": list(one.tags),
        "synthetic": one.synthetic,
        "error": one.error,
        "labels": list(one.labels),
        "empty": one.empty,
    }
