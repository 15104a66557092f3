"""F84: a parameter is sent only if it is set, and left out for a model that refuses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chat_server import ChatServer, chat_server
from embedding_server import embedding_server
from http_server import Reply
from pincite.config import LLMConfig, ModelConfig
from pincite.errors import ModelError
from pincite.models import load_embedder
from pincite.models.llm import chat_generator
from pincite.models.told import listening

ASK = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
TEMPERATURE = (
    "Unsupported value: 'temperature' does not support 0 with this model. "
    "Only the default (1) value is supported."
)
MAX_TOKENS = (
    "Unsupported parameter: 'max_tokens' is not supported with this model. "
    "Use 'max_completion_tokens' instead."
)


def refusal(message: str, **more: str) -> Reply:
    return Reply(400, body={"error": {"message": message, **more}})


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


def options(server: ChatServer) -> list[dict[str, Any]]:
    """What each request held besides model and messages."""
    return [{k: v for k, v in one.body.items() if k not in ("model", "messages")} for one in server.requests]


def ask(server: ChatServer, name: str = "m", **settings: Any) -> str:
    return chat_generator(LLMConfig(server.url, name, **settings)).chat(ASK)


def test_nothing_is_sent_that_is_not_set(server: ChatServer) -> None:
    ask(server)
    ask(server, temperature=0.0, max_tokens=7)
    assert options(server) == [{}, {"temperature": 0.0, "max_tokens": 7}]


@pytest.mark.parametrize(
    "message",
    [
        TEMPERATURE,
        "`temperature` is deprecated for this model.",
        "Unsupported parameter: 'temperature' is not supported with this model.",
        "Unrecognized request argument supplied: temperature",
        "temperature: Extra inputs are not permitted",
    ],
)
def test_a_refused_temperature_is_left_out_at_once_and_from_then_on(server: ChatServer, message: str) -> None:
    server.planned.append(refusal(message))
    told: list[str] = []
    with listening(told.append):
        assert ask(server, temperature=0.0, tries=1) == "ok"
        assert ask(server, temperature=0.0) == "ok"
    assert options(server) == [{"temperature": 0.0}, {}, {}]
    assert len(told) == 1 and "refuses temperature" in told[0]
    assert ask(server, "another", temperature=0.0) == "ok"
    assert options(server)[-1] == {"temperature": 0.0}


def test_max_tokens_goes_by_its_other_name(server: ChatServer) -> None:
    server.planned += [
        refusal(MAX_TOKENS, param="max_tokens", code="unsupported_parameter"),
        refusal(TEMPERATURE),
    ]
    assert ask(server, temperature=0.0, max_tokens=9) == "ok"
    assert options(server)[-1] == {"max_completion_tokens": 9}
    assert ask(server, max_tokens=9) == "ok" and len(server.requests) == 4


def test_a_model_that_takes_neither_name_is_asked_without(server: ChatServer) -> None:
    server.planned += [refusal(MAX_TOKENS), refusal("unknown field max_completion_tokens")]
    assert ask(server, max_tokens=9) == "ok"
    assert options(server) == [{"max_tokens": 9}, {"max_completion_tokens": 9}, {}]


@pytest.mark.parametrize(
    "message",
    [
        "max_tokens is too large: 999999. This model supports at most 16384 completion tokens",
        "temperature must be between 0 and 2",
    ],
)
def test_a_value_that_is_out_of_range_is_an_error(server: ChatServer, message: str) -> None:
    server.planned.append(refusal(message))
    with pytest.raises(ModelError, match=message.split(":")[0][:20]):
        ask(server, temperature=9.0, max_tokens=999_999)
    assert len(server.requests) == 1


def test_a_server_that_always_refuses_ends_the_call(server: ChatServer) -> None:
    server.planned += [refusal(TEMPERATURE)] * 9
    with pytest.raises(ModelError, match="does not support 0"):
        ask(server, temperature=0.0)
    assert len(server.requests) == 2


def test_an_embedding_server_that_knows_no_encoding_format() -> None:
    with embedding_server() as server:
        server.planned.append((400, {}, {"detail": "encoding_format: Extra inputs are not permitted"}))
        made = load_embedder(ModelConfig("api:tiny", base_url=server.url))
        assert made.embed_documents(["a", "b"]).shape == made.embed_documents(["c", "d"]).shape == (2, 8)
        assert [("encoding_format" in request) for request in server.requests] == [True, False, False]
