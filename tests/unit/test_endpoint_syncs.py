"""Syncs with an embedding server that fails: what was paid for is kept, what is in doubt is not stored."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embedding_server import WIDTH, Server, answer_to, embedding_server, vector_of
from http_server import Reply
from pincite.cli import main
from pincite.config import Config, ModelConfig
from pincite.errors import ModelError
from pincite.library import Library
from pincite.models.api import PROBES
from pincite.types import SyncReport

N = 28


@pytest.fixture
def server() -> Iterator[Server]:
    with embedding_server() as running:
        yield running


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(N):
        (folder / f"note{number:02d}.md").write_text(f"Item number {number:02d}.\n")
    return folder


def opened(root: Path, server: Server, **settings: Any) -> Library:
    config = Config(model=ModelConfig("api:some", base_url=server.url, **{"tries": 1, **settings}))
    return Library(root, root / ".pincite", config)


def synced(root: Path, server: Server, **settings: Any) -> SyncReport:
    with opened(root, server, **settings) as library:
        return library.sync()


def stored(root: Path, server: Server) -> dict[str, list[float]]:
    """The vectors of the catalog by text."""
    with opened(root, server) as library:
        catalog = library._open().catalog
        points = catalog.point_ids(0, 1000)
        texts = {point: one.chunk.dense_text for point, one in catalog.stored(points).items()}
        return {texts[point]: vector.tolist() for point, vector in catalog.vectors_of(points).items()}


def assert_right(root: Path, server: Server, n: int = N) -> None:
    found = stored(root, server)
    assert len(found) == n
    for text, vector in found.items():
        right = np.array(vector_of(text))
        assert np.allclose(vector, right / np.linalg.norm(right), atol=1e-6), text


# ── vectors are given up only for another model that is proved to be one ──────────────────────
BAD: dict[str, Callable[[str], Sequence[Any]]] = {
    "nan": lambda text: [None] * WIDTH,
    "one nan": lambda text: [None, *vector_of(text)[1:]],
    "infinite": lambda text: [1e300] * WIDTH,
    "zero": lambda text: [0.0] * WIDTH,
    "short": lambda text: vector_of(text)[:3],
    "empty": lambda text: [],
    "strings": lambda text: ["1"] * WIDTH,
    "other": lambda text: vector_of(f"other {text}"),
}


@pytest.mark.parametrize("bad", BAD)
def test_one_bad_reply_costs_no_vector(root: Path, server: Server, bad: str) -> None:
    assert synced(root, server).embedded == N
    (root / "new.md").write_text("Something new.\n")
    server.requests.clear()
    server.planned.append((200, {}, answer_to(list(PROBES), BAD[bad])))
    first = synced(root, server)
    second = synced(root, server)
    assert first.embedded + second.embedded == 1 and second.error == ""
    assert first.chunks == N + 1 and first.dense_complete > 0.96
    sent = [text for request in server.requests for text in request["input"] if text not in PROBES]
    assert sent == ["Something new."]
    assert_right(root, server, N + 1)


@pytest.mark.parametrize("bad", ["nan", "zero", "short", "empty", "strings"])
def test_a_server_that_stays_bad_costs_no_vector_and_is_told(root: Path, server: Server, bad: str) -> None:
    assert synced(root, server).embedded == N
    (root / "new.md").write_text("Something new.\n")
    good, server.vector_of = server.vector_of, BAD[bad]
    for _ in range(2):
        report = synced(root, server)
        assert report.embedded == 0 and report.pending == ("new.md",)
        assert "some at http://127.0.0.1" in report.error or "expected vectors of 8" in report.error
        with opened(root, server) as library, pytest.raises(ModelError, match="expected"):
            library.search("item", legs=("dense",))
    server.vector_of = good
    assert synced(root, server).embedded == 1
    assert_right(root, server, N + 1)


def test_another_model_is_another_one_at_two_tries(root: Path, server: Server) -> None:
    assert synced(root, server).embedded == N
    other = BAD["other"]
    server.vector_of = other
    server.requests.clear()
    report = synced(root, server)
    assert (report.embedded, report.dense_complete) == (N, 1.0)
    assert [request["input"] for request in server.requests[:2]] == [list(PROBES)] * 2


def test_a_server_of_two_minds_proves_nothing(root: Path, server: Server) -> None:
    assert synced(root, server).embedded == N
    (root / "new.md").write_text("Something new.\n")
    for name in ("one", "two"):
        server.planned.append(
            (200, {}, answer_to(list(PROBES), lambda text, name=name: vector_of(name + text)))
        )
    report = synced(root, server)
    assert "other vectors for the same texts at each try" in report.error and report.embedded == 0
    assert synced(root, server).embedded == 1
    assert_right(root, server, N + 1)


def test_the_probe_of_an_older_index_still_holds(root: Path, server: Server) -> None:
    """It is of one text; what is compared is that."""
    assert synced(root, server).embedded == N
    with opened(root, server) as library:
        catalog = library._open().catalog
        catalog.put(probe=base64.b64encode(np.array(vector_of(PROBES[0]), "<f4").tobytes()).decode())
    assert synced(root, server).embedded == 0
    server.vector_of = BAD["other"]
    assert synced(root, server).embedded == N


# ── a reply that is not one vector a text stores nothing of its batch ─────────────────────────
def mixed(texts: list[str], change: Callable[[list[dict[str, Any]]], object]) -> dict[str, Any]:
    rows = answer_to(texts)["data"][::-1]
    change(rows)
    return {"data": rows}


def repeat(rows: list[dict[str, Any]]) -> None:
    rows[-1]["index"] = 0


def leave_out(rows: list[dict[str, Any]]) -> None:
    rows.pop()


def add(rows: list[dict[str, Any]]) -> None:
    rows.append({**rows[0], "index": len(rows)})


def shorten(rows: list[dict[str, Any]]) -> None:
    rows[-1]["embedding"] = rows[-1]["embedding"][:3]


def encode(rows: list[dict[str, Any]]) -> None:
    rows[-1]["embedding"] = base64.b64encode(b"0" * 4 * WIDTH).decode()


def write_out(rows: list[dict[str, Any]]) -> None:
    rows[-1]["index"] = str(rows[-1]["index"])


CHANGES = [
    (repeat, "once each, got 0 2 times"),
    (leave_out, "vectors for"),
    (add, "vectors for"),
    (shorten, "expected vectors of 8 numbers, got 3, 8"),
    (encode, "as a list of numbers, got str"),
    (write_out, "of type str"),
]


@pytest.mark.parametrize(("change", "told"), CHANGES, ids=[change.__name__ for change, _ in CHANGES])
def test_a_mixed_up_reply_stores_nothing_and_ends_the_sync(
    root: Path, server: Server, change: Callable[[list[dict[str, Any]]], object], told: str
) -> None:
    def refuse(texts: list[str]) -> Reply | None:
        return Reply(body=mixed(texts, change)) if len(texts) == 4 else None

    server.refuse = refuse
    report = synced(root, server)
    assert told in report.error and "some at http://127.0.0.1" in report.error
    assert report.embedded == 3 and report.hint  # batches of one and two came before
    assert [len(request["input"]) for request in server.requests][-1] == 4
    assert_right(root, server, 3)
    server.refuse = lambda texts: None
    assert synced(root, server).embedded == N - 3
    assert_right(root, server)


# ── refused batches ───────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    "refusal",
    [
        Reply(413, body="Request Entity Too Large"),
        Reply(422, body={"error": "batch size 8 > maximum allowed batch size 5", "error_type": "Validation"}),
        Reply(400, body={"error": {"message": "input array too long", "code": "array_above_max_length"}}),
        Reply(400, body={"error": {"message": "this model's maximum context length is 99 tokens"}}),
    ],
)
def test_a_refused_batch_is_halved_until_it_fits(root: Path, server: Server, refusal: Reply) -> None:
    server.refuse = lambda texts: refusal if len(texts) > 5 else None
    report = synced(root, server)
    assert (report.embedded, report.error, report.pending) == (N, "", ())
    assert_right(root, server)
    texts = [text for request in server.requests if len(request["input"]) <= 5 for text in request["input"]]
    assert len(texts) == N + len(PROBES)  # none was paid for twice
    assert sum(len(request["input"]) > 5 for request in server.requests) == 1  # what fits is remembered


def test_a_text_that_is_refused_alone_is_named_and_the_others_are_kept(root: Path, server: Server) -> None:
    server.refuse = lambda texts: (
        Reply(400, body={"error": {"message": "this text is not welcome"}})
        if any("13" in text for text in texts)
        else None
    )
    report = synced(root, server)
    assert (report.embedded, report.pending, report.error) == (N - 1, ("note13.md",), "")
    assert "note13.md:1: not embedded" in report.warnings[0] and "not welcome" in report.warnings[0]
    assert len(server.requests) < 20


def test_the_batch_is_a_setting(root: Path, server: Server) -> None:
    assert synced(root, server, batch=3).embedded == N
    assert max(len(request["input"]) for request in server.requests) == 3


def test_what_was_paid_for_is_kept_when_a_later_request_of_a_batch_fails(root: Path, server: Server) -> None:
    seen: list[int] = []

    def refuse(texts: list[str]) -> Reply | None:
        seen.append(len(texts))
        return Reply(500) if len(seen) > 6 else None

    server.refuse = refuse
    report = synced(root, server, batch=4)
    answered = sum(seen[:6]) - len(PROBES)
    assert report.embedded == answered > 10
    server.refuse = lambda texts: None
    assert synced(root, server).embedded == N - answered


def test_a_server_that_is_down_is_soon_given_up(root: Path, server: Server) -> None:
    server.refuse = lambda texts: Reply(500) if len(server.requests) > 5 else None
    report = synced(root, server)
    assert "HTTP 500" in report.error and len(server.requests) == 5 + 1 + 3
    assert [len(request["input"]) for request in server.requests[-3:]] == [1, 1, 1]


# ── a key that is revoked ─────────────────────────────────────────────────────────────────────
REFUSALS = [
    (401, {"error": {"message": "revoked"}}, "OPENAI_API_KEY"),
    (403, {"error": {"message": "revoked"}}, "OPENAI_API_KEY"),
    (402, {"error": {"message": "pay"}}, "billing"),
    (429, {"error": {"message": "no money", "code": "insufficient_quota"}}, "billing"),
]


@pytest.mark.parametrize(("status", "body", "hint"), REFUSALS)
def test_a_key_revoked_in_the_middle_ends_the_run(
    root: Path, server: Server, status: int, body: object, hint: str
) -> None:
    def refuse(texts: list[str]) -> Reply | None:
        return Reply(status, {}, body) if len(server.requests) > 3 else None

    server.refuse = refuse
    report = synced(root, server, tries=5)
    assert len(server.requests) == 4
    assert f"HTTP {status}" in report.error and hint in report.hint
    assert report.embedded == 3 and len(report.pending) == N - 3 and report.warnings == ()


def test_no_question_of_a_set_asks_a_server_that_refuses_the_key(root: Path, server: Server) -> None:
    synced(root, server)
    labels = root.parent / "labels.tsv"
    labels.write_text("".join(f"which is number {n:02d}?\tnote{n:02d}.md\n" for n in range(N)))
    with opened(root, server) as library:
        library.search("warm up")
        before = len(server.requests)
        server.refuse = lambda texts: Reply(401, body={"error": "revoked"})
        found = library.evaluate(labels)
        assert len(server.requests) == before + 1
    assert all("HTTP 401" in row.error for row in found.asked)


def test_vectors_that_are_all_unusable_are_not_paid_for_without_end(tmp_path: Path, server: Server) -> None:
    for number in range(300):
        (tmp_path / f"{number:03d}.md").write_text(f"Item {number:03d}.\n")
    server.refuse = lambda texts: None if texts == list(PROBES) else Reply(body=answer_to(texts, BAD["nan"]))
    report = synced(tmp_path, server)
    assert report.embedded == 0 and "not finite, and so for each of the first" in report.error
    assert sum(len(request["input"]) for request in server.requests) < 150


# ── what people see ───────────────────────────────────────────────────────────────────────────
def test_a_wait_is_noted_and_passwords_are_masked_on_the_command_line(
    root: Path, server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = server.url.replace("://", "://me:s3cret-word@") + "?api-key=s3cret-key"
    monkeypatch.setenv("PINCITE_EMBED_BASE_URL", url)
    monkeypatch.setenv("PINCITE_LLM_BASE_URL", url)
    monkeypatch.setenv("PINCITE_LLM_MODEL", "m")
    server.planned.append((429, {"Retry-After": "1"}, {"error": "slow down"}))
    words = ["--in", str(root), "--model", "api:some"]
    assert main(["sync", *words]) == 0
    told = capsys.readouterr()
    assert (
        "Note: some at http://***@127.0.0.1" in told.err and "waiting 1.0 s, as the server asks" in told.err
    )
    assert server.paths[0] == "/v1/embeddings?api-key=s3cret-key"
    assert server.keys[0].startswith("Basic ")
    assert main(["config", *words]) == 0
    assert main(["config", *words, "--json"]) == 0
    server.refuse = lambda texts: Reply(401, body={"error": "s3cret-word and s3cret-key"})
    assert main(["search", "item", *words, "--json"]) == 6
    out = capsys.readouterr()
    assert "s3cret" not in told.err + told.out + out.err + out.out
    assert "model.base_url = 'http://***@127.0.0.1" in " ".join(out.out.split())
    assert json.loads(out.out[out.out.rindex('{\n  "error"') :])["error"]["exit_code"] == 6


def test_quiet_notes_no_wait(root: Path, server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    server.planned.append((429, {"Retry-After": "0.1"}, {"error": "slow down"}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_EMBED_BASE_URL", server.url)
        assert main(["sync", "--in", str(root), "--model", "api:some", "--quiet"]) == 0
    assert capsys.readouterr().err == ""
