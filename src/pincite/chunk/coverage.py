"""Which text of a document is in no chunk."""

from __future__ import annotations

import re
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


def uncovered(document: Document, chunked: Chunked) -> list[Span]:
    """The non-blank text that is in no chunk and not listed as left out; [] when nothing is lost."""
    left = [left.span for left in chunked.left_out]
    return gaps(document.text, [*left, *(chunk.span for chunk in chunked.chunks)])
