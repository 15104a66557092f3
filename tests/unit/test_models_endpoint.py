"""An endpoint's calls: waits that hold for all, refusals that end them, hints that fit, and no key shown."""

from __future__ import annotations

import json
import threading
import time
import traceback
from base64 import b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email.utils import formatdate
from typing import Any

import pytest

from chat_server import ChatServer, chat_server, saying
from http_server import Reply, http_server
from pincite.errors import ModelError
from pincite.models.endpoint import Endpoint
from pincite.models.llm import ChatGenerator
from pincite.models.servers import server_of
from pincite.models.told import listening

KEY = "sk-test-0123456789"
ASK = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


def model(url: str, *, slept: list[float] | None = None, **settings: Any) -> ChatGenerator:
    return ChatGenerator(url, "m", KEY, sleep=(slept if slept is not None else []).append, **settings)


def failure(url: str, **settings: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        model(url, **settings).chat(ASK)
    whole = "".join(traceback.format_exception(caught.value))
    assert KEY not in whole and KEY not in caught.value.hint
    assert caught.value.__context__ is None and caught.value.__cause__ is None
    return caught.value


@contextmanager
def heard() -> Iterator[list[str]]:
    lines: list[str] = []
    with listening(lines.append):
        yield lines


# ── waits ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("form", ["seconds", "date"])
def test_a_wait_the_server_asks_for_holds_for_every_call_in_every_thread(
    server: ChatServer, form: str
) -> None:
    seconds = 1.2 if form == "seconds" else 2.5
    value = str(seconds) if form == "seconds" else formatdate(time.time() + seconds, usegmt=True)
    server.planned.append(Reply(429, {"Retry-After": value}, {"error": "slow down"}))
    arrived: list[float] = []
    server.reply = lambda system, user: arrived.append(time.monotonic()) or "ok"  # type: ignore[func-returns-value]
    made = [ChatGenerator(server.url, "m", KEY) for _ in range(4)]
    began, told = threading.Event(), time.monotonic()

    def first() -> str:
        began.set()
        return made[0].chat(ASK)

    def later(one: ChatGenerator) -> str:
        began.wait()
        time.sleep(0.2)  # after the first was told to wait
        return one.chat(ASK)

    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(first), *(pool.submit(later, one) for one in made[1:])]
        assert [call.result() for call in calls] == ["ok"] * 4
    assert len(arrived) == 4 and min(arrived) - told >= (1.2 if form == "seconds" else 1.4)


def test_a_wait_is_told(server: ChatServer) -> None:
    server.planned.append(Reply(429, {"Retry-After": "7"}, {"error": "slow down"}))
    slept: list[float] = []
    with heard() as lines:
        assert model(server.url, slept=slept).chat(ASK) == "ok"
    assert slept == [7.0]
    (line,) = lines
    assert "HTTP 429" in line and "waiting 7.0 s, as the server asks" in line and server.url in line


def test_a_wait_beyond_the_time_of_a_call_ends_it_and_the_next_ones_unasked(server: ChatServer) -> None:
    server.planned.append(Reply(429, {"Retry-After": "300"}, {"error": "rate"}))
    first, second = failure(server.url), failure(server.url)
    assert len(server.requests) == 1
    assert "HTTP 429" in first.message and first.retryable and first.code == "busy"
    assert "wait 300 s" in first.hint and "llm.timeout" in first.hint
    assert "left alone" in second.message and second.retryable and second.code == "busy"


def test_another_key_is_not_held_up(server: ChatServer) -> None:
    server.planned.append(Reply(429, {"Retry-After": "300"}, {"error": "rate"}))
    failure(server.url)
    assert ChatGenerator(server.url, "m", "sk-another-one").chat(ASK) == "ok"


# ── refusals ──────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("status", "body", "code"),
    [
        (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}, "denied"),
        (403, {"error": {"message": "revoked"}}, "denied"),
        (403, "", "denied"),
        (402, {"error": {"message": "Insufficient Balance"}}, "quota"),
        (429, {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}, "quota"),
        (429, {"error": {"message": "no money", "type": "insufficient_quota"}}, "quota"),
    ],
)
def test_no_further_call_is_made_with_a_key_that_is_refused(
    server: ChatServer, status: int, body: object, code: str
) -> None:
    server.planned += [saying("one"), Reply(status, {"Retry-After": "1"}, body)]
    assert model(server.url).chat(ASK) == "one"
    errors = [failure(server.url) for _ in range(5)]
    assert len(server.requests) == 2
    assert {(error.code, error.retryable, error.ends_run) for error in errors} == {(code, False, True)}
    assert len({error.message for error in errors}) == 1


