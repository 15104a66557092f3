"""What is in a model folder: its kind, the settings in its JSON files, and the hash of its files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pincite.errors import ModelError

_ONNX = ("onnx/model.onnx", "model.onnx")
_WHOLE = 64 << 20  # files up to this many bytes are hashed whole
_BLOCK = 1 << 20


def is_model(folder: Path) -> bool:
    """Whether a folder holds a model this package runs, all files there."""
    return (folder / "tokenizer.json").is_file() and (onnx_file(folder) is not None or is_model2vec(folder))


def onnx_file(folder: Path) -> Path | None:
    """The ONNX graph of a folder, or None."""
    return next((folder / name for name in _ONNX if (folder / name).is_file()), None)


def is_model2vec(folder: Path) -> bool:
    """Whether a folder holds a Model2Vec static model."""
    if not (folder / "model.safetensors").is_file():
        return False
    settings = read_json(folder / "config.json")
    return settings.get("model_type") == "model2vec" or "StaticModel" in settings.get("architectures", ())


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file, {} if there is no such file. Raises `ModelError` if it is broken."""
    if not path.is_file():
        return {}
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ModelError(f"{path}: not a JSON file that can be read ({error})") from error
    if not isinstance(value, dict):
        raise ModelError(f"{path}: expected a JSON object, got {type(value).__name__}")
    return value


def hash_of(files: Iterable[Path], *settings: object) -> str:
    """A sha256 over the files' contents and the settings' values, in the order given.

    Of a file over 64 MB, its size and 64 blocks of 1 MB, evenly spaced, are read: other weights differ
    in all of them.
    """
    digest = hashlib.sha256()
    for path in files:
        size = path.stat().st_size
        digest.update(f"{path.name} {size}\n".encode())
        with path.open("rb") as file:
            if size <= _WHOLE:
                digest.update(file.read())
                continue
            for i in range(64):
                file.seek(i * (size - _BLOCK) // 63)
                digest.update(file.read(_BLOCK))
    digest.update(repr(settings).encode())
    return digest.hexdigest()
