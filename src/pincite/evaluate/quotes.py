"""Quotes found in a text by their words, whatever white space stands between them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from pincite.types import Span

_SPACE = re.compile(r"\s+")


def squeeze(text: str) -> str:
    """The text with single spaces between its words and none around it."""
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A text with every run of white space made one space, and the way back to the original offsets.

    `bends` are the squeezed offsets behind each run that was longer than one character, `shifts` what
    is to be added from there on; both begin with 0.
    """

    text: str
    bends: tuple[int, ...]
    shifts: tuple[int, ...]

    @staticmethod
    def of(text: str) -> Squeezed:
        """The squeezed form of a text."""
        bends, shifts, shift = [0], [0], 0
        for run in _SPACE.finditer(text):
            if (extra := run.end() - run.start() - 1) > 0:
                bends.append(run.start() - shift + 1)
                shift += extra
                shifts.append(shift)
        return Squeezed(_SPACE.sub(" ", text), tuple(bends), tuple(shifts))

    def find(self, quote: str, place: Span) -> Span | None:
        """Where the quote stands in the original text: inside `place`, else nearest to its start.

        Of two that are equally near it is the earlier; None when the text does not hold the quote.
        """
        words = squeeze(quote)
        best: Span | None = None
        at = self.text.find(words) if words else -1
        while at != -1:
            here = Span(self._original(at), self._original(at + len(words) - 1) + 1)
            if place.holds(here):
                return here
            if best is None or abs(here.start - place.start) < abs(best.start - place.start):
                best = here
            if here.start >= place.start:
                break
            at = self.text.find(words, at + len(words))
        return best

    def _original(self, at: int) -> int:
        return at + self.shifts[bisect_right(self.bends, at) - 1]
