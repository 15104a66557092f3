"""Words that only ask or join: a query drops them while others remain.

English ones always; those of another language if more of them than English ones say that the query is in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pincite import lexicon
from pincite.analyze.parts import CONTRACTED
from pincite.analyze.terms import fold


@cache
def stop_words() -> frozenset[str]:
    """The words that are dropped in any language."""
    return frozenset(lexicon.words("stop_words.any"))


LEAST_SAID = 3
"""What the words of a query must say for another language: one that asks and one that joins, or three."""


@dataclass(frozen=True, slots=True)
class _Dropped:
    """The words of a language that are dropped, folded: those that ask, those that join."""

    asks: frozenset[str]
    joins: frozenset[str]
    elided: re.Pattern[str] | None


@cache
def _languages() -> dict[str, _Dropped]:
    """The languages with words that ask, in the order of the lexicon."""
    return {
        code: _dropped(one) for code, one in lexicon.languages().items() if one.words["stop_words.asking"]
    }


def _dropped(language: lexicon.Language) -> _Dropped:
    code = language.code
    elided = rf"{lexicon.any_of('stop_words.elided', only=code)}['’](?=\w{{2}})"
    return _Dropped(
        frozenset(fold(word) for word in language.words["stop_words.asking"]),
        frozenset(fold(word) for word in language.words["stop_words.joining"]),
        re.compile(elided, re.I) if language.words["stop_words.elided"] else None,
    )


def drop_stop_words(tokens: Sequence[str], *, english: bool = True) -> list[str]:
    """The tokens without stop words, articles before an apostrophe taken off; all if nothing else is there.

    A stop word in capitals inside a query that is not all in capitals is a name (`IT support`,
    `hepatitis A`) and stays.
    """
    loud = all(token.isupper() or not token.isalpha() for token in tokens)

    def is_name(at: int, token: str) -> bool:
        return not loud and token.isupper() and (len(token) > 1 or (at > 0 and token == "A"))

    words = [fold(CONTRACTED.sub("", token).casefold()) for token in tokens]
    language = _languages().get(_language(words))
    dropped = stop_words() if english else frozenset()
    if language:
        dropped |= language.asks | language.joins
    kept = [t for i, t in enumerate(tokens) if words[i] not in dropped or is_name(i, t)]
    if language and language.elided:
        kept = [language.elided.sub("", token, count=1) for token in kept]
    return kept or list(tokens)


def _language(words: Sequence[str]) -> str:
    """The language other than English that most stop words of a query are of; "" if there is none.

    A word that asks says as much as two that join, and the query must say as much as three: the name
    `Costa del Sol` is not Spanish. What English has too says little; what only English has, the opposite.
    """
    distinct, english = sorted(set(words)), stop_words()

    def says(language: str) -> int:
        known = _languages()[language]
        own = sum(_says_alone(word, known) for word in distinct if word not in english)
        return own + sum(_says_beside(word, known) for word in english.intersection(distinct))

    best = max(_languages(), key=says)
    return best if says(best) >= LEAST_SAID else ""


def _says_alone(word: str, language: _Dropped) -> int:
    """What a word that English has not says for a language."""
    if word in language.asks:
        return 2
    return 1 if word in language.joins else 0


def _says_beside(word: str, language: _Dropped) -> int:
    """What a word that English has too says for a language."""
    if word in language.asks:
        return 1
    return 0 if word in language.joins else -2
