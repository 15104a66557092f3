"""Embedding models. Each adapter returns plain arrays: it never sorts results, cuts documents or logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.config import ModelConfig
    from pincite.protocols import Embedder


def load_embedder(config: ModelConfig, *, name: str | None = None) -> Embedder:
    """The embedder `name`, or `config.name` if none is given."""
    wanted = name or config.name
    if wanted == "english":
        from pincite.models import minilm

        return minilm.load(threads=config.threads)
    if wanted == "multilingual":
        from pincite.models import use

        return use.load(threads=config.threads)
    raise UsageError(f"model.name: no model is called {wanted!r}")


__all__ = ["load_embedder"]
