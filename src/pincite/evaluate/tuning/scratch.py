"""Indexes of the same documents under other settings, made in a folder of their own beside the index.

Each begins as a copy of the catalog: other stemmers only make its search index anew, and documents that
are cut anew keep the vector of every text that stays the same.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pincite.config import Config
from pincite.errors import StoreError
from pincite.folder.read import look, read_uri
from pincite.index.opened import OpenLibrary
from pincite.pipeline import ingest
from pincite.protocols import Vectors
from pincite.sync.report import disk_bytes
from pincite.types import Progress, Question, Span

WHOLE_UP_TO = 1000
"""Chunks up to which a change that needs new vectors is tried on all documents; else on about as many."""

_JUDGED_SHARE = 0.7
_OPEN = 3
_FOLDER = "tune"

Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Sample:
    """Some documents with all that is judged for some questions; `chunks` as they are cut now."""

    uris: tuple[str, ...]
    question_ids: frozenset[str]
    chunks: int


def sample_of(library: OpenLibrary, questions: Sequence[Question]) -> Sample | None:
    """About 1,000 chunks: those judged for the first questions, then others; None if there are no more.

    Questions are taken in the order given until their documents have 700 chunks, but at least one.
    """
    catalog = library.catalog
    if catalog.counts()["chunks"] <= WHOLE_UP_TO:
        return None
    ids = {uri: doc_id for doc_id, uri in catalog.document_ids()}
    sizes = {uri: len(catalog.points_of(doc_id)) for uri, doc_id in ids.items()}
    taken: dict[str, int] = {}
    asked: list[str] = []
    for question in questions:
        more = {qrel.uri: sizes[qrel.uri] for qrel in question.qrels if qrel.uri in sizes}
        if asked and sum({**taken, **more}.values()) > _JUDGED_SHARE * WHOLE_UP_TO:
            break
        taken.update(more)
        asked.append(question.id)
    for uri in sorted(sizes.keys() - taken.keys(), key=lambda uri: hashlib.sha256(uri.encode()).hexdigest()):
        if sum(taken.values()) >= WHOLE_UP_TO:
            break
        taken[uri] = sizes[uri]
    return Sample(tuple(sorted(taken)), frozenset(asked), sum(taken.values()))


class SharedModel:
    """The library's model for other indexes: a query is embedded once for all, and `close` leaves it open."""

    def __init__(self, library: OpenLibrary) -> None:
        self._library = library
        self._model = library.checked_embedder()
        self.name, self.fingerprint = self._model.name, self._model.fingerprint
        self.dimension, self.limit = self._model.dimension, self._model.limit

    def count(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text."""
        return self._model.count(texts)

    def spans(self, text: str) -> list[Span]:
        """The span of each token."""
        return self._model.spans(text)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text."""
        return self._model.embed_documents(texts)

    def embed_query(self, text: str) -> Vectors:
        """The unit vector of a query."""
        return self._library.query_vector(text)

    def close(self) -> None:
        """Nothing: the model is the library's."""


@dataclass(frozen=True, slots=True)
class Variant:
    """An open index under other settings: the seconds it took to make, and its megabytes."""

    library: OpenLibrary
    seconds: float
    megabytes: float


class Scratch:
    """A folder in `<index>/tune`, whose variants are kept until `remove`, so that none is made twice."""

    def __init__(self, library: OpenLibrary, name: str) -> None:
        self._library = library
        self._top = library.folder / _FOLDER
        self._folder = self._top / name
        self._model: SharedModel | None = None
        self._open: dict[str, Variant] = {}
        for other in sorted(self._top.iterdir()):
            if other.is_dir() and other.name != name:
                shutil.rmtree(other)  # of a tuning that was given up: other questions, or another index

    def variant(self, config: Config, sample: Sample | None, progress: Report | None) -> Variant:
        """The index of these settings, over a sample or all documents: made if it is not there."""
        facts = [asdict(config.chunk), config.stemmers, sample.uris if sample else ()]
        name = hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]
        if name not in self._open:
            while len(self._open) >= _OPEN:
                self._open.pop(next(iter(self._open))).library.close()
            self._open[name] = self._make(name, config, sample, progress)
        return self._open[name]

    def _make(self, name: str, config: Config, sample: Sample | None, progress: Report | None) -> Variant:
        self._model = model = self._model or SharedModel(self._library)
        root = self._documents(sample) if sample else self._library.root
        folder = self._folder / name
        config = replace(config, sync=replace(config.sync, gitignore=config.sync.gitignore and not sample))
        if not (folder / "catalog.db").is_file():
            _copy(self._library.folder / "catalog.db", folder)
        opened = OpenLibrary(root, folder, config, lambda *_: model)
        try:
            seconds = _completed(opened, progress)
        except BaseException:
            opened.close()
            raise
        return Variant(opened, seconds, megabytes(folder))

    def _documents(self, sample: Sample) -> Path:
        """A folder with the sample's files."""
        key = hashlib.sha256("\0".join(sample.uris).encode("utf-8", "surrogatepass")).hexdigest()[:12]
        root = self._folder / f"documents-{key}"
        for uri in sample.uris:
            there = root / uri
            if not there.exists():
                there.parent.mkdir(parents=True, exist_ok=True)
                there.write_bytes(read_uri(self._library.root, uri).data)
                modified = look(self._library.root, uri).st_mtime_ns
                os.utime(there, ns=(modified, modified))
        return root

    def close(self) -> None:
        """Closes the variants; they stay on disk."""
        while self._open:
            self._open.popitem()[1].library.close()

    def remove(self) -> None:
        """Closes the variants and takes them from the disk."""
        self.close()
        if self._folder.is_dir():
            shutil.rmtree(self._folder)


def megabytes(index: Path) -> float:
    """What an index takes on the disk, without the tuning in it and the pages its catalog could give back."""
    address = f"{(index / 'catalog.db').resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as catalog:
        free, size = (
            catalog.execute(f"PRAGMA {what}").fetchone()[0] for what in ("freelist_count", "page_size")
        )
    return float(disk_bytes(index) - disk_bytes(index / _FOLDER) - free * size) / 1e6


def make_tune_folder(index: Path) -> Path:
    """The folder that tuning writes to, made if it is missing.

    An index may come with the documents, so a link anywhere in it is refused: a `StoreError`.
    """
    folder = index / _FOLDER
    names = (
        [here, *(f"{here}/{name}" for name in (*below, *files))] for here, below, files in os.walk(folder)
    )
    if link := next((name for each in names for name in each if os.path.islink(name)), ""):  # noqa: PTH114
        raise StoreError(f"{link} is a link, and links are not followed", stage="evaluate")
    folder.mkdir(exist_ok=True)
    return folder


def _completed(library: OpenLibrary, progress: Report | None) -> float:
    """Completes an index; the seconds it took in all, those of a run that was interrupted included."""
    catalog = library.catalog
    state: dict[str, Any] = catalog.get("tuned") or {"seconds": 0.0, "done": False}
    if not state["done"]:
        started = time.monotonic()
        try:
            ingest(library, progress=progress)
            state["done"] = True
        finally:
            state["seconds"] += time.monotonic() - started
            catalog.put(tuned=state)
    return float(state["seconds"])


def _copy(catalog: Path, folder: Path) -> None:
    """Copies a catalog, whole or not at all, and without what says that it is complete."""
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / "catalog.part"
    part.unlink(missing_ok=True)
    address = f"{catalog.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as source, closing(sqlite3.connect(part)) as target:
        source.backup(target)
    part.replace(folder / "catalog.db")
