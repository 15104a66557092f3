"""What is tried to prove each verdict, and to find what mends it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pincite.analyze import analyze
from pincite.evaluate.diagnose import Verdict
from pincite.evaluate.proof.case import Case, Tried, ordinal
from pincite.evaluate.proof.experiments import Lab, Ran
from pincite.evaluate.proof.file_trials import (
    LOOKED_AT,
    excluded,
    split,
    stale,
    too_large,
    without_text,
    without_vector,
)
from pincite.evaluate.proof.used import shown
from pincite.types import Leg, Question, point_id


def trials(lab: Lab, question: Question, verdict: Verdict, ran: Ran) -> list[Tried]:
    """Everything that was tried for a verdict, in the order of the proof; nothing for what is found."""
    tried = _TRIALS.get(verdict.code)
    facts = verdict.facts
    return list(tried(Case(lab, question, verdict, facts, ran))) if tried and facts else []


# ── retrieval and fusion ──────────────────────────────────────────────────────────────────────
def _missed(case: Case) -> Iterator[Tried]:
    for leg in case.lab.ask.settings.legs:
        if leg in case.verdict.own and case.verdict.own[leg] is None:
            yield Tried(_place_in_leg(case, leg))  # type: ignore[arg-type]
    yield from case.first(case.lab.deeper(), "search.depth = {after}")
    for experiment in case.lab.other_legs():
        yield case.one(experiment, "search.legs = {after}")


def _place_in_leg(case: Case, leg: Leg) -> str:
    """Where the evidence stands in the whole index by one leg's own score."""
    library, filter = case.lab.library, case.lab.ask.filter
    points = {point_id(chunk_id) for chunk_id in case.facts.holders}
    with library.question():
        index = library.index()
        if leg == "lexical":
            stemmers = tuple(library.catalog.get("stemmers"))
            terms = analyze(case.question.text, side="query", stemmers=stemmers)
            if not index.lexical_scores(terms, points):
                return "It shares no word with the question."
            found = index.lexical(terms, filter=filter, depth=LOOKED_AT)
            by = "by words"
        else:
            found = index.dense(library.query_vector(case.question.text), filter=filter, depth=LOOKED_AT)
            by = "by meaning"
    at = next((n for n, (point, _) in enumerate(found, 1) if point in points), None)
    return (
        f"Of the whole index it is {ordinal(at)} {by}."
        if at
        else f"It is not among the first {LOOKED_AT:,} {by}."
    )


def _fused_away(case: Case) -> Iterator[Tried]:
    for experiment in case.lab.other_legs():
        yield case.one(experiment, "search.legs = {after}")
    fusions = [case.one(one, f"{one.setting} = {{after}}") for one in case.lab.other_fusions()]
    yield from (tried for tried in fusions if tried.remedy)
    yield from case.first(case.lab.more_hits(), "k = {after}")


def _filtered(case: Case) -> Iterator[Tried]:
    for experiment in case.lab.without_filter():
        yield case.one(experiment, "no filter")


# ── context and answer ────────────────────────────────────────────────────────────────────────
def _over_budget(case: Case) -> Iterator[Tried]:
    """Larger budgets, up to the first with which all that is needed is in the context."""
    what = "it is" if case.parts == 1 else "all that is needed is"
    tried = Tried("")
    for experiment in case.lab.larger_budgets():
        context = case.lab.context(case.ran.result.hits, experiment.context)
        worked = case.lab.shown(case.question, context)
        proof = f"With context.budget = {experiment.after} {what} {'' if worked else 'not '}in the context."
        tried = Tried(proof, case.remedy(experiment) if worked else None)
        if worked:
            break
    yield tried


def _copy(case: Case) -> Iterator[Tried]:
    """The context without the passage that it is a copy of."""
    left_out, holders = case.ran.context.left_out, case.facts.holders
    reason = next(one.reason for one in left_out if one.is_copy and one.chunk_id in holders)
    hits = tuple(hit for hit in case.ran.result.hits if hit.candidate.chunk_id in holders)
    alone = case.lab.context(hits, case.lab.library.config.context)
    stays = "Alone it stays in the context." if shown(case.facts, alone) else ""
    yield Tried(f"It was left out as a {reason}, which is in the context. {stays}".strip())


def _with_gold_alone(case: Case) -> Iterator[Tried]:
    """The question answered from the passages of its evidence, whatever else was found."""
    holders = frozenset().union(*(one.holders for one in case.lab.facts(case.question)))
    hits = tuple(hit for hit in case.ran.result.hits if hit.candidate.chunk_id in holders)
    context = case.lab.context(hits, case.lab.library.config.context)
    made = case.lab.answer(case.question, case.ran.result, context)
    said = "it is still refused" if made.abstained else f"the answer is: {' '.join(made.text.split())[:200]}"
    yield Tried(f"Given the evidence alone, {said}.")


_TRIALS: Mapping[str, Callable[[Case], Iterator[Tried]]] = {
    "missed-lexical": _missed,
    "missed-dense": _missed,
    "missed-both": _missed,
    "lost-in-fusion": _fused_away,
    "lost-in-rerank": _fused_away,
    "filtered-out": _filtered,
    "not-embedded": without_vector,
    "stale-index": stale,
    "not-in-corpus": excluded,
    "failed-to-parse": too_large,
    "page-without-text": without_text,
    "split-by-chunking": split,
    "dropped-budget": _over_budget,
    "dropped-duplicate": _copy,
    "not-used": _with_gold_alone,
    "contradicted": _with_gold_alone,
    "citation-wrong": _with_gold_alone,
    "should-not-have-abstained": _with_gold_alone,
}
