"""An answer without a model: the sentences of the evidence that answer, as verbatim quotes.

A sentence's score = (.5 · lexical + .5 · dense) · prior. Lexical is the share of the question's terms it
holds, each weighted by its rarity among the sentences; a term held only by what it stands under (its
heading, a question, column names) or by the passage's situating line counts less. Dense is its cosine
with the question; without vectors, lexical stands alone. The prior favours better passages a little.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pincite.answer.asked import CAUSE, wanted
from pincite.answer.passages import Sentence, asks, by_line, is_row, sentences
from pincite.types import Context, Span

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Terms = Callable[[str], set[str]]

MOST_EMBEDDED = 48
"""Sentences that are embedded, the most promising by terms and rank: each costs 10–20 ms."""
MOST_SENTENCES = 4
"""Sentences that are quoted for themselves; conditions come besides."""
MOST_QUOTES = 3
CLEARLY_WORSE = 0.8
"""A sentence with less than this share of the best score is not quoted."""
CLOSE = 0.9
"""The third quote has at least this share of the best score."""
SHORT = 20
"""Characters up to which a sentence is a lead-in (yes, no) to the one after it."""
LEXICAL = 0.5
"""The weight of terms against meaning."""
PRIOR = 0.1
"""How much the passage's rank counts: at most this share of a score."""
DEFINITION = 0.05
"""What the first line of a function or class gains over the lines that use its name."""
FOREIGN = 0.7
"""What the score of a sentence counts that is not in the question's script."""
FROM_HEADING = 0.6
"""What a term counts that the sentence's own heading, question or column names hold, and not itself."""
FROM_QUESTION = 0.9
"""The same where the heading, or the line before, is itself a question: what follows answers it."""
FROM_CONTEXT = 1 / 3
"""The same for a term of the passage's situating line: its title and the headings around it."""
OF_KIND = 0.75
"""What being of the kind that is asked for counts, of a term's weight."""
_KIND = "\0kind"

# Words that only ask or join: no answer has to hold them, and Chinese pairs must not reach across them.
_ASKING = re.compile(
    r"\b[Hh]ow (?:long|many|much|often)\b|\b(?:may|might|shall|please|[Tt]ell me)\b|^May\b"
    "|为什么|什么|怎么样|怎么|怎样|如何|是否|能否|可以|应该|需要|多少|多[久深长大高远重快]|几[个次年天]|哪[个些里儿位]?"
    r"|[谁吗呢了的是把到]|(?<=\d[年月日号时分])|(?<=\d [年月日号时分])"
)
# A question about an edition that is not the newest.
_ASKS_FOR_OLD = re.compile(
    r"\b(?:(?:first|original) (?:edition|version|release)|(?<!how )old|earlier|previous|previously|former"
    r"|formerly)\b|旧|原先|以前|第一版|之前的",
    re.I,
)
_DATED = re.compile(r"\b(?:v\d+|(?:19|20)\d\d)\b", re.I)
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_UNSPACED = re.compile(rf"{_HAN.pattern[:-1]}\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff]")
_DEFINES = re.compile(
    r"\s*(?:(?:export|public|async|static|pub) )*"
    r"(?:def|class|fn|func|function|struct|enum|interface|type)\b"
)
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
    """Words of one passage that answer: their span in the document, and how well they match.

    `missing` is the share (0–1) of the question, by its terms' weights, that no passage holds.
    """

    marker: int
    span: Span
    text: str
    score: float
    lexical: float
    dense: float | None
    missing: float = 0.0


def extract(question: str, context: Context, *, embed: Embed | None, terms: Terms) -> list[Quote]:
    """The 1–3 best quotes, best first; none when no sentence shares anything with the question.

    A condition, exception or warning next to a quoted sentence is part of its quote. `embed` gives unit
    vectors `float32[n, dim]`; it is called once, for at most `MOST_EMBEDDED` sentences and the question.
    """
    passages = [sentences(one) for one in context.evidence]
    quotable = [sentence for passage in passages for sentence in passage if sentence.quotable]
    if not quotable:
        return []
    shares, missing = coverage(question, quotable, terms)
    scored = _scored(question, quotable, shares, embed)
    numbered = {one.marker: passage for one, passage in zip(context.evidence, passages, strict=True)}
    best = _best(scored)
    found = _quotes(_with_cause(best, scored) if wanted(question) is CAUSE else best, numbered)
    if not _DATED.search(question):
        found = _in_order(found, _before(context, oldest=bool(_ASKS_FOR_OLD.search(question))))
    return [replace(quote, missing=missing) for quote in found]


def telling(question: str) -> str:
    """The question without the words that only ask or join."""
    return _ASKING.sub(" ", question)


