"""When the index of a library is opened and closed: on first use, and once no call uses it any more."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING
from weakref import WeakSet

from pincite.turns import Turns

if TYPE_CHECKING:
    from pincite.config import Config
    from pincite.index.opened import OpenLibrary
    from pincite.protocols import Embedder


@dataclass(frozen=True, slots=True)
class Place:
    """Where a library and its index are, with the settings and models it is opened with."""

    root: Path
    index_dir: Path
    config: Config
    make_embedder: Callable[[Config, str], Embedder] | None = None

    def open(self, *, read_only: bool = False) -> OpenLibrary:
        """The library, opened now."""
        from pincite.index.opened import OpenLibrary

        return OpenLibrary(self.root, self.index_dir, self.config, self.make_embedder, read_only=read_only)


class Opening:
    """The open index that the calls of one library share."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self.renew()
        _OPENINGS.add(self)

    def renew(self) -> None:
        """Starts again, with nothing open; what was open is left as it is."""
        self.now: OpenLibrary | None = None
        self.calls = Turns()
        self._first = RLock()

    def opened(self) -> OpenLibrary:
        """The open index; opened if it is not."""
        with self._first:
            if self.now is None:
                self.now = self._place.open()
            return self.now

    @contextmanager
    def looked_into(self) -> Iterator[OpenLibrary | None]:
        """The library for a look that writes nothing, also on a read-only disk; None without an index."""
        if self.now is not None or not (self._place.index_dir / "catalog.db").is_file():
            yield self.now
            return
        opened = self._place.open(read_only=True)
        try:
            yield opened
        finally:
            opened.close()

    def close(self) -> None:
        """Closes the index once the calls that run have ended; the next one opens it again."""
        with self.calls.alone():
            if self.now is not None:
                self.now.close()
                self.now = None


_OPENINGS: WeakSet[Opening] = WeakSet()
_OF_PARENT: list[OpenLibrary | None] = []


def _in_forked_child() -> None:
    """Has a forked process open its libraries anew.

    The connections, locks and threads of its parent are no use to it, and freeing them may wait for ever.
    """
    for opening in _OPENINGS:
        _OF_PARENT.append(opening.now)
        opening.renew()


os.register_at_fork(after_in_child=_in_forked_child)
