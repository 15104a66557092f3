"""An OpenAI-compatible `/embeddings` server on this computer, with failures on order."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

WIDTH = 8


@dataclass
class Server:
    """`planned` answers (status, headers, body) go out first; `requests` holds what came in."""

    vector_of: Callable[[str], Sequence[float | None]]

    url: str = ""
    planned: list[tuple[int, dict[str, str], Any]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


def vector_of(text: str) -> list[float]:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return [float(x) for x in np.random.default_rng(seed).normal(size=WIDTH)]


def answer_to(
    texts: list[str], vector_of: Callable[[str], Sequence[float | None]] = vector_of
) -> dict[str, Any]:
    """The vectors, last text first, as a server may send them."""
    rows = [{"index": i, "embedding": vector_of(text)} for i, text in enumerate(texts)]
    return {"data": rows[::-1]}


@contextmanager
def embedding_server() -> Iterator[Server]:
    state = Server(vector_of)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.requests.append(body)
            state.keys.append(self.headers.get("Authorization", ""))
            if self.path != "/v1/embeddings":
                status, headers, reply = 404, {}, {"error": self.path}
            elif state.planned:
                status, headers, reply = state.planned.pop(0)
            else:
                status, headers, reply = 200, {}, answer_to(body["input"], state.vector_of)
            data = reply.encode() if isinstance(reply, str) else json.dumps(reply).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the test's output clean."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()
