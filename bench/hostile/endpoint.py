"""An OpenAI-compatible chat endpoint on this computer, which keeps what it was sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Endpoint:
    """Its address, and the body of every request."""

    url: str = ""
    bodies: list[str] = field(default_factory=list)


@contextmanager
def endpoint(reply: Callable[[str], str]) -> Iterator[Endpoint]:
    """Answers each request with what `reply` makes of its body."""
    state = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8")
            state.bodies.append(body)
            made = {"choices": [{"message": {"content": reply(body)}, "finish_reason": "stop"}]}
            data = json.dumps(made).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
