"""Gives chunks their vectors: each distinct text once, in batches that are kept as they finish."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from pincite.errors import MissingExtraError, ModelError, PinciteError
from pincite.index.catalog import SqliteCatalog
from pincite.protocols import Embedder, Vectors
from pincite.types import Progress

_FIRST_BATCH, _LARGEST_BATCH = 1, 256
_SECONDS = 1.5  # how long one batch should take: what a kill can lose
_PAGE = 4096
_FEW = 64  # texts
_GIVE_UP_AFTER = 3  # texts in a row that fail alone before the model counts as down
_ALL_BAD = 64  # texts from the first on without a usable vector before no more are asked, and paid, for

Pending = tuple[bytes, str, list[int]]


@runtime_checkable
class ByRequest(Protocol):
    """An embedder that sends its texts somewhere."""

    def requests(self, texts: Sequence[str]) -> list[int]:
        """How many of the texts, in order, go into each request."""
        ...


@dataclass(slots=True)
class Embedded:
    """How many texts got a vector, how many failed, and the model's error if it is down.

    `streak` counts the failures since the last success. `hint` is what mends the error; `missing` says that
    the model is not on this computer. `unpacked` says why the search index was not packed after it.
    """

    texts: int = 0
    failed: int = 0
    streak: int = 0
    error: str = ""
    hint: str = ""
    missing: bool = False
    unpacked: str = ""
    problems: list[str] = field(default_factory=list)


def embed_pending(
    catalog: SqliteCatalog,
    embedder: Embedder,
    *,
    progress: Callable[[Progress], None] | None = None,
) -> Embedded:
    """Embeds every text that waits for its vector, shortest first. A text that fails stays pending, named."""
    done, total = Embedded(), catalog.counts()["pending"]
    for batch in _batches(catalog):
        _embed_batch(catalog, embedder, batch, done)
        if progress:
            progress(Progress("embed", total - catalog.counts()["pending"], total, "chunks"))
        if done.error:
            break
    if done.failed and not done.texts:
        done.error = done.error or done.problems[-1]
    return done


def is_brief(catalog: SqliteCatalog, embedder: Embedder) -> bool:
    """Whether all texts that wait have their vectors in about a second: they are few, and stay here."""
    return not isinstance(embedder, ByRequest) and catalog.counts()["pending"] <= _FEW


def none_embedded(catalog: SqliteCatalog, error: PinciteError) -> Embedded:
    """Nothing, for want of the model that the error keeps away; no error if no text waits for it."""
    if not catalog.counts()["pending"]:
        return Embedded()
    return Embedded(error=error.message, hint=error.hint, missing=isinstance(error, MissingExtraError))


def _batches(catalog: SqliteCatalog) -> Iterator[list[Pending]]:
    """Batches that take about `_SECONDS` each, however fast the model is and however long the texts."""
    size = _FIRST_BATCH
    while page := catalog.pending(_PAGE):
        at = 0
        while at < len(page):
            started = time.monotonic()
            yield page[at : at + size]
            at += size
            took = time.monotonic() - started
            if took < _SECONDS / 2:
                size = min(size * 2, _LARGEST_BATCH)
            elif took > _SECONDS:
                size = max(size // 2, 1)


def embed_texts(catalog: SqliteCatalog, embedder: Embedder, pending: Sequence[Pending]) -> Embedded:
    """Embeds these texts now; failures are recorded and the rest goes on."""
    done = Embedded()
    if pending:
        _embed_batch(catalog, embedder, list(pending), done)
    return done


def _embed_batch(catalog: SqliteCatalog, embedder: Embedder, batch: list[Pending], done: Embedded) -> None:
    """One call for each part that the model takes at once: what came of it is kept before the next."""
    at = 0
    for size in _parts(embedder, batch):
        if not done.error:
            _embed_part(catalog, embedder, batch[at : at + size], done)
        at += size


def _parts(embedder: Embedder, batch: list[Pending]) -> list[int]:
    if isinstance(embedder, ByRequest):
        return embedder.requests([text for _, text, _ in batch])
    return [len(batch)]


def _embed_part(catalog: SqliteCatalog, embedder: Embedder, batch: list[Pending], done: Embedded) -> None:
    """One call; if it fails for one of its texts, calls for smaller parts, to find out which."""
    try:
        _keep(catalog, batch, embedder.embed_documents([text for _, text, _ in batch]), done)
    except ModelError as error:
        if error.ends_run:
            done.error, done.hint = error.message, error.hint
        elif len(batch) > 1:
            for part in _smaller(batch, error):
                if not done.error:
                    _embed_part(catalog, embedder, part, done)
        else:
            _fail(catalog, batch[0], error.message, done)
            if done.streak >= _GIVE_UP_AFTER and (error.retryable or not done.texts):
                done.error, done.hint = error.message, error.hint


def _smaller(batch: list[Pending], error: ModelError) -> list[list[Pending]]:
    """The halves of a batch; before them single texts, which soon show whether a model is down."""
    alone = _GIVE_UP_AFTER if error.retryable else 0
    rest = batch[alone:]
    half = len(rest) // 2
    parts = [*([one] for one in batch[:alone]), rest[:half], rest[half:]]
    return [part for part in parts if part]


def _keep(catalog: SqliteCatalog, batch: list[Pending], rows: Vectors, done: Embedded) -> None:
    if rows.shape[0] != len(batch):
        raise ModelError(f"the model returned {rows.shape[0]} vectors for {len(batch)} texts")
    good = {}
    for item, row in zip(batch, rows, strict=True):
        try:
            good[item[0]] = unit(row)
        except ModelError as error:
            _fail(catalog, item, error.message, done)
    with catalog.transaction():
        catalog.put_vectors(good)
    done.texts += len(good)
    done.streak = 0 if good else done.streak
    if not done.texts and done.streak >= _ALL_BAD:
        done.error = f"{done.problems[-1]}, and so for each of the first {done.streak} texts"


def unit(vector: Vectors) -> Vectors:
    """The vector at length 1. Raises `ModelError` for one that has no direction."""
    if not np.isfinite(vector).all():
        raise ModelError("the model gave a vector with a value that is not finite")
    length = np.linalg.norm(vector.astype(np.float64))  # the squares of tiny values are 0 in float32
    if not length:
        raise ModelError("the model gave a zero vector")
    at_one: Vectors = (vector / length).astype(np.float32)
    return at_one


def _fail(catalog: SqliteCatalog, item: Pending, problem: str, done: Embedded) -> None:
    with catalog.transaction():
        catalog.put_problem(item[0], problem)
    done.failed, done.streak = done.failed + 1, done.streak + 1
    done.problems.append(problem)
