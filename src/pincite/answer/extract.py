"""An answer without a model: the sentences of the evidence that answer, as verbatim quotes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from pincite.answer.asked import cause, wanted
from pincite.answer.conditions import neighbouring, told_next, with_conditions
from pincite.answer.measured import widened
from pincite.answer.passages import Sentence, sentences
from pincite.answer.scores import Embed, Scored, Terms, coverage, ranked
from pincite.lexicon import whole
from pincite.types import Context, Span

MOST_SENTENCES = 4
"""Sentences that are quoted for themselves; conditions come besides."""
MOST_QUOTES = 3
CLEARLY_WORSE = 0.8
"""A sentence with less than this share of the best score is not quoted."""
CLOSE = 0.9
"""The third quote has at least this share of the best score."""

_LABEL = re.compile(r"^[^:：]*[:：]")
_DATED = re.compile(r"\b(?:v\d+|(?:19|20)\d\d)\b", re.I)


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
    given = terms(question)
    found = (sentence for passage in passages for sentence in passage if sentence.quotable)
    quotable = [sentence for sentence in found if not _is_given(sentence, given, terms)]
    if not quotable:
        return []
    shares, missing = coverage(question, quotable, widened(question, terms))
    scored = _about_named(question, ranked(question, quotable, shares, embed))
    numbered = {one.marker: passage for one, passage in zip(context.evidence, passages, strict=True)}
    best = _best(scored)
    kind = wanted(question)
    quotes = _quotes(_with_cause(best, scored) if kind is cause() else best, numbered, kind)
    if not _DATED.search(question):
        quotes = _in_order(quotes, _before(context, oldest=bool(_asks_for_old().search(question))))
    return [replace(quote, missing=missing) for quote in quotes]


def _is_given(sentence: Sentence, given: set[str], terms: Terms) -> bool:
    """Whether a line of a form says what the question says itself: `Invoice no.: 2231`."""
    value = terms(_LABEL.sub("", sentence.text)) if sentence.kind == "field" else set()
    return bool(value) and value <= given


def _about_named(question: str, scored: Sequence[Scored]) -> list[Scored]:
    """The sentences without those about another thing of the kind that is named, if others answer as well."""
    other = about_others(question, [one.sentence for one in scored])
    kept = [one for one, is_other in zip(scored, other, strict=True) if not is_other]
    return kept if kept and kept[0].score >= scored[0].score * CLEARLY_WORSE else list(scored)


def _best(scored: Sequence[Scored]) -> list[Scored]:
    """The few sentences that share something with the question and are not clearly worse than the best."""
    matching = [one for one in scored if one.lexical > 0 or (one.dense or 0.0) > 0]
    floor = matching[0].score * CLEARLY_WORSE if matching else 0.0
    return [one for one in matching if one.score >= floor][:MOST_SENTENCES]


def _with_cause(best: Sequence[Scored], scored: Sequence[Scored]) -> list[Scored]:
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
    return bool(cause().search(sentence.text) or cause().search(sentence.under))


def _quotes(
    best: Sequence[Scored], passages: dict[int, list[Sentence]], kind: re.Pattern[str] | None
) -> list[Quote]:
    """The best sentences with their conditions, and what they leave to the next; side by side, one quote."""
    quotes = []
    for marker in dict.fromkeys(one.sentence.evidence.marker for one in best):
        passage = passages[marker]
        chosen = {one.sentence.number: one for one in best if one.sentence.evidence.marker == marker}
        near = {one for number in chosen for one in with_conditions(number, passage)}
        near |= {number + 1 for number in chosen if kind and told_next(number, passage, kind)}
        for group in neighbouring(sorted(near), passage):
            quotes.append(_quote([passage[n] for n in group], [chosen[n] for n in group if n in chosen]))
    quotes.sort(key=lambda quote: (-quote.score, quote.marker, quote.span))
    close = [quote for quote in quotes[2:MOST_QUOTES] if quote.score >= CLOSE * quotes[0].score]
    return quotes[:2] + close


def _quote(group: Sequence[Sentence], chosen: Sequence[Scored]) -> Quote:
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


@cache
def _asks_for_old() -> re.Pattern[str]:
    """What a question says of an edition that is not the newest; `how old` asks for a number."""
    return re.compile(rf"(?<!how ){whole('answers.older')}", re.I)


_WORD = re.compile(r"[^\W_]+(?:[-.+#'’/][^\W_]+)*[+#]{0,2}")

Words = tuple[str, ...]


# ── siblings of the thing asked about ──────────────────────────────────────────────────────────
def about_others(question: str, found: Sequence[Sentence]) -> list[bool]:
    """For each sentence whether it stands under a sibling of a heading that the question names.

    One that stands under a named heading as well, or that holds the word which tells them apart, does not.
    """
    asked = _words(question)
    headings = [_headings(one) for one in found]
    named = [one for one in dict.fromkeys(one for many in headings for one in many) if _holds(asked, one)]
    pairs = zip(found, headings, strict=True)
    return [_is_other(_words(one.text), above, named) for one, above in pairs]


def _is_other(text: Words, above: Sequence[Words], named: Sequence[Words]) -> bool:
    siblings = ((name, one) for name in named if name not in above for one in above if one not in named)
    told_apart = [apart for name, one in siblings for apart in _difference(name, one)]
    return bool(told_apart) and set(told_apart).isdisjoint(text)


def _difference(name: Words, other: Words) -> Words:
    """The one word of `name` that `other` has another for; nothing if they are no siblings."""
    if len(name) != len(other) or len(name) < 2:
        return ()
    apart = tuple(one for one, two in zip(name, other, strict=True) if one != two)
    return apart if len(apart) == 1 else ()


def _headings(sentence: Sentence) -> list[Words]:
    """The words of each heading around a sentence, and of the title of its document."""
    evidence, own = sentence.evidence, sentence.under.partition("\n")[0]
    above = sum(one.start <= sentence.span.start for one in evidence.headings)
    path = evidence.sections[above] if above < len(evidence.sections) else ()
    return [words for line in (own, *path) if (words := _words(line))]


def _holds(asked: Words, heading: Words) -> bool:
    return any(asked[at : at + len(heading)] == heading for at in range(len(asked) - len(heading) + 1))


@lru_cache(maxsize=4096)
def _words(text: str) -> Words:
    return tuple(word.casefold() for word in _WORD.findall(text))
