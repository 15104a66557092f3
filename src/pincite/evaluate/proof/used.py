"""Whether a context shows the evidence, and whether a claim cites it, tells it and agrees with it."""

from __future__ import annotations

import re

from pincite.analyze import analyze
from pincite.evaluate.golds import holds
from pincite.evaluate.proof.facts import Facts
from pincite.types import Citation, Claim, Context, Evidence

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_FEW, _MOST = 4, 0.6  # texts on one subject share some terms by chance, so of a few terms all must be shared


def shown(facts: Facts, context: Context) -> bool:
    """Whether a passage of the context holds the gold."""
    return any(shows(one, facts) for one in context.evidence)


def shows(evidence: Evidence, facts: Facts) -> bool:
    """Whether a passage holds the gold: by a chunk that does and was not cut, or by its own text."""
    whole = not evidence.cut and bool(facts.holders & set(evidence.hits))
    return whole or holds(facts.gold, evidence.doc_id, evidence.span)


def cites(claim: Claim, facts: Facts) -> bool:
    """Whether a citation is of the evidence: by file, words, and lines where both have some."""
    return any(_is_of(citation, facts) for citation in claim.citations)


def _is_of(citation: Citation, facts: Facts) -> bool:
    if citation.uri != facts.gold.qrel.uri:
        return False
    here, there = citation.place, facts.place
    if there is not None and here.line_start is not None and there.line_start is not None:
        last_here, last_there = here.line_end or here.line_start, there.line_end or there.line_start
        if here.line_start > last_there or there.line_start > last_here:
            return False
    return not facts.text or _common(citation.quote, facts.text)


def tells(claim: Claim, facts: Facts) -> bool:
    """Whether the claim says what the evidence says, whatever it cites."""
    return bool(facts.text) and _common(claim.text, facts.text)


def _common(said: str, gold: str) -> bool:
    """Whether the longer of two texts has the terms of the shorter: all of a few, most of more."""
    (short, _), (_, long) = sorted((_terms(said), _terms(gold)), key=lambda terms: len(terms[0]))
    shared = len(short & long)
    return bool(short) and (shared == len(short) if len(short) < _FEW else shared >= _MOST * len(short))


def _terms(text: str) -> tuple[set[str], set[str]]:
    """The stems of a text as a question has them (no stop words), and as a document has them (all)."""
    return set(analyze(text, side="query").split()), set(analyze(text, side="document").split())


def _figures(text: str) -> set[str]:
    """The numbers in a text, without separators of thousands."""
    return set(_NUMBER.findall(_THOUSANDS.sub("", text)))


def agrees(claim: Claim, facts: Facts) -> bool:
    """Whether every figure of the claim stands in what it cites.

    A comma there may stand between thousands or between the cells of a row, so both are tried.
    """
    cited = " ".join(citation.quote for citation in claim.citations) + " " + facts.text
    return _figures(claim.text) <= _figures(cited) | set(_NUMBER.findall(cited))
