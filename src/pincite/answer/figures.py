"""The figures of a text: numbers in digits of any script or in words, with their units, weekdays and months.

Two figures agree when any reading of one is a reading of the other: `1.250` is 1250 or 1.25, `36 h` a day
and a half, `thirty-six` is 36, `05/03` a day and a month either way. A figure without a unit agrees with any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from pincite.answer.figure_values import MANY, chinese, readings, unit_at, unit_of
from pincite.answer.figure_words import Run, in_one_word, language, multiples, names, runs, units, unspaced
from pincite.hidden import seen

Key = tuple[str, Fraction | str, str]
"""What a figure may be: ("number", value, unit), ("weekday", number, "") and so on."""

NAME = "name"
"""The unit of digits that belong to a name: the 7 of V7 is none of bar."""
_BLANK = "[ \\t\u00a0\u2009\u202f]"
_NUMBER = re.compile(
    rf"\d{{1,3}}(?:{_BLANK}\d{{3}})+(?![\d.,:]?\d)|\d+(?:[.,:'’]\d+)*[½⅓¼¾⅔⅛]?|[½⅓¼¾⅔⅛]|(?<![\w)\]⁰-⁹¹²³])[⁰-⁹¹²³]+|[①-⑳]"
)
_DATE = re.compile(
    r"(?<![\d./-])(?:(?P<y>\d{4})([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})|(?P<a>\d{1,2})([./-])(?P<b>\d{1,2})\6(?P<c>\d{4}))"
    r"(?![\d/-]|\.\d)"
)
_AFTER = re.compile(rf"(?:{_BLANK}|[-\n]){{0,2}}(°[CFcf]|[%‰℃℉€$£₹₩₽″]|[^\W\d_]{{1,24}}+(?!['’]\w))")
_BEFORE = re.compile(rf"([$€£₹₩₽]|\b(?:EUR|USD|GBP|CHF|JPY|CNY|INR|KRW|RUB|PLN)){_BLANK}?$")
_NAMED = re.compile(r"[a-zA-ZÀ-ɏͰ-ӿ]")
_SIGN = re.compile(r"(?:^|[\s(])([-−])$")
_WORD = re.compile(r"[^\W\d_]+")
_BESIDE = re.compile(rf"(?:{_BLANK}|[-\n]){{1,2}}")
_DAY_BEFORE = re.compile(r"\d(?:\.|st|nd|rd|th|er|º)?(?:\s+(?:of|de))?\s+$")
_DAY_AFTER = re.compile(r"\.?\s+\d")
_CJK = re.compile(r"(?<!\d)[零〇一二两兩三四五六七八九十百千万萬亿億]{1,40}")
_CJK_MONTH = re.compile(r"(\d{1,2}|[一二三四五六七八九十]{1,2})月(?!曜)")
_SHORTEST = 6  # letters of a number in one word of several
_SIGNED = frozenset({"celsius", "fahrenheit"})


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as it is written, with its unit, and what it may be."""

    written: str
    keys: frozenset[Key]

    @property
    def has_unit(self) -> bool:
        """Whether it has a unit that is known."""
        return any(unit not in ("", NAME) for _, _, unit in self.keys)


@dataclass(slots=True)
class _Text:
    """A text being read: what has been read as a figure is blotted out."""

    whole: str
    sure: bool
    left: str
    found: list[tuple[int, Figure]] = field(default_factory=list)
    blots: list[tuple[int, int]] = field(default_factory=list)

    def take(self, start: int, end: int, keys: Iterable[Key]) -> None:
        self.found.append((start, Figure(" ".join(self.whole[start:end].split()), frozenset(keys))))
        self.blots.append((start, end))

    def settle(self) -> None:
        """Blots out what was read since the last time."""
        parts, at = [], 0
        for start, end in sorted(self.blots):
            parts += [self.left[at:start], "\0" * (end - max(at, start))]
            at = max(at, end)
        self.left = "".join([*parts, self.left[at:]])
        self.blots = []


