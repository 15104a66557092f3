"""Where text stands: spans of a document, and the places in its source they come from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from pincite.types.parts import join_parts


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range [start, end) of characters in `Document.text`."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def overlap(self, other: Span) -> int:
        """The number of characters both spans hold."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def holds(self, other: Span) -> bool:
        """Whether `other` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page: left, top, right, bottom in points from the top left of the page as shown.

    `page` counts from 1; a place that runs over several pages has boxes on each.
    """

    left: float
    top: float
    right: float
    bottom: float
    page: int = 1


@dataclass(frozen=True, slots=True)
class Place:
    """Where a span stands in its source: lines, pages with boxes, or a named part.

    `page` counts from 1 as a viewer shows it, `page_end` is the last one of several; `page_label` is what
    is printed on the first of them (`iv`), where the file says so. `part` names what has neither lines nor
    pages, or the piece the lines belong to: `Sheet1!B4:D9`, `slide 3`, `paragraph 12`, `cell 4`.
    """

    line_start: int | None = None
    line_end: int | None = None
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    part: str | None = None
    page_end: int | None = None
    page_label: str | None = None

    def location(self, uri: str) -> str:
        """`uri:7`, `uri:7-12`, `uri#page=3` or `uri#Sheet1!B4:D9`: what a person can open."""
        if self.line_start is not None:
            last = "" if self.line_end in (None, self.line_start) else f"-{self.line_end}"
            return f"{uri}:{self.line_start}{last}"
        if self.page is not None:
            return f"{uri}#page={self.page}"
        return f"{uri}#{self.part}" if self.part else uri


@dataclass(frozen=True, slots=True)
class LineOrigins:
    """Origins of a text that is its own source: a place is a range of lines.

    `starts` holds the offset of the first character of each line; LF ends a line, nothing else.
    """

    starts: tuple[int, ...]

    @staticmethod
    def of(text: str) -> LineOrigins:
        """The line starts of `text`; line 1 starts at 0 even when the text is empty."""
        starts, at = [0], text.find("\n")
        while at != -1:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        return LineOrigins(tuple(starts))

    def place(self, span: Span) -> Place:
        """The lines that hold the span; an empty span stands on the line of its start."""
        last = max(span.start, span.end - 1)
        return Place(bisect_right(self.starts, span.start), bisect_right(self.starts, last))


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of extracted text with one place in the source.

    A run never holds a line break of the source, a page break or a cell border, so its place is
    exact for any part of it.
    """

    span: Span
    place: Place


@dataclass(frozen=True, slots=True)
class RunOrigins:
    """Origins of an extracted text: runs in text order, not overlapping, gaps allowed.

    A gap is text the parser put between two runs (a separator); it takes the place of its neighbours.
    """

    runs: tuple[Run, ...]

    def place(self, span: Span) -> Place:
        """The union of the places of all runs the span touches, or of the nearest run before it."""
        first = bisect_right(self.runs, span.start, key=lambda run: run.span.end)
        last = bisect_left(self.runs, max(span.end, span.start + 1), key=lambda run: run.span.start)
        touched = self.runs[first:last] or self.runs[max(0, first - 1) : first] or self.runs[:1]
        return _union([run.place for run in touched])


Origins = LineOrigins | RunOrigins


def _union(places: list[Place]) -> Place:
    starts = [p.line_start for p in places if p.line_start is not None]
    ends = [p.line_end for p in places if p.line_end is not None]
    paged = sorted((p for p in places if p.page is not None), key=lambda p: p.page or 0)
    first = paged[0].page if paged else None
    last = max((p.page_end or p.page or 0 for p in paged), default=0)
    return Place(
        min(starts) if starts else None,
        max(ends) if ends else None,
        first,
        tuple(box for p in places for box in p.boxes),
        join_parts([p.part for p in places if p.part is not None]) or None,
        last if first is not None and last > first else None,
        paged[0].page_label if paged else None,
    )
