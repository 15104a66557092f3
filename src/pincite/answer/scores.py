"""How well each sentence answers a question: (.5 · lexical + .5 · dense) · prior.

Lexical is the share of the question's terms it holds, each weighted by its rarity among the sentences; a
term held only by what it stands under (its heading, a question, column names) or by the passage's situating
line counts less. Dense is its cosine with the question; without vectors, lexical stands alone. The prior
favours better passages a little.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pincite.answer.asked import cause, wanted
from pincite.answer.passages import Sentence, asks
from pincite.scripts import PAIRED

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Terms = Callable[[str], set[str]]

MOST_EMBEDDED = 48
"""Sentences that are embedded, the most promising by terms and rank: each costs 10–20 ms."""
LEXICAL = 0.5
"""The weight of terms against meaning."""
PRIOR = 0.1
"""How much the passage's rank counts: at most this share of a score."""
DEFINITION = 0.05
"""What the first line of a function or class gains over the lines that use its name."""
FOREIGN = 0.7
"""What the score of a sentence counts that is not in the question's script."""
FROM_HEADING = 0.6
"""What a term counts that the sentence's own heading, question or column names hold, and not itself."""
FROM_QUESTION = 0.9
"""The same where the heading, or the line before, is itself a question: what follows answers it."""
FROM_CONTEXT = 1 / 3
"""The same for a term of the passage's situating line: its title and the headings around it."""
OF_KIND = 0.75
"""What being of the kind that is asked for counts, of a term's weight."""
_KIND = "\0kind"

# Words that only ask or join: no answer has to hold them, and Chinese pairs must not reach across them.
_ASKING = re.compile(
    r"\b[Hh]ow (?:long|many|much|often)\b|(?<=\b[Ww]ie )(?:hoch|lange?|oft|viele?)\b"
    r"|(?<=\b[Hh]oe )(?:hoog|lang|vaak|veel)\b|\b(?:may|might|shall|please|[Tt]ell me)\b|^May\b"
    "|为什么|什么|怎么样|怎么|怎样|如何|是否|能否|可以|应该|需要|多少|多[久深长大高远重快]|几[个次年天]|哪[个些里儿位]?"
    r"|[谁吗呢了的是把到]|(?<=\d[年月日号时分])|(?<=\d [年月日号时分])"
)
_PAIRED = re.compile(f"[{PAIRED}]")
_DEFINES = re.compile(
    r"\s*(?:(?:export|public|async|static|pub) )*"
    r"(?:def|class|fn|func|function|struct|enum|interface|type)\b"
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A sentence with its score, and what went into it; `dense` is None without vectors."""

    sentence: Sentence
    score: float
    lexical: float
    dense: float | None


def telling(question: str) -> str:
    """The question without the words that only ask or join."""
    return _ASKING.sub(" ", question)


def ranked(
    question: str, found: Sequence[Sentence], lexical: Sequence[float], embed: Embed | None
) -> list[Scored]:
    """The sentences with their scores, best first, ties by place."""
    prior = [_prior(one, question) for one in found]
    weights = [(share + 1e-6) * better for share, better in zip(lexical, prior, strict=True)]
    first = sorted(range(len(found)), key=lambda n: (-weights[n], n))[:MOST_EMBEDDED]
    if embed is None:
        return [Scored(found[n], weights[n], lexical[n], None) for n in first]
    vectors = embed([question, *(_read(found[n]) for n in first)])
    cosines = [float(value) for value in vectors[1:] @ vectors[0]]
    scored = []
    for n, cosine in zip(first, cosines, strict=True):
        dense = max(0.0, cosine) if math.isfinite(cosine) else 0.0
        score = (LEXICAL * lexical[n] + (1 - LEXICAL) * dense) * prior[n]
        scored.append(Scored(found[n], score, lexical[n], dense))
    return sorted(scored, key=lambda one: (-one.score, one.sentence.evidence.marker, one.sentence.span))


def _prior(sentence: Sentence, question: str) -> float:
    """What a sentence's score is multiplied by: for its passage's rank, for a definition, for its script."""
    defines = sentence.is_lined and _DEFINES.match(sentence.text)
    same_script = bool(_PAIRED.search(sentence.text)) == bool(_PAIRED.search(question))
    better = 1 + PRIOR / sentence.evidence.marker + (DEFINITION if defines else 0)
    return better * (1 if same_script else FOREIGN)


def _read(sentence: Sentence) -> str:
    """What is embedded: a sentence; a row, line, code or answer with what it has to be read with."""
    lined = sentence.is_lined or sentence.code or asks(sentence.heading.partition("\n")[0])
    return f"{sentence.under}\n{sentence.text.strip()}" if lined and sentence.under else sentence.text


def coverage(question: str, found: Sequence[Sentence], terms: Terms) -> tuple[list[float], float]:
    """The share (0–1) of the question's terms each sentence holds, rare ones counting more, and that of none.

    The weight of a term is BM25's idf over the sentences, ln(1 + (n − df + .5) / (df + .5)), with 2 for
    its 1: a term that every sentence holds still counts. A sentence is counted with what it stands under.
    """
    asked = terms(telling(question)) or terms(question)
    lone = {term for term in asked if _PAIRED.fullmatch(term)}

    @cache
    def known(text: str) -> frozenset[str]:
        return frozenset(terms(text) & asked | {term for term in lone if term in text})

    kind = wanted(question)
    places = [_places(one, known, kind) for one in found]
    df = Counter(term for held in places for term in {term for terms_here, _ in held for term in terms_here})
    weighed = [*sorted(asked), *([_KIND] if df[_KIND] else [])]
    idf = {term: math.log(2 + (len(found) - df[term] + 0.5) / (df[term] + 0.5)) for term in weighed}
    if _KIND in idf:
        idf[_KIND] *= OF_KIND
    total = sum(idf.values()) or 1.0
    missing = sum(value for term, value in idf.items() if not df[term]) / total
    return [_weight(idf, held) / total for held in places], missing


def _places(
    sentence: Sentence, known: Callable[[str], frozenset[str]], kind: re.Pattern[str] | None
) -> list[tuple[frozenset[str], float]]:
    """The asked terms in a sentence, in what it stands under and in the situating line, with their credit.

    What the question asks for (a number, a cause) is one more term.
    """
    over = FROM_QUESTION if asks(sentence.under) else FROM_HEADING
    around = known(sentence.evidence.context)
    here = {_KIND} if kind and kind.search(sentence.text) else set()
    above = {_KIND} if kind is cause() and kind.search(sentence.under) else set()
    return [(known(sentence.text) | here, 1.0), (known(sentence.under) | above, over), (around, FROM_CONTEXT)]


def _weight(idf: Mapping[str, float], places: Sequence[tuple[frozenset[str], float]]) -> float:
    """The idf of the terms held, each at the credit of its nearest place, summed in a fixed order."""
    return sum(
        value * next((credit for held, credit in places if term in held), 0.0) for term, value in idf.items()
    )
