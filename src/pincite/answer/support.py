"""Which words of a passage support a claim that cites it, and which of its figures they do not hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from pincite.answer.cite import cite
from pincite.answer.passages import Sentence, sentences
from pincite.types import Citation, Evidence, Span

if TYPE_CHECKING:
    from pincite.answer.cite import Reopen

_FIGURE = re.compile(r"\d+(?:[.,:]\d+)*")
_WORDS = re.compile(r"[^\W_⺀-鿿豈-﫿぀-ヿ가-힣]+|[⺀-鿿豈-﫿぀-ヿ가-힣]")

Terms = Callable[[str], set[str]]


def plain_words(text: str) -> set[str]:
    """Words in lower case; characters of scripts written without spaces one by one."""
    return set(_WORDS.findall(text.casefold()))


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence that can be quoted, with its terms, its own figures, and those it stands under."""

    sentence: Sentence
    terms: set[str]
    figures: frozenset[str]
    under: frozenset[str]


class Passage:
    """A numbered passage and what can be quoted of it; each citation is looked up once."""

    def __init__(self, evidence: Evidence, terms: Terms, reopen: Reopen) -> None:
        self.marker = evidence.marker
        self.figures = frozenset(_figures(f"{evidence.context}\n{evidence.header}\n{evidence.text}"))
        self._above = frozenset(_figures(f"{evidence.context}\n{evidence.header}"))
        self._evidence, self._reopen = evidence, reopen
        self._units = [_unit(one, terms) for one in sentences(evidence) if one.quotable]
        self._cited: dict[int, Citation] = {}

    def supporting(self, claim: str, wanted: set[str]) -> list[Unit]:
        """The sentence that shares most with the claim, then those that say its other figures."""
        best, most = None, 0.0
        for unit in self._units:
            shared = len(wanted & unit.terms)
            score = shared + shared / (1 + len(unit.terms))  # of two that share as much, the shorter
            if score > most:
                best, most = unit, score
        found = [best] if best else []
        for figure in dict.fromkeys(_figures(claim)) if best else ():
            if not self.holds(figure, found):
                found += self._telling(claim, figure, wanted, most / 2)
        return found

    def holds(self, figure: str, found: Sequence[Unit]) -> bool:
        """Whether a figure stands in these sentences or in what they are to be read with."""
        return figure in self._above or any(figure in one.figures | one.under for one in found)

    def _telling(self, claim: str, figure: str, wanted: set[str], least: float) -> list[Unit]:
        """The first sentence that says `figure` of the same thing: with its unit, and the claim's words."""
        near = [one for one in self._units if figure in one.figures]
        near = [one for one in near if len(wanted & one.terms) - 1 >= max(2, least)]
        if not near:
            return []
        unit = re.search(rf"(?<![\d.,:]){re.escape(figure)}[\W_]{{0,3}}([^\W\d_]+)", claim)
        same = (one for one in near if not unit or unit[1].casefold() in plain_words(one.sentence.text))
        return list(islice(same, 1))

    def citations(self, found: Sequence[Unit]) -> Iterator[Citation]:
        """Citations of the sentences that support a claim; without one, of the whole passage, unverified."""
        for one in found:
            yield self._citation(one.sentence.number, one.sentence.span, one.sentence.text)
        if not found:
            yield replace(self._citation(-1, self._evidence.span, self._evidence.text), verified=False)

    def _citation(self, key: int, span: Span, text: str) -> Citation:
        if key not in self._cited:
            self._cited[key] = cite(self._evidence, span, text, self._reopen)
        return self._cited[key]


def _unit(sentence: Sentence, terms: Terms) -> Unit:
    figures, under = frozenset(_figures(sentence.text)), frozenset(_figures(sentence.under))
    return Unit(sentence, terms(sentence.text), figures, under)


def unsupported(claim: str, cited: Sequence[tuple[Passage, Sequence[Unit]]]) -> list[str]:
    """One problem for each figure of the claim that does not stand in the words it cites."""
    if not cited:
        return []
    figures = dict.fromkeys(_figures(claim))
    missing = [figure for figure in figures if not any(one.holds(figure, found) for one, found in cited)]
    markers = "".join(f"[{passage.marker}]" for passage, _ in cited)
    where = {True: f"the words cited of {markers}", False: markers}
    return [
        f"{figure} is not in {where[any(figure in one.figures for one, _ in cited)]}: {claim}"
        for figure in missing
    ]


def _figures(text: str) -> list[str]:
    """The figures of a text, thousands written without a comma."""
    found = _FIGURE.findall(text)
    return [re.sub(r"(?<=\d),(?=\d{3}(?:\D|$))", "", figure) for figure in found]
