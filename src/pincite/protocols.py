"""The seams: what an implementation of each stage must offer. Each has at least two implementations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.types import Chunked, Context, Document, Filter, Leg, Meta, Ranking, Span, Stored

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Source:
    """A file as read from disk: its uri below the library's folder, its bytes, and their sha256."""

    uri: str
    data: bytes
    sha256: str


class Parser(Protocol):
    """Bytes of one format to a `Document`."""

    def __call__(self, source: Source) -> Document:
        """The parsed document. Raises `InputError` with the reason when the bytes cannot be read."""
        ...


class TokenCounter(Protocol):
    """Sizes in the tokens of the embedding model, special tokens not counted."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text."""
        ...

    def spans(self, text: str) -> list[Span]:
        """The character span of each token of `text`, in order."""
        ...


class Embedder(TokenCounter, Protocol):
    """Texts to unit vectors.

    `name` identifies the model for people, `fingerprint` for the index: it changes with the weights,
    the dimension, prefixes, pooling, normalisation and limit. `limit` is the most tokens of one text,
    special tokens and prefix already taken off. A text over the limit raises `ModelError`; a row the
    model could not produce is all NaN, one it made of zeros is all 0, and the caller decides.
    """

    @property
    def name(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def limit(self) -> int: ...

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """float32[len(texts), dimension], each row of length 1, in the order of `texts`."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """float32[dimension] of length 1. A text over the limit is cut at it; `count` tells."""
        ...

    def close(self) -> None:
        """Frees threads and files."""
        ...


class Chunker(Protocol):
    """A `Document` to its chunks; every character is in a chunk or in `left_out`."""

    @property
    def fingerprint(self) -> str:
        """Changes with the strategy, its settings and the tokens it counts in."""
        ...

    def __call__(self, document: Document) -> Chunked: ...


@dataclass(frozen=True, slots=True)
class Point:
    """What the search index holds of one chunk: its terms for BM25 and its filterable fields."""

    id: int
    terms: str
    meta: Meta


class SearchIndex(Protocol):
    """BM25 and dense search over points, with a filter applied before ranking on both."""

    def upsert(self, points: Sequence[Point]) -> None: ...
    def set_vectors(self, vectors: Mapping[int, Vectors]) -> None: ...
    def delete(self, ids: Sequence[int]) -> None: ...
    def lexical(self, terms: str, *, filter: Filter, depth: int) -> list[tuple[int, float]]: ...
    def dense(self, vector: Vectors, *, filter: Filter, depth: int) -> list[tuple[int, float]]: ...
    def lexical_scores(self, terms: str, ids: Iterable[int]) -> dict[int, float]: ...
    def dense_scores(self, vector: Vectors, ids: Iterable[int]) -> dict[int, float]: ...
    def holding(self, terms: str, *, filter: Filter, limit: int, after: int = 0) -> list[int]: ...
    def vectors(self, ids: Sequence[int]) -> dict[int, Vectors]: ...
    def count(self, filter: Filter) -> int: ...
    def flush(self) -> None: ...
    def close(self) -> None: ...


class Catalog(Protocol):
    """What assembly and citation read of the stored documents and chunks."""

    def document(self, doc_id: str) -> Document | None:
        """The stored document with text, origins, sections, blocks and metadata."""
        ...

    def chunks_between(self, doc_id: str, first: int, last: int) -> list[Stored]:
        """The chunks with ordinals first..last (inclusive) of one document, in order."""
        ...


class Reranker(Protocol):
    """Scores (question, passage) pairs; higher is better."""

    def score(self, question: str, passages: Sequence[str]) -> list[float]: ...


class Generator(Protocol):
    """Writes an answer with `[n]` markers from a question and its context."""

    @property
    def name(self) -> str: ...

    def generate(self, question: str, context: Context) -> str: ...


class ContextWriter(Protocol):
    """Writes the situating line of each chunk of a document, in order."""

    def __call__(self, document: Document, chunked: Chunked) -> tuple[str, ...]: ...


__all__ = [
    "Catalog",
    "Chunker",
    "ContextWriter",
    "Embedder",
    "Generator",
    "Leg",
    "Parser",
    "Point",
    "Ranking",
    "Reranker",
    "SearchIndex",
    "Source",
    "TokenCounter",
    "Vectors",
]
