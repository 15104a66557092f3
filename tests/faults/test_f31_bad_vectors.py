"""F31: a zero or non-finite vector is refused with its file and reason; its text stays in keyword search."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from embedders import StandIn, given
from embedding_server import embedding_server
from libraries import FAULTS, PLAIN, lexical, library, uris, write
from pincite.config import Config, ModelConfig
from pincite.errors import ModelError
from pincite.library import Library

CASE = json.loads((FAULTS / "F31" / "vectors.json").read_text("utf-8"))
EXPECT = json.loads((FAULTS / "F31" / "expect.json").read_text("utf-8"))
FILES = {f"{name}.md": f"The vector of {name} is special.\n" for name in "abce"}


def model(docs: Mapping[str, Sequence[object]], query: Sequence[object]) -> StandIn:
    """The case's model: the vector of each document, and that of the question."""
    rows = {f"vector of {name} ": [float(str(x)) for x in row] for name, row in docs.items()}
    return given({**rows, "question": [float(str(x)) for x in query]})


def test_top_two_and_what_is_refused(tmp_path: Path) -> None:
    with library(tmp_path, FILES, embedder=model(CASE["docs"], CASE["query"]), config=PLAIN) as lib:
        report = lib.sync()
        hits = lib.search("the question", legs=("dense",)).hits
        words = lexical(lib, "special")
        status = lib.status()
    found = [[hit.stored.uri.removesuffix(".md"), round(hit.candidate.fused, 6)] for hit in hits]
    assert found == EXPECT["top2"]
    assert report.pending == status.pending == ("c.md", "e.md")
    assert report.embedded == 2 and report.dense_complete == 0.5
    told = "\n".join(report.warnings)
    assert "c.md:1" in told and "zero vector" in told
    assert "e.md:1" in told and "not finite" in told
    assert sorted(uris(words)) == sorted(FILES)


@pytest.mark.parametrize("value", ["inf", "-inf", "nan"])
def test_infinite_values_are_treated_alike(value: str, tmp_path: Path) -> None:
    docs = {**CASE["docs"], "c": [value, 1], "e": [1, value]}
    with library(tmp_path, FILES, embedder=model(docs, CASE["query"]), config=PLAIN) as lib:
        report = lib.sync()
    assert report.pending == ("c.md", "e.md")


def test_tiny_values_and_negative_zero_are_fine(tmp_path: Path) -> None:
    docs = {**CASE["docs"], "c": [-0.0, 1.0], "e": [1e-42, 0.0]}
    with library(tmp_path, FILES, embedder=model(docs, CASE["query"]), config=PLAIN) as lib:
        report = lib.sync()
        hits = lib.search("the question", legs=("dense",)).hits
    assert report.pending == ()
    scores = {hit.stored.uri: round(hit.candidate.fused, 4) for hit in hits}
    assert scores == {"a.md": 1.0, "b.md": 0.6, "c.md": 0.8, "e.md": 0.6}


@pytest.mark.parametrize("query", [[0, 0], ["nan", 1], ["inf", 0]])
def test_a_query_without_a_vector_is_an_error(query: Sequence[object], tmp_path: Path) -> None:
    with library(tmp_path, FILES, embedder=model(CASE["docs"], query), config=PLAIN) as lib:
        lib.sync()
        for legs in (("dense",), ("lexical", "dense")):
            with pytest.raises(ModelError, match=r"zero|not finite"):
                lib.search("the question", legs=legs)
        assert sorted(uris(lexical(lib, "special"))) == sorted(FILES)


def test_a_server_that_sends_such_vectors(tmp_path: Path) -> None:
    """Through the product's own embedder: each reason is the right one, and the others are embedded."""
    write(tmp_path, FILES)
    with embedding_server() as server:
        sent = {"vector of c ": [0, 0], "vector of e ": [None, 2]}
        server.vector_of = lambda text: next((v for key, v in sent.items() if key in text), [0.6, 0.8])
        config = Config(model=ModelConfig("api:some", base_url=server.url))
        with Library(tmp_path, tmp_path / ".pincite", config) as lib:
            report = lib.sync()
            words = lexical(lib, "special")
    assert (report.embedded, report.pending) == (2, ("c.md", "e.md"))
    assert report.warnings == (
        "c.md:1: not embedded: the model gave a zero vector",
        "e.md:1: not embedded: the model gave a vector with a value that is not finite",
    )
    assert sorted(uris(words)) == sorted(FILES)
