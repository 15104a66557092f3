"""Which words of a passage support a claim that cites it, and which of its figures they do not hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from pincite.answer.cite import cite
from pincite.answer.figures import Figure, each
from pincite.answer.passages import Sentence, sentences
from pincite.scripts import WORD
from pincite.types import Citation, Evidence, Span

if TYPE_CHECKING:
    from pincite.answer.cite import Reopen
from collections.abc import Iterable
from fractions import Fraction

from pincite.answer.figure_words import units
from pincite.answer.figures import NAME, Key, figures

Terms = Callable[[str], set[str]]


def plain_words(text: str) -> set[str]:
    """Words in lower case; characters that are found by pairs one by one."""
    return set(WORD.findall(text.casefold()))


class Unit:
    """A sentence that can be quoted, with its terms; what it holds besides is read when it is asked for."""

    def __init__(self, sentence: Sentence, terms: set[str]) -> None:
        self.sentence, self.terms = sentence, terms

    @cached_property
    def own(self) -> Held:
        """The figures of the sentence itself."""
        return Held([self.sentence.text])

    @cached_property
    def under(self) -> Held:
        """The figures of what it stands under."""
        return Held([self.sentence.under])


class Passage:
    """A numbered passage and what can be quoted of it; each citation is looked up once."""

    def __init__(self, evidence: Evidence, terms: Terms, reopen: Reopen) -> None:
        self.marker = evidence.marker
        self._evidence, self._reopen = evidence, reopen
        self._units = [Unit(one, terms(one.text)) for one in sentences(evidence) if one.quotable]
        self._cited: dict[int, Citation] = {}

    @cached_property
    def figures(self) -> Held:
        """The figures of the whole passage, with what stands above it."""
        return Held([self._evidence.context, self._evidence.header, self._evidence.text])

    @cached_property
    def _above(self) -> Held:
        return Held([self._evidence.context, self._evidence.header])

    def supporting(self, claim: str, wanted: set[str]) -> list[Unit]:
        """The sentence that shares most with the claim, then those that say its other figures."""
        best, most = None, 0.0
        for unit in self._units:
            shared = len(wanted & unit.terms)
            score = shared + shared / (1 + len(unit.terms))  # of two that share as much, the shorter
            if score > most:
                best, most = unit, score
        found = [best] if best else []
        for figure in each(claim) if best else ():
            if not self.holds(figure, found):
                found += self._telling(claim, figure, wanted, most / 2)
        return found

    def holds(self, figure: Figure, found: Sequence[Unit]) -> bool:
        """Whether a figure stands in these sentences or in what they are to be read with."""
        return self._above.holds(figure) or any(
            one.own.holds(figure) or one.under.holds(figure) for one in found
        )

    def _telling(self, claim: str, figure: Figure, wanted: set[str], least: float) -> list[Unit]:
        """The first sentence that says `figure` of the same thing: with what it counts, and common words."""
        near = [one for one in self._units if len(wanted & one.terms) - 1 >= max(2, least)]
        near = [one for one in near if one.own.holds(figure)]
        if not near:
            return []
        counted = re.search(rf"(?<![\d.,:]){re.escape(figure.written)}[\W_]{{0,3}}([^\W\d_]+)", claim)
        if figure.has_unit or not counted:
            return near[:1]
        return [one for one in near if counted[1].casefold() in plain_words(one.sentence.text)][:1]

    def citations(self, found: Sequence[Unit], *, lacks: bool = False) -> Iterator[Citation]:
        """Citations of the sentences that support a claim; without one, of the whole passage, unverified.

        With `lacks` they do not hold a figure of the claim: none of them is verified.
        """
        for one in found:
            made = self._citation(one.sentence.number, one.sentence.span, one.sentence.text)
            yield replace(made, verified=False, doubt="figures") if lacks and made.verified else made
        if not found:
            made = self._citation(-1, self._evidence.span, self._evidence.text)
            yield replace(made, verified=False, doubt="words" if made.verified else "")

    def _citation(self, key: int, span: Span, text: str) -> Citation:
        if key not in self._cited:
            self._cited[key] = cite(self._evidence, span, text, self._reopen)
        return self._cited[key]


Cited = Sequence[tuple[Passage, Sequence[Unit]]]
"""The passages that a claim cites, each with the sentences that support it."""


def lacking(claim: str, cited: Cited) -> list[Figure]:
    """The figures of a claim that do not stand in the words it cites."""
    return [figure for figure in each(claim) if not any(one.holds(figure, found) for one, found in cited)]


def unsupported(claim: str, lacks: Sequence[Figure], cited: Cited) -> list[str]:
    """One problem for each figure that is lacking: whether the passage has it elsewhere."""
    markers = "".join(f"[{passage.marker}]" for passage, _ in cited)
    where = {True: f"the words cited of {markers}", False: markers}
    elsewhere = (any(passage.figures.holds(figure) for passage, _ in cited) for figure in lacks)
    return [
        f"{one.written} is not in {where[there]}: {claim}"
        for one, there in zip(lacks, elsewhere, strict=True)
    ]


# ── figures ────────────────────────────────────────────────────────────────────────────────────
class Held:
    """The figures of texts that a statement cites."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._units: dict[Fraction, set[str]] = {}
        self._quantities: set[tuple[str, Fraction]] = set()
        self._others: set[Key] = set()
        for text in texts:
            for figure in figures(text, sure=False):
                for key in figure.keys:
                    self._add(key)

    def _add(self, key: Key) -> None:
        kind, value, unit = key
        if kind != "number" or isinstance(value, str):
            self._others.add(key)
            return
        self._units.setdefault(value, set()).add(unit)
        if unit not in ("", NAME):
            self._quantities.add(_quantity(value, unit))

    def holds(self, figure: Figure) -> bool:
        """Whether the texts have the figure, in one of its readings."""
        return any(self._has(*key) for key in figure.keys)

    def _has(self, kind: str, value: Fraction | str, unit: str) -> bool:
        if kind == "date" and (kind, value, unit) not in self._others:
            return self._has_parts(str(value))
        if kind != "number" or isinstance(value, str):
            return (kind, value, unit) in self._others
        there = self._units.get(value, set())
        if there and (unit in ("", NAME) or unit in there or "" in there):
            return True
        return unit not in ("", NAME) and _quantity(value, unit) in self._quantities

    def _has_parts(self, date: str) -> bool:
        year, month, day = date.split("-")
        numbers = all(self._has("number", Fraction(part), "") for part in (year, day))
        return numbers and ("month", month, "") in self._others


def _quantity(value: Fraction, unit: str) -> tuple[str, Fraction]:
    dimension, factor = units().measures[unit]
    return dimension, value * factor
