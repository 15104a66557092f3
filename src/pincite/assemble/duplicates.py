"""Whether two chunks say the same: exact copies and near-copies that differ in nothing that matters.

Near-copies share nine tenths of their word pairs. They are kept apart when numbers, dates, negations,
limits ("only", "must", "before") or document versions differ: there a single word changes the answer.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from pincite.scripts import PAIRED
from pincite.types import Stored

Likeness = Literal["", "duplicate", "near-duplicate"]

NEAR = 0.9
"""The least Jaccard similarity of word pairs (Broder 1997, shingles of two) of near-duplicates."""

_WORD = re.compile(rf"[{PAIRED}]|[^\W{PAIRED}]+(?:[.,:/'’-][^\W{PAIRED}]+)*")
_VERSION = re.compile(
    r"(?<![a-z0-9])(?:v\d+(?:\.\d+)*|\d+(?:\.\d+)+|(?:19|20)\d\d(?:-\d\d){0,2})(?![a-z0-9])"
)

# Words that turn a statement round or bound it, and words that count or date.
_TURNING_WORDS = """
no not never none neither nor nothing without cannot except unless only if but must may should shall can
all any every each before after until since from to above below over under on off open closed left right
first last least most more less increase decrease enable disable allow allowed forbid forbidden
nicht kein keine keinen nie niemals ohne nur ne pas jamais sans sauf nunca sin sólo non mai senza
不 没 未 无 無 非 勿 莫 禁 别 別 除 只 仅 必 须 可 应 前 后 後 上 下 左 右 开 关 ず ぬ
"""
_COUNTING_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty
hundred thousand million billion half twice once double daily weekly monthly yearly
january february march april june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday today tomorrow yesterday
〇 零 一 二 三 四 五 六 七 八 九 十 百 千 万 億 亿 两 兩 半
"""
_MATTERS = frozenset(_TURNING_WORDS.split()) | frozenset(_COUNTING_WORDS.split())


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
    return word in _MATTERS or word.endswith(("n't", "n’t")) or any(char.isdigit() for char in word)
