"""A chunk that its model cannot take whole, in two."""

from __future__ import annotations

from pincite.chunk.coverage import trimmed
from pincite.chunk.graphemes import safe_cut
from pincite.chunk.sentences import sentence_spans
from pincite.types import Span


def halves(text: str, span: Span) -> list[Span]:
    """Two parts of `span`, cut at the end of a sentence or word near its middle; [span] if none can be."""
    for at in (_sentence_end(text, span), _word_end(text, span), _middle(text, span)):
        parts = [trimmed(text, span.start, at), trimmed(text, at, span.end)]
        if len(parts[0]) and len(parts[1]):
            return parts
    return [span]


def _middle(text: str, span: Span) -> int:
    middle = span.start + len(span) // 2
    return min(span.end, safe_cut(text, span.start, middle)) if middle > span.start else span.start


def _sentence_end(text: str, span: Span) -> int:
    """The end of a sentence nearest to the middle, if it lies in the middle half; else the start."""
    ends = [sentence.end for sentence in sentence_spans(text, span.start, span.end)]
    return _nearest(ends, span)


def _word_end(text: str, span: Span) -> int:
    spaces = [at for at in range(span.start, span.end) if text[at].isspace()]
    return _nearest(spaces, span)


def _nearest(places: list[int], span: Span) -> int:
    middle = span.start + len(span) // 2
    best = min(places, key=lambda at: abs(at - middle), default=span.start)
    return best if abs(best - middle) <= len(span) // 4 else span.start
