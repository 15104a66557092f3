"""An HTTP server on this computer whose replies a function gives; the tests' other servers are made of it."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Request:
    """A POST: its headers go by any case, its body is the JSON of it."""

    path: str
    headers: Message
    body: Any


@dataclass(frozen=True)
class Reply:
    """`body` is sent as JSON, text or bytes as they are, a list of bytes in chunks.

    The last `missing` bytes never come.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = ""
    missing: int = 0


def _bytes(body: Any) -> bytes:
    if isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else json.dumps(body).encode()


@contextmanager
def http_server(
    reply: Callable[[Request], Reply], *, tls: tuple[str, str] | None = None, host: str = "127.0.0.1"
) -> Iterator[str]:
    """The server's address without a path; `tls` are the files of a certificate and its key."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            given = reply(Request(self.path, self.headers, json.loads(data)))
            self.send_response(given.status)
            chunks = given.body if isinstance(given.body, list) and _is_chunks(given.body) else None
            whole = b"" if chunks else _bytes(given.body)
            size = ("Transfer-Encoding", "chunked") if chunks else ("Content-Length", str(len(whole)))
            for name, value in {**given.headers, size[0]: size[1], "Connection": "close"}.items():
                self.send_header(name, value)
            self.end_headers()
            if chunks:
                for chunk in chunks:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                    self.wfile.flush()
                self.wfile.write(b"0\r\n\r\n")
            else:
                self.wfile.write(whole[: len(whole) - given.missing])
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the test's output clean."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that goes away, or trusts no such certificate, is what some tests are about."""

    with Server((host, 0), Handler) as server:
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*tls)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"{'https' if tls else 'http'}://{host}:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def _is_chunks(body: list[Any]) -> bool:
    return bool(body) and all(isinstance(part, bytes) for part in body)
