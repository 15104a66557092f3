"""F04, F05, F07, F11, F33: what chunks must keep, repeat, and never lose."""

from __future__ import annotations

import json
import time
import tracemalloc
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from counters import BLANK_SEPARATED, CHARACTERS, WORDS, FirstWord
from parsed import reread, source
from pincite.chunk import make_chunker, uncovered
from pincite.config import STRATEGIES, ChunkConfig
from pincite.contextualise import contextualise
from pincite.errors import UsageError
from pincite.parse import parse
from pincite.types import Chunk, Document

HERE = Path(__file__).parent
SETTINGS = json.loads((HERE / "F05" / "settings.json").read_text("utf-8"))
PAIRS = [case for case in SETTINGS if case["overlap"] != -1]  # −1 is the default, tested apart


def load(name: str) -> Document:
    return parse(source(name, (HERE / name).read_bytes()))


def expected(case: str) -> Any:
    return json.loads((HERE / case / "expect.json").read_text("utf-8"))


def lines(document: Document, chunk: Chunk) -> list[int | None]:
    place = document.origins.place(chunk.span)
    return [place.line_start, place.line_end]


# ── F04: a split table keeps its header row ───────────────────────────────────────────────────
def table() -> tuple[Document, list[Chunk]]:
    document = load("F04/parts.md")
    limit = expected("F04")["limit_chars"]
    chunked = make_chunker(ChunkConfig(size=limit, parent_size=1024), CHARACTERS, limit)(document)
    return document, list(contextualise(document, chunked, CHARACTERS, limit=limit).chunks)


def test_f04_every_chunk_with_a_row_has_header_and_separator_on_neighbouring_lines() -> None:
    case = expected("F04")
    head = f"{case['header']}\n{case['separator']}\n"
    with_rows = [chunk for chunk in table()[1] if "| Part-" in chunk.text]
    assert len(with_rows) > 3
    for chunk in with_rows:
        assert f"{head}| Part-" in chunk.dense_text
        assert chunk.dense_text.count(case["header"]) == 1
        assert chunk.heading == ("Spare parts", "Price list")
        assert len(chunk.dense_text) <= case["limit_chars"]
        assert (chunk.header == "") == (case["header"] in chunk.text)


def test_f04_each_row_is_in_one_chunk_whole() -> None:
    case = expected("F04")
    chunks = table()[1]
    rows = [line for chunk in chunks for line in chunk.text.split("\n") if line.startswith("| Part-")]
    assert rows == case["rows"]
    assert sum("Prices in EUR, valid from March." in chunk.dense_text for chunk in chunks) == 1


def test_f04_the_lines_of_a_chunk_are_those_of_its_own_rows() -> None:
    document, chunks = table()
    (found,) = [chunk for chunk in chunks if "Part-037" in chunk.text]
    first, last = lines(document, found)
    assert first is not None and last is not None and 8 < first <= 45 <= last
    assert "Price" in found.dense_text and "359" in found.text


def test_f04_halves_of_a_chunk_with_rows_get_the_header_too() -> None:
    """A tokenizer whose words have more tokens alone than together brings chunks over the limit."""

    class Dearer(type(CHARACTERS)):  # type: ignore[misc]
        def count(self, texts: Any) -> list[int]:
            return [size + size // 4 for size in super().count(texts)]

    document = load("F04/parts.md")
    chunks = make_chunker(ChunkConfig(size=400, parent_size=1024), Dearer("."), 400)(document).chunks
    with_rows = [chunk for chunk in chunks if "| Part-" in chunk.text]
    assert all("|------|------:|----------|\n| Part-" in chunk.dense_text for chunk in with_rows)
    assert max(chunk.n_tokens for chunk in chunks) <= 400


# ── F05: overlap as large as the chunk ────────────────────────────────────────────────────────
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    "case",
    [case for case in SETTINGS if case["overlap"] != -1],
    ids=lambda case: f"{case['size']}-{case['overlap']}",
)
def test_f05_an_overlap_is_refused_or_chunking_ends(case: dict[str, Any], strategy: str) -> None:
    size, overlap = case["size"], case["overlap"]
    if case["outcome"] == "reject":
        with pytest.raises(UsageError) as refused:
            ChunkConfig(strategy, size=size, overlap=overlap)
        assert str(size) in refused.value.message and str(overlap) in refused.value.message
        return
    document = load("F05/short_lines.txt")
    config = ChunkConfig(strategy, size=size, overlap=overlap, parent_size=1024)
    chunker = make_chunker(config, CHARACTERS, 1000, embedder=FirstWord(1000))
    tracemalloc.start()
    begin = time.process_time()
    chunked = chunker(document)
    assert time.process_time() - begin < 1
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()
    assert all(a.span.start < b.span.start for a, b in pairwise(chunked.chunks))
    assert uncovered(document, chunked) == []
    assert 1 <= len(chunked.chunks) <= len(document.text)


