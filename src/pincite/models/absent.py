"""What stands in for a model that is missing or down: texts are measured and stored, and wait for vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pincite.errors import MissingExtraError, ModelError
from pincite.models.estimated import DEFAULT_LIMIT, EstimatedTokens
from pincite.protocols import Embedder, TokenCounter, Vectors
from pincite.types import Span

NEVER_SEEN = "absent"
"""The fingerprint of a model that no sync has seen yet."""


@dataclass(slots=True)
class AbsentEmbedder:
    """An `Embedder` that has no vectors: asked for one, it raises the `error` that kept the model away.

    It counts with the model's own `tokens` if those are at hand, else with estimates. Its name, fingerprint
    and dimension are those the index knows of the model, so that the vectors that are there stay valid.
    """

    name: str
    error: MissingExtraError | ModelError
    fingerprint: str = NEVER_SEEN
    dimension: int = 0
    limit: int = DEFAULT_LIMIT
    tokens: TokenCounter = field(default_factory=EstimatedTokens, repr=False)

    @property
    def estimates(self) -> bool:
        """Whether sizes are estimates: nothing of the model could be loaded."""
        return isinstance(self.tokens, EstimatedTokens)

    def count(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text."""
        return self.tokens.count(texts)

    def spans(self, text: str) -> list[Span]:
        """The character span of each token."""
        return self.tokens.spans(text)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Raises what kept the model away."""
        raise self.error

    def embed_query(self, text: str) -> Vectors:
        """Raises what kept the model away."""
        raise self.error

    def close(self) -> None:
        """Nothing is held."""


def absent(
    name: str, error: MissingExtraError | ModelError, made: Mapping[str, str], model: Embedder | None = None
) -> AbsentEmbedder:
    """The stand-in for model `name`; `made` is what the index knows of it, `model` what could be loaded."""
    known = {"fingerprint": made["fingerprint"], "dimension": int(made["dimension"])} if made else {}
    measured = {"limit": model.limit, "tokens": model} if model else {}
    told = made["name"] if made else model.name if model else name
    return AbsentEmbedder(told, error, **known, **measured)  # type: ignore[arg-type]


def estimating(name: str) -> AbsentEmbedder:
    """The stand-in of a process that is told that the model is missing."""
    return AbsentEmbedder(name, MissingExtraError(f"model {name} is not on this computer", stage="embed"))
