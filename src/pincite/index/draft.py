"""The next generation of the search index while it is made: begun, brought up to the catalog, published."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import TYPE_CHECKING

from pincite.errors import StoreError
from pincite.index import tree
from pincite.index.catalog import SqliteCatalog
from pincite.index.generations import Generation, Generations
from pincite.index.points import NeedRoom, apply_outbox, write_every_point
from pincite.index.seal import label_of
from pincite.types import Everything

if TYPE_CHECKING:
    from pincite.index.qdrant_edge import QdrantEdgeIndex

NEW_SHARD_BYTES = 128_000_000  # an empty shard's files, where the file system keeps no holes


class Draft:
    """The next generation. `label` is what its seal says of the catalog; the last change done is added."""

    def __init__(
        self, catalog: SqliteCatalog, generations: Generations, *, label: str, need_room: NeedRoom
    ) -> None:
        self._catalog = catalog
        self._generations = generations
        self._label = label
        self._need_room = need_room
        self._index: QdrantEdgeIndex | None = None
        self._before: Generation | None = None
        self._applied = 0
        self.made = generations.new()

    def begin(self, before: Generation | None) -> None:
        """Starts from a copy of the generation `before`, or with every point of the catalog.

        Raises `StoreError` if there is no room, or the engine cannot read what was copied.
        """
        tree.remove(self.made.folder)
        self._before = before
        if before is None:
            self._need_room(NEW_SHARD_BYTES)
            self._applied = self._catalog.outbox.last()
            self._index = self._opened(create=True)
            write_every_point(self._catalog, self._index, need_room=self._need_room)
            return
        self._need_room(tree.allocated(before.folder))
        self._applied = int(label_of(before.seal).rpartition(":")[2])
        try:
            tree.copy(before.folder, self.made.folder)
        except OSError as error:
            raise StoreError(f"{before.folder} cannot be copied: {error}", stage="search index") from error
        self._index = self._opened(create=False)

    def _opened(self, *, create: bool) -> QdrantEdgeIndex:
        from pincite.index.qdrant_edge import QdrantEdgeIndex

        dimension, size = int(self._catalog.get("dimension")), self._catalog.counts()["chunks"]
        return QdrantEdgeIndex(self.made.folder, dimension=dimension, size=size, create=create)

    def apply(self) -> None:
        """Does what the outbox says and was not done yet."""
        assert self._index is not None
        self._applied = apply_outbox(self._catalog, self._index, self._applied, need_room=self._need_room)

    def publish(self, *, packed: bool = False) -> None:
        """Applies what is left, writes all to disk, and lets readers find it; `packed` for fast opening."""
        self.apply()
        assert self._index is not None
        if self._before is not None and self._differs(self._index):
            self._index.close()
            self.begin(None)
        if packed:
            self._index.optimize()
        self._index.flush()
        self._index.close()
        self._opened(create=False).close()  # folds the shard's journals; its files stay as they are from here
        self._index = None
        self._generations.publish(self.made, f"{self._label}:{self._applied}", before=self._before)
        self._catalog.applied(self._applied)
        if packed or self._before is None:
            self._catalog.put(optimized=self._applied if packed else 0)

    def _differs(self, index: QdrantEdgeIndex) -> bool:
        """Whether the shard has more or fewer points than the catalog has chunks, with nothing left to do."""
        there = index.count(Everything())
        return there != self._catalog.counts()["chunks"] and not self._catalog.outbox.entries(
            self._applied, 1
        )

    def drop(self) -> None:
        """Removes it, unless it was published."""
        if self._index is not None:
            self._index.close()
            self._index = None
        if not self.made.seal.exists():
            tree.remove(self.made.folder)


class Session:
    """What a sync applies batch by batch: each is published at once, so that it can be searched.

    Until the first sync has ended nobody can search, and all is published at its end. Nothing is begun
    before there is something to apply.
    """

    def __init__(self, catalog: SqliteCatalog, drafts: Callable[[], AbstractContextManager[Draft]]) -> None:
        self._catalog = catalog
        self._drafts = drafts
        self._open = ExitStack()
        self._draft: Draft | None = None

    def __enter__(self) -> Session:
        return self

    def apply(self) -> None:
        """Applies what the outbox holds."""
        if self._draft is None:
            if not self._catalog.outbox.has_texts():
                return
            self._draft = self._open.enter_context(self._drafts())
        self._draft.apply()
        if self._catalog.get("read") is not None:
            self.publish()

    def publish(self) -> None:
        """Lets readers find what was applied."""
        if self._draft is not None:
            self._draft.publish()
            self._open.close()
            self._draft = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.close()