def test_f05_fixed_sizes_and_overlaps_are_characters() -> None:
    document = load("F05/short_lines.txt")
    config = ChunkConfig("fixed", size=40, overlap=21)
    chunks = make_chunker(config, CHARACTERS, 1000)(document).chunks
    assert max(len(chunk.text) for chunk in chunks) == 40
    assert [chunk.span.start for chunk in chunks][:3] == [0, 20, 38]  # 19 is a line break


def test_f05_an_overlap_of_minus_one_is_the_default_of_15_percent() -> None:
    document = load("F05/short_lines.txt")
    default, given = (
        make_chunker(ChunkConfig("fixed", size=40, overlap=overlap), CHARACTERS, 1000)(document).chunks
        for overlap in (-1, 6)
    )
    assert [chunk.span for chunk in default] == [chunk.span for chunk in given]
    with pytest.raises(UsageError):
        ChunkConfig("fixed", size=40, overlap=-2)


# ── F07: repeated text stands where it stands ─────────────────────────────────────────────────
def test_f07_each_copy_has_its_own_place() -> None:
    case = expected("F07")
    document = load("F07/pumps.md")
    chunks = make_chunker(ChunkConfig(), WORDS, 254)(document).chunks
    assert [list(chunk.heading) for chunk in chunks] == [one["heading_path"] for one in case["sections"]]
    assert [lines(document, chunk) for chunk in chunks] == [one["lines"] for one in case["sections"]]
    said = "Check the oil level every week."
    assert [chunk.span.start + chunk.text.index(said) for chunk in chunks] == case["sentence_offsets"]
    for chunk in chunks:
        assert reread(document.text.split("\n"), document.origins.place(chunk.span)) == chunk.text
    assert len({chunk.id for chunk in chunks}) == 3


# ── F11: equal headings, text before them, headings without text ──────────────────────────────
def faq() -> tuple[Document, tuple[Chunk, ...]]:
    document = load("F11/faq.md")
    return document, make_chunker(ChunkConfig(), WORDS, 254)(document).chunks


def test_f11_sections_of_one_name_stay_apart() -> None:
    document, chunks = faq()
    found = [{"path": list(chunk.heading), "lines": lines(document, chunk)} for chunk in chunks]
    for section in expected("F11")["sections"]:
        assert section in found
    for port, line in expected("F11")["line_of"].items():
        (held,) = [chunk for chunk in chunks if port in chunk.text]
        assert lines(document, held)[1] == line
    assert len({chunk.id for chunk in chunks}) == len(chunks)


def test_f11_a_new_section_at_the_end_changes_no_id() -> None:
    document, chunks = faq()
    longer = parse(source("F11/faq.md", document.text + "\n# Added\n\nNew text.\n"))
    again = make_chunker(ChunkConfig(), WORDS, 254)(longer).chunks
    assert [chunk.id for chunk in again[: len(chunks)]] == [chunk.id for chunk in chunks]


def test_f11_headings_end_no_chunk_of_another_section_and_stand_once() -> None:
    document, chunks = faq()
    heads = [block.span for block in document.blocks if block.kind == "heading"]
    for chunk in chunks:
        assert not any(chunk.span.start < head.start < chunk.span.end for head in heads)
        assert chunk.dense_text.count("Setup") == ("Setup" in chunk.heading)
    assert [chunk.dense_text for chunk in chunks][-3:] == ["# Roadmap", "Roadmap\n## Later", "# Empty tail"]


def test_f11_a_first_heading_is_not_the_title_of_its_siblings() -> None:
    chunks = faq()[1]
    assert [chunk.context for chunk in chunks if "port" in chunk.text] == ["Server", "Client", "Client"]


# ── F33: nothing over the model's limit ───────────────────────────────────────────────────────
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_f33_no_text_is_over_the_limit_and_none_is_lost(strategy: str) -> None:
    case = expected("F33")
    limit = case["limit"] - 1  # an embedder's limit has its prefix taken off
    document = load("F33/long.md")
    config = ChunkConfig(strategy)
    chunker = make_chunker(config, BLANK_SEPARATED, limit, embedder=FirstWord(limit))
    chunked = contextualise(document, chunker(document), BLANK_SEPARATED, limit=limit)
    sizes = BLANK_SEPARATED.count([f"passage: {chunk.dense_text}" for chunk in chunked.chunks])
    assert max(sizes) <= case["limit"]
    assert [size - 1 for size in sizes] == [chunk.n_tokens for chunk in chunked.chunks]
    assert any("tourmaline-47" in chunk.dense_text for chunk in chunked.chunks)
    assert sum("w0" in chunk.text or "w2" in chunk.text for chunk in chunked.chunks) >= 4
    assert len(chunked.chunks) >= 5
    assert uncovered(document, chunked) == []
