"""What is known of a server in this process: until when it wants peace, whom it refuses, what it cannot read.

All calls with one address and key share it, in all threads: a server that asks one of them to wait means all.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Lock

from pincite.models.failures import Failure

DENIED_FOR = 60.0
"""Seconds in which a server that refused the key, or has no quota left, is asked nothing more."""
_LONGEST_PAUSE = 86_400.0


@dataclass(slots=True)
class Server:
    """Times are monotonic seconds; `refused` are the options each model refuses, by the model's name."""

    refused: dict[str, frozenset[str]] = field(default_factory=dict)
    _paused: float = 0.0
    _denied: tuple[float, Failure] | None = None
    _lock: Lock = field(default_factory=Lock)

    def pause(self, seconds: float) -> float:
        """Has all calls wait so long from now on; returns what `resume` takes."""
        with self._lock:
            self._paused = max(self._paused, time.monotonic() + min(seconds, _LONGEST_PAUSE))
            return self._paused

    def resume(self, paused: float) -> None:
        """Ends the pause that was waited for, unless a longer one was asked for meanwhile."""
        with self._lock:
            if self._paused == paused:
                self._paused = 0.0

    def pause_left(self) -> float:
        """The seconds to wait before the next call."""
        return max(0.0, self._paused - time.monotonic())

    def deny(self, failure: Failure) -> None:
        """Remembers that asking is no use."""
        self._denied = time.monotonic() + DENIED_FOR, failure

    def denied(self) -> Failure | None:
        """What keeps all calls from this server for a while."""
        if self._denied and time.monotonic() < self._denied[0]:
            return self._denied[1]
        return None

    def refuse(self, model: str, option: str) -> bool:
        """Remembers that `model` refuses `option`; whether that is new."""
        with self._lock:
            before = self.refused.get(model, frozenset())
            self.refused[model] = before | {option}
            return option not in before


_servers: dict[tuple[str, ...], Server] = {}
_lock = Lock()


def server_of(*names: str) -> Server:
    """What is known of the server with this address and these keys."""
    with _lock:
        return _servers.setdefault(names, Server())


def forget_servers() -> None:
    """Forgets all: the next call to each server is its first."""
    with _lock:
        _servers.clear()
