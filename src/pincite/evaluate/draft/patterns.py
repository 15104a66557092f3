"""Questions that a document's own form suggests: definitions, intervals, values, table rows, headings.

English and Chinese, by patterns over single sentences, lines and rows; nothing is understood. A pattern is
better too narrow than too wide: what it misses costs nothing, while a bad question costs a reader's time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from pincite.chunk.sentences import sentence_spans
from pincite.evaluate.draft.drafted import Draft
from pincite.evaluate.draft.headings import heading_drafts
from pincite.evaluate.draft.rows import row_drafts
from pincite.evaluate.draft.sentences import sentence_drafts
from pincite.evaluate.draft.values import value_drafts
from pincite.types import Document, Span

_WRITTEN = ("markdown", "rst", "html", "mhtml", "text", "asciidoc", "org", "latex", "rtf")
PROSE = frozenset((*_WRITTEN, "pdf", "docx", "odt", "epub", "fb2", "pptx", "odp"))
MOST = 2_000  # drafts of one document
MAX_CHARS = 2_000_000  # of one document that are read
_LONGEST = 400  # characters of a sentence


def drafts_of(document: Document) -> list[Draft]:
    """The questions a document suggests, in the order of its text, at most `MOST`; none for code."""
    rows = (Draft(text, span, "row", answer) for text, span, answer in row_drafts(document, MAX_CHARS))
    found = list(islice(rows, MOST))
    if document.type in PROSE:
        found += _of_text(document)
    return sorted(found, key=lambda one: (one.span, one.text))[:MOST]


def _of_text(document: Document) -> Iterator[Draft]:
    text, end = document.text, min(len(document.text), MAX_CHARS)
    without = sorted([*_fences(text, end), *(one.span for one in document.left_out)])
    for span in sentence_spans(text, 0, end):
        if len(span) <= _LONGEST and not _in_one(without, span):
            yield from sentence_drafts(text, span)
    yield from (one for one in value_drafts(text, end) if not _in_one(without, one.span))
    yield from heading_drafts(document, MAX_CHARS)


def _in_one(spans: list[Span], span: Span) -> bool:
    """Whether a span begins inside one of `spans`, which are in order and seldom overlap."""
    at = bisect_right(spans, span.start, key=lambda one: one.start)
    return any(one.end > span.start for one in spans[max(0, at - 2) : at])


_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*$", re.M)


def _fences(text: str, end: int) -> list[Span]:
    """The fenced code of a text; a fence that is never closed runs to the end."""
    spans, opened, mark = [], -1, ""
    for found in _FENCE.finditer(text, 0, end):
        if opened < 0:
            opened, mark = found.start(), found[1]
        elif found[1].startswith(mark):
            spans.append(Span(opened, found.end()))
            opened = -1
    return [*spans, Span(opened, end)] if opened >= 0 else spans
