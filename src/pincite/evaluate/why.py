"""Why a question's evidence is not among the hits: the stage, the proof by experiment, and what mends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.config import SearchConfig
from pincite.errors import ModelError
from pincite.evaluate.asking import MOST_FAILURES, Asker
from pincite.evaluate.diagnose import CODES, STAGES, diagnose
from pincite.evaluate.labels.placed import located
from pincite.evaluate.proof.experiments import Experiment, Lab
from pincite.evaluate.proof.trials import trials
from pincite.evaluate.run import settings_of
from pincite.evaluate.statements import statement
from pincite.index.opened import OpenLibrary
from pincite.protocols import Generator
from pincite.types import Everything, Filter, Finding, Progress, Question, QuestionSet, Remedy

_FUNNEL = {
    "label": "questions with a sound label",
    "corpus": "evidence in a document of the library",
    "sync": "the index is up to date with it",
    "parse": "in the text that was read from the file",
    "chunk": "at least half of it in one chunk",
    "embed": "with a vector, or found without",
    "filter": "allowed by the filter",
    "retrieve": "in the pools that decide",
    "fuse": "in the first k after fusion",
    "rerank": "in the first k after reranking",
    "assemble": "in the context",
    "answer": "used by the answer",
}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The findings of a question set in its order, how many questions each stage left, and the fixes.

    `funnel` holds (stage, what it means, questions left after it); `remedies` are those of all findings,
    the one that recovers most first, each tried on every question where that needs no new index. Those of a
    finding are the same ones: what else they recover and lose belongs to them. `failed`
    are the ids of questions that could not be asked or answered: a model failed.
    """

    findings: tuple[Finding, ...]
    funnel: tuple[tuple[str, str, int], ...]
    remedies: tuple[Remedy, ...]
    settings: Mapping[str, object]
    apart: tuple[Question, ...] = ()
    failed: tuple[str, ...] = ()

    @property
    def counts(self) -> dict[str, int]:
        """How many questions have each code, codes in the order of the stages."""
        return counts_of(self.findings)


def counts_of(findings: Sequence[Finding]) -> dict[str, int]:
    """How many findings have each code, codes in the order of the stages."""
    codes = [finding.code for finding in findings]
    return {code: codes.count(code) for code in _by_stage(codes)}


def _by_stage(codes: Sequence[str]) -> list[str]:
    return sorted(set(codes), key=lambda code: (STAGES.index(CODES[code]), code))


