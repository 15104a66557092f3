"""F13: ligatures and hyphens at line ends leave the words of a PDF findable."""

from __future__ import annotations

import json
from pathlib import Path

from libraries import FAULTS, all_chunks, inputs, lexical, library

EXPECT = json.loads((FAULTS / "F13" / "expect.json").read_text("utf-8"))


def test_words_are_whole(tmp_path: Path) -> None:
    with library(tmp_path, inputs("F13", "annex.pdf")) as lib:
        for query in EXPECT["queries_hit_page_1"]:
            first, *_ = lexical(lib, query)
            assert (first.stored.uri, first.stored.place.page) == ("annex.pdf", 1)
        assert lexical(lib, '"Room 4-12"')
        text = "\n".join(hit.stored.chunk.text for hit in all_chunks(lib))
    assert "\0" not in text and "well-known" in text
    words = {word.strip(".") for word in text.split()}
    assert words >= set(EXPECT["terms_required"])
    assert not words & set(EXPECT["terms_forbidden"])
