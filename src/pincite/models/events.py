"""A chat reply sent as server-sent events, though it was not asked for so, as one reply.

The form is that of https://html.spec.whatwg.org/multipage/server-sent-events.html: events end at a blank
line, lines at CR, LF or both, and what begins with a colon is a comment that keeps the connection open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from pincite.models.failures import FailedError, Failure

_FIRST = re.compile(rb"\s*(?:data|event|id|retry)?:")
_LINE = re.compile(r"\r\n|\r|\n")
_DONE = "[DONE]"


def is_events(content_type: str, data: bytes) -> bool:
    """Whether a body is a stream of events."""
    return content_type == "text/event-stream" or _FIRST.match(data) is not None


def joined(data: bytes) -> dict[str, Any]:
    """The whole reply of all events, `{"error": …}` if one is an error.

    Raises `FailedError` for a stream that broke off (no end, and no reason why it finished) or is no JSON.
    """
    message: dict[str, Any] = {"content": ""}
    finish, ended = None, False
    for text in _events(data):
        if text.strip() == _DONE:
            ended = True
            break
        event = _object(text)
        if event.get("error"):
            return {"error": event["error"]}
        for choice in _choices(event):
            _add(message, choice.get("delta") or choice.get("message") or {})
            finish = choice.get("finish_reason") or finish
    if not ended and finish is None:
        raise FailedError(Failure("its reply broke off before it ended", "broken", retryable=True))
    return {"choices": [{"message": message, "finish_reason": finish}]}


def _events(data: bytes) -> Iterator[str]:
    """The data of each event; the last one counts without its blank line too."""
    lines: list[str] = []
    for line in [*_LINE.split(data.decode("utf-8-sig", "replace")), ""]:
        if not line and lines:
            yield "\n".join(lines)
            lines = []
        elif line.startswith("data"):
            lines.append(line.removeprefix("data").removeprefix(":").removeprefix(" "))


def _object(text: str) -> dict[str, Any]:
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        # The last event of a connection that was cut is half of one.
        raise FailedError(Failure("its reply is a stream with an event that is no JSON", "broken", True))
    return event


def _choices(event: dict[str, Any]) -> list[dict[str, Any]]:
    """What an event adds to the first choice."""
    choices = event.get("choices")
    found = choices if isinstance(choices, list) else []
    return [one for one in found if isinstance(one, dict) and not one.get("index")]


def _add(message: dict[str, Any], delta: object) -> None:
    """Adds a delta's texts to the message; other values are replaced."""
    for name, sent in delta.items() if isinstance(delta, dict) else ():
        before = message.get(name)
        value = _text(sent) if name == "content" and isinstance(sent, list) else sent
        if isinstance(before, str) and isinstance(value, str) and name != "role":
            message[name] = before + value
        elif value is not None:
            message[name] = value


def _text(parts: list[object]) -> str:
    texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))