def test_a_rate_that_speaks_of_quota_is_waited_for(server: ChatServer) -> None:
    limited = {"error": {"message": "Quota exceeded for requests per minute", "status": "RESOURCE_EXHAUSTED"}}
    server.planned.append(Reply(429, {"Retry-After": "2"}, limited))
    assert model(server.url).chat(ASK) == "ok"


def test_a_page_of_a_firewall_refuses_a_text_and_not_the_key(server: ChatServer) -> None:
    page = "<!DOCTYPE html><html><head><title>Request  blocked</title></head></html>"
    server.planned.append(Reply(403, {"Content-Type": "text/html"}, page))
    error = failure(server.url)
    assert "a web page, 'Request blocked'" in error.message and "firewall" in error.hint
    assert not error.ends_run and model(server.url).chat(ASK) == "ok"


# ── hints ─────────────────────────────────────────────────────────────────────────────────────
CONTEXT = {"error": {"message": "maximum context length is 4096 tokens", "code": "context_length_exceeded"}}


@pytest.mark.parametrize(
    ("reply", "said", "hint"),
    [
        (Reply(400, body=CONTEXT), "maximum context length is 4096", "context.budget"),
        (Reply(200, body=CONTEXT), "maximum context length is 4096", "context.budget"),
        (Reply(413, body="Request Entity Too Large"), "HTTP 413", "context.budget"),
        (Reply(404, body={"error": {"message": "model 'm' not found"}}), "'m' not found", "LLM_MODEL"),
        (Reply(400, body={"error": {"message": "The model `m` does not exist"}}), "not exist", "LLM_MODEL"),
        (Reply(400, body={"error": "temperature is not supported"}), "temperature is", "llm.temperature"),
        (Reply(407, body=""), "HTTP 407", "NO_PROXY"),
        (Reply(200, body="<html><title>Log in</title></html>"), "not JSON but begins '<html", "a web page"),
        (Reply(401, body="no"), "HTTP 401", "OPENAI_API_KEY"),
        (Reply(402, body="pay"), "HTTP 402", "billing"),
        (Reply(400, body={"error": {"code": "content_filter", "message": "x"}}), "HTTP 400", "filter"),
        (Reply(307, {"Location": "http://u:s3cret@other/v1?key=s3cret"}), "to http://***@other", "trust"),
        (Reply(200, body={"choices": []}), "it sent no answer but", "PINCITE_LLM_BASE_URL"),
    ],
)  # fmt: skip
def test_the_hint_fits_what_happened(server: ChatServer, reply: Reply, said: str, hint: str) -> None:
    server.planned += [reply] * 4
    error = failure(server.url, retries=3)
    assert said in error.message and hint in error.hint and "s3cret" not in error.message
    assert len(server.requests) == 1


def test_a_reply_that_breaks_off_is_asked_for_again(server: ChatServer) -> None:
    whole = saying("The valve opens.")
    server.planned.append(Reply(200, body=whole.body, missing=5))
    assert model(server.url).chat(ASK) == "ok" and len(server.requests) == 2


def test_tries_and_time_are_settings(server: ChatServer) -> None:
    from pincite.config.load import load_config
    from pincite.models.llm import chat_generator

    env = {"HOME": "/nonexistent", "PINCITE_LLM_BASE_URL": server.url, "PINCITE_LLM_MODEL": "m"}
    env |= {"PINCITE_LLM_TRIES": "2", "PINCITE_LLM_TIMEOUT": "9", "PINCITE_LLM_MAX_TOKENS": "50"}
    made = chat_generator(load_config(None, env=env).llm)
    server.planned += [Reply(500)] * 3
    with pytest.raises(ModelError, match="after 2 attempts: HTTP 500"):
        made.chat(ASK)
    assert len(server.requests) == 2 and made.timeout == 9
    assert server.requests[0].body["max_tokens"] == 50 and "temperature" not in server.requests[0].body