def figures(text: str, *, sure: bool) -> list[Figure]:
    """The figures of a text in order; with `sure` only what can mean nothing else, as a statement is read."""
    whole = seen(text)
    read = _Text(whole, sure, whole)
    if not whole.isascii():
        _read_unspaced_names(read)
        read.settle()
        _read_numerals(read)
        read.settle()
    for reader in (_read_dates, _read_names, _read_digits, _read_words):
        reader(read)
        read.settle()
    return [figure for _, figure in sorted(read.found, key=lambda one: one[0])]


# ── digits ────────────────────────────────────────────────────────────────────────────────────
def _read_dates(read: _Text) -> None:
    """Dates in digits: the year, and day and month either way where both may be meant."""
    for found in list(_DATE.finditer(read.left)):
        parts = [
            int(one) for one in (found["y"] or found["c"], found["m"] or found["a"], found["d"] or found["b"])
        ]
        year, first, second = parts
        months = {first} if found["y"] else {first, second}
        keys: list[Key] = [
            ("date", f"{year}-{month}-{first + second - month}", "") for month in months if 1 <= month <= 12
        ]
        if not keys:
            continue
        if not read.sure:
            keys += [("number", Fraction(one), "") for one in parts]
            keys += [("month", str(month), "") for month in months]
        read.take(*found.span(), keys)


def _read_digits(read: _Text) -> None:
    for found in list(_NUMBER.finditer(read.left)):
        values, literal = readings(found[0])
        times, unit, end = _behind(read.left, found.end())
        start, unit = _before(read.left, found.start(), unit)
        if not unit and _NAMED.search(read.left[max(0, start - 1) : start]):
            unit = NAME
        sign = -1 if unit in _SIGNED and _SIGN.search(read.left[max(0, start - 2) : start]) else 1
        keys: list[Key] = [("number", sign * value * times, unit) for value in values]
        if literal:
            keys.append(("as written", literal, ""))
        if not read.sure and times > 1:
            keys += [("number", value, "") for value in values]
        if not read.sure and len(parts := re.split(_BLANK, found[0])) > 1:
            keys += [("number", value, "") for part in parts for value in readings(part)[0]]
        read.take(start, end, keys)


def _behind(text: str, at: int) -> tuple[int, str, int]:
    """What multiplies the number before `at`, its unit, and where both end; 1 and "" if there is none."""
    times = 1
    if text[at : at + 1] in MANY:
        times, at = MANY[text[at]], at + 1
    found = _AFTER.match(text, at)
    if found and (many := multiples().get(found[1].casefold())):
        times, at = many, found.end()
        found = _AFTER.match(text, at)
    unit, length = unit_of(found[1]) if found else ("", 0)
    return times, unit, (found.start(1) + length) if found and unit else at


def _before(text: str, at: int, unit: str) -> tuple[int, str]:
    """Where a number begins with a sign of money before it, and its unit."""
    found = None if unit else _BEFORE.search(text[max(0, at - 6) : at])
    if not found:
        return at, unit
    return at - len(found[0]), units().signs.get(found[1]) or units().signs[found[1].casefold()]


# ── words ─────────────────────────────────────────────────────────────────────────────────────
def _read_names(read: _Text) -> None:
    """Weekdays and months."""
    for found in list(re.finditer(r"[^\W\d_]+(?:-feira)?", read.left)):
        held = names().get(found[0].casefold())
        if held and _meant(read, found, *held[::2]):
            read.take(*found.span(), [(held[0], held[1], "")])


def _meant(read: _Text, found: re.Match[str], kind: str, known: bool) -> bool:
    """Whether a word is a weekday or a month: a doubtful one in a source, or a month beside a number."""
    if known or not read.sure:
        return True
    before, after = (
        read.whole[max(0, found.start() - 12) : found.start()],
        read.whole[found.end() : found.end() + 4],
    )
    return kind == "month" and bool(_DAY_BEFORE.search(before) or _DAY_AFTER.match(after))


