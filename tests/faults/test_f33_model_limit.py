"""F33: no text reaches the model longer than its limit, and a question that does is reported."""

from __future__ import annotations

import json
from pathlib import Path

from embedders import bag_of_words
from libraries import FAULTS, all_chunks, inputs, library

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
