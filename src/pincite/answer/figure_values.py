"""What a number is worth that is written in digits or in Chinese characters, and what a unit is."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import cache

from pincite.answer.figure_words import language, unit_words, units, unspaced
from pincite.hidden import plain

_DIGITS = {
    char: value
    for value, chars in enumerate(("零〇", "一", "二两兩", "三", "四", "五", "六", "七", "八", "九"))
    for char in chars
}
_TIMES = {"十": 10, "百": 100, "千": 1000}
MANY = {"万": 10_000, "萬": 10_000, "亿": 100_000_000, "億": 100_000_000}
_MOST_DIGITS = 40  # of a number that is calculated with


def readings(written: str) -> tuple[set[Fraction], str]:
    """The values a number in digits may have, and itself where it is a time, a ratio or a version."""
    digits = "".join(map(_ascii, written))
    fraction = sum(
        (Fraction(unicodedata.numeric(c)).limit_denominator(8) for c in digits if c in "½⅓¼¾⅔⅛"), Fraction(0)
    )
    digits = re.sub(r"[½⅓¼¾⅔⅛’'\s]", "", digits)
    if len(digits) > _MOST_DIGITS:
        return set(), digits
    groups = re.split(r"[.,:]", digits)
    signs = re.findall(r"[.,:]", digits)
    if not digits or not signs:
        return {Fraction(int(digits or 0)) + fraction}, ""
    if ":" in signs:
        return set(), ":".join(str(int(group)) for group in groups)
    values: set[Fraction] = set()
    whole = all(len(group) == 3 for group in groups[1:]) and 0 < len(groups[0]) <= 3 and groups[0] != "0"
    if len(set(signs)) == 1 and whole:
        values.add(Fraction(int("".join(groups))))
    if len(signs) == 1 or (signs[-1] not in signs[:-1] and all(len(group) == 3 for group in groups[1:-1])):
        values.add(Fraction(f"{int(''.join(groups[:-1]))}.{groups[-1]}"))
    return values, "" if values else ".".join(str(int(group)) for group in groups)


def _ascii(char: str) -> str:
    if "①" <= char <= "⑳":
        return unicodedata.normalize("NFKC", char)
    digit = unicodedata.digit(char, None)
    return char if digit is None else str(digit)


def unit_of(word: str) -> tuple[str, int]:
    """The unit that a word or a sign stands for, and how many characters of it do; "" if none."""
    known, word = units().signs, plain(word)
    folded = word.casefold()
    unit = known.get(word) or unit_words().get(folded) or (known.get(folded, "") if len(word) > 1 else "")
    if unit:
        return unit, len(word)
    found = _unspaced_units().match(word)
    return (_unspaced_unit_words()[found[0]], found.end()) if found else ("", 0)


@cache
def _unspaced_unit_words() -> dict[str, str]:
    return {word: unit for name in unspaced() for word, unit in language(name).units.items()}


@cache
def _unspaced_units() -> re.Pattern[str]:
    return re.compile("|".join(sorted(_unspaced_unit_words(), key=lambda word: (-len(word), word))))


def unit_at(text: str, at: int) -> tuple[str, int]:
    """The unit in a script without blanks that stands at a place, and how long its word is."""
    found = _unspaced_units().match(text, at)
    return (_unspaced_unit_words()[found[0]], len(found[0])) if found else ("", 0)


def chinese(numeral: str) -> int:
    """The value of a numeral in Chinese characters, by places or digit by digit."""
    if all(char in _DIGITS for char in numeral):
        return int("".join(str(_DIGITS[char]) for char in numeral))
    total = section = digit = 0
    for char in numeral:
        if char in _DIGITS:
            digit = _DIGITS[char]
        elif char in _TIMES:
            section, digit = section + (digit or 1) * _TIMES[char], 0
        else:
            total, section, digit = (total + section + digit) * MANY[char], 0, 0
    return total + section + digit