def _read_words(read: _Text) -> None:
    """Numbers in words of languages with blanks."""
    words = list(_WORD.finditer(read.left))
    at = 0
    while at < len(words):
        end = at + 1
        while end < len(words) and _BESIDE.fullmatch(read.left, words[end - 1].end(), words[end].start()):
            end += 1
        _read_beside(read, words[at:end])
        at = end


def _read_beside(read: _Text, words: list[re.Match[str]]) -> None:
    """Numbers in words that stand side by side: of runs that overlap the longer, of equal ones each."""
    said = [word[0].casefold() for word in words]
    found = sorted(_counting(read, said), key=lambda run: (run.first - run.last, run.first))
    taken: dict[tuple[int, int], set[Key]] = {}
    for run in found:
        place = (run.first, run.last)
        if place in taken or all(run.last <= first or last <= run.first for first, last in taken):
            key: Key = ("number", Fraction(run.value), _unit_word(said, run.last))
            taken.setdefault(place, set()).add(key)
    for number, word in enumerate(said):
        value = in_one_word(word) if len(word) >= _SHORTEST else None
        if value is not None:
            taken[number, number + 1] = {("number", Fraction(value), _unit_word(said, number + 1))}
    for (first, last), keys in taken.items():
        with_unit = any(unit for _, _, unit in keys)
        read.take(words[first].start(), words[last if with_unit else last - 1].end(), keys)


def _counting(read: _Text, said: list[str]) -> Iterator[Run]:
    """The runs that count: in a statement no article, and a word of two meanings before a unit alone."""
    for run in runs(said):
        before_unit = said[run.last : run.last + 1] and said[run.last] in language(run.language).units
        if not read.sure or (not run.article and (run.sure or before_unit)):
            yield run


def _unit_word(said: list[str], at: int) -> str:
    return unit_of(said[at])[0] if at < len(said) else ""


# ── scripts without blanks ────────────────────────────────────────────────────────────────────
@cache
def _unspaced_names() -> re.Pattern[str]:
    return re.compile("|".join(sorted(_unspaced_held(), key=lambda word: (-len(word), word))))


@cache
def _unspaced_held() -> dict[str, tuple[str, str]]:
    held = {word: one[:2] for name in unspaced() for word, one in language(name).names.items()}
    return held | {word: ("", "") for name in unspaced() for word in language(name).none}


def _read_unspaced_names(read: _Text) -> None:
    """Weekdays of Chinese, Japanese and Korean; words with numerals in them that are none are blotted out."""
    for found in list(_unspaced_names().finditer(read.left)):
        kind, value = _unspaced_held()[found[0]]
        if not kind and unit_of(read.left[found.end() - 1 :])[0]:
            continue  # 十分钟
        if kind:
            read.take(*found.span(), [(kind, value, "")])
        else:
            read.blots.append(found.span())


def _read_numerals(read: _Text) -> None:
    """Months and numbers in Chinese characters."""
    for found in list(_CJK_MONTH.finditer(read.left)):
        month = int(found[1]) if found[1].isdigit() else chinese(found[1])
        if 1 <= month <= 12:
            read.take(*found.span(), [("month", str(month), "")])
    read.settle()
    for found in list(_CJK.finditer(read.left)):
        number = chinese(found[0])
        percent = read.left.endswith("百分之", 0, found.start())
        unit, length = ("percent", 0) if percent else unit_at(read.left, found.end())
        if not (unit or len(found[0]) > 1):
            continue
        read.take(found.start(), found.end() + length, [("number", Fraction(number), unit)])


def each(text: str) -> Iterator[Figure]:
    """The figures of a statement, each once."""
    yield from {figure.keys: figure for figure in reversed(figures(text, sure=True))}.values()
