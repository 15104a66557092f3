"""What fits a budget of tokens: sizes as rendered, and the longest beginning of a piece."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from pincite.answer.frame import SEPARATOR, render_block, render_evidence
from pincite.assemble.evidence import numbered
from pincite.assemble.pieces import Piece
from pincite.scripts import CLOSE, PAIRED
from pincite.types import Evidence, Span

Count = Callable[[Sequence[str]], list[int]]

MIN_CUT = 32
"""The fewest tokens of budget at which the best hit is cut instead of left out."""

_WORD = re.compile(rf"[{CLOSE}{PAIRED}]|[^\s{CLOSE}{PAIRED}]+")


@dataclass(frozen=True, slots=True)
class Measure:
    """Rendered sizes in tokens; a passage's size is counted once for each text it is rendered as."""

    count: Count
    known: dict[str, int] = field(default_factory=dict)

    def block(self, evidence: Evidence) -> int:
        text = render_block(evidence)
        if text not in self.known:
            self.known[text] = self.count([text])[0]
        return self.known[text]

    def whole(self, pieces: Sequence[Piece]) -> int:
        """The size of the rendered string itself; 0 without pieces."""
        return self.count([render_evidence(numbered(pieces))])[0] if pieces else 0

    def parts(self, pieces: Sequence[Piece]) -> int:
        """The sum over the passages, one token counted for each separator that is any."""
        between = self.count([SEPARATOR])[0] * max(0, len(pieces) - 1)
        return between + sum(self.block(one) for one in numbered(pieces))

    def alone(self, piece: Piece) -> int:
        return self.parts([piece])


def cut(piece: Piece, budget: int, measure: Measure) -> Piece | None:
    """The longest beginning of `piece` within `budget`, ending with a sentence or else a word."""
    if budget < MIN_CUT:
        return None
    text, span = piece.document.text, piece.span
    for ends in (_sentence_ends(text, span), word_ends(text, span)):
        low, high = 0, len(ends)
        while low < high:
            middle = (low + high) // 2
            shorter = replace(piece, span=Span(span.start, ends[middle]), cut=True)
            low, high = (middle + 1, high) if measure.alone(shorter) <= budget else (low, middle)
        if low:
            return replace(piece, span=Span(span.start, ends[low - 1]), cut=True)
    return None


def _sentence_ends(text: str, span: Span) -> list[int]:
    from pincite.chunk.sentences import sentence_spans

    return [one.end for one in sentence_spans(text, span.start, span.end)]


def word_ends(text: str, span: Span) -> list[int]:
    """Ends of words; wide characters, and those of scripts found by pairs, are words of their own."""
    from pincite.chunk.graphemes import are_joined

    ends = (found.end() for found in _WORD.finditer(text, span.start, span.end))
    return [end for end in ends if end == len(text) or not are_joined(text[end - 1], text[end])]
