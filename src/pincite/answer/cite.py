"""Quotes checked against the files on disk: `cite` gives the place where the words stand right now."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.answer.parts import LINED
from pincite.types import Citation, Evidence, Place, Span

if TYPE_CHECKING:
    from pincite.folder.reopen import Reopened

    Reopen = Callable[[str, str], Reopened]
    """(uri, sha256 at indexing) → the file as it is now."""


def cite(evidence: Evidence, span: Span, quote: str, reopen: Reopen) -> Citation:
    """The citation of `quote`, which stood at `span` of the indexed document, verified on disk.

    Verified with the present place when the file holds the quote: at its span if the file is as
    indexed, else wherever it stands now, nearest to the old place (`stale` stays "changed"); a row,
    record or line only as a whole line. A quote that differs in white space only is given as the file now
    writes it. Not found, or the file gone or unreadable: unverified, with the place it had.
    """
    now = reopen(evidence.uri, evidence.sha256)
    place, edition = old_place(evidence, span), evidence.edition
    unverified = Citation(evidence.marker, evidence.uri, place, quote, False, now.state, edition)
    if now.document is None or not quote.strip():
        return unverified
    text = now.document.text
    as_indexed = now.state is None and text[span.start : span.end] == quote
    found = span if as_indexed else find(text, quote, span, whole_lines=_is_line(evidence, span))
    if found is None:
        return unverified
    words = text[found.start : found.end]
    return replace(unverified, place=now.document.origins.place(found), quote=words, verified=True)


def find(text: str, quote: str, near: Span, *, whole_lines: bool = False) -> Span | None:
    """Where `text` holds `quote`, nearest to `near`: exactly, else but for white space.

    Never inside a longer word or number; with `whole_lines` only where nothing else is on its lines.
    """
    for words in (re.escape(quote), r"\s+".join(re.escape(word) for word in quote.split())):
        line = rf"^[ \t]*({words})[ \t\r]*(?:,[ \t\r]*)?$"
        pattern = line if whole_lines else f"({_bounded(words, quote)})"
        occurrences = (Span(*found.span(1)) for found in re.finditer(pattern, text, re.M))
        best = min(occurrences, key=lambda span: (abs(span.start - near.start), span.start), default=None)
        if best is not None:
            return best
    return None


def _bounded(words: str, quote: str) -> str:
    """The pattern `words` where it neither continues a word or number nor is continued by one."""
    first, last = quote.lstrip()[:1], quote.rstrip()[-1:]
    before = r"(?<![\w+−-])(?<!\w[.,:/])" if first.isdigit() else r"(?<!\w)" if _is_word(first) else ""
    after = r"(?![\w\u0300-\u036f])" if _is_word(last) else ""
    return f"{before}{words}{after}" + (r"(?![.,:/-]\w)" if last.isdigit() else "")


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _is_line(evidence: Evidence, span: Span) -> bool:
    """Whether all of a quote are rows, records or lines of their own, and no sentence of a paragraph."""
    kinds = {block.kind for block in evidence.blocks if block.span.overlap(span)}
    return bool(kinds) and kinds <= LINED


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
