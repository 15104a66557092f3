"""A verdict in words: what the catalog, the folder or the trace shows of the evidence."""

from __future__ import annotations

from pincite.evaluate.asking import Asker
from pincite.evaluate.diagnose import Verdict
from pincite.evaluate.proof.case import ordinal
from pincite.types import Answer

_STATEMENTS = {
    "found": "{place} is hit {hits}.",
    "label-suspect": "{place}: {problem}.",
    "not-in-corpus": "{uri} is not in the index: {reason}.",
    "stale-index": "{uri}: {reason}.",
    "failed-to-parse": "{uri} could not be read: {reason}.",
    "lost-in-parsing": "{place}: its words are in the file, but not in the text taken from it. {left_out}",
    "page-without-text": "{place}: {reason}.",
    "split-by-chunking": "No chunk holds half of {place}: the best one holds {share}.",
    "not-embedded": "{place} has no vector yet, so the dense leg cannot find it.",
    "filtered-out": "{uri} does not meet the filter: {refused}.",
    "missed-lexical": "{place} is not in the lexical pool of {depth}.",
    "missed-dense": "{place} is not in the dense pool of {depth}.",
    "missed-both": "{place} is in no leg's pool of {depth}.",
    "lost-in-fusion": "{place} is in a pool, but {fused} after fusion, and {k} are taken.",
    "lost-in-rerank": "{place} was {fused} before the reranker, and is not among its first {k}.",
    "dropped-duplicate": "{place} is hit {hits}, but was left out of the context as a copy.",
    "dropped-budget": "{place} is hit {hits}, but the context's budget was full.",
    "not-used": "{place} is in the context, but no claim cites it.",
    "contradicted": "The answer cites {place}, but gives figures it does not hold.",
    "citation-wrong": "The answer says what {place} says, but cites other or unverified words.",
    "should-not-have-abstained": "{place} is in the context, but the question was refused.",
    "unknown": "{place} was lost, and no stage admits it.",
}


_WITHOUT_EVIDENCE = {
    "found": "The question has no answer in the documents, and was refused.",
    "should-have-abstained": "The question has no answer in the documents, but was answered: {answer}",
}


def statement(verdict: Verdict, ask: Asker, answer: Answer | None) -> str:
    """What the catalog, the folder or the trace shows, in words."""
    facts = verdict.facts
    if facts is None:
        return _WITHOUT_EVIDENCE[verdict.code].format(
            answer=" ".join(answer.text.split())[:200] if answer else ""
        )
    place = facts.gold.moved_to or facts.gold.qrel.location
    said = _STATEMENTS[verdict.code].format(
        place=place,
        uri=facts.gold.qrel.uri,
        reason=facts.reason or facts.gold.told,
        problem=facts.gold.told,
        left_out=facts.left_out,
        share=f"{100 * facts.share:.0f} %",
        refused="; ".join(facts.refused),
        k=ask.k,
        hits=verdict.own.get("hits"),
        fused=ordinal(verdict.own.get("fused") or 0),
        depth=ask.settings.depth,
    )
    if facts.gold.moved_to:
        said += f" The label's lines have moved: the quote stands at {place} now."
    if verdict.code == "lost-in-fusion" and not facts.gold.problem and facts.gold.span is None:
        said += " That is the place of its best passage; trials tell the file's place among files."
    return said
