"""Embeddings of any OpenAI-compatible `/embeddings` endpoint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pincite.config import ModelConfig
from pincite.errors import UsageError
from pincite.models.endpoint import Endpoint
from pincite.models.estimated import DEFAULT_LIMIT, EstimatedTokens
from pincite.models.local import over_limit, query_vector, unit_rows
from pincite.models.prefixes import choose_prefixes
from pincite.protocols import TokenCounter, Vectors
from pincite.types import Span

BATCH_TEXTS, BATCH_CHARACTERS = 64, 100_000
OPENAI_LIMIT = 8000  # below the server's own 8,191
_PREFIX_ROOM = 64

PROBE = "The lighthouse keeper noted the wind at noon."
"""Asked for at first, for the length of the server's vectors and to tell its model from another one."""


@dataclass(slots=True)
class ApiEmbedder:
    """An `Embedder` that asks a server; its dimension is known after the first answer.

    Tokens are an upper estimate. No text is cut here, and the server is not asked to cut.
    """

    endpoint: Endpoint
    limit: int
    query_prefix: str = ""
    document_prefix: str = ""
    tokens: TokenCounter = field(default_factory=EstimatedTokens, repr=False)
    _dimension: int = field(default=0, repr=False)
    _probe: Vectors = field(default_factory=lambda: np.empty(0, np.float32), repr=False)

    @property
    def name(self) -> str:
        return self.endpoint.model

    @property
    def fingerprint(self) -> str:
        parts = (self.name, self.dimension, self.query_prefix, self.document_prefix, self.limit)
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    @property
    def dimension(self) -> int:
        """The length of the server's vectors; asks for one the first time."""
        if not self._dimension:
            self.probe()
        return self._dimension

    def probe(self) -> Vectors:
        """The server's vector of a fixed text: the fingerprint cannot tell which model answers there."""
        if not len(self._probe):
            self._probe = self._ask([PROBE])[0]
        return self._probe

    def count(self, texts: Sequence[str]) -> list[int]:
        """An upper estimate of the number of tokens of each text."""
        return self.tokens.count(texts)

    def spans(self, text: str) -> list[Span]:
        """The character span of each estimated token; a character of two tokens is listed twice."""
        return self.tokens.spans(text)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """float32[len(texts), dimension], rows of length 1, all NaN or all 0. `ModelError` over the limit."""
        for text, n in zip(texts, self.count(texts), strict=True):
            if n > self.limit:
                raise over_limit(self.name, text, n, self.limit)
        prefixed = [self.document_prefix + text for text in texts]
        answers = [self._ask(batch) for batch in batches(prefixed)]
        return unit_rows(np.concatenate([*answers, np.empty((0, self.dimension), np.float32)]))

    def embed_query(self, text: str) -> Vectors:
        """float32[dimension] of length 1; a text over the limit is cut at it."""
        bare = text.removeprefix(self.query_prefix)
        spans = self.spans(bare)
        kept = bare[: spans[self.limit - 1].end] if len(spans) > self.limit else bare
        return query_vector(self._ask([self.query_prefix + kept])[0], self.name)

    def close(self) -> None:
        """Nothing is held open between calls."""

    def _ask(self, texts: Sequence[str]) -> Vectors:
        """float32[len(texts), dimension] as the server sent it, NaN where it sent nothing."""
        body = {"model": self.name, "input": list(texts), "encoding_format": "float"}
        rows = self._rows(self.endpoint.post("embeddings", body), len(texts))
        sizes = sorted({len(row) for row in rows if row is not None})
        expected = self._dimension or (sizes[0] if sizes else 0)
        if not expected:
            raise self.endpoint.error("it sent no vector", retryable=True)
        if sizes not in ([expected], []):
            got = ", ".join(map(str, sizes))
            raise self.endpoint.error(f"expected vectors of {expected} numbers, got {got}")
        self._dimension = expected
        out = np.full((len(texts), expected), np.nan, np.float32)
        for i, row in enumerate(rows):
            if row is not None:
                out[i] = row
        return out

    def _rows(self, reply: Any, n: int) -> list[list[float] | None]:
        """The vectors in the order of the texts; None where the server left one out or sent no numbers."""
        rows: list[list[float] | None] = [None] * n
        try:
            for place, item in enumerate(reply["data"]):
                rows[_index(item.get("index", place), n)] = _numbers(item.get("embedding"))
        except (KeyError, TypeError, IndexError, AttributeError) as error:
            raise self.endpoint.error("its reply is not a list of embeddings") from error
        return rows


def _index(value: object, n: int) -> int:
    if not isinstance(value, int) or not 0 <= value < n:
        raise IndexError(value)
    return value


def _numbers(values: object) -> list[float] | None:
    """The vector, NaN for numbers that are null; None if there is none."""
    if not isinstance(values, list) or not values:
        return None
    good = all(value is None or (isinstance(value, int | float)) for value in values)
    return [np.nan if value is None else float(value) for value in values] if good else None


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, at most 64 and 100,000 characters a batch; a longer text goes alone."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == BATCH_TEXTS or size + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def load(name: str, config: ModelConfig) -> ApiEmbedder:
    """The embedder of model `name` at `model.base_url`, with `model.api_key` if there is one.

    Raises `UsageError` without an address. Nothing is sent before the first vector is asked for.
    """
    if not config.base_url:
        raise UsageError(
            f"model api:{name} has no address",
            stage="embed",
            hint="Set PINCITE_EMBED_BASE_URL, such as https://host/v1, and OPENAI_API_KEY if it wants one.",
        )
    query, document = choose_prefixes(name, {}, config)
    own = OPENAI_LIMIT if name.startswith("text-embedding-") else DEFAULT_LIMIT
    room = max(len(query), len(document)) and _PREFIX_ROOM
    hint = "check the address (PINCITE_EMBED_BASE_URL) and the model's name"
    endpoint = Endpoint(config.base_url, name, config.api_key, hint=hint)
    return ApiEmbedder(endpoint, own - room, query, document)
