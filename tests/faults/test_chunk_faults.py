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
CUT_BY_COUNT = ("fixed", "tokens")
WHOLE_ROWS = [strategy for strategy in STRATEGIES if strategy not in CUT_BY_COUNT]
RULE = "|------|------:|----------|"


def table(strategy: str, *, source_text: str | None = None, limit: int = 400) -> tuple[Document, list[Chunk]]:
    document = parse(source("parts.md", source_text)) if source_text else load("F04/parts.md")
    config = ChunkConfig(strategy, size=limit, parent_size=1024)
    chunked = make_chunker(config, CHARACTERS, limit, embedder=FirstWord(limit))(document)
    assert uncovered(document, chunked) == []
    return document, list(contextualise(document, chunked, CHARACTERS, limit=limit).chunks)


def has_part_of_row(chunk: Chunk) -> bool:
    return any(cell in chunk.text for cell in ("Part-", " | ", "shelf"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_f04_every_chunk_with_a_row_has_header_and_separator_on_neighbouring_lines(strategy: str) -> None:
    case = expected("F04")
    with_rows = [chunk for chunk in table(strategy)[1] if has_part_of_row(chunk)]
    assert len(with_rows) > 3
    for chunk in with_rows:
        assert f"{case['header']}\n{case['separator']}\n" in chunk.dense_text
        assert len(chunk.dense_text) <= case["limit_chars"]
        if strategy in WHOLE_ROWS:
            assert f"{case['separator']}\n| Part-" in chunk.dense_text
            assert chunk.dense_text.count(case["header"]) == 1
            assert (chunk.header == "") == (case["header"] in chunk.text)
        if chunk.text.startswith("| Part-"):
            assert chunk.heading == ("Spare parts", "Price list")


@pytest.mark.parametrize("strategy", WHOLE_ROWS)
def test_f04_each_row_is_in_one_chunk_whole(strategy: str) -> None:
    case = expected("F04")
    chunks = table(strategy)[1]
    rows = [line for chunk in chunks for line in chunk.text.split("\n") if "Part-" in line or "shelf" in line]
    assert rows == case["rows"]
    assert sum("Prices in EUR, valid from March." in chunk.dense_text for chunk in chunks) == 1


@pytest.mark.parametrize("strategy", WHOLE_ROWS)
def test_f04_the_lines_of_a_chunk_are_those_of_its_own_rows(strategy: str) -> None:
    document, chunks = table(strategy)
    (found,) = [chunk for chunk in chunks if "Part-037" in chunk.text]
    first, last = lines(document, found)
    assert first is not None and last is not None and 8 < first <= 45 <= last
    assert "Price" in found.dense_text and "359" in found.text


@pytest.mark.parametrize("strategy", WHOLE_ROWS)
def test_f04_a_record_of_several_lines_is_whole(strategy: str) -> None:
    records = [f'{n},"Stop it.\n\nWait for the lamp.",{n * 7}' for n in range(30)]
    text = "pump,steps,seconds\n" + "\n".join(records) + "\n"
    config = ChunkConfig(strategy, size=240, parent_size=1024)
    document = parse(source("pumps.csv", text))
    chunks = make_chunker(config, CHARACTERS, 240, embedder=FirstWord(240))(document).chunks
    assert len(chunks) > 3
    assert "\n".join(chunk.text for chunk in chunks) == text.rstrip()
    assert all(chunk.text.count('"') % 2 == 0 for chunk in chunks)
    assert all("pump,steps,seconds\n" in chunk.dense_text for chunk in chunks)


@pytest.mark.parametrize("strategy", WHOLE_ROWS)
def test_f04_cells_with_sentences_are_cut_nowhere(strategy: str) -> None:
    """Neither is the text around the table lost, nor its header given to what is no row."""
    rows = [f"| Pump {n} | Stop it. Wait. | Oil it! Then start it. |" for n in range(20)]
    head = f"| Pump | First | Then |\n{RULE}\n"
    text = f"# Pumps\n\nBefore. The table.\n\n{head}{chr(10).join(rows)}\n\n" + "After it, prose. " * 30
    chunks = table(strategy, source_text=text, limit=240)[1]
    assert [line for one in chunks for line in one.text.split("\n") if line.startswith("| Pump ")][1:] == rows
    for chunk in chunks:
        has_row, has_header = "Wait." in chunk.text, "| First |" in chunk.dense_text
        assert has_header == has_row
    assert len([chunk for chunk in chunks if "After it" in chunk.text]) > 1


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_f04_halves_of_a_chunk_with_rows_get_the_header_too(strategy: str) -> None:
    """A tokenizer whose words have more tokens alone than together brings chunks over the limit."""

    class Dearer(type(CHARACTERS)):  # type: ignore[misc]
        def count(self, texts: Any) -> list[int]:
            return [size + size // 4 for size in super().count(texts)]

    document = load("F04/parts.md")
    config = ChunkConfig(strategy, size=400, parent_size=1024)
    chunks = make_chunker(config, Dearer("."), 400, embedder=FirstWord(400))(document).chunks
    with_rows = [chunk for chunk in chunks if has_part_of_row(chunk)]
    assert all(f"{RULE}\n" in chunk.dense_text for chunk in with_rows)
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


@pytest.mark.parametrize("overlap", [-2, -6, -40])
def test_f05_other_negative_overlaps_are_refused(overlap: int) -> None:
    with pytest.raises(UsageError, match=f"chunk.overlap: expected 0 or more .*got {overlap}"):
        ChunkConfig("fixed", size=40, overlap=overlap)


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
