"""F72: a chunk without its vector is named, stays pending, and is embedded by the next sync."""

from __future__ import annotations

import signal
from functools import partial
from pathlib import Path

import pytest

from embedding_server import embedding_server
from failing_models import HashedWords, library, start, uris
from pincite.config import Config, ModelConfig
from pincite.errors import IndexStaleError, ModelError
from pincite.library import Library
from pincite.models.endpoint import Endpoint
from pincite.types import Everything

BOOK = Path(__file__).parent / "F72" / "book.md"
CHAPTERS = BOOK.read_text("utf-8").removeprefix("# Book\n\n")
CODES = [f"coral-{number:02d}" for number in range(1, 11)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "book.md").write_text(CHAPTERS)
    return tmp_path


def found_by_vector(root: Path, embedder: HashedWords) -> list[str]:
    """The codes whose own chunk is among the ten nearest; each of the ten hits is another chunk."""
    found = []
    with library(root, embedder) as opened:
        for code in CODES:
            hits = opened.search(f"The code of chapter {int(code[-2:])} is {code}", legs=("dense",)).hits
            assert len({hit.stored.chunk.id for hit in hits}) == len(hits)
            found += [code for hit in hits if code in hit.stored.chunk.text]
    return found


def counts(root: Path) -> tuple[int, int, int]:
    """Chunks in the catalog, points in the search index, and points with a vector."""
    with library(root) as opened:
        inside = opened._open()
        index = inside.index()
        points = inside.catalog.point_ids(0, 1000)
        return len(points), index.count(Everything()), len(index.vectors(points))


def test_one_text_fails_and_is_repaired(root: Path) -> None:
    model = HashedWords()
    model.fails_for = "coral-07"
    with library(root, model) as opened:
        first = opened.sync()
        assert (first.chunks, first.embedded, first.pending) == (10, 9, ("book.md",))
        assert first.dense_complete == 0.9
        assert first.warnings == ("book.md:25-27: not embedded: no vector for coral-07",)
        assert opened.status().pending == ("book.md",)
    assert counts(root) == (10, 10, 9)
    model.fails_for, model.seen = "", []
    with library(root, model) as opened:
        second = opened.sync()
    assert (second.embedded, second.pending, second.unchanged) == (1, (), 1)
    assert len(model.seen) == 1 and "coral-07" in model.seen[0]
    assert found_by_vector(root, model) == CODES
    assert counts(root) == (10, 10, 10)


@pytest.mark.parametrize("calls", [1, 4, 9])
def test_killed_between_texts(root: Path, calls: int) -> None:
    code = "model = HashedWords(); model.dies_after = int(values[1])\nlibrary(Path(values[0]), model).sync()"
    with start(code, root, calls) as child:
        child.communicate()
    assert child.returncode == -signal.SIGKILL
    model = HashedWords()
    with library(root, model) as opened:
        report = opened.sync()
    assert report.embedded == len(model.seen) <= 10 - calls + calls // 2 + 1
    if calls == 4:
        assert report.embedded <= 7
    assert found_by_vector(root, model) == CODES
    assert counts(root) == (10, 10, 10)


def test_update_while_the_model_is_down(root: Path) -> None:
    model = HashedWords()
    with library(root, model) as opened:
        opened.sync()
        text = CHAPTERS.replace("coral-07", "coral-77")
        (root / "book.md").write_text(text)
        model.down = True
        report = opened.sync()
        assert (report.changed, report.pending, report.reused) == (("book.md",), ("book.md",), 9)
        assert report.error == "the model is down"
        assert "coral-77" in opened.search("coral-77", legs=("lexical",)).hits[0].stored.chunk.text
        for code in CODES[:6]:
            assert code in opened.search(code, legs=("lexical",)).hits[0].stored.chunk.text
        assert all("coral-07" not in hit.stored.chunk.text for hit in opened.search("coral-07").hits)


@pytest.mark.parametrize("how", ["down", "fails"])
def test_every_text_fails(root: Path, how: str) -> None:
    model = HashedWords()
    model.down, model.fails_for = how == "down", "The code" if how == "fails" else ""
    with library(root, model) as opened:
        report = opened.sync()
    assert (report.chunks, report.embedded, report.dense_complete) == (10, 0, 0)
    assert report.pending == ("book.md",)
    assert report.error
    with library(root) as opened:
        assert (opened.sync().embedded, opened.sync().embedded) == (10, 0)
        assert uris(opened, "coral-03") == ["book.md"] * 10


def test_a_model_that_goes_down_is_not_asked_for_every_text(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"{number}.md").write_text(f"# Note {number}\n\nwords of {number}\n")
    model, asked = HashedWords(), []

    def embed_documents(texts: list[str]) -> object:
        asked.append(len(texts))
        model.down = len(model.seen) >= 50
        return type(model).embed_documents(model, texts)

    model.embed_documents = embed_documents  # type: ignore[assignment, method-assign]
    with library(tmp_path, model) as opened:
        report = opened.sync()
    assert report.error == "the model is down"
    assert 0 < report.embedded < 200 and len(report.pending) == 200 - report.embedded
    assert len(asked) < 20


