"""Quotes checked against the files on disk: `cite` gives the place where the words stand right now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.types import Citation, Evidence, Place, Span

if TYPE_CHECKING:
    from pincite.sources import Reopened

    Reopen = Callable[[str, str], Reopened]
    """(uri, sha256 at indexing) → the file as it is now."""


def cite(evidence: Evidence, span: Span, quote: str, reopen: Reopen) -> Citation:
    """The citation of `quote`, which stood at `span` of the indexed document, verified on disk.

    Verified with the present place when the file holds the quote: at its span if the file is as
    indexed, else wherever it stands now, nearest to the old place (`stale` stays "changed"). A quote
    that differs in white space only is given as the file now writes it. Not found, or the file gone or
    unreadable: unverified, with the place it had.
    """
    now = reopen(evidence.uri, evidence.sha256)
    unverified = Citation(evidence.marker, evidence.uri, old_place(evidence, span), quote, False, now.state)
    if now.document is None or not quote.strip():
        return unverified
    found = find(now.document.text, quote, span)
    if found is None:
        return unverified
    words = now.document.text[found.start : found.end]
    return replace(unverified, place=now.document.origins.place(found), quote=words, verified=True)


def find(text: str, quote: str, near: Span) -> Span | None:
    """Where `text` holds `quote`: exactly at `near`, else exactly and nearest, else but for white space."""
    if text[near.start : near.end] == quote:
        return near
    for occurrences in (_exact(text, quote), _spaced(text, quote)):
        best = min(occurrences, key=lambda span: (abs(span.start - near.start), span.start), default=None)
        if best is not None:
            return best
    return None


def _exact(text: str, quote: str) -> Iterator[Span]:
    at = text.find(quote)
    while at != -1:
        yield Span(at, at + len(quote))
        at = text.find(quote, at + len(quote))


def _spaced(text: str, quote: str) -> Iterator[Span]:
    """Occurrences whose words are those of `quote`, with any white space between them."""
    pattern = r"\s+".join(re.escape(word) for word in quote.split())
    return (Span(*found.span()) for found in re.finditer(pattern, text))


def old_place(evidence: Evidence, span: Span) -> Place:
    """The place `span` had when indexed: its lines where the passage's text has the file's own lines."""
    place, text = evidence.place, evidence.text
    if place.line_start is None or place.line_end is None:
        return place
    if place.line_end - place.line_start != text.count("\n", 0, max(0, len(text) - 1)):
        return place
    start, end = span.start - evidence.span.start, span.end - evidence.span.start
    first = place.line_start + text.count("\n", 0, start)
    last = place.line_start + text.count("\n", 0, max(start, end - 1))
    return Place(first, last, place.page, place.boxes, place.part)
