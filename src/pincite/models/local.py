"""The embedder of every model that runs in this process: tokenise, encode each text alone, normalise."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import numpy as np

from pincite.errors import ModelError
from pincite.models.tokens import Tokens
from pincite.protocols import Vectors
from pincite.types import Span

Encode = Callable[[Sequence[int]], Vectors]
"""Token ids of one text, special tokens included, to float32[dimension], not yet of length 1."""


@dataclass(slots=True)
class LocalEmbedder:
    """An `Embedder` over a tokeniser and a function that encodes one text.

    Each text is encoded alone, so a vector never depends on its neighbours in the call; texts run on
    `threads` threads (0: one per core), the longest first. `limit` counts the text's own tokens;
    `around` gives the context the encoding runs in.
    """

    name: str
    fingerprint: str
    dimension: int
    limit: int
    tokens: Tokens
    encode: Encode
    query_prefix: str = ""
    document_prefix: str = ""
    threads: int = 0
    around: Callable[[], AbstractContextManager[object]] = nullcontext
    _pool: ThreadPoolExecutor | None = field(default=None, init=False, repr=False)

    def count(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text, special tokens and prefix not counted."""
        return self.tokens.count(texts)

    def spans(self, text: str) -> list[Span]:
        """The character span of each token of `text`, in order."""
        return self.tokens.spans(text)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """float32[len(texts), dimension], rows of length 1, all NaN or all 0. `ModelError` over the limit."""
        ids = self.tokens.ids([self.document_prefix + text for text in texts])
        self._check(texts, ids)
        return unit_rows(self._encode_all([self.tokens.wrapped(row) for row in ids]))

    def embed_query(self, text: str) -> Vectors:
        """float32[dimension] of length 1; a text over the limit is cut at it. `ModelError` if unusable."""
        prefixed = text if text.startswith(self.query_prefix) else self.query_prefix + text
        ids = self.tokens.ids([prefixed])[0][: self.limit + prefix_room(self.tokens, self.query_prefix)]
        with self.around():
            return query_vector(self.encode(self.tokens.wrapped(ids)), self.name)

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _check(self, texts: Sequence[str], ids: Sequence[Sequence[int]]) -> None:
        prefix = len(self.tokens.ids([self.document_prefix])[0])
        for text, row in zip(texts, ids, strict=True):
            # A prefix can split the text's first word otherwise: the text alone decides.
            if len(row) > self.limit + prefix and (n := self.count([text])[0]) > self.limit:
                raise over_limit(self.name, text, n, self.limit)

    def _encode_all(self, rows: Sequence[list[int]]) -> Vectors:
        out = np.full((len(rows), self.dimension), np.nan, np.float32)
        order = sorted(range(len(rows)), key=lambda i: (-len(rows[i]), i))
        with self.around():
            for i, vector in zip(order, self._map([rows[i] for i in order]), strict=True):
                out[i] = vector
        return out

    def _map(self, rows: Sequence[list[int]]) -> Sequence[Vectors]:
        threads = self.threads or cores()
        if threads == 1 or len(rows) < 2:
            return [self.encode(row) for row in rows]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(threads, thread_name_prefix="pincite-embed")
        return list(self._pool.map(self.encode, rows))


def cores() -> int:
    """The number of processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def prefix_room(tokens: Tokens, prefix: str) -> int:
    """The tokens to keep free for a prefix: its own, and one for the word it may split."""
    return len(tokens.ids([prefix])[0]) + 1 if prefix else 0


def unit_rows(rows: Vectors) -> Vectors:
    """float32 rows of length 1; a row that is not finite becomes all NaN, one of zeros stays as it is."""
    wide = rows.astype(np.float64)
    wide[~np.isfinite(wide).all(axis=-1)] = np.nan
    # Scaled by its largest value first, so that the squares of tiny values do not vanish.
    top = np.abs(wide).max(axis=-1, keepdims=True, initial=0.0)
    wide /= np.where(top == 0, 1.0, top)
    wide /= np.where(top == 0, 1.0, np.linalg.norm(wide, axis=-1, keepdims=True))
    return wide.astype(np.float32)


def query_vector(vector: Vectors, name: str) -> Vectors:
    """The query's vector at length 1. Raises `ModelError` when it is zero or not finite."""
    unit: Vectors = unit_rows(vector[None])[0]
    if not unit.any() or np.isnan(unit).any():
        kind = "a zero vector" if np.isfinite(vector).all() else "a vector with values that are not finite"
        raise ModelError(
            f"model {name} gave {kind} for the query",
            hint="Ask with other words, or search by words alone with --legs lexical.",
        )
    return unit


def over_limit(name: str, text: str, n_tokens: int, limit: int) -> ModelError:
    """The error for a text that is longer than the model reads."""
    return ModelError(
        f"a text of {n_tokens} tokens is over the limit of {limit} of model {name}: {text[:60]!r}…",
        hint=f"Set chunk.size to {limit} or less; nothing is cut silently.",
    )
