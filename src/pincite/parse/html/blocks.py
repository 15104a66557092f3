"""Extracted text as it grows: pieces of a source line become words of blocks, each with its line."""

from __future__ import annotations

import re
from bisect import bisect_right
from html import unescape

from pincite.parse.build import Heading, Piece
from pincite.parse.writer import raised
from pincite.scripts import are_close
from pincite.types import BlockKind, LeftOut, Span

CELL = " | "
SPACE, BREAK = "~", "\r"
_STRENGTH = {"": 0, SPACE: 1, BREAK: 2, " ": 3, "\n": 4}
HIDDEN_MARK = "[hidden] "
NAVIGATION, OUTSIDE = "navigation", "outside the main content"
Word = tuple[str, int]
"""A piece of text with its source line, or 0 if it is a separator of our own."""
_SPACE = re.compile(r"[ \t\n\r\f\v]+")


def clean(raw: str) -> str:
    """Source text with entities decoded once, no-break spaces as spaces, and no soft hyphens."""
    try:
        text = unescape(raw) if "&" in raw else raw
    except ValueError:  # a character number of thousands of digits
        text = raw
    return text.replace("\xa0", " ").replace("\xad", "")


class Blocks:
    """The text made so far, its blocks, and the source line of each run of it.

    One block is open at a time. `soft` breaks are kept back until more text of the block comes.
    """

    def __init__(self, source: str, starts: tuple[int, ...]) -> None:
        self.source, self.starts = source, starts
        self.title = ""
        self.out: list[str] = []
        self.at = 0
        self.pieces: list[Piece] = []
        self.headings: list[tuple[int, str]] = []  # level and text, those outside the main content too
        self.runs: list[tuple[int, int, int]] = []
        self.guiding = 0  # open elements that are navigation
        self.outside = False  # whether what comes stands outside the main content
        self.left_out: list[LeftOut] = []  # stretches of blocks that are left out, with the reason
        self.repeats = 10_000 + 2 * len(source)  # characters that may be written more than once
        self.mark = ""  # what stands before the next text, as the number of a list item
        self.taken: list[Word] | None = None  # the words as they are put, where they are asked for
        self.anchors: list[tuple[int, str, str]] = []  # ids with the offset they hold from, and element
        self._last_reason = ""
        self.aside: list[tuple[str, int]] = []  # hidden text, placed after the open block
        self._open = -1  # index in `out` of the open block's first part
        self._start = 0
        self._soft = ""
        self._cells = 0
        self._run_ended = False  # whether the next text begins a run, though it stands on the same line
        self.tight = False  # whether the next block follows on the next line, as rows do
        self.closed_text = ""  # the text of the block closed last

    @property
    def is_open(self) -> bool:
        """Whether the block that is being made has text yet."""
        return self._open >= 0

    def line_of(self, offset: int) -> int:
        """The source line, from 1, of a source offset."""
        return bisect_right(self.starts, offset)

    def gap(self, text: str) -> None:
        """Adds text of our own, which has no place in the source."""
        self.out.append(text)
        self.at += len(text)
        if self.taken is not None:
            self.taken.append((text, 0))

    def soften(self, separator: str) -> None:
        """Separates what follows in the same block: by the strongest of what is asked before text comes.

        `SPACE` is white space of the source, `BREAK` a line break of the source (a space, but nothing
        between wide characters), " " and LF are boundaries of elements.
        """
        if _STRENGTH[separator] > _STRENGTH[self._soft]:
            self._soft = separator

    def next_cell(self) -> None:
        """Puts a cell border before what follows; borders after the last text of a row are dropped."""
        self._cells += 1

    def words(self, start: int, end: int) -> None:
        """Adds source text with its white space collapsed."""
        for line, raw in self._lines(start, end):
            self.word_line(clean(raw), line)
            if raw[-1] == "\n":
                self.soften(BREAK)

    def power(self, start: int, end: int) -> bool:
        """Adds a raised number right behind a digit, raised, and returns whether it was one.

        It is a power or the number of a note, never more digits.
        """
        text = self.source[start:end]
        if not self.is_open or self._soft or self._cells or (power := raised(self.out[-1], text)) == text:
            return False
        self.put(power, self.line_of(start))
        return True

    def word_line(self, text: str, line: int) -> None:
        """Adds text of one source line with its white space collapsed."""
        collapsed = _SPACE.sub(" ", text)
        if collapsed[:1] == " ":
            self.soften(SPACE)
        words = collapsed.strip(" ")
        if words:
            self._separate(words)
            self.put(words, line)
            if collapsed[-1] == " ":
                self.soften(SPACE)

    def _separate(self, words: str) -> None:
        """Puts the separator kept back between the open block's text and `words`."""
        separator, self._soft = self._soft, ""
        cells, self._cells = self._cells, 0
        if cells:
            borders = CELL * cells
            self.gap(borders) if self.is_open else self._begin_with(borders.lstrip())
        elif self.is_open and separator:
            line_end = "" if are_close(self.out[-1], words) else " "
            self.gap({BREAK: line_end, SPACE: " "}.get(separator, separator))
        if self.mark:
            mark, self.mark = self.mark, ""
            self._begin_with(mark)
            self._run_ended = True

    def _begin_with(self, text: str) -> None:
        self.begin()
        self.gap(text)

    def verbatim(self, start: int, end: int) -> None:
        """Adds source text as it is, white space and line breaks too."""
        for line, raw in self._lines(start, end):
            text = clean(raw.rstrip("\r\n"))
            if text:
                self._separate(text)
                self.put(text, line)
            if raw[-1:] == "\n" and self.is_open:
                self.gap("\n")

    def _lines(self, start: int, end: int) -> list[tuple[int, str]]:
        """The source in pieces that end with its line breaks, each with the line it begins on."""
        pieces: list[tuple[int, str]] = []
        while start < end:
            cut = self.source.find("\n", start, end) + 1 or end
            pieces.append((self.line_of(start), self.source[start:cut]))
            start = cut
        return pieces

    def may_repeat(self, characters: int) -> bool:
        """Whether as much may be written once more: spans of a hostile table would have no end."""
        self.repeats -= characters
        return self.repeats >= 0

    def again(self, words: list[Word]) -> None:
        """Adds words that were put before once more, with the lines where they stand."""
        for text, line in words:
            if line:
                self._separate(text)
                self.put(text, line, apart=True)
            else:
                self.gap(text)

    def put(self, text: str, line: int, *, apart: bool = False) -> None:
        """Adds text that stands on one source line, opening a block if none is open."""
        self.begin()
        if self.taken is not None:
            self.taken.append((text, line))
        start, self.at = self.at, self.at + len(text)
        self.out.append(text)
        apart, self._run_ended = apart or self._run_ended, False
        if not apart and self.runs and self.runs[-1][2] == line and self.runs[-1][0] >= self._start:
            self.runs[-1] = (self.runs[-1][0], self.at, line)
        else:
            self.runs.append((start, self.at, line))

    def begin(self) -> None:
        """Opens a block if none is open: after a blank line, or a line end between a table's rows."""
        if not self.is_open:
            if self.out:
                self.gap("\n" if self.tight else "\n\n")
            self._open, self._start = len(self.out), self.at

    def close(
        self,
        kind: BlockKind = "paragraph",
        *,
        level: int = 0,
        header: str = "",
        header_span: Span | None = None,
    ) -> Piece | None:
        """Ends the open block and returns it, or None if it had no text; hidden text follows it."""
        self._soft, self._cells = "", 0
        piece = None
        if self.is_open:
            body = self.closed_text = "".join(self.out[self._open :]).rstrip()
            span = Span(self._start, self._start + len(body))
            heading = Heading(" ".join(body.split()), level, span) if level else None
            self._open = -1
            self.tight = kind in ("row", "table")
            if body:
                piece = Piece(kind, span, heading, header, header_span)
                self.headings += [(level, heading.title)] if heading and not self.guiding else []
                self._keep(piece)
        if self.aside:
            self._put_aside()
        return piece

    def _keep(self, piece: Piece) -> None:
        """Takes a finished block in, or notes it as left out, with its neighbours as one stretch."""
        reason = NAVIGATION if self.guiding else OUTSIDE if self.outside else ""
        if not reason:
            self.pieces.append(piece)
        elif self._last_reason == reason:
            self.left_out[-1] = LeftOut(Span(self.left_out[-1].span.start, piece.span.end), reason)
        else:
            self.left_out.append(LeftOut(piece.span, reason))
        self._last_reason = reason

    def _put_aside(self) -> None:
        parts, self.aside = self.aside, []
        self.begin()
        self.gap(HIDDEN_MARK)
        first = self.at
        for text, line in parts:
            if self.at > first:
                self.soften(" ")
            self.word_line(text, line)
        self.close()

    def finish(self) -> tuple[str, list[Piece], list[tuple[int, int, int]]]:
        """The whole text, its blocks, and its runs as (start, end, line), all in order."""
        self.close()
        return "".join(self.out), self.pieces, self.runs
