"""The lines of a text that is its own source, and the document made of what a grammar of lines finds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from pincite.parse.build import Piece, cover, make_document, make_sections, number_blocks, trim
from pincite.parse.decode import Decoded
from pincite.protocols import Source
from pincite.types import Document, LeftOut, LineOrigins, Losses, MetaValue, Span

MAX_DROPPED = 1_000
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a text, without their ends and trailing white space, and where each starts."""

    text: str
    rows: list[str]
    starts: tuple[int, ...]

    @staticmethod
    def of(text: str) -> Lines:
        """The lines of `text`; LF ends a line."""
        return Lines(text, [row.rstrip() for row in text.split("\n")], LineOrigins.of(text).starts)

    def blank(self, i: int) -> bool:
        """Whether line `i` holds nothing, or is behind the last."""
        return i >= len(self.rows) or not self.rows[i]

    def indented(self, i: int) -> bool:
        """Whether line `i` starts with white space."""
        return self.rows[i][:1] in (" ", "\t")

    def span(self, first: int, last: int) -> Span:
        """Lines first..last (exclusive), trimmed."""
        end = self.starts[last] if last < len(self.starts) else len(self.text)
        return trim(self.text, self.starts[first], end)

    def end_of_indent(self, i: int) -> int:
        """The first line from `i` on that is neither blank nor indented."""
        while i < len(self.rows) and (not self.rows[i] or self.indented(i)):
            i += 1
        return i

    def end_of_paragraph(self, i: int) -> int:
        """The line behind the paragraph at `i`: the next blank one."""
        i += 1
        while i < len(self.rows) and not self.blank(i):
            i += 1
        return i


@dataclass(slots=True)
class Found:
    """What a grammar of lines found besides blocks: metadata, text left out, and what is not followed."""

    meta: dict[str, MetaValue] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    title: str = ""
    language: str = ""

    def leave(self, span: Span, reason: str) -> None:
        """Notes text that is in no block."""
        if len(span):
            self.left_out.append(LeftOut(span, reason))


def lines_document(
    source: Source, decoded: Decoded, kind: str, pieces: Iterable[Piece], found: Found, *, start: int = 0
) -> Document:
    """The document of a text whose blocks are `pieces`; all other text from `start` on is paragraphs."""
    text = decoded.text
    given = list(pieces)
    left = {part.span for part in found.left_out}
    everything = sorted([*given, *(Piece("paragraph", span) for span in left)], key=lambda one: one.span)
    blocks = [piece for piece in cover(text, start, everything) if piece.span not in left]
    sections = make_sections([p.heading for p in blocks if p.heading], len(text))
    first = min(sections, key=lambda section: (section.level, section.span.start), default=None)
    return make_document(
        source,
        text=text,
        type=kind,
        encoding=decoded.encoding,
        title=found.title or (first.title if first else ""),
        sections=sections,
        blocks=tuple(number_blocks(blocks)),
        left_out=sorted(found.left_out, key=lambda part: part.span),
        meta=found.meta,
        language=found.language,
        losses=Losses(dropped=tuple(found.dropped[:MAX_DROPPED])),
    )


def table_pieces(lines: Lines, head: tuple[int, int] | None, rows: Sequence[tuple[int, int]]) -> list[Piece]:
    """The header of a table as one piece and each row as one, by their lines: first, and behind the last."""
    pieces: list[Piece] = []
    header, span = "", None
    if head:
        span = lines.span(*head)
        header = lines.text[span.start : span.end]
        pieces.append(Piece("table", span))
    pieces += [Piece("row", lines.span(*row), None, header, span) for row in rows]
    return pieces


def field_value(name: str, value: str) -> MetaValue:
    """A field of a document's header: dates as dates, keywords as a list."""
    if name == "keywords":
        return tuple(word.strip() for word in re.split("[,;]", value) if word.strip()) or value
    if name.endswith("date") and (found := _DATE.search(value)):
        try:
            return date.fromisoformat(found[0])
        except ValueError:
            return value
    return value