# ── names and passwords ───────────────────────────────────────────────────────────────────────
def test_name_and_password_of_the_address_are_used_and_never_shown(server: ChatServer) -> None:
    url = server.url.replace("://", "://m%40x:p%3Aw%2Fs3cret@") + "?api-key=qu%2Fery-key&api-version=7"
    made = ChatGenerator(url, "m", KEY)
    assert made.chat(ASK) == "ok"
    (request,) = server.requests
    assert request.headers["Authorization"] == f"Basic {b64encode(b'm@x:p:w/s3cret').decode()}"
    assert request.path == "/v1/chat/completions?api-key=qu%2Fery-key&api-version=7"
    header = request.headers["Authorization"]
    server.planned.append(Reply(401, body=f"{header} p:w/s3cret p%3Aw%2Fs3cret qu/ery-key qu%2Fery-key"))
    error = failure(url)
    assert "***@127.0.0.1" in error.message and "api-version=7" in error.message
    assert "name and password" in error.hint
    for secret in ("s3cret", "ery-key", header.removeprefix("Basic ")):
        assert secret not in f"{error.message} {error.hint} {made!r}"


def test_a_key_that_is_cut_by_the_end_of_what_is_shown_is_not_half_shown(server: ChatServer) -> None:
    for at in range(280, 305):
        server.planned.append(Reply(400, body="x" * at + KEY + " more"))
        assert KEY[:6] not in failure(server.url).message
    for at in range(60, 85):
        server.planned.append(Reply(200, body="x" * at + KEY + " more"))
        assert KEY[:6] not in failure(server.url).message


@pytest.mark.parametrize("written", ["sk-test\\u002d0123456789", "\\u0073k-test-0123456789", "sk-test\\/key"])
def test_a_key_that_json_writes_otherwise_is_not_shown(server: ChatServer, written: str) -> None:
    key = str(json.loads(f'"{written}"'))
    server.planned.append(Reply(400, body='{"error": {"message": "no: ' + written + '"}}'))
    server.planned.append(Reply(200, body='{"error": {"message": "no: ' + written + '"}}'))
    for _ in range(2):
        with pytest.raises(ModelError) as caught:
            ChatGenerator(server.url, "m", key, retries=0).chat(ASK)
        assert key not in caught.value.message and "***" in caught.value.message


def test_another_calls_wait_holds_between_the_tries_of_a_call(server: ChatServer) -> None:
    slept: list[float] = []

    def meanwhile(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 1:
            server_of(server.url, "", "", KEY).pause(5)

    server.planned.append(Reply(500))
    assert ChatGenerator(server.url, "m", KEY, sleep=meanwhile).chat(ASK) == "ok"
    assert slept[0] == 0.5 and 4.5 < slept[1] <= 5


def test_a_redirect_takes_nothing_elsewhere() -> None:
    with (
        chat_server() as other,
        http_server(lambda request: Reply(308, {"Location": f"{other.url}/chat/completions"})) as url,
    ):
        error = failure(f"{url}/v1")
        assert "HTTP 308" in error.message and other.url in error.message
        assert other.requests == []


def test_the_password_of_a_proxy_is_used_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with chat_server() as proxy:
        address = proxy.url.removesuffix("/v1").replace("://", "://me:s3cret-word@")
        monkeypatch.setenv("http_proxy", address)
        assert model("http://model.example/v1").chat(ASK) == "ok"
        (request,) = proxy.requests
        assert request.path == "http://model.example/v1/chat/completions"
        assert request.headers["Proxy-authorization"] == f"Basic {b64encode(b'me:s3cret-word').decode()}"
    error = failure("http://model.example/v1", retries=0)  # the proxy is gone
    assert "through the proxy http://***@127.0.0.1" in error.message and "refused" in error.message
    assert "http_proxy" in error.hint and "model.example to NO_PROXY" in error.hint
    assert "s3cret" not in f"{error.message}{error.hint}"
    monkeypatch.setenv("http_proxy", "http://me:s3cret/word@127.0.0.1:9")
    assert "s3cret" not in failure("http://model.example/v1", retries=0).message


def test_an_endpoint_shows_no_key_of_itself() -> None:
    made = Endpoint("http://me:s3cret-word@host/v1?key=s3cret-key", "m", KEY)
    assert "s3cret" not in repr(made) and KEY not in repr(made)
