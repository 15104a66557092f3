"""Adjectives of measure and their nouns: what "how deep" asks for may be told as a depth, and the reverse."""

from __future__ import annotations

import re
from collections.abc import Callable

Terms = Callable[[str], set[str]]

_TOLD_BY = {
    "deep": "depth",
    "long": "length",
    "wide": "width",
    "broad": "breadth width",
    "high": "height",
    "tall": "height",
    "thick": "thickness",
    "heavy": "weight weighs",
    "old": "age aged",
    "hot": "temperature",
    "warm": "temperature temperatur",
    "cold": "temperature",
    "fast": "speed",
    "far": "distance",
    "big": "size",
    "large": "size area",
    "strong": "strength",
    "tief": "tiefe",
    "breit": "breite",
    "schwer": "gewicht wiegt",
    "alt": "alter",
    "heiß": "temperatur",
    "kalt": "temperatur",
    "schnell": "geschwindigkeit",
    "weit": "entfernung",
    "groß": "größe fläche",
}
# Folded, as the questions are that are looked up in it: `groß` and `GROSS` are both `gross`.
_NOUNS = {adjective.casefold(): nouns.casefold() for adjective, nouns in _TOLD_BY.items()}
_HOW = re.compile(rf"\b(?:how|wie) ({'|'.join(_NOUNS)})\b")


def widened(question: str, terms: Terms) -> Terms:
    """`terms`, with which a text also holds a measure of the question that it names by the other word.

    An adjective of the question ("how deep") is held by its noun ("a depth of 2 m"), a noun ("which depth")
    by its adjective behind a figure ("2 m deep").
    """
    folded = question.casefold()
    asked, words = set(_HOW.findall(folded)), set(re.findall(r"\w+", folded))
    nouns = [(terms(one), terms(_NOUNS[one])) for one in sorted(asked)]
    figures = [(terms(noun), one) for one, all_ in _NOUNS.items() for noun in all_.split() if noun in words]
    if not nouns and not figures:
        return terms

    def wide(text: str) -> set[str]:
        held = terms(text)
        more = [term for term, others in nouns if not others.isdisjoint(held)]
        more += [term for term, adjective in figures if _counted(adjective, text)]
        return held.union(*more)

    return wide


def _counted(adjective: str, text: str) -> bool:
    """Whether an adjective stands behind a figure: `2 m deep`, `60-year-old`."""
    return bool(re.search(rf"\d[\s-]?[^\W\d]{{0,12}}[\s-]{adjective}\b", text.casefold()))
