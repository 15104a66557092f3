"""An answer without a model: the sentences of the evidence that answer, as verbatim quotes.

A sentence's score = (.5 · lexical + .5 · dense) · (1 + .3 / marker). Lexical is the share of the
question's terms it holds, each weighted by its rarity among the sentences (terms only in the passage's
situating line count a third); dense is its cosine with the question. Without vectors, lexical stands
alone.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.types import Context, Evidence, Span

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Terms = Callable[[str], set[str]]

MOST_EMBEDDED = 48
"""Sentences that are embedded, the most promising by terms and rank: each costs 10–20 ms."""
MOST_QUOTES = 4
CLEARLY_WORSE = 0.8
"""A sentence with less than this share of the best score is not quoted."""
LEXICAL = 0.5
"""The weight of terms against meaning."""
PRIOR = 0.3
"""How much the passage's rank counts: at most this share of a score."""
FROM_HEADING = 1 / 3

_LINE_KINDS = frozenset({"row", "record", "turn", "definition"})
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_SEPARATOR_ROW = re.compile(r"[\s|:+=-]+")
_MARKUP = re.compile(r"^(?:[\s>*_#!\[+•-]|\d{1,3}[.)]\s)+")
_CONDITION = re.compile(
    r"\b(?:unless|except|only|provided|if|but|however|before|after|until|otherwise|without|must|never"
    r"|do not|don't|cannot|can't|should not|warning|caution|danger|note|important|exception)\b"
    r"|除非|除外|但|然而|不过|只有|仅|如果|若|不得|不可|不能|不要|禁止|必须|之前|之后|以前|以后|直到|注意|警告|例外"
    r"|ただし|場合|しないで|してください|注意",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of one passage that answer: their span in the document, and how well they match."""

    marker: int
    span: Span
    text: str
    score: float
    lexical: float
    dense: float | None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, row, list item or line of one passage; `number` counts them in it, headings too."""

    evidence: Evidence
    number: int
    span: Span
    text: str
    quotable: bool


def extract(question: str, context: Context, *, embed: Embed | None, terms: Terms) -> list[Quote]:
    """The 1–4 best quotes, best first; none when no sentence shares anything with the question.

    A condition, exception or warning next to a quoted sentence is part of its quote. `embed` gives unit
    vectors `float32[n, dim]`; it is called once, for at most `MOST_EMBEDDED` sentences and the question.
    """
    passages = [sentences(one) for one in context.evidence]
    quotable = [sentence for passage in passages for sentence in passage if sentence.quotable]
    if not quotable:
        return []
    scored = _scored(question, quotable, embed, terms)
    numbered = {one.marker: passage for one, passage in zip(context.evidence, passages, strict=True)}
    return _quotes(_best(scored), numbered)


def sentences(evidence: Evidence) -> list[Sentence]:
    """What a passage consists of, in order; headings, fences and table headers are there but not quotable."""
    from pincite.chunk.sentences import line_spans, sentence_spans

    text, start = evidence.text, evidence.span.start
    spans = (line_spans if evidence.kind in _LINE_KINDS else sentence_spans)(text, 0, len(text))
    texts = [text[span.start : span.end] for span in spans]
    found = []
    for number, (span, words) in enumerate(zip(spans, texts, strict=True)):
        place = Span(start + span.start, start + span.end)
        names = number + 1 < len(texts) and _is_separator(texts[number + 1])
        quotable = _tells(words) and not names and not _is_heading(place, evidence.headings)
        found.append(Sentence(evidence, number, place, words, quotable))
    return found


def _tells(text: str) -> bool:
    """Whether a line holds words, and not just a fence or a rule."""
    return any(char.isalnum() for char in text) and not _FENCE.match(text)


def _is_separator(text: str) -> bool:
    """Whether a line is what stands under a table's column names."""
    return "|" in text and "-" in text and bool(_SEPARATOR_ROW.fullmatch(text))


def _is_heading(span: Span, headings: Sequence[Span]) -> bool:
    return any(2 * span.overlap(heading) > len(span) for heading in headings)


# ── scores ────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class _Scored:
    sentence: Sentence
    score: float
    lexical: float
    dense: float | None


def _scored(question: str, found: Sequence[Sentence], embed: Embed | None, terms: Terms) -> list[_Scored]:
    """The sentences with their scores, best first, ties by place."""
    lexical = coverage(question, found, terms)
    prior = [1 + PRIOR / one.evidence.marker for one in found]
    weights = [(share + 1e-6) * better for share, better in zip(lexical, prior, strict=True)]
    first = sorted(range(len(found)), key=lambda n: (-weights[n], n))[:MOST_EMBEDDED]
    if embed is None:
        return [_Scored(found[n], weights[n], lexical[n], None) for n in first]
    vectors = embed([question, *(found[n].text for n in first)])
    cosines = [float(value) for value in vectors[1:] @ vectors[0]]
    scored = []
    for n, cosine in zip(first, cosines, strict=True):
        dense = max(0.0, cosine) if math.isfinite(cosine) else 0.0
        score = (LEXICAL * lexical[n] + (1 - LEXICAL) * dense) * prior[n]
        scored.append(_Scored(found[n], score, lexical[n], dense))
    return sorted(scored, key=lambda one: (-one.score, one.sentence.evidence.marker, one.sentence.span))


def coverage(question: str, found: Sequence[Sentence], terms: Terms) -> list[float]:
    """The share (0–1) of the question's terms that each sentence holds, rare ones counting more.

    The weight of a term is BM25's idf over the sentences, ln(1 + (n − df + .5) / (df + .5)), with 2 for
    its 1: a term that every sentence holds still counts.
    """
    asked = terms(question)
    held = [terms(one.text) & asked for one in found]
    around = {one.evidence.marker: terms(one.evidence.context) & asked for one in found}
    df = Counter(term for terms_here in held for term in terms_here)
    idf = {term: math.log(2 + (len(found) - df[term] + 0.5) / (df[term] + 0.5)) for term in sorted(asked)}
    total = sum(idf.values())
    if not total:
        return [0.0] * len(found)
    return [
        _weight(here, around[one.evidence.marker], idf) / total for here, one in zip(held, found, strict=True)
    ]


def _weight(here: set[str], around: set[str], idf: dict[str, float]) -> float:
    """The summed idf in a fixed order, so that it is the same float on every run."""
    own = sum(idf[term] for term in sorted(here))
    return own + FROM_HEADING * sum(idf[term] for term in sorted(around - here))


# ── quotes ────────────────────────────────────────────────────────────────────────────────────
def _best(scored: Sequence[_Scored]) -> list[_Scored]:
    """The few sentences that share something with the question and are not clearly worse than the best."""
    matching = [one for one in scored if one.lexical > 0 or (one.dense or 0.0) > 0]
    floor = matching[0].score * CLEARLY_WORSE if matching else 0.0
    return [one for one in matching if one.score >= floor][:MOST_QUOTES]


def _quotes(best: Sequence[_Scored], passages: dict[int, list[Sentence]]) -> list[Quote]:
    """The best sentences with their conditions; what stands side by side is one quote."""
    quotes = []
    for marker in dict.fromkeys(one.sentence.evidence.marker for one in best):
        passage = passages[marker]
        chosen = {one.sentence.number: one for one in best if one.sentence.evidence.marker == marker}
        wanted = sorted({near for number in chosen for near in _with_conditions(number, passage)})
        for group in _neighbouring(wanted, passage):
            quotes.append(_quote([passage[n] for n in group], [chosen[n] for n in group if n in chosen]))
    return sorted(quotes, key=lambda quote: (-quote.score, quote.marker, quote.span))


def _with_conditions(number: int, passage: Sequence[Sentence]) -> list[int]:
    """A sentence's number, with those before (one) and after it (two) that bound what it says."""
    chosen = [number]
    if number > 0 and _bounds(passage[number - 1]) and _same_paragraph(passage[number - 1], passage[number]):
        chosen.insert(0, number - 1)
    for following in passage[number + 1 : number + 3]:
        if not _bounds(following, opens=not _same_paragraph(passage[number], following)):
            break
        chosen.append(following.number)
    return chosen


def _bounds(sentence: Sentence, *, opens: bool = False) -> bool:
    """Whether a sentence states a condition, exception or warning (`opens`: in its first words).

    Table rows and code never do.
    """
    prose = sentence.evidence.kind not in _LINE_KINDS and not sentence.text.lstrip().startswith("|")
    if not prose or not sentence.quotable:
        return False
    text = _MARKUP.sub("", sentence.text)
    return bool(_CONDITION.match(text) if opens else _CONDITION.search(text))


def _same_paragraph(first: Sentence, second: Sentence) -> bool:
    start = first.evidence.span.start
    gap = first.evidence.text[first.span.end - start : second.span.start - start]
    return gap.count("\n") < 2


def _neighbouring(numbers: Sequence[int], passage: Sequence[Sentence]) -> list[list[int]]:
    """The numbers in runs that stand side by side, in one paragraph or as a condition after its sentence."""
    runs: list[list[int]] = []
    for number in numbers:
        before = runs[-1][-1] if runs else -2
        here = passage[number]
        if before == number - 1 and (_same_paragraph(passage[before], here) or _bounds(here, opens=True)):
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _quote(group: Sequence[Sentence], chosen: Sequence[_Scored]) -> Quote:
    evidence, span = group[0].evidence, Span(group[0].span.start, group[-1].span.end)
    start = evidence.span.start
    return Quote(
        evidence.marker,
        span,
        evidence.text[span.start - start : span.end - start],
        max(one.score for one in chosen),
        max(one.lexical for one in chosen),
        max((one.dense for one in chosen if one.dense is not None), default=None),
    )
