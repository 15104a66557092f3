"""When the index of a library is opened and closed: on first use, and once no call uses it any more."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING
from weakref import WeakSet

from pincite.index.turns import Turns

if TYPE_CHECKING:
    from pincite.index.opened import OpenLibrary


class Opening:
    """The open index that the calls of one library share.

    `catalog` is its file; `open` opens the library, with true for a look that writes nothing.
    """

    def __init__(self, catalog: Path, open: Callable[[bool], OpenLibrary]) -> None:
        self._catalog = catalog
        self._open = open
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
                self.now = self._open(False)
            return self.now

    @contextmanager
    def looked_into(self) -> Iterator[OpenLibrary | None]:
        """The library for a look that writes nothing, also on a read-only disk; None without an index."""
        if self.now is not None or not self._catalog.is_file():
            yield self.now
            return
        opened = self._open(True)
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
