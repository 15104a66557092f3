"""Token counters for tests: what a model's tokenizer does, small enough to check by eye."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from hashlib import sha256

import numpy as np

from pincite.models.tokens import Tokens, word_pieces
from pincite.protocols import Vectors
from pincite.types import Span


class Pattern:
    """Counts the matches of an expression: words and marks, characters, or words by white space."""

    def __init__(self, pattern: str) -> None:
        self.pattern = re.compile(pattern, re.S)

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(self.pattern.findall(text)) for text in texts]

    def spans(self, text: str) -> list[Span]:
        return [Span(*found.span()) for found in self.pattern.finditer(text)]


WORDS = Pattern(r"\w+|[^\w\s]")
BLANK_SEPARATED = Pattern(r"\S+")
CHARACTERS = Pattern(r".")


@cache
def english() -> Tokens:
    """The tokenizer of the bundled English model."""
    from pincite.models.minilm import DATA

    return word_pieces(DATA / "vocab.txt")


class FirstWord(Pattern):
    """An embedder whose vectors depend on a text's first letter only."""

    name = "first-word"
    fingerprint = "first-word-1"
    dimension = 8

    def __init__(self, limit: int = 64) -> None:
        super().__init__(r"\w+|[^\w\s]")
        self.limit = limit

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        assert max(self.count(texts), default=0) <= self.limit
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        seed = int.from_bytes(sha256(text[:1].encode()).digest()[:4], "big")
        vector = np.random.default_rng(seed).standard_normal(self.dimension)
        return np.asarray(vector / np.linalg.norm(vector), np.float32)

    def close(self) -> None:
        pass
