"""The first stage of a query whose candidates no longer hold the evidence: a pure function of what happened.

Stages stand in the order of the data. A question is lost at the earliest stage that lost one of its
groups; a group is lost where the last of its alternatives was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.evaluate.proof.facts import Facts
from pincite.evaluate.proof.fused_anew import recovered
from pincite.evaluate.proof.used import agrees, cites, shown, shows, tells
from pincite.types import Answer, Context, Leg, Trace

STAGES = (
    "label", "corpus", "sync", "parse", "chunk", "embed", "filter", "retrieve", "fuse", "rerank", "assemble",
    "answer", "",
)  # fmt: skip
"""The stages in order; "" stands for the end, where everything is found."""

CODES = {
    "found": "",
    "label-suspect": "label",
    "not-in-corpus": "corpus",
    "stale-index": "sync",
    "failed-to-parse": "parse",
    "lost-in-parsing": "parse",
    "page-without-text": "parse",
    "split-by-chunking": "chunk",
    "not-embedded": "embed",
    "filtered-out": "filter",
    "missed-lexical": "retrieve",
    "missed-dense": "retrieve",
    "missed-both": "retrieve",
    "lost-in-fusion": "fuse",
    "lost-in-rerank": "rerank",
    "dropped-duplicate": "assemble",
    "dropped-budget": "assemble",
    "not-used": "answer",
    "contradicted": "answer",
    "citation-wrong": "answer",
    "should-have-abstained": "answer",
    "should-not-have-abstained": "answer",
    "unknown": "",
}
"""Every code, with the stage that lost the evidence."""

_LEGS: tuple[Leg, ...] = ("lexical", "dense")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A code of `CODES`, the gold it is about, and the evidence's rank at each stage that ran.

    `ranks` counts from 1; for "context" it is the number of the passage; None where the evidence is not.
    Where several groups are needed, that is the rank at which the last of them is there; `own` has the
    ranks of the gold itself.
    """

    code: str
    facts: Facts | None
    ranks: Mapping[str, int | None]
    own: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def stage(self) -> str:
        """The stage that lost the evidence, "" if none did."""
        return CODES[self.code]


def diagnose(
    facts: Sequence[Facts],
    trace: Trace,
    *,
    k: int,
    context: Context | None = None,
    answer: Answer | None = None,
) -> Verdict:
    """Where the evidence of one question was lost.

    `facts` has one entry for each judgement above 0. `trace` is the search's. Stages behind the hits are
    looked at when `context`, and then `answer`, are given. A question without evidence is "unknown", or,
    with an answer, one that should have been refused.
    """
    if not facts:
        code = "unknown" if answer is None else "found" if answer.abstained else "should-have-abstained"
        return Verdict(code, None, {})
    groups: dict[str, list[Facts]] = {}
    for one in facts:
        groups.setdefault(one.gold.qrel.group, []).append(one)
    query = _Query(trace, k, context, answer)
    lost = [query.furthest(group) for group in groups.values()]
    code, about = min(lost, key=lambda found: _order(found[0]))
    return Verdict(code, about, query.ranks(list(groups.values())), query.ranks([[about]]))


def _order(code: str) -> int:
    return STAGES.index(CODES[code])


def _holders(group: Iterable[Facts]) -> frozenset[str]:
    return frozenset().union(*(one.holders for one in group))