def test_the_command_says_that_the_model_failed(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 6 if nothing was embedded, 8 if some was; the lexical index stands in both cases."""
    from pincite.cli import main

    model = HashedWords()
    monkeypatch.setattr("pincite.models.load_embedder", lambda config, name: model)
    command = ["sync", str(root), "--model", "english"]
    model.down = True
    assert main(command) == 6
    assert "the model is down" in capsys.readouterr().err
    assert main(["search", "coral-03", "--in", str(root), "--legs", "lexical", "--model", "english"]) == 0
    assert "coral-03" in capsys.readouterr().out
    model.down, model.fails_for = False, "coral-07"
    assert main(command) == 8
    assert "book.md:25-27: not embedded" in capsys.readouterr().err
    model.fails_for = ""
    assert main(command) == 0


# ── an endpoint that is down from the start ───────────────────────────────────────────────────
@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts at an endpoint follow each other at once."""
    monkeypatch.setattr("pincite.models.api.Endpoint", partial(Endpoint, sleep=lambda seconds: None))


def at(url: str) -> Config:
    return Config(model=ModelConfig("api:some", base_url=url))


def opened_at(root: Path, url: str) -> Library:
    return Library(root, root / ".pincite", at(url))


def closed_url() -> str:
    """The address of a server that has just ended."""
    with embedding_server() as server:
        return server.url


@pytest.mark.usefixtures("soon")
def test_a_first_sync_while_the_endpoint_is_down(root: Path) -> None:
    with opened_at(root, closed_url()) as opened:
        first = opened.sync()
        assert (first.chunks, first.embedded, first.pending) == (10, 0, ("book.md",))
        assert "some at http://127.0.0.1" in first.error and not first.missing
        for code in CODES:
            assert code in opened.search(code, legs=("lexical",)).hits[0].stored.chunk.text
            assert code in opened.ask(f"What is {code}?", legs=("lexical",)).context.evidence[0].text
        with pytest.raises(ModelError, match="failed after 5 attempts"):
            opened.search("coral-03")
        assert opened.sync().unchanged == 1
        assert (opened.status().pending, opened.status().dimension) == (("book.md",), 0)
    with embedding_server() as server, opened_at(root, server.url) as opened:
        with pytest.raises(IndexStaleError, match="has no vectors") as caught:
            opened.search("coral-03")
        assert caught.value.hint == "run: pincite sync"
        second = opened.sync()
        assert (second.embedded, second.pending, second.unchanged) == (10, (), 1)
        hits = opened.search("The code of chapter 3 is coral-03", legs=("dense",)).hits
        assert len({hit.stored.chunk.id for hit in hits}) == 10


@pytest.mark.usefixtures("soon")
def test_an_update_while_the_endpoint_is_down_from_the_start(root: Path) -> None:
    with embedding_server() as server, opened_at(root, server.url) as opened:
        assert opened.sync().embedded == 10
        url = server.url
    (root / "book.md").write_text(CHAPTERS.replace("coral-07", "coral-77"))
    with opened_at(root, url) as opened:
        report = opened.sync()
        assert (report.changed, report.pending, report.reused) == (("book.md",), ("book.md",), 9)
        assert (report.embedded, report.dense_complete) == (0, 0.9) and report.error
        assert "coral-77" in opened.search("coral-77", legs=("lexical",)).hits[0].stored.chunk.text
        texts = [hit.stored.chunk.text for hit in opened.search("coral-07", legs=("lexical",)).hits]
        assert all("coral-07" not in text for text in texts)
    with embedding_server() as server, opened_at(root, server.url) as opened:
        assert opened.sync().embedded == 1
        assert opened.status().dense_complete == 1


@pytest.mark.usefixtures("soon")
def test_the_command_tells_that_the_endpoint_is_down(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pincite.cli import main

    monkeypatch.setenv("PINCITE_EMBED_BASE_URL", closed_url())
    words = ("--in", str(root), "--model", "api:some")
    assert main(["sync", *words]) == 6
    told = capsys.readouterr()
    assert "Error: the model failed: some at http://127.0.0.1" in told.err
    assert "found by words (--legs lexical)" in told.err and "pincite sync" in told.err
    assert "Pending (1)" in told.out and "1 indexed" in told.out
    assert main(["search", "coral-03", *words, "--legs", "lexical"]) == 0
    assert main(["search", "coral-03", *words]) == 6
    with embedding_server() as server:
        monkeypatch.setenv("PINCITE_EMBED_BASE_URL", server.url)
        assert main(["sync", *words]) == 0
        assert main(["search", "coral-03", *words]) == 0


def test_why_tells_a_text_that_the_model_still_fails_for(root: Path) -> None:
    model = HashedWords()
    model.fails_for = "The code of chapter 7"
    with library(root, model) as opened:
        opened.sync()
        (root.parent / "labels.tsv").write_text("which chapter has coral-07\tbook.md:27\n")
        (finding,) = opened.why(root.parent / "labels.tsv", legs=("dense",)).findings
    assert finding.code == "not-embedded"
    assert "It still gets none: no vector for The code of chapter 7" in finding.proof
