"""Sizes of slices of one document, from a single tokenisation of its text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite.chunk.graphemes import safe_cut
from pincite.chunk.rows import header_of, row_spans
from pincite.chunk.words import Words
from pincite.config import ChunkConfig
from pincite.contextualise import CHARS_PER_TOKEN, Title, context_size, section_at, shown_title
from pincite.types import Document, Span


@dataclass(frozen=True, slots=True)
class Ruler:
    """Measures one document in tokens. `target` and `overlap` are those of the settings, in tokens.

    `line` says whether chunks begin with a situating line.

    The text is a row of units (words, or tokens) from `starts[i]` to `ends[i]`, with `before[i]` tokens
    ahead of unit i; `rows` are the rows of its tables. A slice also counts at least one token for 16
    characters, since a tokenizer may take a word of any length for one unknown token.
    """

    document: Document
    title: Title
    line: bool
    words: Words
    limit: int
    target: int
    overlap: int
    starts: Sequence[int]
    ends: Sequence[int]
    before: Sequence[int]
    rows: Sequence[Span]
    _contexts: dict[tuple[int, str], int] = field(default_factory=dict)

    @staticmethod
    def of(document: Document, words: Words, config: ChunkConfig, limit: int) -> Ruler:
        """The ruler of `document`; its text is measured here, once."""
        target = min(config.size, limit)
        overlap = round(0.15 * target) if config.overlap < 0 else min(config.overlap, target - 1)
        return Ruler(
            document,
            shown_title(document),
            config.context_line,
            words,
            limit,
            target,
            overlap,
            *words.units(document.text),
            row_spans(document),
        )

    def size(self, start: int, end: int) -> int:
        """The tokens of text[start:end]; a unit cut by an end counts whole."""
        held = self.before[bisect_left(self.starts, end)] - self.before[bisect_right(self.ends, start)]
        return max(held, (end - start) // CHARS_PER_TOKEN)

    def reach(self, start: int, n: int, stop: int) -> int:
        """The furthest end, at most `stop`, of a slice of `n` tokens from `start`; no grapheme is parted."""
        n = max(1, n)
        first = bisect_right(self.ends, start)
        last = bisect_right(self.before, self.before[first] + n) - 1
        end = self.starts[last] if last < len(self.starts) else stop
        if first == last < len(self.starts):  # the first unit alone has more
            share = (self.ends[first] - start) * n // (self.before[first + 1] - self.before[first])
            end = start + share
        end = min(max(end, start + 1), stop, start + CHARS_PER_TOKEN * n)
        return end if end == stop else safe_cut(self.document.text, start, end)

    def back(self, end: int, n: int, start: int) -> int:
        """Where the last units before `end` with at most `n` tokens begin, not before `start`."""
        last = bisect_left(self.starts, end)
        first = bisect_left(self.before, self.before[last] - n)
        begin = max(self.starts[first] if first < last else end, end - CHARS_PER_TOKEN * n)
        return max(start, safe_cut(self.document.text, start, begin)) if begin > start else start

    def room(self, section: int, header: str = "") -> int:
        """The most tokens of text in a chunk of `section`: the target less its situating line.

        Never less than half the target unless the limit demands it: a line longer than the target would
        leave nothing.
        """
        key = (section, header)
        if key not in self._contexts:
            path = self.document.heading_path(section)
            self._contexts[key] = context_size(
                self.title, path, header, self.words, limit=self.limit, line=self.line
            )
        context = self._contexts[key]
        return max(1, min(self.limit - context, max(self.target - context, self.target // 2)))

    def room_at(self, offset: int) -> int:
        """The room of a chunk that starts at `offset`: inside a table, with the table's header."""
        header = header_of(self.document, Span(offset, offset + 1))
        return self.room(section_at(self.document, offset), header)

    @property
    def narrowest(self) -> int:
        """The least room of any section."""
        return min(self.room(section) for section in range(-1, len(self.document.sections)))
