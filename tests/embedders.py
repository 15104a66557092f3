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


def maker(embedder: Embedder) -> Callable[[Config, str], Embedder]:
    """A `make_embedder` that gives this embedder, whatever model is named."""
    return lambda config, name: embedder


class StandIn:
    """One token a word, or a match of `token`; records its texts, and refuses those that hold `fails_on`."""

    def __init__(
        self,
        vector_of: Callable[[str], Vectors],
        *,
        name: str,
        dimension: int,
        limit: int = 256,
        prefix: str = "",
        fails_on: str = "",
        token: str = r"\S+",
    ) -> None:
        self.token = re.compile(token, re.S)
        self.vector_of = vector_of
        self.name = name
        self.fingerprint = f"{name}:{dimension}:{limit}:{prefix}"
        self.dimension = dimension
        self.prefix = prefix
        self.limit = limit - self.count([prefix])[0]
        self.fails_on = fails_on
        self.embedded: list[str] = []
        self.queries: list[str] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(self.token.findall(text)) for text in texts]

    def spans(self, text: str) -> list[Span]:
        return [Span(*found.span()) for found in self.token.finditer(text)]

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        if self.fails_on and any(self.fails_on in text for text in texts):
            raise ModelError(f"{self.name}: cannot embed {self.fails_on!r}")
        if max(self.count(texts), default=0) > self.limit:
            raise ModelError(f"{self.name}: a text is over the limit of {self.limit} tokens")
        self.embedded += [self.prefix + text for text in texts]
        return np.stack([self.vector_of(text) for text in texts])

    def embed_query(self, text: str) -> Vectors:
        self.queries.append(self.prefix + text)
        read = self.spans(text)[: self.limit]
        return self.vector_of(text[: read[-1].end] if read else "")

    def close(self) -> None:
        pass


def bag_of_words(
    *,
    name: str = "bag-of-words",
    dimension: int = 32,
    limit: int = 256,
    prefix: str = "",
    fails_on: str = "",
    token: str = r"\S+",
) -> StandIn:
    """Unit vectors of hashed words, case folded: texts that share words are near each other."""

    def vector_of(text: str) -> Vectors:
        vector = np.full(dimension, 1e-3)  # a text without words has a direction too
        for word in re.findall(r"\w+", text.casefold()):
            digest = sha256(word.encode("utf-8", "surrogatepass")).digest()
            vector[digest[0] % dimension] += 1 if digest[1] % 2 else -1
        return np.asarray(vector / np.linalg.norm(vector), np.float32)

    return StandIn(
        vector_of, name=name, dimension=dimension, limit=limit, prefix=prefix, fails_on=fails_on, token=token
    )


def given(vectors: Mapping[str, Sequence[float]], *, name: str = "given", limit: int = 256) -> StandIn:
    """Vectors from a mapping: that of the first key a text holds, as it stands there."""
    rows = {key: np.asarray(row, np.float32) for key, row in vectors.items()}

    def vector_of(text: str) -> Vectors:
        return next(row for key, row in rows.items() if key in text)

    dimension = len(next(iter(rows.values())))
    return StandIn(vector_of, name=name, dimension=dimension, limit=limit)