@dataclass(frozen=True, slots=True)
class _Query:
    """One query as it ran."""

    trace: Trace
    k: int
    context: Context | None
    answer: Answer | None

    def ids(self, stage: str) -> list[str] | None:
        """The chunk ids that came out of a stage, best first; None if it did not run."""
        steps = [step for step in self.trace.steps if step.stage == stage]
        return [str(item["chunk_id"]) for item in steps[-1].items] if steps else None

    @property
    def legs(self) -> list[Leg]:
        return [leg for leg in _LEGS if self.ids(leg) is not None]

    # ── ranks ─────────────────────────────────────────────────────────────────────────────────
    def ranks(self, groups: Sequence[Sequence[Facts]]) -> dict[str, int | None]:
        """The place at each stage that ran at which every group has a chunk, or is shown by a passage."""
        names = {"lexical": "lexical", "dense": "dense", "fuse": "fused", "rerank": "reranked"}
        holders = [_holders(group) for group in groups]
        found = {
            name: _complete(ids, holders)
            for stage, name in names.items()
            if (ids := self.ids(stage)) is not None
        }
        found["hits"] = _complete((self.ids("reopen") or [])[: self.k], holders)
        if self.context is not None:
            found["context"] = _last_of([_first_passage(group, self.context) for group in groups])
        return found

    def furthest(self, group: Sequence[Facts]) -> tuple[str, Facts]:
        """The alternative that got furthest; of those lost at one stage, the best one after fusion."""
        ids = self.ids("fuse") or []

        def place(one: tuple[str, Facts]) -> tuple[int, bool, int]:
            code, facts = one
            ranks = [n for n, chunk_id in enumerate(ids) if chunk_id in facts.holders]
            return _order(code), code == "found", -min(ranks, default=len(ids))

        return max([(self.code(one), one) for one in group], key=place)

    # ── one gold ──────────────────────────────────────────────────────────────────────────────
    def code(self, facts: Facts) -> str:
        """What became of one gold."""
        for look in (_in_the_text, _in_a_chunk, self._in_the_hits, self._in_the_context, self._in_the_answer):
            if code := look(facts):
                return code
        return "found"

    def _in_the_hits(self, facts: Facts) -> str:
        hits = (self.ids("reopen") or [])[: self.k]
        if facts.holders & set(hits):
            return ""
        if facts.refused:
            return "filtered-out"
        if facts.holders & set(self.ids("rerank") or []):
            return "lost-in-rerank"
        pools = {leg: bool(facts.holders & set(self.ids(leg) or [])) for leg in self.legs}
        missed = [leg for leg, held in pools.items() if not held]
        if "dense" in missed and facts.holders <= facts.unembedded:
            return "not-embedded"
        if missed and len(missed) == len(pools):
            return "missed-both" if len(missed) == 2 else f"missed-{missed[0]}"
        if missed and recovered(self.trace, facts.holders, missed[0], self.k):
            return f"missed-{missed[0]}"
        return "lost-in-fusion" if pools else "unknown"

    def _in_the_context(self, facts: Facts) -> str:
        if self.context is None or shown(facts, self.context):
            return ""
        dropped = [one for one in self.context.left_out if one.chunk_id in facts.holders]
        if any(one.is_copy for one in dropped):
            return "dropped-duplicate"
        short = any(one.cut and facts.holders & set(one.hits) for one in self.context.evidence)
        return "dropped-budget" if short or any(one.code == "budget" for one in dropped) else "unknown"

    def _in_the_answer(self, facts: Facts) -> str:
        if self.answer is None or self.context is None:
            return ""
        if self.answer.abstained:
            return "should-not-have-abstained"
        citing = [claim for claim in self.answer.claims if cites(claim, facts)]
        if any(not agrees(claim, facts) for claim in citing):
            return "contradicted"
        if any(any(c.verified for c in claim.citations) for claim in citing):
            return ""
        told = [claim for claim in self.answer.claims if tells(claim, facts)]
        return "citation-wrong" if citing or told else "not-used"


def _complete(ids: Sequence[str], groups: Sequence[frozenset[str]]) -> int | None:
    """The first place, from 1, up to which every group has a chunk; None if there is none."""
    return _last_of([next((n for n, one in enumerate(ids, 1) if one in group), None) for group in groups])


def _first_passage(group: Iterable[Facts], context: Context) -> int | None:
    """The number of the first passage that shows one of the alternatives."""
    passages = enumerate(context.evidence, 1)
    return next((n for n, one in passages if any(shows(one, facts) for facts in group)), None)


def _last_of(firsts: Sequence[int | None]) -> int | None:
    found = [first for first in firsts if first is not None]
    return max(found) if found and len(found) == len(firsts) else None


# ── before the query ──────────────────────────────────────────────────────────────────────────
def _in_the_text(facts: Facts) -> str:
    """What kept the evidence out of the indexed text."""
    problem = facts.gold.problem
    if problem == "not in corpus":
        codes = {
            "failed": "failed-to-parse",
            "skipped": "failed-to-parse",
            "new": "stale-index",
            "empty": "page-without-text",
        }
        return codes.get(facts.file, "not-in-corpus")
    if facts.file in ("changed", "gone", "unreadable", "new"):
        return "stale-index"
    if problem == "page empty":
        return "page-without-text"
    if problem == "quote not there" and facts.in_source:
        return "lost-in-parsing"
    return "label-suspect" if problem else ""


def _in_a_chunk(facts: Facts) -> str:
    if facts.holders:
        return ""
    return "lost-in-parsing" if facts.left_out else "split-by-chunking"
