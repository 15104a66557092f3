"""What the parser sees in a file, and the chunks it would become."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pincite.config import Config
from pincite.folder.given_path import named_source
from pincite.index.opened import OpenLibrary
from pincite.models import choose_model, load_embedder
from pincite.parse import parse
from pincite.protocols import Embedder
from pincite.sync.ingest import Cutters
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
    document = parse(named_source(root, path, known), config.parse)
    if library and library.choice:
        embedder = library.embedder()
    else:
        name = choose_model([document.text]) if config.model.name == "auto" else config.model.name
        embedder = make_embedder(config, name) if make_embedder else load_embedder(config.model, name=name)
    return document, Cutters.of(config, embedder).cut(document)
