"""The default strategy: what is merged, what is cut, and what a cut piece carries along."""

from __future__ import annotations

from itertools import pairwise

import pytest

from counters import WORDS
from parsed import source
from pincite.chunk import make_chunker, uncovered
from pincite.config import ChunkConfig
from pincite.parse import parse
from pincite.parse.writer import Writer
from pincite.types import Block, Chunk, Document, LeftOut, LineOrigins, Place, Section, Span


def chunks(
    text: str, uri: str = "page.md", size: int = 384, limit: int = 254, overlap: int = -1
) -> list[Chunk]:
    document = parse(source(uri, text))
    chunked = make_chunker(ChunkConfig(size=size, overlap=overlap, parent_size=1024), WORDS, limit)(document)
    assert uncovered(document, chunked) == []
    return list(chunked.chunks)


def texts(text: str, **settings: int) -> list[str]:
    return [chunk.text for chunk in chunks(text, **settings)]


def words(n: int, first: int = 0) -> str:
    return " ".join(f"W{i}" for i in range(first, first + n))


def test_blocks_of_one_section_are_merged_up_to_the_target() -> None:
    text = f"# Pump\n\n{words(8)}\n\n- {words(8)}\n- {words(8)}\n\n```\n{words(8)}\n```\n"
    assert texts(text, size=60) == [text.rstrip()]
    first, second = texts(text, size=26)
    assert first == f"# Pump\n\n{words(8)}\n\n- {words(8)}"
    assert second == f"- {words(8)}\n\n```\n{words(8)}\n```"


def test_sections_are_not_merged_even_if_small() -> None:
    assert texts("Intro.\n\n# A\n\nOne.\n\n## B\n\nTwo.\n\n# C\n") == [
        "Intro.",
        "# A\n\nOne.",
        "## B\n\nTwo.",
        "# C",
    ]


def test_what_is_left_out_is_in_no_chunk() -> None:
    text = "# Pump\n\nOil it.\n\n<!-- ask Kim -->\n\nFill it.\n\nOpen it.\n"
    assert texts(text) == ["# Pump\n\nOil it.", "Fill it.\n\nOpen it."]
    mail = "From: a@x.example\nSubject: Key\n\nIt is there.\n\nOn Monday Kim wrote:\n> Our budget is 9.\n"
    found = chunks(f"{mail}\nBring a card.\n", "key.eml")
    assert any("Bring a card." in one.text for one in found)
    assert not any("budget" in one.text for one in found)


def test_a_long_paragraph_is_cut_at_sentences_into_equal_parts() -> None:
    sentences = [f"{words(9, 10 * i)}." for i in range(30)]  # 10 tokens each
    found = chunks(" ".join(sentences), size=240, overlap=0)
    assert [chunk.n_tokens for chunk in found] == [150, 150]
    assert found[0].text.endswith(sentences[14]) and found[1].text.startswith("W150")


def test_a_cut_paragraph_overlaps_by_whole_sentences() -> None:
    sentences = [f"{words(9, 10 * i)}." for i in range(30)]
    found = chunks(" ".join(sentences), size=120, overlap=25)
    for a, b in pairwise(found):
        assert b.text.startswith(" ".join(a.text.split()[-18:]))
        assert 15 <= WORDS.count([a.text[b.span.start - a.span.start :]])[0] <= 25
    assert max(chunk.n_tokens for chunk in found) <= 120


def test_the_default_overlap_is_within_10_to_20_percent_when_sentences_allow_it() -> None:
    text = " ".join(f"{words(4, 5 * i)}." for i in range(200))
    found = chunks(text, size=200)
    shared = [WORDS.count([a.text[b.span.start - a.span.start :]])[0] for a, b in pairwise(found)]
    assert all(20 <= tokens <= 40 for tokens in shared)


def test_chinese_is_cut_at_its_own_punctuation() -> None:
    class Signs(type(WORDS)):  # type: ignore[misc]
        pass

    document = parse(source("page.md", "更换电池后请等待二十四小时。不要立即放入水中！" * 20))
    found = make_chunker(ChunkConfig(size=60, parent_size=60), Signs(r"\S"), 60)(document).chunks
    assert all(chunk.text[-1] in "。！" and chunk.n_tokens <= 60 for chunk in found)
    assert len(found) > 7


def test_a_long_word_is_cut_between_graphemes() -> None:
    class Signs(type(WORDS)):  # type: ignore[misc]
        pass

    text = "e\u0301" * 500 + "👩‍🔬" * 100
    document = parse(source("page.md", text))
    found = make_chunker(ChunkConfig(size=31, parent_size=60), Signs(r"(?s)."), 31)(document).chunks
    assert all(chunk.text[0] in "e👩" and chunk.text[-1] in "\u0301🔬" for chunk in found)


def test_a_small_table_stays_with_its_paragraph_and_needs_no_header() -> None:
    text = "Prices:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
    (chunk,) = chunks(text)
    assert (chunk.text, chunk.header, chunk.kind) == (text.rstrip(), "", "paragraph")


def test_header_rows_are_never_parted_from_the_first_row() -> None:
    text = f"{words(20)}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"
    for size in range(24, 60):
        for chunk in chunks(text, size=size, overlap=0):
            if "| a | b |" in chunk.text:
                assert "| 1 | 2 |" in chunk.text


