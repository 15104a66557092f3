"""F32: vectors of two models never meet; a changed model is named, and the next sync embeds anew."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from embedders import StandIn, given, maker
from embedding_server import Server, embedding_server, vector_of
from libraries import FAULTS, PLAIN, lexical, library, uris, write
from pincite.config import Config, ModelConfig
from pincite.errors import IndexStaleError
from pincite.library import Library

CASE = json.loads((FAULTS / "F32" / "models.json").read_text("utf-8"))
EXPECT = json.loads((FAULTS / "F32" / "expect.json").read_text("utf-8"))
FILES = {f"d{n}.md": f"Text of d{n}.\n" for n in (1, 2, 3)}


def model(name: str) -> StandIn:
    rows = {("question" if key == "q" else key): row for key, row in CASE[name].items()}
    return given(rows, name=f"model-{name}")


def opened(root: Path, name: str) -> Library:
    return Library(root, root / ".pincite", PLAIN, make_embedder=maker(model(name)))


def first(lib: Library) -> str:
    return lib.search("the question", legs=("dense",)).hits[0].stored.uri


def test_one_model(tmp_path: Path) -> None:
    with library(tmp_path, FILES, embedder=model("A"), config=PLAIN) as lib:
        lib.sync()
        (best, *_) = lib.search("the question", legs=("dense",)).hits
    assert best.stored.uri == f"{EXPECT['A_on_A_first']}.md"
    assert best.candidate.fused == pytest.approx(0.9879, abs=1e-4)


@pytest.mark.parametrize("other", ["B", "C"])
def test_another_model_is_refused_with_both_names_and_sizes(other: str, tmp_path: Path) -> None:
    with library(tmp_path, FILES, embedder=model("A"), config=PLAIN) as lib:
        lib.sync()
    with opened(tmp_path, other) as lib:
        for legs in (("dense",), ("lexical", "dense")):
            with pytest.raises(IndexStaleError) as caught:
                lib.search("the question", legs=legs)
            for words in ("model-A", f"model-{other}", "4", str(model(other).dimension), "pincite sync"):
                assert words in f"{caught.value.message} {caught.value.hint}"
        assert uris(lexical(lib, "text of d2"))[0] == "d2.md"


@pytest.mark.parametrize("other", ["B", "C"])
def test_the_next_sync_embeds_all_anew_and_back(other: str, tmp_path: Path) -> None:
    with library(tmp_path, FILES, embedder=model("A"), config=PLAIN) as lib:
        lib.sync()
    with opened(tmp_path, other) as lib:
        report = lib.sync()
        assert (report.embedded, report.dense_complete, report.model) == (3, 1.0, f"model-{other}")
        assert first(lib) == "d1.md"
    with opened(tmp_path, "A") as lib:
        assert lib.sync().embedded == 3
        assert first(lib) == "d1.md"


def test_stopped_half_way_the_index_mixes_nothing(tmp_path: Path) -> None:
    with library(tmp_path, FILES, embedder=model("A"), config=PLAIN) as lib:
        lib.sync()
    with opened(tmp_path, "C") as lib:
        broken = model("C")
        broken.fails_on = "d3"
        lib._make_embedder = maker(broken)
        report = lib.sync()
        assert report.pending == ("d3.md",)
        found = lib.search("the question", legs=("dense",))
    assert [hit.stored.uri for hit in found.hits] == ["d1.md", "d2.md"]
    assert round(found.dense_complete, 2) == 0.67


def test_a_model_named_in_the_settings_is_refused_alike(tmp_path: Path) -> None:
    def make(config: Config, name: str) -> StandIn:
        return model(name)

    for name in ("A", "B"):
        config = replace(PLAIN, model=replace(PLAIN.model, name=name))
        write(tmp_path, FILES)
        with Library(tmp_path, tmp_path / ".pincite", config, make_embedder=make) as lib:
            if name == "A":
                lib.sync()
                continue
            with pytest.raises(IndexStaleError) as caught:
                lib.search("the question")
            assert "made with A, the settings name B (4 and 3 numbers a vector)" in caught.value.message
            assert caught.value.hint == "run: pincite sync --model B"
            assert lib.sync().embedded == 3
            assert first(lib) == "d1.md"


# ── the same name and size at another endpoint ────────────────────────────────────────────────
def served(root: Path, server: Server) -> Library:
    model = ModelConfig("api:model-A", base_url=server.url)
    return Library(root, root / ".pincite", replace(PLAIN, model=model))


def answers_as(server: Server, name: str) -> None:
    """The server gives the case's vectors of this model, for other texts some of its own."""
    rows = {("question" if key == "q" else key): row for key, row in CASE[name].items()}
    size = len(rows["d1"])
    server.vector_of = lambda text: next(
        (row for key, row in rows.items() if key in text), vector_of(name + text)[:size]
    )


@pytest.mark.parametrize("moved", [True, False])
def test_another_model_of_the_same_name_and_size_is_refused(moved: bool, tmp_path: Path) -> None:
    """At another address, or in the same place: the vectors of a fixed text tell it."""
    write(tmp_path, FILES)
    with embedding_server() as one, embedding_server() as two:
        answers_as(one, "A")
        with served(tmp_path, one) as lib:
            assert lib.sync().embedded == 3
            assert first(lib) == "d1.md"
        other = two if moved else one
        answers_as(other, "C")
        with served(tmp_path, other) as lib:
            for legs in (("dense",), ("lexical", "dense")):
                with pytest.raises(
                    IndexStaleError, match="the server of model-A gives other vectors"
                ) as caught:
                    lib.search("the question", legs=legs)
                assert "PINCITE_EMBED_BASE_URL" in caught.value.hint and "pincite sync" in caught.value.hint
            assert uris(lexical(lib, "text of d2"))[0] == "d2.md"
            report = lib.sync()
            assert (report.embedded, report.unchanged, report.dense_complete) == (3, 3, 1.0)
            assert first(lib) == "d1.md"
            assert lib.sync().embedded == 0


def test_a_server_that_moves_costs_nothing(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    with embedding_server() as one, embedding_server() as two:
        answers_as(one, "A")
        with served(tmp_path, one) as lib:
            assert lib.sync().embedded == 3
        answers_as(two, "A")
        exact = two.vector_of
        two.vector_of = lambda text: [(x or 0.0) * 2 + 1e-6 for x in exact(text)]  # as another machine would
        with served(tmp_path, two) as lib:
            assert first(lib) == "d1.md"
            report = lib.sync()
            assert (report.embedded, report.unchanged, report.dense_complete) == (0, 3, 1.0)


def test_stopped_half_way_at_another_endpoint_nothing_is_mixed(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    with embedding_server() as one, embedding_server() as two:
        answers_as(one, "A")
        with served(tmp_path, one) as lib:
            lib.sync()
        answers_as(two, "C")
        exact = two.vector_of
        two.vector_of = lambda text: [0.0] * 4 if "d3" in text else exact(text)
        with served(tmp_path, two) as lib:
            assert lib.sync().pending == ("d3.md",)
            found = lib.search("the question", legs=("dense",))
    assert [hit.stored.uri for hit in found.hits] == ["d1.md", "d2.md"]
