"""Words that are figures, units, weekdays and months, of the languages that have a table in the lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from pincite.tables import rows_of

SPACED = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "pl", "ru")
"""Languages with blanks between words."""
UNSPACED = ("zh", "ja", "ko")
_GLUED = frozenset({"de", "nl", "sv", "it"})  # their numbers are written in one word
_INVERTED = frozenset({"de", "nl"})  # and the ones stand before the tens
_THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class Word:
    """A word that is part of a number: its kind ("number", "times", "join", "article"), its value.

    `sure` is False for one that means something else as well.
    """

    kind: str
    value: int
    sure: bool


@dataclass(slots=True)
class Language:
    """The words of one language, folded; weekdays and months with whether they mean nothing else."""

    name: str
    numbers: dict[str, Word] = field(default_factory=dict)
    names: dict[str, tuple[str, str, bool]] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    none: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Units:
    """Units by sign; what they measure, in which multiple."""

    signs: Mapping[str, str]
    measures: Mapping[str, tuple[str, Fraction]]


@cache
def language(name: str) -> Language:
    """The words of a language."""
    made = Language(name)
    for kind, value, words in rows_of(f"lexicon/figures/{name}.tsv"):
        sure, bare = not kind.endswith("?"), kind.rstrip("?")
        for word in words.casefold().split():
            if bare == "unit":
                made.units[word] = value
            elif bare == "not":
                made.none.append(word)
            elif bare in ("weekday", "month"):
                made.names[word] = (bare, value, sure)
            else:
                made.numbers[word] = Word(bare, int(value) if value.isdigit() else 0, sure)
    return made


@cache
def units() -> Units:
    """The units with their signs; a sign of two letters and more also in small ones."""
    signs: dict[str, str] = {}
    measures: dict[str, tuple[str, Fraction]] = {}
    for name, dimension, factor, written in rows_of("lexicon/figures/units.tsv"):
        measures[name] = (dimension, Fraction(factor))
        for sign in written.split():
            signs[sign] = name
            if sign == sign.lower() or dimension not in ("pressure", "power", "data", "voltage", "current"):
                signs.setdefault(sign.lower(), name)
    return Units(signs, measures)


@cache
def unit_words() -> Mapping[str, str]:
    """Words for units of the languages with blanks."""
    return {word: unit for name in SPACED for word, unit in language(name).units.items()}


@cache
def names() -> Mapping[str, tuple[str, str, bool]]:
    """Weekdays and months of the languages with blanks; a word of several of them as the surest."""
    every = [pair for name in SPACED for pair in language(name).names.items()]
    return dict(sorted(every, key=lambda pair: pair[1][2]))


@cache
def multiples() -> Mapping[str, int]:
    """Words that stand for dozens, thousands, millions and so on behind digits."""
    every = (pair for name in SPACED for pair in language(name).numbers.items())
    return {word: one.value for word, one in every if one.kind == "times"}


@cache
def in_one_word(word: str) -> int | None:
    """The value of a number written in one word of several, such as `sechsunddreißig`; None for others."""
    return next((value for name in _GLUED if (value := _glued(word, name)) is not None), None)


def _glued(word: str, name: str) -> int | None:
    parts = _pattern(name).findall(word)
    if len(parts) < 2 or "".join(parts) != word:
        return None
    words = [language(name).numbers[part] for part in parts]
    return value_of([one for one in words if one.kind != "join"], inverted=name in _INVERTED)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("|".join(sorted(language(name).numbers, key=lambda word: (-len(word), word))))


def value_of(words: list[Word], *, inverted: bool = False) -> int | None:
    """The number that words say together; None if they are no number."""
    total, current, least = 0, None, None
    for word in words:
        if word.kind == "times":
            if word.value >= _THOUSAND:
                if least is not None and word.value >= least:
                    return None
                total, least, current = total + (current or 1) * word.value, word.value, None
            elif current is None or current < 100:
                current = (current or 1) * word.value
            else:
                return None
        else:
            current = _added(current, word.value, inverted)
            if current is None:
                return None
    return total + (current or 0)


def _added(before: int | None, value: int, inverted: bool) -> int | None:
    """What two numbers say side by side: 30 and 6, 200 and 36, and 6 and 30 where ones stand first."""
    if before is None:
        return value
    after_hundreds = before % 100 == 0 and 0 < value < 100
    after_tens = before % 10 == 0 and before % 100 >= 10 and 0 < value < 10
    if before and (after_hundreds or after_tens):
        return before + value
    ones = before % 100
    if inverted and 0 < ones < 10 and value % 10 == 0 and 10 < value < 100:
        return before + value
    return None


@dataclass(frozen=True, slots=True)
class Run:
    """Words [first, last) that say a number; `sure` if they mean nothing else, `article` if they are one."""

    first: int
    last: int
    value: int
    sure: bool
    article: bool
    language: str


def runs(words: list[str]) -> Iterator[Run]:
    """Where words that stand side by side say a number: in each language the longest from each word on."""
    for name in SPACED:
        at = len(words) if language(name).numbers.keys().isdisjoint(words) else 0
        while at < len(words):
            found = _run(words, at, name)
            if found:
                yield found
            at = found.last if found else at + 1


def _run(words: list[str], at: int, name: str) -> Run | None:
    """The longest number of a language from word `at` on."""
    numbers = language(name).numbers
    taken: list[Word] = []
    found: Run | None = None
    here = at
    while here < len(words):
        step, word = _next(words, here, numbers)
        if word is None or (word.kind == "join" and not taken):
            break
        here += step
        if word.kind != "join":
            taken.append(word)
            value = value_of(taken)
            if value is None:
                break
            sure = len(taken) > 1 or (word.sure and word.kind == "number")
            found = Run(at, here, value, sure, taken == [word] and word.kind == "article", name)
    return found


def _next(words: list[str], at: int, numbers: Mapping[str, Word]) -> tuple[int, Word | None]:
    """How many words, joined by hyphens, the number word at `at` takes, at most four; and that word."""
    for size in range(min(4, len(words) - at), 1, -1):
        if word := numbers.get("-".join(words[at : at + size])):
            return size, word
    return 1, numbers.get(words[at])