def why(
    library: OpenLibrary,
    questions: QuestionSet,
    *,
    k: int = 10,
    filter: Filter = Everything(),  # noqa: B008
    settings: SearchConfig | None = None,
    answers: bool = False,
    generator: Generator | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Diagnosis:
    """Where each question's evidence is lost. With `answers` each question is also answered, and that judged.

    `generator` writes the answers in place of the configured one. Unanswerable questions are judged only
    with `answers`: whether they are refused. A question that a model fails for is "unknown", and stops no
    other; raises `ModelError` when it fails for the first `MOST_FAILURES`.
    """
    settings, questions = settings or library.config.search, located(questions, library)
    library.refuse_if_stale(dense="dense" in settings.legs)
    asked = [one for one in questions.questions if answers or one.answerable]
    lab = Lab(library, Asker(library, k=k, filter=filter, settings=settings), answers, generator)
    findings, failed = _findings(asked, lab, progress)
    remedies = ranked(lab, asked, findings)
    return Diagnosis(
        findings=_with_effects(findings, remedies),
        funnel=funnel(findings, answers=answers, legs=settings.legs),
        remedies=remedies if len(asked) > 1 else (),
        settings=settings_of(library, settings, k, filter),
        apart=tuple(one for one in questions.questions if not (answers or one.answerable)),
        failed=tuple(failed),
    )


def _findings(
    asked: Sequence[Question], lab: Lab, progress: Callable[[Progress], None] | None
) -> tuple[list[Finding], list[str]]:
    """A finding for each question, and the ids of those that a model failed for."""
    findings: list[Finding] = []
    failed: list[str] = []
    for number, question in enumerate(asked, 1):
        try:
            findings.append(_finding(question, lab))
        except ModelError as problem:
            failed.append(question.id)
            if len(failed) == number == min(MOST_FAILURES, len(asked)):
                raise
            findings.append(_failed(question, problem))
        if progress:
            progress(Progress("diagnose", number, len(asked), "questions"))
    return findings, failed


def _finding(question: Question, lab: Lab) -> Finding:
    """One question diagnosed, with what was tried to prove it."""
    if unfit := _unfit(question):
        return Finding(question.id, question.text, unfit[0], "label", {}, unfit[1])
    facts = lab.facts(question) if question.answerable else ()
    ran = lab.run(question)
    verdict = diagnose(facts, ran.result.trace, k=lab.ask.k, context=ran.context, answer=ran.answer)
    tried = trials(lab, question, verdict, ran)
    proofs = [statement(verdict, lab.ask, ran.answer), *(one.proof for one in tried)]
    return Finding(
        question_id=question.id,
        question=question.text,
        code=verdict.code,
        stage=verdict.stage,
        ranks=verdict.ranks,
        proof=" ".join(filter(None, proofs)),
        remedies=tuple(dict.fromkeys(one.remedy for one in tried if one.remedy)),
    )


def _failed(question: Question, problem: ModelError) -> Finding:
    stage = "answer" if problem.stage == "answer" else "retrieve"
    return Finding(question.id, question.text, "unknown", stage, {}, problem.message)


def _unfit(question: Question) -> tuple[str, str] | None:
    """Why a question is not asked, as a code and a proof: nothing to search, or nothing to search for."""
    if not question.text.strip():
        return "label-suspect", "The question has no text, so nothing was searched."
    if question.answerable and not question.judged:
        return "unknown", "The question has no judged evidence, and is not marked unanswerable."
    return None


# ── over a file ───────────────────────────────────────────────────────────────────────────────
def funnel(
    findings: Sequence[Finding], *, answers: bool, legs: Sequence[str]
) -> tuple[tuple[str, str, int], ...]:
    """(stage, what it means, questions left after it) for each stage that is part of this search."""
    ran = [stage for stage in STAGES if stage]
    skip = {"rerank"} | (set() if answers else {"answer"}) | (set() if "dense" in legs else {"embed"})
    left, rows = len(findings), []
    for stage in ran:
        left -= sum(finding.stage == stage for finding in findings)
        if stage not in skip or any(finding.stage == stage for finding in findings):
            rows.append((stage, _FUNNEL[stage], left))
    return tuple(rows)


def ranked(lab: Lab, questions: Sequence[Question], findings: Sequence[Finding]) -> tuple[Remedy, ...]:
    """The fixes of all findings, tried on every question: most recovered less lost first, then by name."""
    offered: dict[tuple[str, str], Remedy] = {}
    for finding in findings:
        for remedy in finding.remedies:
            there = offered.get((remedy.setting, remedy.after))
            more = (*there.recovers, *remedy.recovers) if there else remedy.recovers
            offered[remedy.setting, remedy.after] = replace(remedy, recovers=more)
    tried = [_tried_on_all(lab, questions, findings, remedy) for remedy in offered.values()]
    return tuple(sorted(tried, key=lambda r: (len(r.loses) - len(r.recovers), r.setting, r.after)))


def _tried_on_all(
    lab: Lab, questions: Sequence[Question], findings: Sequence[Finding], remedy: Remedy
) -> Remedy:
    """The remedy with what it recovers and loses over all questions; as it is if it needs another index."""
    experiment = lab.experiment_of(remedy)
    if experiment is None:
        return remedy
    if len(questions) == 1:  # it was found by trying it on that one
        return replace(remedy, on_all=True)
    recovers, loses = _difference(lab, questions, findings, experiment)
    return replace(remedy, recovers=recovers, loses=loses, on_all=True)


def _with_effects(findings: Sequence[Finding], remedies: Sequence[Remedy]) -> tuple[Finding, ...]:
    """The findings with what their remedies recover and lose over all questions."""
    known = {(one.setting, one.after): one for one in remedies}
    return tuple(
        replace(one, remedies=tuple(known[remedy.setting, remedy.after] for remedy in one.remedies))
        for one in findings
    )


def _difference(
    lab: Lab, questions: Sequence[Question], findings: Sequence[Finding], experiment: Experiment
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    recovers, loses = [], []
    for question, finding in zip(questions, findings, strict=True):
        if not question.judged or not question.text.strip():
            continue
        found, before = lab.found(question, experiment), _was_found(finding, experiment)
        if found and not before:
            recovers.append(question.id)
        elif before and not found:
            loses.append(question.id)
    return tuple(recovers), tuple(loses)


def _was_found(finding: Finding, experiment: Experiment) -> bool:
    """Whether the evidence got as far as the experiment looks: to the context if that is changed, else to
    the hits. What was lost later, as by the answer, or is lost in another way, as by an edit of the file
    since, an experiment neither recovers nor loses."""
    stage = "context" if experiment.setting.startswith("context.") else "hits"
    return finding.ranks.get(stage) is not None
