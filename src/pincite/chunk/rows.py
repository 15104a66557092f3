"""Rows of tables for strategies that know no blocks: where they may not be cut, and what they carry."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from pincite.types import Block, Document, Span

Split = Callable[[str, int, int], list[Span]]

ROW_KINDS = ("row", "table")


def row_spans(document: Document) -> list[Span]:
    """The rows of the document's tables in order, a table's header rows in one with its first row."""
    spans, leads = [], None
    for block, after in pairwise([*document.blocks, None]):
        if block is None or block.kind not in ROW_KINDS:
            continue
        first = leads if leads is not None else block.span.start
        leads = first if block.kind == "table" and after is not None and after.kind == "row" else None
        if leads is None:
            spans.append(Span(first, block.span.end))
    return spans


def around(rows: Sequence[Span], split: Split) -> Split:
    """`split`, with each of `rows` a part of its own; a text within one row is split as any other."""

    def parts(text: str, start: int, end: int) -> list[Span]:
        found, at = [], start
        for row in _within(rows, start, end):
            found += [*split(text, at, row.start), row]
            at = row.end
        return found + split(text, at, end)

    return parts


def _within(rows: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """The rows that stand whole in text[start:end] and are not all of it."""
    first = bisect_left(rows, start, key=lambda row: row.start)
    last = bisect_right(rows, end, key=lambda row: row.end)
    held = rows[first:last]
    return [] if len(held) == 1 and held[0] == Span(start, end) else held


def holds_row(rows: Sequence[Span], span: Span) -> bool:
    """Whether one of `rows` stands whole in `span`."""
    at = bisect_left(rows, span.start, key=lambda row: row.start)
    return at < len(rows) and rows[at].end <= span.end


def header_of(document: Document, span: Span) -> str:
    """The header that the rows in `span` need and that is not in it."""
    return lacking((block for block in document.blocks_in(span) if block.kind in ROW_KINDS), span)


def kind_of(document: Document, span: Span) -> str:
    """The kind of the first block in `span` if all of them are rows of tables, else "paragraph"."""
    kinds = [block.kind for block in document.blocks_in(span)]
    return kinds[0] if kinds and all(kind in ROW_KINDS for kind in kinds) else "paragraph"


def lacking(blocks: Iterable[Block], span: Span) -> str:
    """The header of the first block that has one which does not stand in `span`."""
    for block in blocks:
        if block.header and not (block.header_span and span.holds(block.header_span)):
            return block.header
    return ""
