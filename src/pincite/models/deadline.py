"""HTTP connections that end at a time: a server cannot hold a call by a byte now and then."""

from __future__ import annotations

import socket
import time
import urllib.request
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from threading import Timer
from typing import Any


class Deadline:
    """Shuts the connections that were made through its handlers down at `until` (monotonic seconds)."""

    def __init__(self, until: float) -> None:
        self._until = until
        self._sockets: list[socket.socket] = []
        self._timer = Timer(self.left(), self._shut)
        self._timer.daemon = True
        self.over = False

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def left(self) -> float:
        """The seconds that are left, a little more than none."""
        return max(0.001, self._until - time.monotonic())

    def handlers(self) -> tuple[urllib.request.BaseHandler, ...]:
        """What makes an opener's connections end in time."""
        return _Http(self), _Https(self)

    def watch(self, connected: socket.socket) -> None:
        """Has this connection end in time too."""
        self._sockets.append(connected)
        if self.over:
            self._shut()

    def _shut(self) -> None:
        self.over = True
        for connected in self._sockets:
            with suppress(OSError):  # it has ended already
                socket.socket.shutdown(connected, socket.SHUT_RDWR)  # under TLS too


class _HttpConnection(HTTPConnection):
    def __init__(self, *args: Any, deadline: Deadline, **named: Any) -> None:
        super().__init__(*args, **named)
        self._deadline = deadline

    def connect(self) -> None:
        super().connect()
        self._deadline.watch(self.sock)


class _HttpsConnection(HTTPSConnection):
    def __init__(self, *args: Any, deadline: Deadline, **named: Any) -> None:
        super().__init__(*args, **named)
        self._deadline = deadline

    def connect(self) -> None:
        super().connect()
        self._deadline.watch(self.sock)


class _Http(urllib.request.HTTPHandler):
    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._make = partial(_HttpConnection, deadline=deadline)

    def http_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(self._make, req)


class _Https(urllib.request.HTTPSHandler):
    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._make = partial(_HttpsConnection, deadline=deadline)

    def https_open(self, req: urllib.request.Request) -> HTTPResponse:
        return self.do_open(self._make, req)