# ── scores ────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class _Scored:
    sentence: Sentence
    score: float
    lexical: float
    dense: float | None


def _scored(
    question: str, found: Sequence[Sentence], lexical: Sequence[float], embed: Embed | None
) -> list[_Scored]:
    """The sentences with their scores, best first, ties by place."""
    prior = [_prior(one, question) for one in found]
    weights = [(share + 1e-6) * better for share, better in zip(lexical, prior, strict=True)]
    first = sorted(range(len(found)), key=lambda n: (-weights[n], n))[:MOST_EMBEDDED]
    if embed is None:
        return [_Scored(found[n], weights[n], lexical[n], None) for n in first]
    vectors = embed([question, *(_read(found[n]) for n in first)])
    cosines = [float(value) for value in vectors[1:] @ vectors[0]]
    scored = []
    for n, cosine in zip(first, cosines, strict=True):
        dense = max(0.0, cosine) if math.isfinite(cosine) else 0.0
        score = (LEXICAL * lexical[n] + (1 - LEXICAL) * dense) * prior[n]
        scored.append(_Scored(found[n], score, lexical[n], dense))
    return sorted(scored, key=lambda one: (-one.score, one.sentence.evidence.marker, one.sentence.span))


def _prior(sentence: Sentence, question: str) -> float:
    """What a sentence's score is multiplied by: for its passage's rank, for a definition, for its script."""
    defines = by_line(sentence.evidence) and _DEFINES.match(sentence.text)
    same_script = bool(_HAN.search(sentence.text)) == bool(_HAN.search(question))
    better = 1 + PRIOR / sentence.evidence.marker + (DEFINITION if defines else 0)
    return better * (1 if same_script else FOREIGN)


def _read(sentence: Sentence) -> str:
    """What is embedded: a sentence; a row, line, code or answer with what it has to be read with."""
    lined = by_line(sentence.evidence) or is_row(sentence) or sentence.code or _answers_heading(sentence)
    return f"{sentence.under}\n{sentence.text.strip()}" if lined and sentence.under else sentence.text


def _answers_heading(sentence: Sentence) -> bool:
    """Whether a sentence stands under a heading that asks."""
    evidence, above = sentence.evidence, sentence.under.partition("\n")[0]
    start = evidence.span.start
    headings = (evidence.text[one.start - start : one.end - start] for one in evidence.headings)
    return asks(above) and above in headings


def coverage(question: str, found: Sequence[Sentence], terms: Terms) -> tuple[list[float], float]:
    """The share (0–1) of the question's terms each sentence holds, rare ones counting more, and that of none.

    The weight of a term is BM25's idf over the sentences, ln(1 + (n − df + .5) / (df + .5)), with 2 for
    its 1: a term that every sentence holds still counts. A sentence is counted with what it stands under.
    """
    asked = terms(telling(question)) or terms(question)
    lone = {term for term in asked if _HAN.fullmatch(term)}

    @cache
    def known(text: str) -> frozenset[str]:
        return frozenset(terms(text) & asked | {term for term in lone if term in text})

    kind = wanted(question)
    places = [_places(one, known, kind) for one in found]
    df = Counter(term for held in places for term in {term for terms_here, _ in held for term in terms_here})
    weighed = [*sorted(asked), *([_KIND] if df[_KIND] else [])]
    idf = {term: math.log(2 + (len(found) - df[term] + 0.5) / (df[term] + 0.5)) for term in weighed}
    if _KIND in idf:
        idf[_KIND] *= OF_KIND
    total = sum(idf.values()) or 1.0
    missing = sum(value for term, value in idf.items() if not df[term]) / total
    return [_weight(idf, held) / total for held in places], missing


def _places(
    sentence: Sentence, known: Callable[[str], frozenset[str]], kind: re.Pattern[str] | None
) -> list[tuple[frozenset[str], float]]:
    """The asked terms in a sentence, in what it stands under and in the situating line, with their credit.

    What the question asks for (a number, a cause) is one more term.
    """
    over = FROM_QUESTION if asks(sentence.under) else FROM_HEADING
    around = known(sentence.evidence.context)
    here = {_KIND} if kind and kind.search(sentence.text) else set()
    above = {_KIND} if kind is CAUSE and kind.search(sentence.under) else set()
    return [(known(sentence.text) | here, 1.0), (known(sentence.under) | above, over), (around, FROM_CONTEXT)]


def _weight(idf: Mapping[str, float], places: Sequence[tuple[frozenset[str], float]]) -> float:
    """The idf of the terms held, each at the credit of its nearest place, summed in a fixed order."""
    return sum(
        value * next((credit for held, credit in places if term in held), 0.0) for term, value in idf.items()
    )


