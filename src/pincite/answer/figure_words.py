"""Words that are figures, units, weekdays and months, of the languages of the lexicon."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from pincite import lexicon
from pincite.tables import rows_of

_THOUSAND = 1000


@cache
def spaced() -> tuple[str, ...]:
    """Languages with words for figures and blanks between words."""
    return _written(spaced=True)


@cache
def unspaced() -> tuple[str, ...]:
    """Languages with words for figures and no blanks."""
    return _written(spaced=False)


def _written(*, spaced: bool) -> tuple[str, ...]:
    known = lexicon.languages()
    return tuple(code for code, one in known.items() if one.spaced is spaced and one.tables["figures.units"])


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
    known = lexicon.languages()[name]
    made = Language(name, none=list(_folded(known.words["figures.no_numbers"])))
    for key, kind, sure in (
        ("figures.weekdays", "weekday", True),
        ("figures.doubtful_weekdays", "weekday", False),
        ("figures.months", "month", True),
        ("figures.doubtful_months", "month", False),
    ):
        for value, words in known.tables[key].items():
            made.names |= dict.fromkeys(_folded(words), (kind, value, sure))
    for unit, words in known.tables["figures.units"].items():
        made.units |= dict.fromkeys(_folded(words), unit)
    made.numbers = _numbers(known)
    return made


def _numbers(known: lexicon.Language) -> dict[str, Word]:
    """The words that are part of a number."""
    made: dict[str, Word] = {}
    for key, kind, sure in (
        ("figures.numbers", "number", True),
        ("figures.doubtful_numbers", "number", False),
        ("figures.multiples", "times", True),
    ):
        for value, words in known.tables[key].items():
            made |= {word: Word(kind, int(value), sure) for word in _folded(words)}
    made |= {word: Word("article", 1, True) for word in _folded(known.words["figures.articles"])}
    return made | {word: Word("join", 0, True) for word in _folded(known.words["figures.joins"])}


def _folded(words: Iterable[str]) -> Iterator[str]:
    return (word.casefold() for word in words)


@cache
def units() -> Units:
    """The units with their signs; a sign of two letters and more also in small ones."""
    signs: dict[str, str] = {}
    measures: dict[str, tuple[str, Fraction]] = {}
    for name, dimension, factor, written in rows_of("lexicon/units.tsv"):
        measures[name] = (dimension, Fraction(factor))
        for sign in written.split():
            signs[sign] = name
            if sign == sign.lower() or dimension not in ("pressure", "power", "data", "voltage", "current"):
                signs.setdefault(sign.lower(), name)
    return Units(signs, measures)


@cache
def unit_words() -> Mapping[str, str]:
    """Words for units of the languages with blanks."""
    return {word: unit for name in spaced() for word, unit in language(name).units.items()}


@cache
def names() -> Mapping[str, tuple[str, str, bool]]:
    """Weekdays and months of the languages with blanks; a word of several of them as the surest."""
    every = [pair for name in spaced() for pair in language(name).names.items()]
    return dict(sorted(every, key=lambda pair: pair[1][2]))


@cache
def multiples() -> Mapping[str, int]:
    """Words that stand for dozens, thousands, millions and so on behind digits."""
    every = (pair for name in spaced() for pair in language(name).numbers.items())
    return {word: one.value for word, one in every if one.kind == "times"}


@cache
def in_one_word(word: str) -> int | None:
    """The value of a number written in one word of several, such as `sechsunddreißig`; None for others."""
    return next((value for name in spaced() if (value := _glued(word, name)) is not None), None)


def _glued(word: str, name: str) -> int | None:
    known = lexicon.languages()[name]
    if not known.glued_numbers:
        return None
    parts = _pattern(name).findall(word)
    if len(parts) < 2 or "".join(parts) != word:
        return None
    words = [language(name).numbers[part] for part in parts]
    return value_of([one for one in words if one.kind != "join"], inverted=known.ones_first)


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
    for name in spaced():
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
