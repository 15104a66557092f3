"""Stand-in dense models for tests of the whole line: deterministic, small, and made to fail on demand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

import numpy as np

from pincite.config import Config
from pincite.errors import ModelError
from pincite.protocols import Embedder, Vectors
from pincite.types import Span

_WORD = re.compile(r"\S+")


def maker(embedder: Embedder) -> Callable[[Config, str], Embedder]:
    """A `make_embedder` that gives this embedder, whatever model is named."""
    return lambda config, name: embedder


class _Words:
    """One token a word; records every text it was given."""

    def __init__(self, *, name: str, dimension: int, limit: int, prefix: str) -> None:
        self.name = name
        self.fingerprint = f"{name}:{dimension}:{limit}:{prefix}"
        self.dimension = dimension
        self.prefix = prefix
        self.limit = limit - len(prefix.split())
        self.embedded: list[str] = []
        self.queries: list[str] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(_WORD.findall(text)) for text in texts]

    def spans(self, text: str) -> list[Span]:
        return [Span(*found.span()) for found in _WORD.finditer(text)]

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if max(self.count(texts), default=0) > self.limit:
            raise ModelError(f"{self.name}: a text is over the limit of {self.limit} tokens")
        self.embedded += [self.prefix + text for text in texts]
        return np.stack([self.vector(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        self.queries.append(self.prefix + text)
        cut = self.spans(text)[: self.limit]
        return self.vector(text[: cut[-1].end] if cut else "")

    def vector(self, text: str) -> Vectors:
        raise NotImplementedError

    def close(self) -> None:
        pass


class BagOfWords(_Words):
    """Unit vectors of hashed words, case folded. Texts that hold `fails_on` raise `ModelError`."""

    def __init__(
        self,
        *,
        name: str = "bag-of-words",
        dimension: int = 32,
        limit: int = 256,
        prefix: str = "",
        fails_on: str = "",
    ) -> None:
        super().__init__(name=name, dimension=dimension, limit=limit, prefix=prefix)
        self.fails_on = fails_on

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if self.fails_on and any(self.fails_on in text for text in texts):
            raise ModelError(f"{self.name}: cannot embed {self.fails_on!r}")
        return super().embed_documents(texts)

    def vector(self, text: str) -> Vectors:
        vector = np.full(self.dimension, 1e-3, np.float32)  # a text without words has a direction too
        for word in re.findall(r"\w+", text.casefold()):
            digest = sha256(word.encode()).digest()
            vector[digest[0] % self.dimension] += 1 if digest[1] % 2 else -1
        return np.asarray(vector / np.linalg.norm(vector), np.float32)


class Given(_Words):
    """Vectors given by a mapping: those of the first key the text holds, else those of ""."""

    def __init__(
        self,
        vectors: Mapping[str, Sequence[float]],
        *,
        name: str = "given",
        limit: int = 256,
        prefix: str = "",
    ) -> None:
        dimension = len(next(iter(vectors.values())))
        super().__init__(name=name, dimension=dimension, limit=limit, prefix=prefix)
        self.vectors = dict(vectors)

    def vector(self, text: str) -> Vectors:
        key = next((key for key in self.vectors if key and key in text), "")
        return np.asarray(self.vectors[key], np.float32)
