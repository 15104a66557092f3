"""What a question asks for: a number, a time, a length of time, a cause; and whether a sentence holds one.

Read from the question's own words. It only favours sentences; a question of no known kind favours none.
"""

from __future__ import annotations

import re
from functools import cache

from pincite.lexicon import any_of, whole

_DIGITS = r"(?<!\d)\d+"


def wanted(question: str) -> re.Pattern[str] | None:
    """The pattern of what an answer to the question is likely to hold; None if its kind is not known."""
    return next((held for asked, held in _kinds() if asked.search(question)), None)


@cache
def cause() -> re.Pattern[str]:
    """What tells a cause, in a sentence or in the heading above it."""
    return _pattern(whole("asked.causes"))


@cache
def _kinds() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Patterns of a question, each with that of its answer; the first that fits counts."""
    units = any_of("asked.units", only="en")
    opening = any_of("questions.opening_when")
    return (
        (
            _pattern(
                whole("questions.how_long"),
                rf"\b{any_of('questions.how_many_units')} {units}\b",
            ),
            _duration(),
        ),
        (_pattern(whole("questions.how_much")), _pattern(r"\d", whole("asked.numbers"))),
        (
            _pattern(rf"^\W*{opening}\b", whole("questions.when"), rf"\b{any_of('questions.when_begun')}"),
            _pattern(r"\d", whole("asked.times"), rf"\b{units}\b"),
        ),
        (_pattern(whole("questions.why")), cause()),
    )


def _duration() -> re.Pattern[str]:
    """A number with a unit of time; in English with a word between them too: `30 more days`."""
    numbers, some = any_of("asked.numbers", only="en"), any_of("asked.some")
    units = any_of("asked.units", "asked.short_units", only="en")
    others, other_units = any_of("asked.numbers", but="en"), any_of("asked.units", but="en")
    joined = rf"(?:\d|{any_of('asked.joined_numbers')}) ?{any_of('asked.joined_units')}"
    return _pattern(
        r"(?<!within )(?<!every )(?<!each )"
        rf"(?:{_DIGITS}|\b(?:{numbers}|{some})\b)[ \t\n-]{{0,2}}(?:\w{{1,12}}[ \n-])?{units}\b",
        rf"(?:{_DIGITS}|\b{others})[ -]{{1,2}}{other_units}\b",
        whole("asked.durations"),
        joined,
    )


def _pattern(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.I)
