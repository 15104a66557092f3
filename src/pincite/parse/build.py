"""What every parser shares: making the `Document`, its sections, and blank-line blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from pincite.parse.bounds import short_headers, short_meta, short_origins, short_sections, short_title
from pincite.protocols import Source
from pincite.types import (
    Block,
    BlockKind,
    Document,
    LeftOut,
    LineOrigins,
    Losses,
    Meta,
    Origins,
    Section,
    Span,
)

_BLANK = re.compile(r"\n(?:[^\S\n]*\n)+")


def document_id(uri: str) -> str:
    """The id of the document at `uri`: 16 hex digits, never random."""
    return sha256(uri.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def make_document(
    source: Source,
    *,
    text: str,
    type: str,
    encoding: str,
    origins: Origins | None = None,
    title: str = "",
    sections: Sequence[Section] = (),
    blocks: Sequence[Block] = (),
    left_out: Sequence[LeftOut] = (),
    meta: Meta | None = None,
    language: str = "",
    losses: Losses | None = None,
) -> Document:
    """The document of `source`; without `origins`, `text` is its own source and places are lines.

    What chunks carry along (titles, headers, names of parts, metadata) is shortened where it is long.
    """
    fields, dropped = short_meta(meta or {})
    losses = losses or Losses()
    return Document(
        id=document_id(source.uri),
        uri=source.uri,
        title=short_title(title),
        text=text,
        type=type,
        origins=short_origins(origins) if origins is not None else LineOrigins.of(text),
        sections=short_sections(sections),
        blocks=short_headers(blocks),
        left_out=tuple(sorted(left_out, key=lambda left: left.span)),
        meta=fields,
        sha256=source.sha256,
        encoding=encoding,
        language=language,
        losses=replace(losses, dropped=(*losses.dropped, *dropped)),
    )


def trim(text: str, start: int, end: int) -> Span:
    """[start, end) without blank lines before it and white space after it; indentation is kept.

    An all-blank range gives the empty span at `end`.
    """
    while end > start and text[end - 1].isspace():
        end -= 1
    first = start
    while first < end and text[first].isspace():
        first += 1
    line = text.rfind("\n", start, first) + 1
    return Span(max(start, line) if first < end else end, end)


def paragraph_spans(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The stretches of [start, end) between blank lines, in order, none of them blank.

    A line is blank if it holds white space only; a line ends at LF.
    """
    end = len(text) if end is None else end
    at = start
    for gap in _BLANK.finditer(text, start, end):
        yield from _unless_blank(trim(text, at, gap.start()))
        at = gap.end()
    yield from _unless_blank(trim(text, at, end))


def _unless_blank(span: Span) -> Iterator[Span]:
    if len(span):
        yield span


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as a parser finds it, before the section tree is known."""

    title: str
    level: int
    span: Span


def make_sections(headings: Sequence[Heading], end: int) -> tuple[Section, ...]:
    """One section per heading, in order: up to the next heading of the same or a higher level.

    `end` is where the text ends. Runs in linear time.
    """
    ends = [end] * len(headings)
    parents = [-1] * len(headings)
    open_: list[int] = []
    for i, heading in enumerate(headings):
        while open_ and headings[open_[-1]].level >= heading.level:
            ends[open_.pop()] = heading.span.start
        parents[i] = open_[-1] if open_ else -1
        open_.append(i)
    return tuple(
        Section(h.title, h.level, Span(h.span.start, ends[i]), h.span, parents[i])
        for i, h in enumerate(headings)
    )


@dataclass(frozen=True, slots=True)
class Piece:
    """One block of a format's grammar before sections are known; `heading` is set for headings."""

    kind: BlockKind
    span: Span
    heading: Heading | None = None
    header: str = ""
    header_span: Span | None = None


def cover(text: str, start: int, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces that are not empty, in order, and a paragraph for all other text from `start` on.

    `pieces` stand in text order and do not overlap; blank text between them gives nothing.
    """
    at = start
    for piece in pieces:
        if not len(piece.span):
            continue
        for span in paragraph_spans(text, at, piece.span.start):
            yield Piece("paragraph", span)
        yield piece
        at = piece.span.end
    for span in paragraph_spans(text, at, len(text)):
        yield Piece("paragraph", span)


def number_blocks(pieces: Iterable[Piece]) -> Iterator[Block]:
    """The pieces as blocks, each in the section of the last heading at or before it."""
    section = -1
    for piece in pieces:
        section += piece.heading is not None
        yield Block(piece.kind, piece.span, section, piece.header, piece.header_span)