# ── quotes ────────────────────────────────────────────────────────────────────────────────────
def _best(scored: Sequence[_Scored]) -> list[_Scored]:
    """The few sentences that share something with the question and are not clearly worse than the best."""
    matching = [one for one in scored if one.lexical > 0 or (one.dense or 0.0) > 0]
    floor = matching[0].score * CLEARLY_WORSE if matching else 0.0
    return [one for one in matching if one.score >= floor][:MOST_SENTENCES]


def _with_cause(best: Sequence[_Scored], scored: Sequence[_Scored]) -> list[_Scored]:
    """The best sentences of a question for a cause; none of them tells one, the best and one that does.

    That one stands in the passage of the best: what happened and why are told side by side.
    """
    if not best or any(_tells_cause(one.sentence) for one in best):
        return list(best)
    passage = best[0].sentence.evidence.marker
    near = (one for one in scored if one.sentence.evidence.marker == passage and _tells_cause(one.sentence))
    cause = next(near, None)
    return [best[0], cause] if cause else list(best)


def _tells_cause(sentence: Sentence) -> bool:
    return bool(CAUSE.search(sentence.text) or CAUSE.search(sentence.under))


def _quotes(best: Sequence[_Scored], passages: dict[int, list[Sentence]]) -> list[Quote]:
    """The best sentences with their conditions; what stands side by side is one quote."""
    quotes = []
    for marker in dict.fromkeys(one.sentence.evidence.marker for one in best):
        passage = passages[marker]
        chosen = {one.sentence.number: one for one in best if one.sentence.evidence.marker == marker}
        wanted = sorted({near for number in chosen for near in _with_conditions(number, passage)})
        for group in _neighbouring(wanted, passage):
            quotes.append(_quote([passage[n] for n in group], [chosen[n] for n in group if n in chosen]))
    quotes.sort(key=lambda quote: (-quote.score, quote.marker, quote.span))
    close = [quote for quote in quotes[2:MOST_QUOTES] if quote.score >= CLOSE * quotes[0].score]
    return quotes[:2] + close


def _before(context: Context, *, oldest: bool) -> dict[int, set[int]]:
    """For each passage those whose editions go before its own: the newer ones, or the older ones."""
    before: dict[int, set[int]] = {one.marker: set() for one in context.evidence}
    for one in context.evidence:
        for newer in one.later:
            before[newer if oldest else one.marker].add(one.marker if oldest else newer)
    return before


def _in_order(quotes: Sequence[Quote], before: Mapping[int, set[int]]) -> list[Quote]:
    """The quotes, which are about equally good, each behind those of the passages before its own."""
    first = [quote for quote in quotes if not any(one.marker in before[quote.marker] for one in quotes)]
    rest = [quote for quote in quotes if quote not in first]
    return first + (_in_order(rest, before) if first else rest)


def _with_conditions(number: int, passage: Sequence[Sentence]) -> list[int]:
    """A sentence's number, with those before (one) and after it (two) that bound what it says.

    Code comes with the sentence before it, and a sentence that ends with a colon with the code after it.
    """
    chosen = [number]
    if _introduces(passage[number]) and [one.code for one in passage[number + 1 : number + 2]] == [True]:
        chosen.append(number + 1)
    if number > 0 and _leads(passage[number - 1], passage[number]):
        chosen.insert(0, number - 1)
    for following in passage[number + 1 : number + 3]:
        if not _bounds(following, opens=not _same_paragraph(passage[number], following)):
            break
        chosen.append(following.number)
    return chosen


def _leads(before: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence bounds the next one of its paragraph, or is a short lead-in to it ("No.")."""
    if sentence.code and before.quotable:
        return not before.code and not is_row(before)
    if by_line(sentence.evidence) or not before.quotable or not _same_paragraph(before, sentence):
        return False
    start = sentence.evidence.span.start
    one_line = "\n" not in sentence.evidence.text[before.span.start - start : sentence.span.start - start]
    return _bounds(before) or (one_line and len(before.text) <= SHORT)


def _bounds(sentence: Sentence, *, opens: bool = False) -> bool:
    """Whether a sentence states a condition, exception or warning (`opens`: in its first words).

    Table rows and code never do.
    """
    if by_line(sentence.evidence) or is_row(sentence) or sentence.code or not sentence.quotable:
        return False
    text = _MARKUP.sub("", sentence.text)
    return bool(_CONDITION.match(text) if opens else _CONDITION.search(text))


def _introduces(sentence: Sentence) -> bool:
    """Whether what follows belongs to a sentence."""
    return not sentence.code and sentence.text.rstrip(" *_`").endswith((":", "："))


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
        rows = is_row(here) and before >= 0 and is_row(passage[before])
        together = before == number - 1 and not rows
        if together and (here.code or _same_paragraph(passage[before], here) or _bounds(here, opens=True)):
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
