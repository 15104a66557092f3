"""What chunks carry along stays small, whatever a file holds: its index grows with its size, not faster."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from embedders import bag_of_words
from libraries import library
from parsed import source, texts
from pincite.characters import shortened
from pincite.config import Config
from pincite.contextualise import lexical_text
from pincite.folder.walk import FoundFile
from pincite.jsonform import document_json, dump, search_json
from pincite.parse import parse
from pincite.parse.bounds import MAX_HEADER, MAX_META, MAX_PART, MAX_TITLE
from pincite.parse.writer import Writer
from pincite.sync.ingest import Cutters, Prepared, prepare
from pincite.sync.wire import pack_prepared
from pincite.types import MOST_HEADINGS, Chunk, Meta, Place, RunOrigins, Span

PAGE = "The pump of the north wing is checked every spring by two people.\n\n" * 1_500
COLUMNS = ",".join(f"col{n:06}" for n in range(8_000))
KEYS = "".join(f"k{n}: v{n}\n" for n in range(10_000))
FILES = {
    "an underlined heading of 60,000 lines": ("a.md", "a\n" * 60_000 + "===\n\nzebra\n"),
    "front matter too large to be taken": ("a.md", f"---\n{KEYS}---\n\n{PAGE}"),
    "nested long headings": ("a.md", "".join(f"{'#' * n} {'h' * 10_000}\n\n" for n in range(1, 7)) + PAGE),
    "a long heading of a page": (
        "a.html",
        f"<title>{'t' * 50_000}</title><h1>{'h' * 50_000}</h1>" + PAGE.replace("\n\n", "<p>"),
    ),
    "8,000 columns": ("a.csv", f"{COLUMNS}\n" + "1,2\n" * 20_000),
    "headings 400 deep": ("a.org", "".join(f"{'*' * n} head{n}\n" for n in range(1, 401)) + PAGE),
}


def prepared(root: Path, uri: str, text: str) -> Prepared:
    (root / uri).write_text(text, "utf-8")
    return prepare(FoundFile(uri, root / uri, 0, 0, 0, 0), Cutters.of(Config(), bag_of_words()))


@pytest.mark.parametrize("name", list(FILES))
def test_what_a_file_becomes_is_a_small_multiple_of_it(tmp_path: Path, name: str) -> None:
    uri, text = FILES[name]
    made = prepared(tmp_path, uri, text)
    document, chunks = made.document, made.chunked.chunks
    assert document is not None
    assert len(chunks) > 90
    assert max(map(carried, chunks)) <= (MOST_HEADINGS + 1) * MAX_TITLE + MAX_HEADER
    assert len(pack_prepared(made)) < 8 * len(text)
    held = "".join(block for block in texts(document))
    assert len("".join(held.split())) >= 0.9 * len("".join(document.text.split()))


def carried(chunk: Chunk) -> int:
    return sum(map(len, chunk.heading)) + len(chunk.header)


def test_a_library_prints_no_heading_whole(tmp_path: Path) -> None:
    text = f"# {'word ' * 20_000}\n\nThe zebra sleeps.\n"
    with library(tmp_path, {"a.md": text}) as lib:
        lib.sync()
        found = lib.search("zebra")
    (hit,) = [hit for hit in found.hits if "zebra" in hit.stored.chunk.text]
    title = ("word " * 60).rstrip() + "…"
    assert (hit.stored.doc_title, hit.stored.chunk.heading) == (title, (title,))
    assert (
        len(dump(search_json(found))) < 100_000
    )  # ten hits of 5,000 characters; whole, the heading took 2 MB


def test_rows_print_no_long_header_each(tmp_path: Path) -> None:
    made = prepared(tmp_path, "a.csv", f"{COLUMNS}\n1,2\n3,4\n")
    assert made.document is not None
    shown = document_json(made.document, made.chunked)
    assert [len(block["header"]) for block in shown["blocks"]] == [0, 300, 300]


def test_what_is_shortened_ends_with_a_word() -> None:
    assert shortened("one two three", 13) == "one two three"
    assert shortened("one two three", 12) == "one two…"
    assert shortened("one two three", 8) == "one two…"
    assert shortened("one two three", 6) == "one…"
    assert shortened("a" + "b" * 20, 8) == "abbbbbb…"
    assert shortened("ab " + "c" * 20, 12) == "ab cccccccc…"


def test_titles_and_headers_within_the_bounds_stay_as_they_are() -> None:
    title = "word " * 59 + "words"
    assert len(title) == MAX_TITLE
    document = parse(source("a.md", f"# {title}\n\ntext\n"))
    assert (document.title, document.sections[0].title) == (title, title)
    names = ",".join(f"{n:02}{'c' * 97}" for n in range(19)) + "," + "d" * 100
    assert len(names) == MAX_HEADER
    rows = parse(source("a.csv", f"{names}\n" + f"{',x' * 19}y\n" * 3)).blocks
    assert [row.header for row in rows] == ["", names, names, names]


def test_a_shortened_header_stands_whole_in_the_text() -> None:
    document = parse(source("a.csv", FILES["8,000 columns"][1]))
    row = document.blocks[1]
    assert row.header == COLUMNS[: MAX_HEADER - 1] + "…"
    assert row.header_span == Span(0, len(COLUMNS))


def test_of_a_deep_path_the_inner_headings_are_carried() -> None:
    text = "".join(f"{'*' * n} head{n}\n" for n in range(1, 16))
    document = parse(source("a.org", text))
    inner = [f"head{n}" for n in range(1, 16)]
    assert document.heading_path(14) == ("…", *inner[3:])
    assert document.heading_path(11) == tuple(inner[:12])
    own = document.sections[14].title_span
    assert document.situating_path(14, own) == ("…", *inner[2:14])
    assert document.situating_path(12, document.sections[12].title_span) == tuple(inner[:12])


def test_names_of_parts_are_bounded() -> None:
    writer = Writer()
    writer.add(
        "paragraph", [("one", Place(part="x" * 9_000)), ("two", Place(part="x", page_label="y" * 600))]
    )
    origins = writer.finish(source("a.bin", ""), "test").origins
    assert isinstance(origins, RunOrigins)
    places = [run.place for run in origins.runs]
    assert [(len(place.part or ""), len(place.page_label or "")) for place in places] == [
        (MAX_PART, 0),
        (1, 500),
    ]


def test_version_and_dates_beside_a_chunk_are_bounded() -> None:
    document = parse(source("a.md", "text"))
    days = {f"d{n:04}": date(2000, 1, 1) + timedelta(n) for n in range(2_000)}
    meta: Meta = {"version": "v " * 30_000, **days}
    text = lexical_text(Chunk("0", document.id, Span(0, 4), "text"), replace(document, meta=meta))
    assert len(text) < 400
    assert text.startswith("a.md v v")
    assert text.endswith(
        "… 2000-01-01 2000-01-02" + "".join(f" 2000-01-{n:02}" for n in range(3, 21)) + "\ntext"
    )


def test_of_long_metadata_the_small_fields_are_kept_and_the_rest_is_named() -> None:
    tags = [f"tag{n:03}" for n in range(1_000)]
    front = f"tags: [{', '.join(tags)}]\nabout: {'x' * 5_000}\nn: 7\nsince: 2026-01-02\nwho: Pia\n"
    document = parse(source("a.md", f"---\n{front}---\n\ntext\n"))
    assert list(document.meta) == ["tags", "about", "n", "since", "who"]
    assert document.meta["about"] == "x" * 5_000
    assert document.meta["n"] == 7 and document.meta["since"] == date(2026, 1, 2)
    taken = len("n7" + "since2026-01-02" + "whoPia" + "about" + "tags") + 1_000
    assert document.meta["tags"] == tuple(tags[: (MAX_META - taken) // 6])
    assert document.losses.dropped == ("metadata beyond 4,000 characters: tags",)


def test_metadata_of_many_fields_is_bounded() -> None:
    fields = "".join(f"field{n:04}: value{n}\n" for n in range(1_500))
    document = parse(source("a.md", f"---\n{fields}---\n\ntext\n"))
    assert sum(len(name) + len(str(value)) for name, value in document.meta.items()) <= MAX_META
    assert len(document.meta) > 200
    (dropped,) = document.losses.dropped
    assert dropped.startswith("metadata beyond 4,000 characters: field") and dropped.endswith(" more")
    assert parse(source("a.md", "---\na: 1\n---\n\ntext\n")).losses.dropped == ()
