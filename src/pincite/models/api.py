"""Embeddings of any OpenAI-compatible `/embeddings` endpoint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from pincite.config import ModelConfig
from pincite.errors import ModelError, UsageError
from pincite.models.embeddings import ReplyError, vectors_in
from pincite.models.endpoint import Endpoint
from pincite.models.estimated import DEFAULT_LIMIT, EstimatedTokens
from pincite.models.local import over_limit, query_vector, unit_rows
from pincite.models.prefixes import choose_prefixes
from pincite.protocols import TokenCounter, Vectors
from pincite.types import Span

BATCH_CHARACTERS = 100_000
OPENAI_LIMIT = 8000  # below the server's own 8,191
_PREFIX_ROOM = 64
_SHOWN = 300  # characters of a reply that is not what was asked for

PROBES = (
    "The lighthouse keeper noted the wind at noon.",
    "Invoices are due thirty days after the delivery of the goods.",
)
"""Asked for at first, for the length of the server's vectors and to tell its model from another one."""


@dataclass(slots=True)
class ApiEmbedder:
    """An `Embedder` that asks a server; its dimension is known after the first answer.

    Tokens are an upper estimate. No text is cut here, and the server is not asked to cut. `batch` is how
    many texts go into one request; it shrinks to what the server takes.
    """

    endpoint: Endpoint
    limit: int
    query_prefix: str = ""
    document_prefix: str = ""
    batch: int = 64
    tokens: TokenCounter = field(default_factory=EstimatedTokens, repr=False)
    _dimension: int = field(default=0, repr=False)
    _probe: Vectors = field(default_factory=lambda: np.empty((0, 0), np.float32), repr=False)

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

    def probe(self, *, again: bool = False) -> Vectors:
        """float32[2, dimension]: the server's vectors of two fixed texts, kept unless asked for `again`.

        The fingerprint cannot tell which model answers there; these can. Raises `ModelError` for vectors
        with no direction: they are the server's fault, and tell nothing.
        """
        if again:
            self._dimension, self._probe = 0, np.empty((0, 0), np.float32)
        if not len(self._probe):
            rows = self._ask(PROBES)
            if not (np.isfinite(rows).all() and rows.any(axis=1).all()):
                self._dimension = 0
                text = "expected vectors of finite numbers that are not all 0 for two fixed texts, got others"
                raise self.endpoint.error(text, retryable=True)
            self._probe = rows
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
        answers = [self._fitting(batch) for batch in batches(prefixed, self.batch)]
        return unit_rows(np.concatenate([*answers, np.empty((0, self.dimension), np.float32)]))

    def requests(self, texts: Sequence[str]) -> list[int]:
        """How many of the texts, in order, go into each request: what is paid for at once."""
        return [len(batch) for batch in batches(texts, self.batch)]

    def embed_query(self, text: str) -> Vectors:
        """float32[dimension] of length 1; a text over the limit is cut at it."""
        bare = text.removeprefix(self.query_prefix)
        spans = self.spans(bare)
        kept = bare[: spans[self.limit - 1].end] if len(spans) > self.limit else bare
        return query_vector(self._ask([self.query_prefix + kept])[0], self.name)

    def close(self) -> None:
        """Nothing is held open between calls."""

    def _fitting(self, texts: Sequence[str]) -> Vectors:
        """As `_ask`; a batch that the server finds too large is halved until it fits."""
        try:
            return self._ask(texts)
        except ModelError as error:
            if error.code not in ("too-large", "context") or len(texts) == 1:
                raise
        half = (len(texts) + 1) // 2
        rows = np.concatenate([self._fitting(texts[:half]), self._fitting(texts[half:])])
        self.batch = min(self.batch, half)  # all of it went through: the number was too large, no single text
        return rows

    def _ask(self, texts: Sequence[str]) -> Vectors:
        """float32[len(texts), dimension] as the server sent it, NaN where it sent nothing."""
        body = {"model": self.name, "input": list(texts), "encoding_format": "float"}
        reply = self.endpoint.post("embeddings", body)
        try:
            rows = vectors_in(reply, len(texts), self._dimension)
        except ReplyError as error:
            text = self.endpoint.quoted(str(error))[:_SHOWN]
        else:
            self._dimension = rows.shape[1]
            return rows
        raise self.endpoint.error(text)


def batches(texts: Sequence[str], most: int) -> Iterator[list[str]]:
    """The texts in order, at most `most` and 100,000 characters a batch; a longer text goes alone."""
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) >= most or size + len(text) > BATCH_CHARACTERS):
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
    endpoint = Endpoint(
        config.base_url,
        name,
        config.api_key,
        hint="check the address (PINCITE_EMBED_BASE_URL) and the model's name",
        timeout=config.timeout,
        retries=config.tries - 1,
    )
    return ApiEmbedder(endpoint, own - room, query, document, config.batch)
