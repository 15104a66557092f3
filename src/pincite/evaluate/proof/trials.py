"""What is tried to prove each verdict, and to find what mends it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from pincite.analyze import analyze
from pincite.evaluate.diagnose import Verdict
from pincite.evaluate.golds import holds
from pincite.evaluate.proof.experiments import Experiment, Lab, Ran
from pincite.evaluate.proof.facts import Facts, excluding
from pincite.evaluate.proof.used import is_copy, shown
from pincite.evaluate.tuning.space import written
from pincite.folder.walk import walk
from pincite.sync.ingest import Cutters
from pincite.types import Leg, Question, Remedy, point_id

_LOOKED_AT = 10_000  # the deepest place in a leg that is told
_SIZES = (512, 1024, 2048)
_MOST_MB = 4096  # what sync.max_file_mb may be


@dataclass(frozen=True, slots=True)
class Tried:
    """One trial: what it shows in words, and the remedy it stands for if it worked."""

    proof: str
    remedy: Remedy | None = None


def trials(lab: Lab, question: Question, verdict: Verdict, ran: Ran) -> list[Tried]:
    """Everything that was tried for a verdict, in the order of the proof; nothing for what is found."""
    tried = _TRIALS.get(verdict.code)
    facts = verdict.facts
    return list(tried(_Case(lab, question, verdict, facts, ran))) if tried and facts else []


@dataclass(frozen=True, slots=True)
class _Case:
    lab: Lab
    question: Question
    verdict: Verdict
    facts: Facts
    ran: Ran

    def first(self, experiments: Iterator[Experiment], words: str) -> Iterator[Tried]:
        """The first experiment that brings the evidence into the hits; else what the last one gave."""
        tried = Tried("")
        for experiment in experiments:
            tried = self.one(experiment, words)
            if tried.remedy:
                break
        if tried.proof:
            yield tried

    def one(self, experiment: Experiment, words: str) -> Tried:
        """One experiment run; `words` hold the change as `{after}`."""
        asked, _ = self.lab.under(self.question, experiment)
        proof = f"With {words.format(after=experiment.after)} {self.where(asked.rank)}."
        worked = asked.rank is not None and asked.rank <= experiment.k
        return Tried(proof, self.remedy(experiment) if worked else None)

    @property
    def parts(self) -> int:
        """How many pieces of evidence are needed."""
        return len({qrel.group for qrel in self.question.judged})

    def where(self, rank: int | None) -> str:
        """Where the evidence stands; of several pieces that are needed, the last."""
        if self.parts > 1:
            return f"the last piece that is needed is {ordinal(rank)}" if rank else "a piece is in no pool"
        return f"it is {ordinal(rank)}" if rank else "it is in no pool"

    def remedy(self, experiment: Experiment) -> Remedy:
        return Remedy(experiment.setting, experiment.before, experiment.after, (self.question.id,))


def ordinal(n: int) -> str:
    """`1st`, `12th`, `23rd`."""
    ending = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


# ── retrieval and fusion ──────────────────────────────────────────────────────────────────────
def _missed(case: _Case) -> Iterator[Tried]:
    for leg in case.lab.ask.settings.legs:
        if leg in case.verdict.own and case.verdict.own[leg] is None:
            yield Tried(_place_in_leg(case, leg))  # type: ignore[arg-type]
    yield from case.first(case.lab.deeper(), "search.depth = {after}")
    for experiment in case.lab.other_legs():
        yield case.one(experiment, "search.legs = {after}")


def _place_in_leg(case: _Case, leg: Leg) -> str:
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
            found = index.lexical(terms, filter=filter, depth=_LOOKED_AT)
            by = "by words"
        else:
            found = index.dense(library.query_vector(case.question.text), filter=filter, depth=_LOOKED_AT)
            by = "by meaning"
    at = next((n for n, (point, _) in enumerate(found, 1) if point in points), None)
    return (
        f"Of the whole index it is {ordinal(at)} {by}."
        if at
        else f"It is not among the first {_LOOKED_AT:,} {by}."
    )


def _fused_away(case: _Case) -> Iterator[Tried]:
    for experiment in case.lab.other_legs():
        yield case.one(experiment, "search.legs = {after}")
    fusions = [case.one(one, f"{one.setting} = {{after}}") for one in case.lab.other_fusions()]
    yield from (tried for tried in fusions if tried.remedy)
    yield from case.first(case.lab.more_hits(), "k = {after}")


def _filtered(case: _Case) -> Iterator[Tried]:
    for experiment in case.lab.without_filter():
        yield case.one(experiment, "no filter")


# ── index ─────────────────────────────────────────────────────────────────────────────────────
def _without_vector(case: _Case) -> Iterator[Tried]:
    """The vector is made now, and its place among those of the dense leg told."""
    library = case.lab.library
    point = min(map(point_id, case.facts.holders))
    (stored,) = library.catalog.stored([point]).values()
    vector = library.checked_embedder().embed_documents([stored.chunk.dense_text])[0]
    score = float(vector @ library.query_vector(case.question.text))
    with library.question():
        pool = library.index().dense(
            library.query_vector(case.question.text), filter=case.lab.ask.filter, depth=_LOOKED_AT
        )
    at = 1 + sum(other > score for _, other in pool)
    yield Tried(f"With its vector it would be {ordinal(at)} by meaning.", _sync(case))


def _stale(case: _Case) -> Iterator[Tried]:
    yield Tried("", _sync(case) if case.facts.file == "new" else None)


def _sync(case: _Case) -> Remedy:
    return Remedy("index", "not up to date", "pincite sync", (case.question.id,))


def _excluded(case: _Case) -> Iterator[Tried]:
    """The folder walked again without the globs that exclude the file, or else with the file included."""
    if case.facts.file != "excluded":
        return
    uri, library = case.facts.gold.qrel.uri, case.lab.library
    now = library.config.sync
    if globs := excluding(now, uri):
        name, then = "exclude", replace(now, exclude=tuple(one for one in now.exclude if one not in globs))
    else:
        name, then = "include", replace(now, include=(*now.include, _escaped(uri)))
    before, after = written(getattr(now, name)), written(getattr(then, name))
    if any(file.uri == uri for file in walk(library.root, then).files):
        remedy = Remedy(f"sync.{name}", before, after, (case.question.id,))
        yield Tried(f"With sync.{name} = {after} a sync takes it.", remedy)
    else:
        yield Tried(f"With sync.{name} = {after} another rule still leaves it out.")


def _too_large(case: _Case) -> Iterator[Tried]:
    """The folder walked again with a limit that the file meets, if its size is why it is not read."""
    uri, library = case.facts.gold.qrel.uri, case.lab.library
    now = library.config.sync
    if case.facts.file != "skipped" or "sync.max_file_mb" not in case.facts.reason:
        return
    size = -((library.root / uri).stat().st_size // -1_000_000)
    if not now.max_file_mb < size <= _MOST_MB:
        return
    if any(file.uri == uri for file in walk(library.root, replace(now, max_file_mb=size)).files):
        remedy = Remedy("sync.max_file_mb", str(now.max_file_mb), str(size), (case.question.id,))
        yield Tried(f"With sync.max_file_mb = {size} a sync takes it.", remedy)


def _escaped(uri: str) -> str:
    """A path as a glob that means it alone."""
    return re.sub(r"([\\*?\[\]!#])", r"\\\1", uri)


def _split(case: _Case) -> Iterator[Tried]:
    """The document cut anew with larger chunks, until one holds the evidence."""
    library, gold = case.lab.library, case.facts.gold
    document = case.lab.ask.resolver.document(gold.doc_id or "")
    if document is None:
        return
    kind = document.type if document.type in library.config.chunk_for else ""
    now = library.config.chunk_for[kind] if kind else library.config.chunk
    setting = f"chunk.{kind}.size" if kind else "chunk.size"
    sizes = sorted({*_SIZES, now.parent_size})  # no setting may be larger than that of the parents
    for size in (size for size in sizes if now.size < size <= now.parent_size):
        config = replace(library.config, chunk=replace(now, size=size), chunk_for={})
        cut = Cutters.of(config, library.embedder()).cut(document)
        if any(holds(gold, document.id, chunk.span) for chunk in cut.chunks):
            remedy = Remedy(setting, str(now.size), str(size), (case.question.id,))
            yield Tried(f"With {setting} = {size} one chunk holds it.", remedy)
            return
    limit = min(now.parent_size, library.embedder().limit)
    yield Tried(f"No larger chunk keeps it whole: chunk.parent_size and the model allow {limit:,} tokens.")


# ── context and answer ────────────────────────────────────────────────────────────────────────
def _over_budget(case: _Case) -> Iterator[Tried]:
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


def _copy(case: _Case) -> Iterator[Tried]:
    """The context without the passage that it is a copy of."""
    left_out = case.ran.context.left_out
    reason = next(d.reason for d in left_out if d.chunk_id in case.facts.holders and is_copy(d.reason))
    hits = tuple(hit for hit in case.ran.result.hits if hit.candidate.chunk_id in case.facts.holders)
    alone = case.lab.context(hits, case.lab.library.config.context)
    stays = "Alone it stays in the context." if shown(case.facts, alone) else ""
    yield Tried(f"It was left out as a {reason}, which is in the context. {stays}".strip())


def _with_gold_alone(case: _Case) -> Iterator[Tried]:
    """The question answered from the passages of its evidence, whatever else was found."""
    holders = frozenset().union(*(one.holders for one in case.lab.facts(case.question)))
    hits = tuple(hit for hit in case.ran.result.hits if hit.candidate.chunk_id in holders)
    context = case.lab.context(hits, case.lab.library.config.context)
    made = case.lab.answer(case.question, case.ran.result, context)
    said = "it is still refused" if made.abstained else f"the answer is: {' '.join(made.text.split())[:200]}"
    yield Tried(f"Given the evidence alone, {said}.")


_TRIALS: Mapping[str, Callable[[_Case], Iterator[Tried]]] = {
    "missed-lexical": _missed,
    "missed-dense": _missed,
    "missed-both": _missed,
    "lost-in-fusion": _fused_away,
    "lost-in-rerank": _fused_away,
    "filtered-out": _filtered,
    "not-embedded": _without_vector,
    "stale-index": _stale,
    "not-in-corpus": _excluded,
    "failed-to-parse": _too_large,
    "split-by-chunking": _split,
    "dropped-budget": _over_budget,
    "dropped-duplicate": _copy,
    "not-used": _with_gold_alone,
    "contradicted": _with_gold_alone,
    "citation-wrong": _with_gold_alone,
    "should-not-have-abstained": _with_gold_alone,
}
