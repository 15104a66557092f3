"""Words whose full stop ends no sentence, and words around one that tell whether it does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from pincite.lexicon import words


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """Words of all languages, in lower case, without the full stop.

    `never` ends no sentence; `before_number`, and words that end in `streets`, end none before a number;
    `before_name` ends one only before a word that often opens one ("et al. The", not "et al. Nature").
    `before_ordinal` and `after_ordinal` stand around one; behind `before_wrapped` one may open a line, where
    an item of a list may end with the others.
    """

    never: frozenset[str]
    before_number: frozenset[str]
    streets: tuple[str, ...]
    before_name: frozenset[str]
    openers: frozenset[str]
    english_openers: frozenset[str]
    before_ordinal: frozenset[str]
    before_wrapped: frozenset[str]
    after_ordinal: frozenset[str]


@cache
def abbreviations() -> Abbreviations:
    """Those of the lexicon."""
    before_wrapped = frozenset(words("sentences.before_ordinal"))
    return Abbreviations(
        never=frozenset(words("sentences.never")),
        before_number=frozenset(words("sentences.before_number")),
        streets=words("sentences.street"),
        before_name=frozenset(words("sentences.before_name")),
        openers=frozenset(words("sentences.openers")),
        english_openers=frozenset(words("sentences.openers", only="en")),
        before_ordinal=before_wrapped | frozenset(words("sentences.joining_ordinals")),
        before_wrapped=before_wrapped,
        after_ordinal=frozenset(words("sentences.after_ordinal")),
    )
