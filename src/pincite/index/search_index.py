"""Keeps the search index equal to the catalog, between processes; makes it anew when it cannot be trusted.

A writer never touches what others read: it makes the next generation beside the current one, and readers
move on at their next question. Only writers take `search.lock`.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import IndexStaleError, StoreError
from pincite.index import tree
from pincite.index.catalog import SqliteCatalog
from pincite.index.draft import Draft, Session
from pincite.index.failures import naming_files
from pincite.index.generations import Generation, Generations, held
from pincite.index.lock import hold, holder, is_held
from pincite.index.points import POINTS_FORMAT
from pincite.index.seal import check_seal
from pincite.index.trial import withstands
from pincite.types import Everything

if TYPE_CHECKING:
    from pincite.index.qdrant_edge import QdrantEdgeIndex

_FEW_CHANGES = 1000
_TRIES = 20  # generations that may be removed, or found damaged, between being chosen and being opened
_PATIENCE = 0.5  # seconds a question waits for texts that are just being published
_NOTED_SECONDS = 2.0  # it waits for a writer's note, in which time it could try what has none
_POLL_SECONDS = 0.05
_SPARE_BYTES = 32_000_000  # what stays free on the disk beside what is written
NEW_SHARD_BYTES = 128_000_000  # an empty shard's files, where the file system keeps no holes


class SearchIndexFile:
    """The search index of one index folder, between the processes that use it.

    With `read_only` nothing is written there: a shard is copied to a place of its own to be searched.
    """

    def __init__(self, folder: Path, catalog: SqliteCatalog, *, wait: float, read_only: bool = False) -> None:
        self.folder = folder
        self._catalog = catalog
        self._wait = wait
        self._read_only = read_only
        self._generations = Generations(folder / "search")
        self._lock = folder / "search.lock"
        self._open_number = 0
        self._tried = 0

    # ── reading ───────────────────────────────────────────────────────────────────────────────
    @contextmanager
    def reading(self) -> Iterator[QdrantEdgeIndex]:
        """The newest generation, for searching. It may lack what a sync that runs now has changed.

        Waits only while there is none to search, because somebody makes it. One that its engine finds
        damaged loses its seal, so that it is made anew.
        """
        self._catch_up_if_free()
        for _ in range(_TRIES):
            seen = self._generations.sealed()
            generation = self._current()
            if generation is None:
                self._make_first(seen)
                continue
            with held(generation) as kept, self._place(generation) as place:
                index = self._opened(generation, place) if kept else None
                if index is None:
                    continue
                self._open_number = generation.number
                try:
                    yield index
                finally:
                    index.close()
                    if index.broken:
                        self._distrust(generation)
                return
        raise StoreError(
            f"{self.folder}: the search index keeps changing", stage="search index", hint="try again"
        )

    def _opened(self, generation: Generation, place: Path) -> QdrantEdgeIndex | None:
        """The shard; None if its engine cannot read it, or it lacks chunks, though it is as it was sealed."""
        try:
            index = _load(place)
        except StoreError:
            if self._read_only:
                raise
            self._distrust(generation)
            return None
        whole = index.count(Everything()) == self._catalog.counts()["chunks"]
        if whole or self._read_only or not self._catalog.outbox.is_empty():
            return index
        index.close()
        self._distrust(generation)
        return None

    @contextmanager
    def _place(self, generation: Generation) -> Iterator[Path]:
        """Where the engine may open a generation: it writes even to read. On a read-only disk, a copy."""
        if not self._read_only:
            yield generation.folder
            return
        with tempfile.TemporaryDirectory(prefix="pincite-", ignore_cleanup_errors=True) as folder:
            copied = Path(folder, "shard")
            tree.copy(generation.folder, copied)
            yield copied

    def outdated(self) -> bool:
        """Whether the generation that is read now has a successor, or could get one."""
        if self.moved_on():
            return True
        return self._catalog.outbox.has_texts() and not self._read_only and not is_held(self._lock)

    def moved_on(self) -> bool:
        """Whether there is a newer generation than the one that was opened last."""
        sealed = self._generations.sealed()
        return bool(self._open_number and sealed) and sealed[0].number != self._open_number

    def wait_for_writer(self) -> None:
        """Waits a moment while a writer publishes what it has just changed in the catalog.

        In between the old text of a file is gone, and its new text is not found yet.
        """
        until = time.monotonic() + _PATIENCE
        while self._catalog.outbox.has_texts() and is_held(self._lock) and time.monotonic() < until:
            time.sleep(0.01)

    def behind(self) -> str:
        """Who brings texts into the index that a search just now did not find; "" if it lacked none."""
        if not (self._catalog.outbox.has_texts() or self.moved_on()):
            return ""
        return holder(self._lock) or holder(self.folder / "sync.lock") or "the next sync"

    def _catch_up_if_free(self) -> None:
        """Applies what waits, unless a writer is at it; vectors alone are left to a sync that runs."""
        outbox = self._catalog.outbox
        if self._read_only or outbox.is_empty():
            return
        if not outbox.has_texts() and is_held(self.folder / "sync.lock"):
            return
        try:
            self._renew(0)
        except IndexStaleError:
            return

    def _make_first(self, seen: Sequence[Generation]) -> None:
        if self._read_only:
            raise StoreError(
                f"{self.folder}: its search index was not finished, and nothing can be written there",
                stage="search index",
                hint="copy it to a place that can be written; then: pincite sync --index THERE",
            )
        waited = self._wait_for_another(seen)
        if waited is not None:
            self._renew(self._wait - waited, waited=waited)

    def _wait_for_another(self, seen: Sequence[Generation]) -> float | None:
        """The seconds waited for the writers' lock; None once other generations are there than `seen`."""
        started = time.monotonic()
        while is_held(self._lock) and time.monotonic() - started < self._wait:
            if self._generations.sealed() != seen:
                return None
            time.sleep(_POLL_SECONDS)
        return min(self._wait, time.monotonic() - started)

    # ── writing ───────────────────────────────────────────────────────────────────────────────
    def bring_up_to_date(self) -> bool:
        """Applies the outbox, or makes anew what cannot be trusted; returns whether anything was written."""
        return self._renew(self._wait)

    def _renew(self, wait: float, *, waited: float = 0.0) -> bool:
        with hold(self._lock, wait=wait, waited=waited), naming_files(self.folder):
            if self._current() is not None and self._catalog.outbox.is_empty():
                return False
            with self._draft() as draft:
                draft.publish()
        return True

    @contextmanager
    def writing(self) -> Iterator[Callable[[], None]]:
        """Has the writers' lock; the call it gives applies and publishes the outbox, whenever it is made."""
        with hold(self._lock, wait=self._wait), Session(self._catalog, self._draft) as session:
            yield session.apply
            session.publish()

    @property
    def worth_optimizing(self) -> bool:
        """Whether a tenth of the index, or a thousand changes, were written since it was last packed."""
        changes = self._applied - int(self._catalog.get("optimized") or 0)
        return changes >= max(_FEW_CHANGES, self._catalog.counts()["chunks"] // 10)

    def optimize(self) -> str:
        """Packs the shard so that it opens fast, and builds the graph over the vectors if they are many.

        Returns "", or why it was left out: all can be searched without, so want of room is no failure.
        """
        with hold(self._lock, wait=self._wait):
            if lacking := self._lacks_room(2 * self._allocated()):  # a copy, and its packed form beside it
                return f"the search index was not packed, for which the disk has too little room ({lacking})"
            with self._draft() as draft:
                draft.publish(packed=True)
        return ""

    def _allocated(self) -> int:
        current = self._current()
        return tree.allocated(current.folder) if current else NEW_SHARD_BYTES

    def need_room(self, size: int) -> None:
        """Raises `StoreError` unless `size` bytes fit on the disk with some to spare.

        The shard writes through mapped files: on a full disk the system would end the process, unasked.
        """
        if lacking := self._lacks_room(size):
            raise StoreError(
                f"{self.folder}: the disk is full: {lacking}",
                stage="search index",
                hint="free some disk space, or put the index elsewhere with --index DIR; then: pincite sync",
            )

    def _lacks_room(self, size: int) -> str:
        """How much is free and needed where `size` bytes do not fit with some to spare; "" where they do."""
        free, needed = shutil.disk_usage(self.folder).free, size + _SPARE_BYTES
        return f"{free / 1e6:,.0f} MB free, {needed / 1e6:,.0f} needed" if free < needed else ""

    @contextmanager
    def _draft(self) -> Iterator[Draft]:
        """The next generation, gone again unless it is published. The caller has the writers' lock.

        A copy of the current one, or made anew if there is none or its engine cannot read it.
        """
        draft = Draft(self._catalog, self._generations, label=self._facts(), need_room=self.need_room)
        try:
            with naming_files(self.folder):
                current = self._current()
                self._generations.clean(keep=current)
                self._begin(draft, current)
                yield draft
        finally:
            draft.drop()

    def _begin(self, draft: Draft, current: Generation | None) -> None:
        try:
            draft.begin(current)
        except StoreError:
            if current is None:
                raise
            self._distrust(current)
            draft.begin(None)

    # ── which generation may be trusted ───────────────────────────────────────────────────────
    def _current(self) -> Generation | None:
        """The newest generation that is as it was sealed and lacks nothing but what the outbox has."""
        for generation in self._generations.sealed():
            sealed = check_seal(generation.seal, generation.folder)
            if sealed.state == "sealed" and self._fits(sealed.label) and self._is_safe(generation):
                return generation
        return None

    def _is_safe(self, generation: Generation) -> bool:
        """Whether the engine may open it in this process: one that was not made here is tried first.

        What is on a read-only disk is always tried, as its times may have been made with it.
        """
        if generation.number == self._tried or (not self._read_only and self._is_from_here(generation)):
            return True
        from pincite.index.payload import DENSE, TERMS

        with self._place(generation) as place:
            safe = withstands(place, terms=TERMS, dense=DENSE)
            # The engine mends some of what it finds: what it has changed is no more what was sealed.
            if not safe or check_seal(generation.seal, place).state != "sealed":
                self._distrust(generation)
                return False
        self._tried = generation.number
        if not self._read_only:
            generation.note_here()
        return True

    def _is_from_here(self, generation: Generation) -> bool:
        """Waits a moment for a writer, who seals a generation before noting where it was made."""
        until = time.monotonic() + _NOTED_SECONDS
        while not (noted := generation.is_from_here()) and is_held(self._lock) and time.monotonic() < until:
            time.sleep(0.01)
        return noted

    def _fits(self, label: str) -> bool:
        facts, _, applied = label.rpartition(":")
        if facts != self._facts() or not applied.isdecimal():
            return False
        return self._applied <= int(applied) <= self._catalog.outbox.last()

    def _facts(self) -> str:
        """What must be equal in catalog and shard: the catalog's id and epoch, the dimension, the form."""
        catalog = self._catalog
        return ":".join(map(str, (*map(catalog.get, ("library", "epoch", "dimension")), POINTS_FORMAT)))

    def _distrust(self, generation: Generation) -> None:
        if not self._read_only:
            tree.remove(generation.seal)

    @property
    def _applied(self) -> int:
        return int(self._catalog.get("applied") or 0)


def _load(place: Path) -> QdrantEdgeIndex:
    from pincite.index.qdrant_edge import QdrantEdgeIndex

    return QdrantEdgeIndex(place)
