"""Any model of the sentence-transformers package, run by it, one text a time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from pincite.config import ModelConfig
from pincite.errors import MissingExtraError, ModelError
from pincite.models.local import Encode, LocalEmbedder, prefix_room
from pincite.models.onnx_folder import DEFAULT_WINDOW
from pincite.models.prefixes import choose_prefixes
from pincite.models.tokens import Tokens, from_text
from pincite.protocols import Vectors


def load(name: str, config: ModelConfig) -> LocalEmbedder:
    """The embedder `name`, from the local cache or a folder; nothing is downloaded.

    Raises `MissingExtraError` without the package or the model.
    """
    model = open_model(name)
    tokens = tokens_of(model, name)
    query, document = choose_prefixes(name, model.prompts or {}, config)
    room = max(prefix_room(tokens, query), prefix_room(tokens, document))
    limit = (model.max_seq_length or DEFAULT_WINDOW) - len(tokens.before) - len(tokens.after) - room
    return LocalEmbedder(
        name=name,
        fingerprint=fingerprint(model, query, document, limit),
        dimension=int(model.get_sentence_embedding_dimension()),
        limit=limit,
        tokens=tokens,
        encode=encoder(model),
        query_prefix=query,
        document_prefix=document,
        threads=1,  # torch spreads one text over the cores itself
    )


def open_model(name: str) -> Any:
    """The `SentenceTransformer` of that name, on the processor, from local files alone."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtraError(
            f"model st:{name} needs the package sentence-transformers",
            stage="embed",
            hint="pip install 'pincite[sentence-transformers]'",
        ) from error
    try:
        return SentenceTransformer(name, device="cpu", local_files_only=True)
    except Exception as error:  # the package raises OSError, ValueError and others
        raise MissingExtraError(
            f"model st:{name} could not be loaded from local files: {' '.join(str(error).split())[:200]}",
            stage="embed",
            hint=f"huggingface-cli download {name}",
        ) from error


def tokens_of(model: Any, name: str) -> Tokens:
    """A copy of the model's fast tokeniser. Raises `ModelError` if it has none."""
    backend = getattr(model.tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise ModelError(f"model st:{name} has no fast tokeniser, so its texts cannot be measured")
    return from_text(backend.to_str(), f"st:{name}")


def encoder(model: Any) -> Encode:
    """The function from token ids to the model's sentence vector."""
    import torch

    def encode(ids: Sequence[int]) -> Vectors:
        row = torch.tensor([list(ids)])
        with torch.inference_mode():
            out = model({"input_ids": row, "attention_mask": torch.ones_like(row)})["sentence_embedding"]
        return np.asarray(out[0].float().cpu().numpy(), np.float32)

    return encode


def fingerprint(model: Any, *settings: object) -> str:
    """A hash over all weights and the settings."""
    digest = hashlib.sha256(repr(settings).encode())
    for key, value in sorted(model.state_dict().items()):
        digest.update(f"{key} {tuple(value.shape)}\n".encode())
        digest.update(value.float().cpu().numpy().tobytes())
    return digest.hexdigest()
