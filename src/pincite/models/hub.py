"""Models of the Hugging Face hub: found in local folders, and downloaded only by `pull`."""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pincite.errors import MissingExtraError, ModelError, UsageError
from pincite.models.folder import is_model

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[A-Za-z0-9][\w.-]*)?", re.ASCII)
_SMALL_FILES = (
    "config.json",
    "config_sentence_transformers.json",
    "modules.json",
    "sentence_bert_config.json",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "1_Pooling/config.json",
)
# The first group of which a repository has all files is the model.
_WEIGHTS = (("onnx/model.onnx",), ("model.onnx",), ("model.safetensors",))


def find(name: str) -> Path:
    """The folder of hub model `name`, from local folders alone. `MissingExtraError` if none has it."""
    checked(name)
    for folder in (pulled(name), *cached(name)):
        if is_model(folder):
            return folder
    raise MissingExtraError(
        f"model {name} is not on this computer; looked in {pulled(name)} and {cache_folder(name)}",
        stage="embed",
        hint=f"pincite pull {name}",
    )


def pull(name: str) -> Path:
    """Downloads model `name` and returns its folder; a complete copy that is there is kept.

    Raises `ModelError` when the hub cannot be reached, or has no model of that name that runs here.
    """
    checked(name)
    target = pulled(name)
    if is_model(target):
        return target
    partial = target.with_name(f".{target.name}.partial")
    files = wanted_files(name, listed_files(name))
    download(name, files, partial)
    shutil.rmtree(partial / ".cache", ignore_errors=True)
    shutil.rmtree(target, ignore_errors=True)
    partial.replace(target)
    return target


def listed_files(name: str) -> list[str]:
    """The paths of all files in the hub's repository `name`."""
    from huggingface_hub import HfApi

    try:
        with _silent():
            return HfApi().list_repo_files(name)
    except Exception as error:  # the client's errors share no public class
        raise _unreachable(name, error) from error


def wanted_files(name: str, listed: Sequence[str]) -> list[str]:
    """The files to download: settings, tokeniser and one set of weights, with its external data."""
    weights = next((group for group in _WEIGHTS if set(group) <= set(listed)), None)
    if weights is None or "tokenizer.json" not in listed:
        raise ModelError(
            f"hub model {name} has neither onnx/model.onnx nor Model2Vec weights with a tokenizer.json",
            hint=f"Use it through sentence-transformers: model = 'st:{name}'.",
        )
    extra = {f"{path}_data" for path in weights} | {f"{path}.data" for path in weights}
    return sorted(set(listed) & {*_SMALL_FILES, *weights, *extra})


def download(name: str, files: Sequence[str], target: Path) -> None:
    """Fetches the files into `target`; what an earlier try left there is used."""
    from huggingface_hub import hf_hub_download

    for file in files:
        try:
            with _silent():
                hf_hub_download(name, file, local_dir=target)
        except Exception as error:  # as above
            raise _unreachable(name, error) from error


@contextmanager
def _silent() -> Iterator[None]:
    """Keeps the client from logging each try: what went wrong is in the error that is raised."""
    client = logging.getLogger("huggingface_hub")
    before = client.level
    client.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        client.setLevel(before)


def data_folder() -> Path:
    """Where pulled models are kept: `$XDG_DATA_HOME/pincite/models`."""
    home = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(home).expanduser() / "pincite" / "models"


def pulled(name: str) -> Path:
    """The folder `pull` puts model `name` in."""
    return data_folder() / name.replace("/", "--")


def cache_folder(name: str) -> Path:
    """The hub client's own cache folder for model `name`."""
    cache = (
        os.environ.get("HF_HUB_CACHE") or Path(os.environ.get("HF_HOME") or "~/.cache/huggingface") / "hub"
    )
    return Path(cache).expanduser() / f"models--{name.replace('/', '--')}"


def cached(name: str) -> list[Path]:
    """The snapshots of model `name` in the hub client's cache, the current one first."""
    folder = cache_folder(name)
    snapshots = sorted((folder / "snapshots").glob("*"))
    main = folder / "refs" / "main"
    current = main.read_text("utf-8").strip() if main.is_file() else ""
    return sorted(snapshots, key=lambda path: (path.name != current, path.name))


def checked(name: str) -> str:
    """The name, if it can be one of the hub's. Raises `UsageError` otherwise."""
    if not _NAME.fullmatch(name) or "--" in name or ".." in name:
        raise UsageError(f"model.name: {name!r} is not a model name of the hub", hint="Use hub:ORG/NAME.")
    return name


def _unreachable(name: str, error: Exception) -> ModelError:
    reason = " ".join(str(error).split())[:300]
    return ModelError(
        f"hub model {name} could not be downloaded: {reason}",
        hint="Check the name and the network, then run the same command again.",
        retryable=True,
    )