def test_csv_rows_are_packed_and_carry_the_header_row() -> None:
    rows = [f"valve {i},{i}" for i in range(60)]
    found = chunks("name,price\n" + "\n".join(rows) + "\n", uri="prices.csv", size=60)
    assert len(found) < 10
    assert found[0].header == "" and found[0].text.startswith("name,price\n")
    assert all(chunk.dense_text.startswith("name,price\nvalve") for chunk in found)
    assert [line for chunk in found for line in chunk.text.split("\n")] == ["name,price", *rows]


def test_only_a_row_over_the_target_is_cut_and_each_piece_has_the_header() -> None:
    text = f"name,note\nshort,one\nlong,{words(90)}\nlast,two\n"
    found = chunks(text, uri="notes.csv", size=40, limit=60)
    assert found[0].text == "name,note\nshort,one"
    assert found[-1].text == "last,two"
    assert [chunk.header for chunk in found[1:]] == ["name,note"] * (len(found) - 1)


def test_rows_of_two_tables_with_headers_of_their_own_are_not_merged() -> None:
    text = "1,2\n3,4\n"
    blocks = (Block("row", Span(0, 3), header="a,b"), Block("row", Span(4, 7), header="c,d"))
    document = Document("d", "two.csv", "", text, "csv", LineOrigins.of(text), blocks=blocks)
    found = make_chunker(ChunkConfig(), WORDS, 254)(document).chunks
    assert [chunk.dense_text for chunk in found] == ["a,b\n1,2", "c,d\n3,4"]


def test_json_lines_are_packed() -> None:
    text = "".join(f'{{"id": {i}, "name": "valve {i}"}}\n' for i in range(100))
    found = chunks(text, uri="parts.jsonl", size=120)
    assert 10 < len(found) < 30
    assert all(chunk.text.startswith("{") and chunk.text.endswith("}") for chunk in found)


CODE = """import os


class Pump:
    def a(self):
        return 1

    def b(self):
        return 2

    def c(self):
"""


def test_small_methods_are_merged_under_their_class_and_a_large_one_stands_alone() -> None:
    body = "".join(f"        x{i} = {i}\n" for i in range(20))
    found = chunks(CODE + body + "\n    def d(self):\n        return 4\n", uri="pump.py", size=80)
    names = [(chunk.heading[-1:], chunk.text.split("\n")[0].strip()) for chunk in found]
    assert names == [
        ((), "import os"),
        (("Pump",), "class Pump:"),
        (found[2].heading[-1:], "def c(self):"),
        (found[3].heading[-1:], "def d(self):"),
    ]
    assert "def a" in found[1].text and "def b" in found[1].text
    assert found[2].heading[-1].endswith("c") and "Pump" in " ".join(found[2].heading)


def test_a_later_piece_of_a_cut_function_has_its_name_in_the_context() -> None:
    body = "".join(f"        x{i} = {i}\n" for i in range(60))
    found = chunks(CODE + body, uri="pump.py", size=80)
    assert all("c" in chunk.context for chunk in found[3:])
    assert all(chunk.text.split("\n")[0].startswith("        x") for chunk in found[3:])


def test_text_that_no_block_holds_is_chunked_and_left_out_text_is_not() -> None:
    text = "front\nOne.\nlost words\nTwo.\n"
    document = Document(
        "d",
        "page.txt",
        "",
        text,
        "text",
        LineOrigins.of(text),
        sections=(Section("One.", 1, Span(6, 27), Span(6, 10)),),
        blocks=(Block("heading", Span(6, 10), 0), Block("paragraph", Span(22, 26), 0)),
        left_out=(LeftOut(Span(0, 5), "front matter"),),
    )
    chunked = make_chunker(ChunkConfig(), WORDS, 254)(document)
    assert [chunk.text for chunk in chunked.chunks] == ["One.\nlost words\nTwo."]
    assert chunked.left_out == document.left_out
    assert uncovered(document, chunked) == []


@pytest.mark.parametrize("text", ["", " \n\t\r\n", "---\ntitle: x\n---\n"])
def test_a_document_without_text_has_no_chunks(text: str) -> None:
    assert chunks(text) == []


def test_crlf_stays_in_the_text_and_never_at_its_ends() -> None:
    found = chunks("# A\r\n\r\nOne.\r\nTwo.\r\n\r\n# B\r\nThree.\r\n")
    assert [chunk.text for chunk in found] == ["# A\r\n\r\nOne.\r\nTwo.", "# B\r\nThree."]


def test_a_chunk_goes_over_a_page_end_only_with_the_paragraph_that_does() -> None:
    first, second, last = Place(page=1), Place(page=2), Place(page=3)
    writer = Writer()
    writer.add("paragraph", [("One on the first page.", first)])
    writer.add("paragraph", [("It begins here", first), (" ", None), ("and ends there.", second)])
    writer.add("paragraph", [("Another on the second page.", second)])
    writer.add("paragraph", [("And one on the last.", last)])
    document = writer.finish(source("a.pdf", ""), "pdf")
    chunked = make_chunker(ChunkConfig(size=100), WORDS, 200)(document)
    places = [document.origins.place(chunk.span) for chunk in chunked.chunks]
    assert [(place.page, place.page_end) for place in places] == [(1, 2), (2, None), (3, None)]
    assert chunked.chunks[0].text.endswith("It begins here and ends there.")
