"""Small pieces of text packed, in order, into chunks of about equal size."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from pincite.chunk.graphemes import safe_cut
from pincite.chunk.rows import Split, holds_row
from pincite.chunk.ruler import Ruler
from pincite.types import Span

Room = Callable[[int], int]
_WORD_LOOK_BACK = 48


@dataclass(frozen=True, slots=True)
class Piece:
    """What a strategy makes of a document: a slice with its section, and what it carries along."""

    span: Span
    section: int = -1
    kind: str = "paragraph"
    header: str = ""
    parent: Span | None = None


def atoms(ruler: Ruler, span: Span, splits: Sequence[Split], room: int) -> list[Span]:
    """The largest parts of `span` with at most `room` tokens, by the first of `splits` that makes them.

    What the last of them leaves too large is cut at words, and a word too large at tokens.
    """
    if ruler.size(span.start, span.end) <= room:
        return [span]
    if not splits:
        return _words(ruler, span, max(1, room // 8))
    parts = splits[0](ruler.document.text, span.start, span.end)
    return [atom for part in parts for atom in atoms(ruler, part, splits[1:], room)]


def _words(ruler: Ruler, span: Span, step: int) -> list[Span]:
    """Parts of at most `step` tokens, cut at white space where there is some."""
    text, parts, start = ruler.document.text, [], span.start
    while start < span.end:
        end = ruler.reach(start, step, span.end)
        if end < span.end:
            end = _word_end(text, start, end)
        parts.append(Span(start, end))
        start = end
    return visible(text, parts)


def _word_end(text: str, start: int, end: int) -> int:
    """The nearest end of a word before `end` if there is one close by, else `end`."""
    for at in range(end, max(start + 1, end - _WORD_LOOK_BACK), -1):
        if text[at - 1].isspace() != text[at].isspace():
            return safe_cut(text, start, at)
    return end


def visible(text: str, parts: list[Span]) -> list[Span]:
    """The parts that are not blank, without white space at their ends."""
    kept = []
    for part in parts:
        piece = text[part.start : part.end]
        if not piece.isspace():
            left = len(piece) - len(piece.lstrip())
            kept.append(Span(part.start + left, part.start + len(piece.rstrip())))
    return kept


def pack(ruler: Ruler, parts: Sequence[Span], room: Room, overlap: int) -> list[Span]:
    """Spans of whole `parts` in order, each of at most `room(its start)` tokens, of balanced size.

    Every part is in at least one span. A span begins with the last parts of the one before that have at
    most `overlap` tokens together, unless that leaves no room for a new part; a row of a table is never
    repeated. Starts and ends rise strictly. A part that is over the room alone makes a span alone.
    """
    spans: list[Span] = []
    first = fresh = 0
    while fresh < len(parts):
        most = room(parts[first].start)
        last = _last_within(ruler, parts, first, most)
        if last < fresh and first < fresh:
            first = fresh
            continue
        last = max(fresh, _balanced(ruler, parts, first, last, most, overlap))
        spans.append(Span(parts[first].start, parts[last].end))
        fresh = last + 1
        first = _overlapping(ruler, parts, first + 1, last, overlap)
    return spans


def _last_within(ruler: Ruler, parts: Sequence[Span], first: int, most: int) -> int:
    """The last part up to which a span from `first` has at most `most` tokens; `first` − 1 if none."""
    start = parts[first].start
    stop = min(len(parts), first + 1 + 16 * most)  # a part has a character; bounds the search
    return bisect_right(parts, most, first, stop, key=lambda part: ruler.size(start, part.end)) - 1


def _balanced(ruler: Ruler, parts: Sequence[Span], first: int, last: int, most: int, overlap: int) -> int:
    """The part to end with so that the rest of `parts` falls into spans of about equal size."""
    if last >= len(parts) - 1:
        return len(parts) - 1
    start, step = parts[first].start, max(1, most - overlap)
    rest = max(1, ruler.size(start, parts[-1].end) - overlap)
    goal = rest / ceil(rest / step) + overlap
    near = bisect_left(parts, goal, first, last + 1, key=lambda part: ruler.size(start, part.end))
    if near > first and near <= last:
        over = ruler.size(start, parts[near].end) - goal
        under = goal - ruler.size(start, parts[near - 1].end)
        near -= under < over
    return min(near, last)


def _overlapping(ruler: Ruler, parts: Sequence[Span], first: int, last: int, overlap: int) -> int:
    """The first part, from `first` on, that begins the overlap with a span that ends with `last`."""
    end = parts[last].end
    low = max(first, last + 1 - 16 * overlap)
    begin = bisect_left(parts, True, low, last + 1, key=lambda part: ruler.size(part.start, end) <= overlap)
    return next((at + 1 for at in range(last, begin - 1, -1) if holds_row(ruler.rows, parts[at])), begin)


def rising(spans: Sequence[Span]) -> list[Span]:
    """The spans without those held by the one before; two with the same start become the longer one."""
    kept: list[Span] = []
    for span in spans:
        if kept and span.start <= kept[-1].start:
            kept[-1] = Span(kept[-1].start, max(kept[-1].end, span.end))
        elif not kept or span.end > kept[-1].end:
            kept.append(span)
    return kept
