"""An OpenAI-compatible `/chat/completions` server on this computer that replies as a function tells it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class ChatServer:
    """`reply` turns the system and the user message into the reply; None is an error of the server."""

    reply: Callable[[str, str], str | None]
    url: str = ""
    asked: list[tuple[str, str]] = field(default_factory=list)


@contextmanager
def chat_server(reply: Callable[[str, str], str | None]) -> Iterator[ChatServer]:
    state = ChatServer(reply)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            system, user = (message["content"] for message in body["messages"])
            state.asked.append((system, user))
            said = state.reply(system, user)
            made = {"choices": [{"message": {"content": said}, "finish_reason": "stop"}]}
            data = json.dumps(made if said is not None else {"error": "broken"}).encode()
            self.send_response(200 if said is not None else 400)
            self.send_header("Content-Length", str(len(data)))
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
