"""HTML inside other files (chapters of books, mail, outputs of notebooks), written into a `Writer`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite.parse.build import Piece
from pincite.parse.html.blocks import Blocks
from pincite.parse.html.nesting import nested
from pincite.parse.html.tokens import Tag, Text, read_tokens
from pincite.parse.html.walk import walk
from pincite.parse.writer import Part, Writer, plain_text
from pincite.types import LeftOut, LineOrigins, Place, Span


@dataclass(frozen=True, slots=True)
class HtmlText:
    """The text of an HTML source: its blocks, and its runs as (start, end, source line), all in order.

    `left_out` holds navigation. `anchors` are the ids of elements with the offset in `text` from which each
    holds, and the name of the element. `tokens` are what the source was read as.
    """

    text: str
    title: str
    pieces: Sequence[Piece]
    runs: Sequence[tuple[int, int, int]]
    left_out: Sequence[LeftOut]
    anchors: Sequence[tuple[int, str, str]]
    tokens: Sequence[Tag | Text]


def read_html(source: str, *, keep_hidden: bool = False) -> HtmlText:
    """The text of an HTML source, by the rules for HTML files."""
    tokens = list(read_tokens(source))
    blocks = Blocks(source, LineOrigins.of(source).starts)
    walk(list(nested(tokens)), blocks, keep_hidden=keep_hidden)
    text, pieces, runs = blocks.finish()
    return HtmlText(text, blocks.title, pieces, runs, blocks.left_out, blocks.anchors, tokens)


def write_html(
    writer: Writer,
    read: HtmlText,
    place: Callable[[int, int], Place],
    *,
    pieces: Sequence[Piece] | None = None,
    before: Callable[[Span], None] | None = None,
) -> None:
    """Adds the blocks of `read`, or `pieces` made of them, to what `writer` holds.

    `place(offset, line)` is the place of the run that starts at an offset of `read.text` and stands on a line
    of its source. `before` is called with the span of each block before it is added.
    """
    written: dict[int, Span] = {}  # by the end of the block in `read.text`
    blocks = [(piece.span, piece) for piece in (read.pieces if pieces is None else pieces)]
    everything: list[tuple[Span, Piece | LeftOut]] = [*blocks, *((one.span, one) for one in read.left_out)]
    for span, piece in sorted(everything, key=lambda one: one[0]):
        parts = _parts(read, span, place)
        if before:
            before(span)
        if isinstance(piece, LeftOut):
            writer.add("paragraph", parts, left_out=piece.reason)
            continue
        level = piece.heading.level if piece.heading else 0
        added = writer.add(
            piece.kind,
            parts,
            level=level,
            title=piece.heading.title if piece.heading else "",
            header=plain_text(piece.header),
            header_span=_moved(piece.header_span, written, blocks),
            tight=read.text[max(0, span.start - 2) : span.start] not in ("", "\n\n"),
        )
        if added:
            written[span.end] = added


def _moved(span: Span | None, written: dict[int, Span], blocks: Sequence[tuple[Span, Piece]]) -> Span | None:
    """Where a header stands in the writer's text: from its first block to its last."""
    if span is None or span.end not in written:
        return None
    first = bisect_left(blocks, span.start, key=lambda one: one[0].start)
    start = written.get(blocks[first][0].end)
    return Span(start.start, written[span.end].end) if start else None


def _parts(read: HtmlText, span: Span, place: Callable[[int, int], Place]) -> list[Part]:
    """The runs of a block with their places, and what stands between them."""
    parts: list[Part] = []
    at = span.start
    i = bisect_right(read.runs, span.start, key=lambda run: run[1])
    while i < len(read.runs) and read.runs[i][0] < span.end:
        start, end, line = read.runs[i]
        start, end = max(start, at), min(end, span.end)
        if start > at:
            parts.append((read.text[at:start], None))
        parts.append((read.text[start:end], place(start, line)))
        at, i = end, i + 1
    if at < span.end:
        parts.append((read.text[at : span.end], None))
    return parts
