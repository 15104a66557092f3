"""Embedding models. Each adapter returns plain arrays: it never sorts results, cuts documents or logs.

english        all-MiniLM-L6-v2, bundled
multilingual   Universal Sentence Encoder v3, bundled
hub:ORG/NAME   a model fetched before with `pincite pull`, or found in the hub's own cache
a folder       an ONNX or Model2Vec model
st:NAME        through the sentence-transformers package
api:NAME       an OpenAI-compatible /embeddings endpoint
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import ModelError, UsageError
from pincite.models.choose import choose_model, detect_language
from pincite.models.profiles import Profile, profile

if TYPE_CHECKING:
    from pincite.config import ModelConfig
    from pincite.protocols import Embedder


def load_embedder(config: ModelConfig, *, name: str | None = None) -> Embedder:
    """The embedder `name`, or `config.name` if none is given. Local models never touch the network.

    A name of none of the built-in kinds is a folder, or what an installed package offers under it (entry
    points `pincite.embedders`, each a function from `ModelConfig` to an embedder).

    Raises `UsageError` for an unknown name, `MissingExtraError` for a model or package that is not
    here, `ModelError` for one that cannot be loaded.
    """
    wanted = name or config.name
    kind, _, rest = wanted.partition(":")
    if wanted == "english":
        from pincite.models import minilm

        return minilm.load(threads=config.threads)
    if wanted == "multilingual":
        from pincite.models import use

        return use.load(threads=config.threads)
    if kind == "hub" and rest:
        from pincite.models.hub import find

        return _from_folder(find(rest), config, rest)
    if kind == "st" and rest:
        from pincite.models.st import load as load_st

        return load_st(rest, config)
    if kind == "api" and rest:
        from pincite.models.api import load as load_api

        return load_api(rest, config)
    path = Path(os.path.expanduser(wanted))  # noqa: PTH111  unlike Path's, it never raises
    if os.path.isdir(path):  # noqa: PTH112  neither does this
        return _from_folder(path, config, path.resolve().name)
    if (installed := _installed(wanted)) is not None:
        return installed(config)
    raise UsageError(
        f"model.name: {wanted[:200]!r} is neither a known model nor a folder",
        stage="embed",
        hint="Use english, multilingual, hub:ORG/NAME, a model folder, st:NAME or api:NAME.",
    )


def _installed(name: str) -> Callable[[ModelConfig], Embedder] | None:
    """What makes the embedder of this name in an installed package; None when no package offers it."""
    from importlib.metadata import entry_points

    found = next(iter(entry_points(group="pincite.embedders", name=name)), None)
    return found.load() if found else None


def _from_folder(folder: Path, config: ModelConfig, name: str) -> Embedder:
    """The embedder in a folder: ONNX if it has a graph, else Model2Vec. `ModelError` if it is neither."""
    from pincite.models.folder import is_model2vec, onnx_file

    if onnx_file(folder) is not None:
        from pincite.models import onnx_folder

        return onnx_folder.load(folder, config, name=name)
    if is_model2vec(folder):
        from pincite.models import model2vec

        return model2vec.load(folder, config, name=name)
    raise ModelError(
        f"{folder}: expected tokenizer.json and config.json with onnx/model.onnx, model.onnx or Model2Vec's "
        "model.safetensors",
        hint=f"Use it through sentence-transformers: model = 'st:{folder}'.",
    )


def pull(name: str) -> Path:
    """Downloads hub model `ORG/NAME` for offline use and returns its folder."""
    from pincite.models.hub import pull as download

    return download(name)


__all__ = ["Profile", "choose_model", "detect_language", "load_embedder", "profile", "pull"]
