"""What the parser sees in a file, and the chunks it would become."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pincite.config import Config
from pincite.errors import InputError, MissingExtraError, ModelError
from pincite.folder.given_path import named_file
from pincite.folder.walk import FoundFile
from pincite.index.opened import OpenLibrary
from pincite.models import choose_model, load_embedder
from pincite.models.absent import AbsentEmbedder
from pincite.parse import parse
from pincite.parse.detect import is_isolated
from pincite.protocols import Embedder
from pincite.sync.ingest import Cutters
from pincite.sync.workers import read_documents
from pincite.types import Chunked, Document


def parsed(
    root: Path,
    path: Path,
    *,
    config: Config,
    library: OpenLibrary | None,
    make_embedder: Callable[[Config, str], Embedder] | None,
) -> tuple[Document, Chunked]:
    """The document and its chunks, for the model of the index; for the one a sync would choose without one.

    Raises `InputError` if there is no such file.
    """
    known = library.catalog.files if library else tuple
    if library and not any(os.path.exists(there) for there in (path, root / path)):  # noqa: PTH110
        _refuse_member(library, path.as_posix())
    document = _read(named_file(root, path, known), config)
    if library and library.choice:
        embedder = library.embedder()
    else:
        name = choose_model([document.text]) if config.model.name == "auto" else config.model.name
        embedder = _loaded(config, name, make_embedder)
    chunked = Cutters.of(config, embedder).cut(document)
    if isinstance(embedder, AbsentEmbedder) and embedder.estimates:
        chunked = replace(chunked, estimated=embedder.name)
    return document, chunked


def _loaded(config: Config, name: str, make_embedder: Callable[[Config, str], Embedder] | None) -> Embedder:
    """The model, or its stand-in: texts can be looked at without it."""
    try:
        return make_embedder(config, name) if make_embedder else load_embedder(config.model, name=name)
    except (MissingExtraError, ModelError) as error:
        return AbsentEmbedder(name, error)


def _refuse_member(library: OpenLibrary, uri: str) -> None:
    """Raises `InputError` for a file inside another: there is only its indexed text to be seen."""
    row = library.catalog.files_of([uri]).get(uri)
    if row is not None and row.container:
        message = f"{uri}: it stands inside {row.container}, which is parsed as a whole"
        raise InputError(message, uri=uri, hint=f"its indexed text: pincite show {shlex.quote(uri)}")


def _read(file: FoundFile, config: Config) -> Document:
    """The document; of a format that is more than text, read in a process of its own."""
    if not is_isolated(file.uri, file.head()):
        return parse(file.read(), config.parse)
    (found,) = read_documents([file], config)
    if isinstance(found, InputError):
        raise found
    return found
