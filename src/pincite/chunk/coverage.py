"""Which text of a document is in no chunk."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from pincite.types import Chunked, Document, Span

_VISIBLE = re.compile(r"\S")


def trimmed(text: str, start: int, end: int) -> Span:
    """[start, end) without the white space at its ends; empty if there is nothing else."""
    first = _VISIBLE.search(text, start, end)
    if not first:
        return Span(start, start)
    while text[end - 1].isspace():
        end -= 1
    return Span(first.start(), end)


def gaps(text: str, covered: Iterable[Span]) -> list[Span]:
    """The stretches of `text` outside `covered` that are not blank, trimmed, in order."""
    found, at = [], 0
    for span in [*sorted(covered), Span(len(text), len(text))]:
        if span.start > at:
            found.append(trimmed(text, at, span.start))
        at = max(at, span.end)
    return [span for span in found if len(span)]


def stretches(document: Document) -> list[Span]:
    """The text that chunks must cover: everything but white space and what the parser left out."""
    return gaps(document.text, (left.span for left in document.left_out))


def left_between(document: Document, start: int, end: int) -> bool:
    """Whether something that is left out begins from `start` to `end`."""
    at = bisect_left(document.left_out, start, key=lambda left: left.span.start)
    return at < len(document.left_out) and document.left_out[at].span.start < end


def clear(document: Document, span: Span, around: Span) -> Span:
    """The part of `around` that holds `span` and nothing that is left out."""
    at = bisect_left(document.left_out, span.start, key=lambda left: left.span.start)
    before, after = document.left_out[:at][-1:], document.left_out[at:][:1]
    start = max([around.start, *(left.span.end for left in before)])
    end = min([around.end, *(left.span.start for left in after)])
    return around if around == Span(start, end) else trimmed(document.text, start, end)


def uncovered(document: Document, chunked: Chunked) -> list[Span]:
    """The non-blank text that is in no chunk and not listed as left out; [] when nothing is lost."""
    left = [left.span for left in chunked.left_out]
    return gaps(document.text, [*left, *(chunk.span for chunk in chunked.chunks)])
