"""A TREC run that some other engine made, measured with the same questions and rules."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pincite.evaluate.asking import Asked
from pincite.evaluate.measures import Measure
from pincite.evaluate.run import Evaluation, default_measures, measured, with_evidence
from pincite.evaluate.trec import read_run
from pincite.types import Gold, Question, QuestionSet

Rankings = Mapping[str, Sequence[str]]


def evaluate_run(
    questions: QuestionSet, run: Path, *, k: int = 10, measures: Sequence[Measure] = ()
) -> Evaluation:
    """The measures of a run over the questions; a question that is not in the run found nothing.

    A run ranks documents, by their paths or ids as the judgements have them; a judged place counts as its
    document. Raises `InputError` for a broken run, `UsageError` when no question has evidence.
    """
    started = time.monotonic()
    wanted = with_evidence(questions)
    rankings = read_run(run)
    asked = [_asked(question, tuple(rankings.get(question.id, ())), k) for question in wanted]
    chosen = tuple(measures) or default_measures(k)
    result = measured(questions, asked, chosen, k=k, settings={"k": k, "run": run.name}, started=started)
    refused = tuple(question.id for question in result.apart if not rankings.get(question.id))
    return replace(result, notices=tuple(_notices(questions, rankings)), refused=refused)


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


def _notices(questions: QuestionSet, rankings: Rankings) -> list[str]:
    known = {question.id for question in questions.questions}
    strange = [one for one in rankings if one not in known]
    notices = []
    if strange:
        some = ", ".join(strange[:5]) + (", …" if len(strange) > 5 else "")
        notices.append(f"{len(strange)} rankings are of questions that are not in the file: {some}")
    named = {qrel.uri for one in questions.questions for qrel in one.qrels}
    ranked = [doc for one in questions.questions for doc in rankings.get(one.id, ())]
    if ranked and named.isdisjoint(ranked):
        notices.append(
            f"the run ranks none of the documents that the labels name: it has {ranked[0][:80]!r}, and they "
            f"name {min(named)[:80]!r}; a run of --run-out goes with the judgements of --qrels-out"
        )
    if any(qrel.location != qrel.uri for one in questions.questions for qrel in one.judged):
        notices.append("the labels name places; a run ranks documents, so each counts as its document")
    return notices
