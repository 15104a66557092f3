"""Keeps the search index equal to the catalog, between processes; makes it anew when its seal is broken.

Files of an index folder: `catalog.db` (the truth), `search/` (the shard), `search.seal` (its hashes),
`search.lock` (shared by readers, exclusive for a write) and `sync.lock` (one sync at a time).
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import IndexStaleError, StoreError
from pincite.index.catalog import SqliteCatalog
from pincite.index.lock import hold
from pincite.index.points import POINTS_FORMAT, apply_outbox, write_every_point
from pincite.index.seal import break_seal, check_seal, files_below, write_seal

if TYPE_CHECKING:
    from pincite.index.qdrant_edge import QdrantEdgeIndex

_FEW_CHANGES = 1000
_TURN_SECONDS, _BETWEEN_TURNS = 8.0, 0.2  # a search waits 10 s by default
_SPARE_BYTES = 32_000_000  # what stays free on the disk beside what is written
NEW_SHARD_BYTES = 128_000_000  # an empty shard's files, where the file system keeps no holes


class SearchIndexFile:
    """The search index of one index folder, between the processes that use it.

    `alone` waits until no thread of this process reads it, and keeps them waiting inside its block; a
    thread that reads may catch up without it.
    """

    def __init__(
        self,
        folder: Path,
        catalog: SqliteCatalog,
        *,
        wait: float,
        alone: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self.folder = folder
        self._catalog = catalog
        self._wait = wait
        self._alone = alone

    @property
    def _path(self) -> Path:
        return self.folder / "search"

    @property
    def _seal(self) -> Path:
        return self.folder / "search.seal"

    @contextmanager
    def reading(self) -> Iterator[QdrantEdgeIndex]:
        """The index for searching; others may search at the same time.

        It is equal to the catalog, but may lack vectors that are in the catalog already: those are no
        reason to wait for another reader.
        """
        for _ in range(3):
            with hold(self.folder / "search.lock", exclusive=False, wait=self._wait):
                if self._usable():
                    index = self._load()
                    try:
                        yield index
                    finally:
                        index.close()
                    return
            self._catch_up(self._wait)
        raise StoreError(
            f"{self.folder}: the search index keeps changing", stage="search index", hint="try again"
        )

    def try_to_catch_up(self) -> None:
        """Applies what waits if nobody uses the index now; does nothing if somebody does."""
        try:
            self._catch_up(0)
        except IndexStaleError:
            return

    def bring_up_to_date(self) -> bool:
        """Applies the outbox, or rebuilds what cannot be trusted; returns whether anything was written."""
        with self._alone():
            return self._catch_up(self._wait)

    def _catch_up(self, wait: float) -> bool:
        with hold(self.folder / "search.lock", exclusive=True, wait=wait):
            if self._trusted() and self._catalog.outbox.is_empty():
                return False
            with self._session() as apply:
                apply()
        return True

    @contextmanager
    def writing(self) -> Iterator[Callable[[], None]]:
        """Holds the index for writing; the call it gives applies the outbox, as often as it is made.

        Every few seconds the index is finished and let go for a moment, so that searches get their turn.
        """
        with ExitStack() as turn:

            def take() -> tuple[float, Callable[[], None]]:
                turn.enter_context(self._alone())
                turn.enter_context(hold(self.folder / "search.lock", exclusive=True, wait=self._wait))
                return time.monotonic(), turn.enter_context(self._session())

            since, apply = take()

            def step() -> None:
                nonlocal since, apply
                apply()
                asked = self._catalog.get("read") is not None  # until then nobody can search it
                if asked and time.monotonic() - since > _TURN_SECONDS:
                    turn.close()
                    time.sleep(_BETWEEN_TURNS)
                    since, apply = take()

            yield step

    @property
    def worth_optimizing(self) -> bool:
        """Whether a tenth of the index, or a thousand changes, were written since it was last packed."""
        changes = self._applied - int(self._catalog.get("optimized") or 0)
        return changes >= max(_FEW_CHANGES, self._catalog.counts()["chunks"] // 10)

    def optimize(self) -> None:
        """Packs the shard so that it opens fast, and builds the graph over the vectors if they are many."""
        with self._alone(), hold(self.folder / "search.lock", exclusive=True, wait=self._wait):
            self.need_room(2 * sum(file.stat().st_blocks * 512 for file in files_below(self._path)))
            break_seal(self._seal)
            index = self._load()
            index.optimize()
            self._finish(index)
            self._catalog.put(optimized=self._applied)

    def need_room(self, size: int) -> None:
        """Raises `StoreError` unless `size` bytes fit on the disk with some to spare.

        The shard writes through mapped files: on a full disk the system would end the process, unasked.
        """
        free, needed = shutil.disk_usage(self.folder).free, size + _SPARE_BYTES
        if free < needed:
            raise StoreError(
                f"{self.folder}: the disk is full: {free / 1e6:,.0f} MB free, {needed / 1e6:,.0f} needed",
                stage="search index",
                hint="free some disk space, or put the index elsewhere with --index DIR; then: pincite sync",
            )

    @property
    def _applied(self) -> int:
        return int(self._catalog.get("applied") or 0)

    @property
    def _dimension(self) -> int:
        return int(self._catalog.get("dimension"))

    @property
    def _size(self) -> int:
        return self._catalog.counts()["chunks"]

    def _label(self, applied: int) -> str:
        """What the seal of an index of this catalog says: its id, epoch, dimension, form and last change."""
        catalog = self._catalog
        facts = (*map(catalog.get, ("library", "epoch", "dimension")), POINTS_FORMAT, applied)
        return ":".join(map(str, facts))

    def _usable(self) -> bool:
        """Whether the index may be searched: whole, and behind the catalog by vectors at most."""
        return not self._catalog.outbox.has_texts() and self._trusted()

    def _trusted(self) -> bool:
        sealed = check_seal(self._seal, self._path, files_below(self._path))
        return sealed.state == "sealed" and sealed.label == self._label(self._applied)

    def _load(self) -> QdrantEdgeIndex:
        from pincite.index.qdrant_edge import QdrantEdgeIndex

        return QdrantEdgeIndex(self._path, dimension=self._dimension, size=self._size)

    @contextmanager
    def _session(self) -> Iterator[Callable[[], None]]:
        """The open shard, unsealed until it is whole again; made anew from the catalog if it was not."""
        trusted = self._trusted()
        self.need_room(0 if trusted else NEW_SHARD_BYTES)
        break_seal(self._seal)
        index = self._load() if trusted else self._made_anew()

        try:
            yield lambda: apply_outbox(self._catalog, index, need_room=self.need_room)
        except StoreError:
            index.close()  # unsealed: the next opening makes it anew
            raise
        except BaseException:
            self._finish(index)
            raise
        self._finish(index)

    def _made_anew(self) -> QdrantEdgeIndex:
        """A new shard with every point of the catalog."""
        from pincite.index.qdrant_edge import QdrantEdgeIndex

        last = self._catalog.outbox.last()
        index = QdrantEdgeIndex(self._path, dimension=self._dimension, size=self._size, create=True)
        write_every_point(self._catalog, index, need_room=self.need_room)
        self._catalog.applied(last)
        self._catalog.put(optimized=0)
        return index

    def _finish(self, index: QdrantEdgeIndex) -> None:
        """Writes to disk and seals what is there now."""
        index.flush()
        index.close()
        self._load().close()  # opening folds the shard's journals; from here on its files stay as they are
        write_seal(self._seal, self._path, files_below(self._path), self._label(self._applied))
