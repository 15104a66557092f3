"""A TREC run that some other engine made, measured with the same questions and rules."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pincite.errors import InputError
from pincite.evaluate.asking import Asked
from pincite.evaluate.measures import Measure
from pincite.evaluate.run import Evaluation, default_measures, measured, with_evidence
from pincite.evaluate.trec import read_ranked_run
from pincite.types import Gold, Question, QuestionSet

Rankings = Mapping[str, Sequence[str]]


def evaluate_run(
    questions: QuestionSet, run: Path, *, k: int = 10, measures: Sequence[Measure] = ()
) -> Evaluation:
    """The measures of a run over the questions; a question that is not in the run found nothing.

    A run ranks documents, by their paths or ids as the judgements have them; a judged place counts as its
    document. Raises `InputError` for a broken run, and for one that has none of the questions or ranks none
    of the documents that labels name; `UsageError` when no question has evidence.
    """
    started = time.monotonic()
    wanted = with_evidence(questions)
    rankings, otherwise = read_ranked_run(run)
    _refuse_strangers(questions, rankings, run.name)
    asked = [_asked(question, tuple(rankings.get(question.id, ())), k) for question in wanted]
    chosen = tuple(measures) or default_measures(k)
    result = measured(questions, asked, chosen, k=k, settings={"k": k, "run": run.name}, started=started)
    refused = tuple(question.id for question in result.apart if not rankings.get(question.id))
    return replace(result, notices=tuple(_notices(questions, rankings, otherwise)), refused=refused)


def _asked(question: Question, ranking: tuple[str, ...], k: int) -> Asked:
    judged: dict[str, int] = {}
    for qrel in question.qrels:
        judged[qrel.uri] = max(qrel.relevance, judged.get(qrel.uri, qrel.relevance))
    golds = tuple(Gold(qrel) for qrel in question.judged)
    expected = tuple(dict.fromkeys(gold.qrel.location for gold in golds))
    return Asked(question, golds, expected, _complete(ranking, golds), ranking, judged, ranking[:k], 0.0)


def _complete(ranking: Sequence[str], golds: Sequence[Gold]) -> int | None:
    """The place, from 1, at which a document of each group has been found; None if that is nowhere."""
    places = {doc: rank for rank, doc in enumerate(ranking, 1)}
    best: dict[str, float] = {}
    for gold in golds:
        at = places.get(gold.qrel.uri, float("inf"))
        best[gold.qrel.group] = min(at, best.get(gold.qrel.group, at))
    last = max(best.values())
    return None if last == float("inf") else int(last)


def _refuse_strangers(questions: QuestionSet, rankings: Rankings, name: str) -> None:
    """Raises `InputError` when nothing of the run can be measured: its zeros would be those of the ids."""
    ids = [one.id for one in questions.questions]
    if rankings and rankings.keys().isdisjoint(ids):
        what, first, theirs = "questions of the file", next(iter(rankings)), ids[0]
    else:
        named = {qrel.uri for one in questions.questions for qrel in one.qrels}
        ranked = [doc for one in ids for doc in rankings.get(one, ())]
        if not ranked or not named.isdisjoint(ranked):
            return
        what, first, theirs = "documents that the labels name", ranked[0], min(named)
    raise InputError(
        f"{name}: the run has none of the {what}: its ids are like {first[:80]!r}, theirs like "
        f"{theirs[:80]!r}",
        stage="evaluate",
        hint="a run of --run-out goes with the judgements of --qrels-out",
    )


def _notices(questions: QuestionSet, rankings: Rankings, otherwise: Sequence[str]) -> Iterator[str]:
    known = {question.id for question in questions.questions}
    if strange := [one for one in rankings if one not in known]:
        yield f"{len(strange)} rankings are of questions that are not in the file: {_some(strange)}"
    if ranked := [one for one in otherwise if one in known]:
        yield (
            f"the rank column of {len(ranked)} questions is in another order ({_some(ranked)}): as in "
            f"trec_eval scores count, and documents of equal scores go by their ids, falling"
        )
    if any(qrel.location != qrel.uri for one in questions.questions for qrel in one.judged):
        yield "the labels name places; a run ranks documents, so each counts as its document"


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
