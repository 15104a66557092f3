"""Tokens counted word by word, each distinct word once for all documents: several times as fast."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

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
            for start, end, size in self._measured(piece):
                starts.append(at + start)
                ends.append(at + end)
                before.append(before[-1] + size)
        return starts, ends, before

    def _measured(self, piece: str) -> Iterator[tuple[int, int, int]]:
        """Start, end and tokens of each unit of a piece."""
        if not self.by_words:
            yield from ((span.start, span.end, 1) for span in self.tokens.spans(piece))
            return
        words = piece.split()
        sizes = self._sizes([word for word in words if len(word) <= _LONG])
        for found, word in zip(_WORD.finditer(piece), words, strict=True):
            start, end = found.span()
            if end - start <= _LONG:
                yield start, end, sizes[word]
            else:
                yield from ((start + span.start, start + span.end, 1) for span in self.tokens.spans(word))

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
