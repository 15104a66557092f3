"""Sentences about another thing of the kind that the question names: what stands under a sibling heading.

Two headings are siblings when they differ in one word: `Pump B` and `Pump C`. A question names a heading
when it holds its words side by side.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pincite.answer.passages import Sentence

_WORD = re.compile(r"[^\W_]+(?:[-.+#'’/][^\W_]+)*[+#]{0,2}")

Words = tuple[str, ...]


def about_others(question: str, found: Sequence[Sentence]) -> list[bool]:
    """For each sentence whether it stands under a sibling of a heading that the question names.

    One that stands under a named heading as well, or that holds the word which tells them apart, does not.
    """
    asked = _words(question)
    headings = [_headings(one) for one in found]
    named = [one for one in dict.fromkeys(one for many in headings for one in many) if _holds(asked, one)]
    pairs = zip(found, headings, strict=True)
    return [_is_other(_words(one.text), above, named) for one, above in pairs]


def _is_other(text: Words, above: Sequence[Words], named: Sequence[Words]) -> bool:
    siblings = ((name, one) for name in named if name not in above for one in above if one not in named)
    told_apart = [apart for name, one in siblings for apart in _difference(name, one)]
    return bool(told_apart) and set(told_apart).isdisjoint(text)


def _difference(name: Words, other: Words) -> Words:
    """The one word of `name` that `other` has another for; nothing if they are no siblings."""
    if len(name) != len(other) or len(name) < 2:
        return ()
    apart = tuple(one for one, two in zip(name, other, strict=True) if one != two)
    return apart if len(apart) == 1 else ()


def _headings(sentence: Sentence) -> list[Words]:
    """The words of each heading around a sentence, and of the title of its document."""
    evidence, own = sentence.evidence, sentence.under.partition("\n")[0]
    above = sum(one.start <= sentence.span.start for one in evidence.headings)
    path = evidence.sections[above] if above < len(evidence.sections) else ()
    return [words for line in (own, *path) if (words := _words(line))]


def _holds(asked: Words, heading: Words) -> bool:
    return any(asked[at : at + len(heading)] == heading for at in range(len(asked) - len(heading) + 1))


@lru_cache(maxsize=4096)
def _words(text: str) -> Words:
    return tuple(word.casefold() for word in _WORD.findall(text))
