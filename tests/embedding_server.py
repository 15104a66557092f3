"""An OpenAI-compatible `/embeddings` server on this computer, with failures on order."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from http_server import Reply, Request, http_server

WIDTH = 8


@dataclass
class Server:
    """`planned` answers (status, headers, body) go out first, then what `refuse` gives, if anything.

    `requests` holds the bodies that came in, `keys` their `Authorization`.
    """

    vector_of: Callable[[str], Sequence[float | None]]
    refuse: Callable[[list[str]], Reply | None] = lambda texts: None

    url: str = ""
    planned: list[tuple[int, dict[str, str], Any]] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def answer(self, request: Request) -> Reply:
        self.requests.append(request.body)
        self.paths.append(request.path)
        self.keys.append(request.headers.get("Authorization", ""))
        texts = request.body["input"]
        if request.path.partition("?")[0] != "/v1/embeddings":
            return Reply(404, body={"error": request.path})
        if self.planned:
            return Reply(*self.planned.pop(0))
        return self.refuse(texts) or Reply(body=answer_to(texts, self.vector_of))


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
    with http_server(state.answer) as url:
        state.url = f"{url}/v1"
        yield state
