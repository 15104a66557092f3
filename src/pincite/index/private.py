"""Files that a library makes for us are for their owner alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_turn = Lock()
_inside, _before = 0, 0


@contextmanager
def private() -> Iterator[None]:
    """Whatever makes a file or folder inside the block gives rights to nobody else.

    The system has one mask for the whole process: the first thread that enters sets it, the last one that
    leaves restores it.
    """
    global _inside, _before  # noqa: PLW0603
    with _turn:
        if not _inside:
            _before = os.umask(0o077)
        _inside += 1
    try:
        yield
    finally:
        with _turn:
            _inside -= 1
            if not _inside:
                os.umask(_before)
