"""An extracted text as it grows: blocks made of pieces, each with its place in the source.

Formats whose text is not the file itself (PDF, Office, mail, notebooks …) are written with this: the
parser says what stands where, the writer keeps text, blocks, headings and origins in step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pincite.parse.build import Heading, Piece, make_document, make_sections, number_blocks
from pincite.protocols import Source
from pincite.types import BlockKind, Document, LeftOut, Losses, Meta, Place, Run, RunOrigins, Span

MAX_TEXT = 20_000_000  # characters of one document; what is beyond is counted as cut

Part = tuple[str, Place | None]
"""A piece of text with its place; None for text of our own (a separator, a mark)."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_BREAKS = re.compile(r"\r\n?|[\x85\u2028\u2029]")
_POWER = re.compile(r"[-+\u2212\u2013]?[0-9]{1,6}")
RAISED = str.maketrans("0123456789+-\u2212\u2013", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_NOWHERE = Place()


def plain_text(text: str) -> str:
    """Text without NUL, control characters, soft hyphens and lone surrogates; all line ends are LF."""
    if "\r" in text or "\x85" in text or "\u2028" in text or "\u2029" in text:
        text = _BREAKS.sub("\n", text)
    if "\xa0" in text or "\xad" in text:
        text = text.replace("\xa0", " ").replace("\xad", "")
    return _CONTROL.sub("", text)


def raised(before: str, text: str) -> str:
    """Text in superscript behind `before`: a number behind a digit is a power or a note, never more of it."""
    return text.translate(RAISED) if before[-1:].isdigit() and _POWER.fullmatch(text) else text


class Writer:
    """The text made so far, its blocks, what is left out of them, and the place of each run.

    Blocks are separated by a blank line, rows of one table by a line end.
    """

    def __init__(self, limit: int = MAX_TEXT) -> None:
        self._out: list[str] = []
        self._at = 0
        self._pieces: list[Piece] = []
        self._runs: list[Run] = []
        self._left_out: list[LeftOut] = []
        self._last: BlockKind | None = None
        self._room = limit
        self._cut = 0

    @property
    def at(self) -> int:
        """The offset at which the text ends now."""
        return self._at

    def add(
        self,
        kind: BlockKind,
        parts: Iterable[Part],
        *,
        level: int = 0,
        opens: int = 0,
        title: str = "",
        header: str = "",
        header_span: Span | None = None,
        left_out: str = "",
        tight: bool = False,
    ) -> Span | None:
        """Adds a block and returns its span; None if its text is blank.

        `level` (from 1) makes it a heading, `title` is its name if that is not its text. `opens` (a level)
        makes it the first block of a section without a title, as of a slide that has none. A row's `header`
        is what it needs to be understood alone (see `Block`). With `left_out`, a reason, the text stands in
        the document but in no block. A `tight` block starts on the next line, as a header row under its
        caption does.
        """
        written = [(plain_text(text), place) for text, place in parts]
        pieces = self._within_room(_trimmed(written))
        if not pieces:
            return None
        if self._out:
            follows = tight or (kind == "row" and self._last in ("row", "table"))
            self._put("\n" if follows else "\n\n", None)
        start = self._at
        for text, place in pieces:
            self._put(text, place)
        self._last = kind
        span = Span(start, self._at)
        if left_out:
            self._left_out.append(LeftOut(span, left_out))
            self._last = None
        else:
            name = " ".join((title or "".join(text for text, _ in pieces)).split())
            heading = Heading(name, level, span) if level else None
            if opens and not level:
                heading = Heading("", opens, Span(start, start))
            self._pieces.append(Piece("heading" if level else kind, span, heading, header, header_span))
        return span

    def _within_room(self, parts: list[Part]) -> list[Part]:
        """The parts up to the limit of the text; what is beyond is counted."""
        kept: list[Part] = []
        for text, place in parts:
            fits = text[: self._room]
            self._room -= len(fits)
            self._cut += len(text) - len(fits)
            if fits:
                kept.append((fits, place))
        return kept

    def _put(self, text: str, place: Place | None) -> None:
        start, self._at = self._at, self._at + len(text)
        self._out.append(text)
        if place is None:
            return
        last = self._runs[-1] if self._runs else None
        if last and last.span.end == start and last.place == place:
            self._runs[-1] = Run(Span(last.span.start, self._at), place)
        else:
            self._runs.append(Run(Span(start, self._at), place))

    def finish(
        self,
        source: Source,
        type: str,
        *,
        title: str = "",
        meta: Meta | None = None,
        language: str = "",
        encoding: str = "",
        losses: Losses | None = None,
    ) -> Document:
        """The document. Without a `title`, the first heading of the highest level is it."""
        text = "".join(self._out)
        sections = make_sections([p.heading for p in self._pieces if p.heading], len(text))
        titled = (section for section in sections if section.title)
        first = min(titled, key=lambda s: (s.level, s.span.start), default=None)
        losses = losses or Losses()
        return make_document(
            source,
            text=text,
            type=type,
            encoding=encoding,
            origins=RunOrigins(tuple(self._runs) or (Run(Span(0, 0), _NOWHERE),)),
            title=" ".join(plain_text(title).split()) or (first.title if first else ""),
            sections=sections,
            blocks=tuple(number_blocks(self._pieces)),
            left_out=self._left_out,
            meta=meta,
            language=language,
            losses=replace(losses, cut_text=losses.cut_text + self._cut),
        )


def joined(parts: Iterable[Sequence[Part]], separator: str) -> list[Part]:
    """The groups of parts that hold text, in order, with `separator` between them: a row's cells."""
    out: list[Part] = []
    for group in parts:
        if any(text for text, _ in group):
            out.extend([(separator, None), *group] if out else group)
    return out


def cells_joined(cells: Sequence[Sequence[Part]], border: str) -> list[Part]:
    """The cells of a row with borders between them; blank ones at the end of the row are dropped."""
    filled = [i for i, cell in enumerate(cells) if any(text.strip() for text, _ in cell)]
    out: list[Part] = []
    for i, cell in enumerate(cells[: filled[-1] + 1] if filled else ()):
        out += [(border, None)] * bool(i)
        out += _trimmed(list(cell))
    return out


def text_of(parts: Iterable[Part]) -> str:
    """The text of parts as it is written in a block."""
    return plain_text("".join(text for text, _ in parts)).strip()


def _trimmed(parts: list[Part]) -> list[Part]:
    """The parts without white space at the start and end of the whole, and without empty ones."""
    first, last = 0, len(parts)
    while first < last and not parts[first][0].strip():
        first += 1
    while last > first and not parts[last - 1][0].strip():
        last -= 1
    kept = [part for part in parts[first:last] if part[0]]
    if kept:
        kept[0] = (kept[0][0].lstrip(), kept[0][1])
        kept[-1] = (kept[-1][0].rstrip(), kept[-1][1])
    return kept
