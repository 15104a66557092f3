"""Embedding endpoints: batches, retries, and answers that are not what was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedding_server import WIDTH, Server, answer_to, embedding_server, vector_of
from pincite.config import ModelConfig
from pincite.config.load import load_config
from pincite.errors import ModelError, UsageError
from pincite.models import api, load_embedder
from pincite.models.api import ApiEmbedder

KEY = "sk-test-0123456789"
TOO_MANY = {"error": {"message": f"slow down, {KEY}"}}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    monkeypatch.chdir(tmp_path)
    with embedding_server() as running:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("PINCITE_EMBED_BASE_URL", running.url)
        yield running


def embedder(waits: list[float] | None = None, name: str = "tiny") -> ApiEmbedder:
    made = load_embedder(load_config(None).model, name=f"api:{name}")
    assert isinstance(made, ApiEmbedder)
    made.endpoint = replace(made.endpoint, sleep=(waits if waits is not None else []).append)
    return made


def unit(text: str) -> np.ndarray:
    vector = np.array(vector_of(text))
    return vector / np.linalg.norm(vector)


def test_rows_follow_the_texts_whatever_the_servers_order(server: Server) -> None:
    texts = [f"text {i}" for i in range(150)]
    rows = embedder().embed_documents(texts)
    assert np.allclose(rows, [unit(text) for text in texts], atol=1e-6)
    assert [len(request["input"]) for request in server.requests] == [64, 64, 22]
    assert server.requests[0] == {"model": "tiny", "input": texts[:64], "encoding_format": "float"}
    assert set(server.keys) == {f"Bearer {KEY}"}


def test_batches_are_bounded_in_characters() -> None:
    texts = ["x" * 60_000, "y" * 60_000, "z" * 200_000, "a", "b"]
    assert [len(batch) for batch in api.batches(texts, 64)] == [1, 1, 1, 2]
    assert [text for batch in api.batches(texts, 64) for text in batch] == texts


def test_nothing_is_sent_before_it_is_needed(server: Server) -> None:
    made = embedder()
    assert made.count(["some texts"]) == [3] and made.limit > 0 and server.requests == []
    assert made.dimension == WIDTH and made.dimension == WIDTH and len(server.requests) == 1


def test_waits_as_long_as_the_server_asks(server: Server) -> None:
    waits: list[float] = []
    server.planned += [(429, {"Retry-After": "3"}, TOO_MANY), (500, {}, "oops"), (503, {}, "")]
    row = embedder(waits).embed_query("seal")
    assert np.allclose(row, unit("seal"), atol=1e-6)
    assert waits == [3.0, 1.0, 2.0]


def test_a_date_in_retry_after(server: Server) -> None:
    waits: list[float] = []
    server.planned.append((429, {"Retry-After": formatdate(usegmt=True)}, TOO_MANY))
    embedder(waits).embed_query("seal")
    assert waits == [0.0]


def test_gives_up_and_never_shows_the_key(server: Server) -> None:
    waits: list[float] = []
    server.planned += [(429, {}, TOO_MANY)] * 5
    with pytest.raises(ModelError, match="failed after 5 attempts: HTTP 429") as caught:
        embedder(waits).embed_query("seal")
    assert caught.value.retryable and waits == [0.5, 1.0, 2.0, 4.0]
    assert KEY not in str(caught.value) and "***" in str(caught.value)
    assert KEY not in repr(embedder())


def test_a_wait_that_is_too_long_ends_the_call(server: Server) -> None:
    waits: list[float] = []
    server.planned.append((429, {"Retry-After": "86400"}, TOO_MANY))
    with pytest.raises(ModelError, match="HTTP 429"):
        embedder(waits).embed_query("seal")
    assert waits == []


@pytest.mark.parametrize(("status", "hint"), [(401, "OPENAI_API_KEY"), (404, "PINCITE_EMBED_BASE_URL")])
def test_what_no_retry_mends_fails_at_once(server: Server, status: int, hint: str) -> None:
    server.planned.append((status, {}, {"error": "no"}))
    with pytest.raises(ModelError, match=f"tiny at http://127.*HTTP {status}") as caught:
        embedder().embed_query("seal")
    assert hint in caught.value.hint and not caught.value.retryable and len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        "<html>proxy login</html>",
        {"data": "none"},
        {"error": "loading"},
        [],
        {"data": [{"index": 7, "embedding": [1, 2]}]},
        {"data": [{"index": 0, "embedding": []}]},
    ],
)
def test_a_reply_of_another_form_is_an_error(server: Server, reply: Any) -> None:
    server.planned.append((200, {}, reply))
    with pytest.raises(ModelError, match="tiny at http"):
        embedder().embed_documents(["seal"])


def test_another_dimension_is_an_error(server: Server) -> None:
    made = embedder()
    assert made.dimension == WIDTH
    server.planned.append((200, {}, {"data": [{"index": 0, "embedding": [1.0, 2.0, 3.0]}]}))
    with pytest.raises(ModelError, match=f"expected vectors of {WIDTH} numbers, got 3"):
        made.embed_documents(["seal"])


def test_rows_without_a_usable_vector_are_all_nan_and_zeros_stay(server: Server) -> None:
    made = embedder()
    assert made.dimension == WIDTH
    good, zero = vector_of("good"), [0.0] * WIDTH
    server.planned.append(
        (200, {}, {"data": [
            {"index": 0, "embedding": good},
            {"index": 1, "embedding": zero},
            {"index": 2, "embedding": None},
            {"index": 3, "embedding": [None] * WIDTH},
        ]})
    )  # fmt: skip
    rows = made.embed_documents(["good", "zero", "null", "nulls"])
    assert np.isnan(rows).all(axis=1).tolist() == [False, False, True, True]
    assert not rows[1].any()
    server.planned.append((200, {}, {"data": [{"index": 0, "embedding": zero}]}))
    with pytest.raises(ModelError, match="a zero vector for the query"):
        made.embed_query("zero")


def test_long_texts_are_refused_and_long_queries_cut(server: Server) -> None:
    made = embedder()
    with pytest.raises(ModelError, match="over the limit of 500"):
        made.embed_documents(["it " * 501])
    assert server.requests == []
    made.embed_query("it " * 600)
    assert server.requests[0]["input"] == [("it " * 500).rstrip()]


def test_estimated_tokens_are_not_too_few() -> None:
    made = ApiEmbedder(api.Endpoint("http://127.0.0.1:9", "tiny"), 500)
    assert made.count(["", "battery", "更换电池", "a1b2", "🙂"]) == [0, 2, 8, 4, 2]


def test_prefixes_of_the_models_family(server: Server) -> None:
    made = embedder(name="intfloat/multilingual-e5-small")
    made.embed_documents(["Hold the button."])
    made.embed_query("how to reset")
    made.embed_query("query: how to reset")
    sent = [request["input"] for request in server.requests]
    assert sent == [["passage: Hold the button."], ["query: how to reset"], ["query: how to reset"]]


def test_address_and_key_in_a_dotenv_file(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """As other variables: `.env` in the current folder reaches the model too."""
    monkeypatch.delenv("PINCITE_EMBED_BASE_URL")
    monkeypatch.delenv("OPENAI_API_KEY")
    Path(".env").write_text(f"PINCITE_EMBED_BASE_URL={server.url}\nOPENAI_API_KEY=sk-dotenv\n")
    assert embedder().dimension == WIDTH
    assert set(server.keys) == {"Bearer sk-dotenv"}


def test_the_address_is_checked() -> None:
    with pytest.raises(UsageError, match="api:tiny has no address"):
        load_embedder(ModelConfig("api:tiny"))
    with pytest.raises(UsageError, match="expected http:// or https://"):
        load_embedder(ModelConfig("api:tiny", base_url="file:///etc/passwd"))


def test_redirects_are_not_followed(server: Server) -> None:
    server.planned.append((307, {"Location": f"{server.url}/elsewhere"}, ""))
    with pytest.raises(ModelError, match="HTTP 307"):
        embedder().embed_query("seal")
    assert len(server.requests) == 1


def test_proxies_and_no_proxy_are_honoured(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with pytest.raises(ModelError, match="refused"):  # by the proxy, which is not there
        embedder().embed_query("seal")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert embedder().dimension == WIDTH


def test_the_answer_helper_sends_back_rows() -> None:
    assert [row["index"] for row in answer_to(["a", "b"])["data"]] == [1, 0]
