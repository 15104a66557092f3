"""Sizes of slices of one document, from a single tokenisation of its text."""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite.config import ChunkConfig
from pincite.contextualise import CHARS_PER_TOKEN, context_size, section_at
from pincite.protocols import TokenCounter
from pincite.types import Document

_PIECE = 1 << 16  # characters tokenised at once
_JOINERS = "\u200d\ufe0e\ufe0f"
_LOOK_BACK = 64


@dataclass(frozen=True, slots=True)
class Ruler:
    """Measures one document in tokens. `target` and `overlap` are those of the settings, in tokens.

    A slice also counts at least one token for 16 characters, since a tokenizer may take a word of any
    length for one unknown token.
    """

    document: Document
    tokens: TokenCounter
    limit: int
    target: int
    overlap: int
    starts: array[int]
    ends: array[int]
    _contexts: dict[tuple[int, str], int] = field(default_factory=dict)

    @staticmethod
    def of(document: Document, tokens: TokenCounter, config: ChunkConfig, limit: int) -> Ruler:
        """The ruler of `document`; its text is tokenised here, in pieces that bound the memory."""
        starts, ends = array("I"), array("I")
        for at, piece in _pieces(document.text):
            spans = tokens.spans(piece)
            starts.extend(at + span.start for span in spans)
            ends.extend(at + span.end for span in spans)
        target = min(config.size, limit)
        overlap = round(0.15 * target) if config.overlap < 0 else min(config.overlap, target - 1)
        return Ruler(document, tokens, limit, target, overlap, starts, ends)

    def size(self, start: int, end: int) -> int:
        """The tokens of text[start:end]; a token cut by an end counts whole."""
        held = bisect_left(self.starts, end) - bisect_right(self.ends, start)
        return max(held, (end - start) // CHARS_PER_TOKEN)

    def reach(self, start: int, n: int, stop: int) -> int:
        """The furthest end, at most `stop`, of a slice of `n` tokens from `start`; no grapheme is parted."""
        at = bisect_right(self.ends, start) + max(1, n)
        end = self.starts[at] if at < len(self.starts) else stop
        end = min(max(end, start + 1), stop, start + CHARS_PER_TOKEN * max(1, n))
        return end if end == stop else safe_cut(self.document.text, start, end)

    def back(self, end: int, n: int, start: int) -> int:
        """Where the last `n` tokens before `end` begin, not before `start`."""
        if n < 1:
            return end
        at = bisect_left(self.starts, end) - n
        begin = max(self.starts[at] if at >= 0 else start, start, end - CHARS_PER_TOKEN * n)
        return max(start, safe_cut(self.document.text, start, begin)) if begin > start else start

    def room(self, section: int, header: str = "") -> int:
        """The most tokens of text in a chunk of `section`: the target less its situating line.

        Never less than half the target unless the limit demands it: a line longer than the target would
        leave nothing.
        """
        key = (section, header)
        if key not in self._contexts:
            self._contexts[key] = context_size(self.document, section, header, self.tokens, self.limit)
        context = self._contexts[key]
        return max(1, min(self.limit - context, max(self.target - context, self.target // 2)))

    def room_at(self, offset: int) -> int:
        """The room of a chunk that starts at `offset`."""
        return self.room(section_at(self.document, offset))

    @property
    def narrowest(self) -> int:
        """The least room of any section."""
        return min(self.room(section) for section in range(-1, len(self.document.sections)))


def safe_cut(text: str, start: int, end: int) -> int:
    """`end`, or the nearest place before it (after `start`) that parts no grapheme and no CR LF."""
    for at in range(end, max(start, end - _LOOK_BACK), -1):
        if at >= len(text) or not _joined(text[at - 1], text[at]):
            return at
    return end + 1 if end < len(text) and text[end - 1] == "\r" and text[end] == "\n" else end


def _joined(before: str, after: str) -> bool:
    """Whether two neighbouring characters belong together."""
    if after < "\u0300":
        return before == "\r" and after == "\n"
    return (
        after in _JOINERS
        or before == "\u200d"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
        or ("\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff")
        or unicodedata.category(after) in ("Mn", "Me", "Mc")
    )


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces that end at white space where there is some, each with its offset."""
    start = 0
    while len(text) - start > _PIECE:
        end = start + _PIECE
        space = max(text.rfind(mark, start + _PIECE // 2, end) for mark in ("\n", " ", "\u3000", "。"))
        end = space + 1 if space >= 0 else safe_cut(text, start, end)
        yield start, text[start:end]
        start = end
    yield start, text[start:] if start else text
