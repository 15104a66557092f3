"""Whether the chunks of a document are slices of it, and each of their lines has a place in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pincite.types import Chunked, Document, LineOrigins, Span

_LINE = re.compile(r"[^\n]+")


def lines_with_place(document: Document, chunked: Chunked) -> dict[str, Any]:
    """Counts over all chunks: slices that differ from the document, lines, and lines without a place.

    `own` are lines no run of the source stands in: words of the parser itself.
    """
    slices = sum(chunk.text != document.text[chunk.span.start : chunk.span.end] for chunk in chunked.chunks)
    lines = without = own = 0
    examples = []
    for span in _lines(document, chunked):
        place = document.origins.place(span)
        lines += 1
        if place.page is None and place.line_start is None and not place.part:
            without += 1
            examples.append(document.text[span.start : span.end][:80])
        own += not _touched(document, span)
    return {
        "chunks": len(chunked.chunks), "other_slices": slices, "lines": lines, "without_place": without,
        "own": own, "examples": examples[:3],
    }  # fmt: skip


def _lines(document: Document, chunked: Chunked) -> Iterator[Span]:
    """The lines of the chunks that are not blank, each once for each chunk."""
    for chunk in chunked.chunks:
        for found in _LINE.finditer(document.text, chunk.span.start, chunk.span.end):
            if found[0].strip():
                yield Span(*found.span())


def _touched(document: Document, span: Span) -> bool:
    """Whether any run of the source stands in the span."""
    if isinstance(document.origins, LineOrigins):
        return True
    runs, low, high = document.origins.runs, 0, len(document.origins.runs)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if runs[middle].span.end <= span.start else (low, middle)
    return low < len(runs) and runs[low].span.start < span.end
