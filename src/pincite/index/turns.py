"""Turns of threads: many share a thing beside each other, or one has it alone; neither side starves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import Condition, local
from typing import Any, ParamSpec, TypeVar

from pincite.errors import UsageError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Turns:
    """Who may use a thing now.

    One that wants it alone waits for those who share it, and new ones wait for its turn to end; after it
    all that waited by then go first. `renewable` says that the thing should be let go of before the next
    one shares it; `let_go` does that, while nobody uses it.
    """

    def __init__(
        self, renewable: Callable[[], bool] = lambda: False, let_go: Callable[[], None] = lambda: None
    ) -> None:
        self.changed = Condition()
        self._renewable = renewable
        self._let_go = let_go
        self._sharing, self._alone = 0, 0  # `_alone` counts those that wait for it too
        self._waiting, self._owed = 0, 0
        self._busy = False  # one thread has it alone now
        self._mine = local()

    @property
    def inside(self) -> bool:
        """Whether this thread has a turn of either kind now."""
        return bool(self._depth("sharing") or self._depth("alone"))

    def _depth(self, kind: str) -> int:
        return int(getattr(self._mine, kind, 0))

    @contextmanager
    def sharing(self) -> Iterator[None]:
        """Shares the thing inside the block; one inside another, of the same thread, never waits."""
        if self._depth("alone"):
            raise UsageError(
                "the library cannot be asked while this thread changes it",
                hint="ask after the sync has ended, or in another thread",
            )
        with self.changed:
            if not self._depth("sharing"):
                self._wait_to_share()
            self._sharing += 1
        self._mine.sharing = self._depth("sharing") + 1
        try:
            yield
        finally:
            self._mine.sharing -= 1
            with self.changed:
                self._sharing -= 1
                self.changed.notify_all()

    def _wait_to_share(self) -> None:
        self._waiting += 1
        try:
            self.changed.wait_for(lambda: not (self._alone or (self._sharing and self._renewable())))
            if not self._sharing and self._renewable():  # it may have become so since it was waited for
                self._let_go()
        finally:
            self._waiting -= 1
            self._owed = max(0, self._owed - 1)
            self.changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Has the thing alone inside the block, let go of."""
        if self._depth("alone"):
            yield
            return
        self._take()
        self._mine.alone = 1
        try:
            with self.changed:
                self._let_go()
            yield
        finally:
            self._mine.alone = 0
            with self.changed:
                self._busy = False
                self._alone -= 1
                self._owed = self._waiting
                self.changed.notify_all()

    def _take(self) -> None:
        with self.changed:
            if self._depth("sharing"):
                raise UsageError("the library cannot be changed or closed while this thread asks it")
            self.changed.wait_for(lambda: not self._owed)
            self._alone += 1
            try:
                self.changed.wait_for(lambda: not (self._sharing or self._busy))
            except BaseException:
                self._alone -= 1
                self.changed.notify_all()
                raise
            self._busy = True


def shares(
    turns_of: Callable[[Any], Turns],
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Makes a method share the `Turns` of its object while it runs."""

    def in_turn(method: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        @wraps(method)
        def call(*args: Arguments.args, **named: Arguments.kwargs) -> Result:
            with turns_of(args[0]).sharing():
                return method(*args, **named)

        return call

    return in_turn
