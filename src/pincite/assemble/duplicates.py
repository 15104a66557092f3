"""Whether two chunks say the same: exact copies and near-copies that differ in nothing that matters.

Near-copies share nine tenths of their word pairs. They are kept apart when numbers, dates, negations,
limits ("only", "must", "before") or document versions differ: there a single word changes the answer.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal

from pincite.lexicon import words
from pincite.scripts import PAIRED
from pincite.types import Stored

Likeness = Literal["", "duplicate", "near-duplicate"]

NEAR = 0.9
"""The least Jaccard similarity of word pairs (Broder 1997, shingles of two) of near-duplicates."""

_WORD = re.compile(rf"[{PAIRED}]|[^\W{PAIRED}]+(?:[.,:/'’-][^\W{PAIRED}]+)*")
_VERSION = re.compile(
    r"(?<![a-z0-9])(?:v\d+(?:\.\d+)*|\d+(?:\.\d+)+|(?:19|20)\d\d(?:-\d\d){0,2})(?![a-z0-9])"
)


@cache
def _telling_words() -> frozenset[str]:
    """Words that turn a statement round or bound it, and words that count or date."""
    return frozenset(words("copies.turning")) | frozenset(words("copies.counting"))


@dataclass(frozen=True, slots=True)
class _Profile:
    """A text's words in order, its word pairs, and the words that must agree (sorted)."""

    words: tuple[str, ...]
    pairs: frozenset[tuple[str, str]]
    facts: tuple[str, ...]


def same_text(first: Stored, second: Stored) -> Likeness:
    """How the second chunk repeats the first: "duplicate", "near-duplicate", or "" when it does not.

    White space alone makes no difference to a duplicate. Two versions of a document are never copies.
    """
    if _versions(first) != _versions(second):
        return ""
    if first.chunk.text.split() == second.chunk.text.split():
        return "duplicate" if first.chunk.header == second.chunk.header else ""
    one, other = _profile(first.chunk.text), _profile(second.chunk.text)
    if one.facts != other.facts or first.chunk.header != second.chunk.header:
        return ""
    shared, either = len(one.pairs & other.pairs), len(one.pairs | other.pairs)
    return "near-duplicate" if either and shared / either >= NEAR else ""


def _versions(stored: Stored) -> tuple[str, ...]:
    """What tells versions of one document apart: its metadata's version and date, and those in its path."""
    named = [f"{name}={stored.meta[name]}" for name in ("date", "version") if name in stored.meta]
    return (*named, *_VERSION.findall(stored.uri.casefold()))


@lru_cache(maxsize=512)
def _profile(text: str) -> _Profile:
    words = tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
    facts = tuple(sorted(word for word in words if _matters(word)))
    return _Profile(words, frozenset(pairwise(words)), facts)


def _matters(word: str) -> bool:
    return word in _telling_words() or word.endswith(("n't", "n’t")) or any(char.isdigit() for char in word)
