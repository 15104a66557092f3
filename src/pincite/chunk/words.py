"""Tokens counted word by word, each distinct word once for all documents: several times as fast."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice

from pincite.chunk.graphemes import safe_cut
from pincite.protocols import TokenCounter
from pincite.types import Span

PROBE = (
    "Valve-7 opens at 3.5 bar;  naïve “users” re-open\tit.\n\n    电池更换后，请等待24小时。 バルブを閉じる。"
)
_PIECE = 1 << 16  # characters measured at once
_LONG = 32  # characters; longer words (a whole sentence in Chinese) are not kept
_MOST = 500_000  # distinct words kept
_WORD = re.compile(r"\S+")

Units = tuple[Sequence[int], Sequence[int], Sequence[int]]
Unit = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Words:
    """A token counter that counts each distinct word once, if its tokenizer takes words one by one.

    Such a tokenizer gives a text as many tokens as its words have together; others are asked each time.
    """

    tokens: TokenCounter
    by_words: bool
    _known: dict[str, int] = field(default_factory=dict)

    @staticmethod
    def of(tokens: TokenCounter) -> Words:
        """The counter over `tokens`; a fixed text shows what kind of tokenizer it is."""
        whole, *parts = tokens.count([PROBE, *PROBE.split()])
        return Words(tokens, whole == sum(parts))

    def count(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text."""
        if not self.by_words:
            return self.tokens.count(texts)
        split = [text.split() for text in texts]
        sizes = self._sizes([word for words in split for word in words])
        return [sum(map(sizes.__getitem__, words)) for words in split]

    def spans(self, text: str) -> list[Span]:
        """The character span of each token of `text`, in order."""
        return self.tokens.spans(text)

    def units(self, text: str) -> Units:
        """Start and end of each unit of `text`, and the tokens before each and, last, before the end.

        A unit is a word, or a token where a word is long or the tokenizer does not go by words.
        """
        starts, ends, before = array("I"), array("I"), array("I", [0])
        for at, piece in _pieces(text):
            units = self._measured(piece)
            starts.extend([at + start for start, _, _ in units])
            ends.extend([at + end for _, end, _ in units])
            before.extend(islice(accumulate([size for _, _, size in units], initial=before[-1]), 1, None))
        return starts, ends, before

    def _measured(self, piece: str) -> list[Unit]:
        """Start, end and tokens of each unit of a piece."""
        if not self.by_words:
            return [(span.start, span.end, 1) for span in self.tokens.spans(piece)]
        words = piece.split()
        short = [word for word in words if len(word) <= _LONG]
        sizes = self._sizes(short)
        spans = [found.span() for found in _WORD.finditer(piece)]
        if len(short) == len(words):
            return [(start, end, sizes[word]) for (start, end), word in zip(spans, words, strict=True)]
        return [
            unit for span, word in zip(spans, words, strict=True) for unit in self._word(*span, word, sizes)
        ]

    def _word(self, start: int, end: int, word: str, sizes: Mapping[str, int]) -> list[Unit]:
        """A short word as one unit, a long one as its tokens."""
        if end - start <= _LONG:
            return [(start, end, sizes[word])]
        return [(start + span.start, start + span.end, 1) for span in self.tokens.spans(word)]

    def _sizes(self, words: Sequence[str]) -> dict[str, int]:
        """The tokens of each distinct word; those that are not long are kept."""
        known = self._known
        new = list(dict.fromkeys(word for word in words if word not in known))
        if not new:
            return known
        fresh = dict(zip(new, self.tokens.count(new), strict=True))
        if len(known) + len(fresh) > _MOST or any(len(word) > _LONG for word in new):
            return {word: fresh[word] if word in fresh else known[word] for word in words}
        known.update(fresh)
        return known


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
