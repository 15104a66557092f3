"""What a server makes a call do besides answering: a wait, a setting left out. A surface may listen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """Inside, `listener` is told each line, in the thread that waits."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def tell(line: str) -> None:
    """Tells whoever listens."""
    if listener := _listener.get():
        listener(line)
