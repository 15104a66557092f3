"""Which sentences belong together: one that is quoted, the conditions beside it, and what introduces it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pincite.answer.passages import Sentence
from pincite.lexicon import whole, whole_words, words

SHORT = 20
"""Characters up to which a sentence is a lead-in (yes, no) to the one after it."""

_MARKUP = re.compile(r"^(?:[\s>*_#!\[+•-]|\d{1,3}[.)]\s)+")


@cache
def _condition() -> re.Pattern[str]:
    """What a sentence holds that bounds the one before it."""
    return re.compile(whole("answers.conditions"), re.I)


@cache
def _pronoun() -> re.Pattern[str]:
    """What a sentence opens with that is about the thing of the one before it."""
    return re.compile(whole_words([word.capitalize() for word in words("answers.pronouns")]))


def with_conditions(number: int, passage: Sequence[Sentence]) -> list[int]:
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


def told_next(number: int, passage: Sequence[Sentence], kind: re.Pattern[str]) -> bool:
    """Whether a sentence leaves what is asked for to the next one: `The lease is fixed. It runs a year.`"""
    here, following = passage[number], passage[number + 1 : number + 2]
    if here.is_lined or kind.search(here.text) or not following:
        return False
    (after,) = following
    if not after.quotable or after.code or after.is_lined or not _same_paragraph(here, after):
        return False
    return bool(_pronoun().match(after.text) and kind.search(after.text))


def _leads(before: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence bounds the next one of its paragraph, or is a short lead-in to it ("No.")."""
    if sentence.code and before.quotable:
        return not before.code and not before.is_row
    if sentence.is_lined or before.is_lined or not before.quotable or not _same_paragraph(before, sentence):
        return False
    start = sentence.evidence.span.start
    one_line = "\n" not in sentence.evidence.text[before.span.start - start : sentence.span.start - start]
    return _bounds(before) or (one_line and len(before.text) <= SHORT)


def _bounds(sentence: Sentence, *, opens: bool = False) -> bool:
    """Whether a sentence states a condition, exception or warning (`opens`: in its first words).

    Table rows and code never do.
    """
    if sentence.is_lined or sentence.code or not sentence.quotable:
        return False
    text = _MARKUP.sub("", sentence.text)
    return bool(_condition().match(text) if opens else _condition().search(text))


def _introduces(sentence: Sentence) -> bool:
    """Whether what follows belongs to a sentence."""
    return not sentence.code and sentence.text.rstrip(" *_`").endswith((":", "："))


def _same_paragraph(first: Sentence, second: Sentence) -> bool:
    start = first.evidence.span.start
    gap = first.evidence.text[first.span.end - start : second.span.start - start]
    return gap.count("\n") < 2


def neighbouring(numbers: Sequence[int], passage: Sequence[Sentence]) -> list[list[int]]:
    """The numbers in runs that stand side by side, in one paragraph or as a condition after its sentence."""
    runs: list[list[int]] = []
    for number in numbers:
        before = runs[-1][-1] if runs else -2
        here = passage[number]
        rows = here.is_row and before >= 0 and passage[before].is_row
        together = before == number - 1 and not rows
        if together and (here.code or _same_paragraph(passage[before], here) or _bounds(here, opens=True)):
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs
