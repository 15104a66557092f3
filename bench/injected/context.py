"""Faults of reranking and of the context."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from injected.cases import fault
from injected.corpora import Copy, Corpus, K, Passing
from pincite.config import Config, ContextConfig
from pincite.evaluate.diagnose import diagnose
from pincite.protocols import Reranker
from pincite.types import Evidence, Finding, SearchHit, SearchResult, Step, Trace, point_id


# ── reranking ─────────────────────────────────────────────────────────────────────────────────
class Contrary:
    """A reranker that likes best what came last."""

    def score(self, question: str, passages: Sequence[str]) -> list[float]:
        return [float(number) for number in range(len(passages))]


class ByLength:
    """A reranker that likes the shortest passage best, whatever was asked."""

    def score(self, question: str, passages: Sequence[str]) -> list[float]:
        return [-float(len(passage)) for passage in passages]


def _reranked(copy: Copy, result: SearchResult, reranker: Reranker, k: int) -> SearchResult:
    """The result as it is with a reranker between fusion and the hits."""
    steps = result.trace.steps
    fused = next(step for step in steps if step.stage == "fuse")
    ids = [str(item["chunk_id"]) for item in fused.items]
    stored = copy.open.catalog.stored([point_id(one) for one in ids])
    scores = reranker.score(result.query.text, [stored[point_id(one)].chunk.text for one in ids])
    ranked = sorted(zip(scores, ids, strict=True), key=lambda pair: (-pair[0], pair[1]))
    items: tuple[Mapping[str, object], ...] = tuple(
        {"chunk_id": one, "rank": rank, "score": score} for rank, (score, one) in enumerate(ranked, 1)
    )
    known = {hit.candidate.chunk_id: hit.candidate for hit in result.hits}
    hits = tuple(
        SearchHit(
            rank, known.get(one, replace(result.hits[0].candidate, chunk_id=one)), stored[point_id(one)]
        )
        for rank, (_, one) in enumerate(ranked[:k], 1)
    )
    before = tuple(step for step in steps if step.stage != "reopen")
    trace = Trace(
        result.trace.query, (*before, Step("rerank", 0.0, {}, items), Step("reopen", 0.0, {}, items[:k]))
    )
    return replace(result, hits=hits, trace=trace)


def _badly_reranked(corpus: Corpus, n: int, name: str, reranker: Reranker) -> Iterator[Finding]:
    found = 0
    with corpus.copy() as copy:
        lab = copy.lab()
        for one in corpus.pick(len(corpus.passing), name, distinct=False):
            ran = lab.run(one.question)
            result = _reranked(copy, ran.result, reranker, K)
            if found < n and not {hit.candidate.chunk_id for hit in result.hits} & set(one.holders):
                found += 1
                context = lab.context(result.hits, lab.library.config.context)
                if copy.watch:
                    copy.watch(lab, one.question, replace(ran, result=result, context=context))
                verdict = diagnose(lab.facts(one.question), result.trace, k=K, context=context)
                yield Finding(
                    one.question.id, one.question.text, verdict.code, verdict.stage, verdict.ranks, name
                )


@fault("lost-in-rerank", "reversed order")
def reversed_order(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _badly_reranked(corpus, n, "reversed", Contrary())


@fault("lost-in-rerank", "ordered by length")
def by_length(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _badly_reranked(corpus, n, "by length", ByLength())


# ── context ───────────────────────────────────────────────────────────────────────────────────
def _copied(
    corpus: Corpus, n: int, name: str, change: Callable[[str], str], *, near: bool = False
) -> Iterator[Finding]:
    """The evidence's file again, under a name made of the question's words, so that it ranks before it.

    Files with a date or version in their name are left out: another edition is no copy.
    """
    picked = corpus.pick(4 * n, name, lambda one: not re.search(r"[0-9]{4}-|v[0-9]", one.uri))
    found = 0
    with corpus.copy() as copy:
        at = {one.question.id: _named_by(one, number) for number, one in enumerate(picked)}
        for one in picked:
            copy.write(at[one.question.id], change((copy.root / one.uri).read_text("utf-8")))
        copy.library.sync()
        for one in picked:
            hits = copy.lab().run(one.question).result.hits
            own = [hit for hit in hits if hit.candidate.chunk_id in one.holders]
            again = [hit for hit in hits if hit.stored.uri == at[one.question.id]]
            if found < n and own and all(any(_before(a, o, near) for a in again) for o in own):
                found += 1
                yield copy.why(one.question)


def _named_by(one: Passing, number: int) -> str:
    words = re.sub(r"[\W\d_]+", "-", one.question.text).strip("-")[:60]
    return f"copies/{'x' * (number + 1)}/{words}.{one.uri.rsplit('.')[-1]}"


def _before(again: SearchHit, own: SearchHit, near: bool) -> bool:
    """Whether a hit has the words of another, or with `near` one more, and ranks before it."""
    copied, words = again.stored.chunk.text.split(), own.stored.chunk.text.split()
    same = len(words) > 40 and copied == [*words, "indeed"] if near else copied == words
    return same and again.rank < own.rank


@fault("dropped-duplicate", "the same file again, found before it")
def copied(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _copied(corpus, n, "copied", lambda text: text)


@fault("dropped-duplicate", "the same words with other line ends")
def copied_with_spaces(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _copied(corpus, n, "spaces", lambda text: text.replace("\n", " \n"))


@fault("dropped-duplicate", "nearly the same words")
def nearly_copied(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _copied(corpus, n, "nearly", lambda text: text.rstrip("\n") + " indeed\n", near=True)


@fault("dropped-budget", "no room behind the first hit")
def small_budget(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _tight(corpus, n, "budget", lambda one: one.rank > 1)


@fault("dropped-budget", "the first hit cut before the evidence")
def cut_short(corpus: Corpus, n: int) -> Iterator[Finding]:
    return _tight(corpus, n, "cut", lambda one: one.rank == 1)


def _tight(corpus: Corpus, n: int, name: str, fits: Callable[[Passing], bool]) -> Iterator[Finding]:
    """Room for the beginning of one passage; questions whose evidence is not in what is left."""
    found = 0
    with corpus.copy(config=Config(context=ContextConfig(budget=40))) as copy:
        lab = copy.lab()
        for one in corpus.pick(len(corpus.passing), name, fits, distinct=False):
            evidence = lab.run(one.question).context.evidence
            shown = sum(_common(passage, one) for passage in evidence)
            if found < n and not shown:
                found += 1
                yield copy.why(one.question)


def _common(passage: Evidence, one: Passing) -> int:
    return passage.span.overlap(one.span) if passage.doc_id == one.gold.doc_id else 0
