"""F04: every piece of a split table carries its header row, and cites its own rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from embedders import bag_of_words
from libraries import FAULTS, all_chunks, cited_lines, inputs, lexical, library
from pincite.config import STRATEGIES, ChunkConfig, Config
from pincite.types import SearchHit

EXPECT = json.loads((FAULTS / "F04" / "expect.json").read_text("utf-8"))
CHARACTERS = bag_of_words(name="characters", limit=EXPECT["limit_chars"], token=".")


def rows_of(hit: SearchHit) -> list[str]:
    return [line for line in hit.stored.chunk.text.split("\n") if line.startswith("| Part-")]


@pytest.mark.parametrize("strategy", [one for one in STRATEGIES if one not in ("fixed", "tokens")])
def test_each_row_stands_whole_in_one_chunk_under_the_header(tmp_path: Path, strategy: str) -> None:
    config = Config(chunk=ChunkConfig(strategy, size=EXPECT["limit_chars"], parent_size=1024))
    with library(tmp_path, inputs("F04", "parts.md"), embedder=CHARACTERS, config=config) as lib:
        lib.sync()
        chunks = all_chunks(lib)
        (hit, *_) = lexical(lib, "what does Part-037 cost")
    with_rows = [one for one in chunks if rows_of(one)]
    assert len(with_rows) > 1
    assert [row for one in with_rows for row in rows_of(one)] == EXPECT["rows"]
    for one in with_rows:
        chunk = one.stored.chunk
        read = f"{chunk.header}\n{chunk.text}" if chunk.header else chunk.text
        assert f"{EXPECT['header']}\n{EXPECT['separator']}\n" in read
        assert chunk.heading == ("Spare parts", "Price list") or "## Price list\n" in chunk.text
        assert len(chunk.dense_text) <= EXPECT["limit_chars"]
        assert cited_lines(tmp_path, one).strip() == chunk.text.strip()
    shown = "\n".join(one.stored.chunk.header + one.stored.chunk.text for one in chunks)
    assert shown.count("Prices in EUR, valid from March.") == 1
    first, last = hit.stored.place.line_start, hit.stored.place.line_end
    assert first is not None and last is not None
    assert 8 < first <= EXPECT["row_line"]["Part-037"] <= last
    assert "Price" in hit.stored.chunk.header
    assert str(EXPECT["answer"]["Part-037"]) in hit.stored.chunk.text
