"""An OpenAI-compatible `/chat/completions` server on this computer that replies as a function tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from http_server import Reply, Request, http_server


@dataclass
class ChatServer:
    """`reply` turns the system and the user message into the reply; None is an error of the server.

    `planned` replies go out first; `requests` holds all that came in.
    """

    reply: Callable[[str, str], str | None]
    url: str = ""
    planned: list[Reply] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    @property
    def asked(self) -> list[tuple[str, str]]:
        """The system and the user message of each request."""
        return [_messages(request) for request in self.requests]

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        if self.planned:
            return self.planned.pop(0)
        said = self.reply(*_messages(request))
        return Reply(400, body={"error": "broken"}) if said is None else saying(said)


def _messages(request: Request) -> tuple[str, str]:
    system, user = (message["content"] for message in request.body["messages"])
    return system, user


def saying(content: object, finish_reason: str | None = "stop", **message: object) -> Reply:
    """A reply with one choice."""
    choice = {"message": {"role": "assistant", "content": content, **message}, "finish_reason": finish_reason}
    return Reply(body={"choices": [choice]})


@contextmanager
def chat_server(reply: Callable[[str, str], str | None] = lambda system, user: "ok") -> Iterator[ChatServer]:
    state = ChatServer(reply)
    with http_server(state.answer) as url:
        state.url = f"{url}/v1"
        yield state
