"""F33: no text reaches the model longer than its limit, and a question that does is reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from embedders import bag_of_words, maker
from libraries import FAULTS, all_chunks, inputs, library, write
from pincite.cli import main

EXPECT = json.loads((FAULTS / "F33" / "expect.json").read_text("utf-8"))
WORDS = (FAULTS / "F33" / "long.md").read_text("utf-8").split()
NEEDLE = "tourmaline-47"


def test_every_word_is_embedded_within_the_limit(tmp_path: Path) -> None:
    model = bag_of_words(limit=EXPECT["limit"], prefix="passage: ")
    with library(tmp_path, inputs("F33", "long.md"), embedder=model) as lib:
        report = lib.sync()
        chunks = all_chunks(lib)
        (best, *_) = lib.search(NEEDLE).hits
    assert max(model.count(model.embedded)) <= EXPECT["limit"]
    assert all(text.startswith("passage: ") for text in model.embedded)
    assert any(NEEDLE in text for text in model.embedded)
    assert len(chunks) >= 5 and report.cut_text == 0
    assert {word for text in model.embedded for word in text.split()} >= set(WORDS) - {"#"}
    assert NEEDLE in best.stored.chunk.text


def test_a_question_over_the_limit_is_reported(tmp_path: Path) -> None:
    model = bag_of_words(limit=EXPECT["limit"])
    with library(tmp_path, inputs("F33", "long.md"), embedder=model) as lib:
        lib.sync()
        long = lib.search(" ".join(["word"] * 70))
        short = lib.search(" ".join(["word"] * EXPECT["limit"]))
    assert long.notices == ("the query has 70 tokens; the model reads the first 64",)
    assert short.notices == ()


def test_the_limit_is_told_beside_the_chunk_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also the size in effect: what the settings say, or what the model reads if that is less."""
    model = bag_of_words(limit=EXPECT["limit"])
    monkeypatch.setattr("pincite.models.load_embedder", maker(model))
    write(tmp_path, inputs("F33", "long.md"))
    assert main(["sync", str(tmp_path)]) == 0
    for size, effect in ((384, 64), (40, 40)):
        monkeypatch.setenv("PINCITE_CHUNK_SIZE", str(size))
        capsys.readouterr()
        assert main(["status", "--in", str(tmp_path)]) == 0
        told = f"{effect} tokens (chunk.size = {size}; the model reads 64 tokens of a text)"
        assert told in capsys.readouterr().out
        assert main(["status", "--in", str(tmp_path), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["chunk_size"], found["limit"]) == (size, 64)
