"""F95: replies in parts, without text, cut off, or as a stream: the answer, or what happened instead."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from chat_server import ChatServer, chat_server, saying
from http_server import Reply
from pincite.errors import ModelError
from pincite.models.llm import ChatGenerator

ASK = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
ANSWER = "V7 opens at 8.5 bar [1]."
CALL = {"id": "x", "type": "function", "function": {"name": "answer", "arguments": "{}"}}
EVENTS = {"Content-Type": "text/event-stream; charset=utf-8"}


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server(lambda system, user: "again") as running:
        yield running


def said(server: ChatServer, reply: Reply, key: str = "") -> str:
    server.planned.append(reply)
    return ChatGenerator(server.url, "m", key, sleep=lambda seconds: None).chat(ASK)


def failed(server: ChatServer, reply: Reply, key: str = "") -> ModelError:
    with pytest.raises(ModelError) as caught:
        said(server, reply, key)
    return caught.value


# ── parts ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": ANSWER}],
        [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": ANSWER}],
        [
            {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
            {"type": "text", "text": ANSWER},
        ],
        [{"type": "reasoning", "text": "hm"}, {"type": "output_text", "text": ANSWER}],
        [{"text": "V7 opens "}, {"type": "text", "text": "at 8.5 bar [1]."}],
        ["V7 opens at 8.5 bar", " [1]."],
        [{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": ANSWER}, None, 7],
    ],
)
def test_the_parts_that_are_text_are_the_answer(server: ChatServer, content: Any) -> None:
    assert said(server, saying(content)) == ANSWER


def test_thinking_beside_the_answer_is_left_out(server: ChatServer) -> None:
    assert said(server, saying(ANSWER, reasoning_content="V7 opens at 9 bar.")) == ANSWER
    assert said(server, saying(ANSWER, finish_reason=None)) == ANSWER


@pytest.mark.parametrize(
    ("reply", "told", "hint"),
    [
        (saying(""), "empty answer", "try again"),
        (saying("   \n"), "empty answer", "try again"),
        (saying([]), "empty answer", "try again"),
        (saying("", reasoning_content="V7 opens at 8.5 bar"), "its thinking, but no answer", "think less"),
        (saying([{"type": "thinking", "thinking": "hm"}]), "its thinking, but no answer", "think less"),
        (saying(None, "length", reasoning_content="V7"), "before its answer ended, spent", "max_tokens"),
        (saying("It is", "length"), "stopped at its length limit before its answer ended", "context.budget"),
        (saying([{"type": "text", "text": "It"}], "max_tokens"), "length limit", "llm.max_tokens"),
        (saying("It is", "content_filter"), "content filter stopped the answer", "filter"),
        (saying(None, refusal="I can't help with that."), "refused to answer: I can't help", "filter"),
        (saying([{"type": "refusal", "refusal": "No."}]), "refused to answer: No.", "filter"),
        (saying(None, "tool_calls", tool_calls=[CALL]), "called a tool in place of an answer", "no tools"),
        (saying("", tool_calls=[CALL]), "called a tool in place of an answer", "no tools"),
        (saying(None), "sent no answer but {", "PINCITE_LLM_BASE_URL"),
        (Reply(body={"choices": []}), "sent no answer but {", "PINCITE_LLM_BASE_URL"),
        (Reply(body={"choices": [{"message": None}]}), "sent no answer but {", "PINCITE_LLM_BASE_URL"),
        (Reply(body={"choices": ["x"]}), "sent no answer but {", "PINCITE_LLM_BASE_URL"),
        (Reply(body={"choices": {"0": 1}}), "sent no answer but {", "PINCITE_LLM_BASE_URL"),
        (Reply(body="null"), "sent no answer but null", "PINCITE_LLM_BASE_URL"),
        (Reply(body={"error": {"message": "model is loading"}}), "model is loading", "PINCITE_LLM"),
    ],
)  # fmt: skip
def test_everything_else_is_an_error_that_says_what_happened(
    server: ChatServer, reply: Reply, told: str, hint: str
) -> None:
    error = failed(server, reply)
    assert told in error.message and hint in error.hint, (error.message, error.hint)
    assert f"m at {server.url} failed: " in error.message


def test_a_dummy_key_garbles_no_message(server: ChatServer) -> None:
    reply = Reply(400, body={"error": {"message": "the maximum of tokens is kept at 4096"}})
    assert "the maximum of tokens is kept at 4096" in failed(server, reply, key="k").message


# ── streams ───────────────────────────────────────────────────────────────────────────────────
def delta(content: Any = None, finish: str | None = None, **more: Any) -> bytes:
    part = {"choices": [{"index": 0, "delta": {"content": content, **more}, "finish_reason": finish}]}
    return b"data: " + json.dumps(part, ensure_ascii=False).encode()


DONE = b"data: [DONE]"
TEXT = "Das Ventil öffnet bei 8,5 bar 阀门 [1]."
WHOLE = [delta(None, role="assistant"), delta(TEXT[:13]), delta(TEXT[13:]), delta(None, "stop"), DONE]


@pytest.mark.parametrize("line", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_stream_is_an_answer_however_it_is_cut(server: ChatServer, line: bytes, size: int) -> None:
    """With comments that keep it alive, and characters cut in two between chunks."""
    data = (b": keep-alive" + line * 2).join([b"", *(event + line * 2 for event in WHOLE)])
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    assert said(server, Reply(200, EVENTS, chunks)) == TEXT


@pytest.mark.parametrize(
    "events",
    [
        [delta(TEXT), delta(None, "stop")],  # no [DONE]
        [delta(TEXT), DONE],  # no reason
        [delta(TEXT, "stop"), DONE],
        [b"event: message\nid: 1\n" + delta(TEXT), b'data: {"choices": [], "usage": {}}', DONE],
        [delta(TEXT).replace(b"data: ", b"data:"), DONE],
        [delta(None, reasoning_content="hm"), delta([{"type": "text", "text": TEXT}]), DONE],
        [delta(TEXT).replace(b'"choices": [', b'"choices":\ndata: ['), DONE],
        [delta("x").replace(b'"index": 0', b'"index": 1'), delta(TEXT), DONE],
    ],
)
def test_streams_of_other_servers(server: ChatServer, events: list[bytes]) -> None:
    assert said(server, Reply(200, EVENTS, b"\n\n".join(events))) == TEXT
    assert said(server, Reply(200, {}, b"\n\n".join(events) + b"\n\n")) == TEXT  # without the type


@pytest.mark.parametrize(
    "events",
    [[delta(TEXT)], [delta(TEXT), delta(TEXT)[:40]], [b": ping"], [b": ping", b": ping", delta("a")]],
)
def test_a_stream_that_breaks_off_is_asked_for_again(server: ChatServer, events: list[bytes]) -> None:
    assert said(server, Reply(200, EVENTS, b"\n\n".join(events))) == "again"
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ({"message": "context length exceeded", "code": "context_length_exceeded"}, "context"),
        ({"message": "no money", "type": "insufficient_quota"}, "quota"),
        ("the model crashed", "failed"),
    ],
)
def test_an_error_within_a_stream_is_one(server: ChatServer, error: Any, code: str) -> None:
    data = b"\n\n".join([delta("Das"), b"data: " + json.dumps({"error": error}).encode(), DONE])
    found = failed(server, Reply(200, EVENTS, data))
    assert found.code == code and str(error if isinstance(error, str) else error["message"]) in found.message


def test_a_stream_is_judged_as_any_reply(server: ChatServer) -> None:
    data = b"\n\n".join([delta("Das"), delta(None, "length"), DONE])
    assert "length limit" in failed(server, Reply(200, EVENTS, data)).message
    data = b"\n\n".join([delta(None, tool_calls=[CALL]), delta(None, "tool_calls"), DONE])
    assert "called a tool" in failed(server, Reply(200, EVENTS, data)).message
