"""The situating line: what it says, how long it may be, and where it goes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from counters import BLANK_SEPARATED, CHARACTERS, WORDS, english
from parsed import source
from pincite.chunk import make_chunker, uncovered
from pincite.config import ChunkConfig
from pincite.contextualise import contextualise, lexical_text, section_at, situating_line
from pincite.errors import ModelError
from pincite.parse import parse
from pincite.protocols import TokenCounter
from pincite.types import Chunk, Chunked, Document, LineOrigins, Span


def chunked(text: str, limit: int = 254, tokens: TokenCounter = WORDS) -> tuple[Document, Chunked]:
    document = parse(source("guide.md", text))
    return document, make_chunker(ChunkConfig(), tokens, limit)(document)


def contexts(text: str) -> list[str]:
    return [chunk.context for chunk in chunked(text)[1].chunks]


@pytest.mark.parametrize(
    ("title", "path", "header", "line"),
    [
        ("Guide", ("Pump", "Seals"), "", "Guide › Pump › Seals"),
        ("Guide", ("Guide", "Seals"), "", "Guide › Seals"),
        ("Guide", (), "", "Guide"),
        ("", ("Pump",), "", "Pump"),
        ("", (), "", ""),
        ("Guide", ("", "Two\n lines"), "", "Guide › Two lines"),
        ("Guide", ("Prices",), "| a | b |\n|---|---|\n", "Guide › Prices\n| a | b |\n|---|---|"),
        ("", (), "name,price\r\n", "name,price"),
    ],
)
def test_situating_line(title: str, path: tuple[str, ...], header: str, line: str) -> None:
    assert situating_line(title, path, header) == line


def test_headings_inside_the_chunk_are_left_out() -> None:
    assert contexts("# Guide\n\nIntro.\n\n## Pump\n\nText.\n\n### Seals\n\nMore.\n") == [
        "",
        "Guide",
        "Guide › Pump",
    ]


@pytest.mark.parametrize("line", [True, False])
def test_without_the_line_only_a_table_header_is_left(line: bool) -> None:
    rows = "".join(f"| part {n} | {n} |\n" for n in range(40))
    text = f"# Guide\n\nIntro.\n\n## Prices\n\n| part | price |\n|---|---|\n{rows}"
    config = ChunkConfig(size=64, overlap=0, context_line=line)
    document = parse(source("guide.md", text))
    made = make_chunker(config, WORDS, 254)(document)
    again = contextualise(document, made, WORDS, limit=254, line=line)
    assert again == made
    header = "| part | price |\n|---|---|"
    wanted = {"", f"Guide › Prices\n{header}"} if line else {"", header}
    assert {chunk.context for chunk in made.chunks if "part 2 " not in chunk.text} >= wanted
    assert all(chunk.n_tokens == WORDS.count([chunk.dense_text])[0] for chunk in made.chunks)
    assert line or not any("Guide" in chunk.context for chunk in made.chunks)


def test_the_title_of_front_matter_stands_above_all() -> None:
    text = "---\ntitle: Field guide\n---\nIntro.\n\n# Pump\n\nText.\n\n# Hose\n\nText.\n"
    assert contexts(text) == ["Field guide", "Field guide", "Field guide"]


def test_the_title_heading_is_not_repeated_above_its_own_text() -> None:
    assert contexts("---\ntitle: Guide\n---\n# Guide\n\nIntro.\n") == [""]


def test_context_and_text_are_counted_together() -> None:
    document, result = chunked("# Guide\n\n## Pump\n\nText of the pump.\n")
    assert [chunk.dense_text for chunk in result.chunks] == ["# Guide", "Guide\n## Pump\n\nText of the pump."]
    assert [chunk.n_tokens for chunk in result.chunks] == [2, 9]
    assert contextualise(document, result, WORDS, limit=254) == result


@pytest.mark.parametrize("limit", [16, 17, 30, 254])
@pytest.mark.parametrize("counter", ["words", "characters", "english"])
def test_a_long_title_is_shortened_and_the_text_is_whole(counter: str, limit: int) -> None:
    tokens = {"words": WORDS, "characters": CHARACTERS}.get(counter) or english()
    title = "A very long title about " + "valves and pumps and hoses " * 400
    text = f"# {title}\n\n## Seals\n\nReplace the seals of the pump every second year.\n"
    document, result = chunked(text, limit, tokens)
    assert max(chunk.n_tokens for chunk in result.chunks) <= limit
    assert [c.n_tokens for c in result.chunks] == tokens.count([c.dense_text for c in result.chunks])
    for chunk in result.chunks:
        if chunk.context:
            assert tokens.count([chunk.context])[0] <= limit // 3
    assert "…" in result.chunks[-1].context
    assert chunked(text, limit, tokens) == (document, result)
    assert uncovered(document, result) == []


def test_outer_headings_go_first() -> None:
    outer = "one two three four five six seven eight nine ten"
    text = f"# {outer}\n\n## Pump\n\n### Seals\n\nReplace them.\n\n{'More text. ' * 40}\n"
    last = chunked(text, 33)[1].chunks[-1]
    assert last.context == "… › Pump › Seals"


def test_a_wide_table_header_keeps_its_names_before_its_rules() -> None:
    head = "| " + " | ".join(f"c{i}" for i in range(8)) + " |"
    rule = "|" + "----------|" * 8
    rows = "\n".join("| " + " | ".join(f"{i}{j}" for j in range(8)) + " |" for i in range(40))
    chunk = chunked(f"# Prices\n\n{head}\n{rule}\n{rows}\n", 100)[1].chunks[-1]
    assert chunk.header == f"{head}\n{rule}"
    assert chunk.context == f"Prices\n{head}\n|-|-|-|-|-|-|-|-|"
    assert chunk.n_tokens <= 100


def test_a_header_that_cannot_fit_is_cut_at_its_end() -> None:
    head = "| " + " | ".join(f"column{i}" for i in range(90)) + " |"
    rule = "|" + "---|" * 90
    row = "| " + " | ".join("1" for _ in range(90)) + " |"
    chunk = chunked(f"# Prices\n\n{head}\n{rule}\n{row}\n{row}\n", 200)[1].chunks[-1]
    assert chunk.context.startswith("Prices\n| column0 | column1 |")
    assert chunk.context.endswith("…")
    assert WORDS.count([chunk.context])[0] <= 100 and chunk.n_tokens <= 200


# ── a written line ────────────────────────────────────────────────────────────────────────────
def numbered(document: Document, result: Chunked) -> tuple[str, ...]:
    return tuple(f"Part {i}\nof {document.uri}" for i, _ in enumerate(result.chunks))


def test_a_writer_replaces_the_path_and_keeps_the_header() -> None:
    rows = "\n".join(f"| valve {i} | {i} |" for i in range(30))
    document, result = chunked(f"# Prices\n\n| name | price |\n|---|---|\n{rows}\n", 90)
    written = contextualise(document, result, WORDS, limit=120, writer=numbered)
    assert [chunk.context.split("\n")[0] for chunk in written.chunks] == [
        f"Part {i} of guide.md" for i in range(len(written.chunks))
    ]
    assert written.chunks[-1].context.endswith("| name | price |\n|---|---|")
    assert [chunk.text for chunk in written.chunks] == [chunk.text for chunk in result.chunks]
    assert [c.n_tokens for c in written.chunks] == WORDS.count([c.dense_text for c in written.chunks])


def test_a_written_line_that_is_too_long_is_cut_and_the_text_stays() -> None:
    document, result = chunked("# Guide\n\n" + "Turn the valve slowly. " * 40, 60)
    written = contextualise(
        document, result, WORDS, limit=60, writer=lambda _, r: ("word " * 500,) * len(r.chunks)
    )
    assert max(chunk.n_tokens for chunk in written.chunks) <= 60
    assert all(chunk.context.endswith("…") for chunk in written.chunks)
    assert [chunk.text for chunk in written.chunks] == [chunk.text for chunk in result.chunks]


def test_a_blank_written_line_leaves_the_own_one() -> None:
    document, result = chunked("# Guide\n\n## Pump\n\nText.\n")
    assert contextualise(document, result, WORDS, limit=254, writer=lambda *_: (" ", "")) == result


def test_a_writer_with_too_few_lines_is_an_error() -> None:
    document, result = chunked("# Guide\n\n## Pump\n\nText.\n")
    with pytest.raises(ModelError, match=r"expected 2 lines for guide\.md, got 1"):
        contextualise(document, result, WORDS, limit=254, writer=lambda *_: ("one",))


def test_a_context_gives_way_to_text_that_fills_the_limit() -> None:
    document = parse(source("guide.md", "# Guide\n\n## Pump\n\none two three four five six seven eight\n"))
    span = Span(document.text.index("one"), len(document.text.rstrip()))
    chunk = Chunk("c", document.id, span, document.text[span.start : span.end], heading=("Guide", "Pump"))
    fits = {limit: _contextualised(document, chunk, limit) for limit in (12, 11, 10, 9, 8)}
    assert [fits[limit].context for limit in (12, 11, 10)] == ["Guide › Pump", "Guide › Pump", "Guide…"]
    assert [fits[limit].context for limit in (9, 8)] == ["", ""]
    assert all(one.n_tokens <= limit for limit, one in fits.items())


def _contextualised(document: Document, chunk: Chunk, limit: int) -> Chunk:
    lines = ("Guide › Pump",)
    done = contextualise(document, Chunked((chunk,)), WORDS, limit=limit, writer=lambda *_: lines)
    return done.chunks[0]


# ── where it goes ─────────────────────────────────────────────────────────────────────────────
def test_lexical_text_has_path_version_and_dates_before_the_situated_text() -> None:
    document, result = chunked("# Guide\n\n## Pump\n\nText.\n")
    meta = {"version": "2.1", "modified": date(2026, 3, 1), "date": date(2025, 12, 24), "type": "markdown"}
    dated = replace(document, meta=meta)
    assert lexical_text(result.chunks[-1], dated) == (
        "guide.md 2.1 2025-12-24 2026-03-01\nGuide\n## Pump\n\nText."
    )
    plain = replace(document, meta={})
    assert lexical_text(result.chunks[-1], plain) == "guide.md\nGuide\n## Pump\n\nText."


def test_a_rename_or_a_new_date_changes_no_embedded_text() -> None:
    text = "# Guide\n\n## Pump\n\nText.\n"
    one, other = (parse(source(uri, text)) for uri in ("guide.md", "old/manual-v2.md"))
    chunker = make_chunker(ChunkConfig(), WORDS, 254)
    dated = replace(other, meta={"version": "3", "modified": date(2026, 1, 1)})
    assert [c.dense_text for c in chunker(one).chunks] == [c.dense_text for c in chunker(dated).chunks]
    assert not {c.id for c in chunker(one).chunks} & {c.id for c in chunker(dated).chunks}


def test_section_at() -> None:
    document = parse(source("guide.md", "Intro.\n# A\n## B\ntext\n# C\n"))
    names = [document.heading_path(section_at(document, at))[-1:] for at in (0, 7, 11, 16, 21)]
    assert names == [(), ("A",), ("B",), ("B",), ("C",)]
    assert section_at(Document("d", "u", "", "text", "text", LineOrigins.of("text")), 2) == -1


def test_many_sections_are_counted_in_few_calls() -> None:
    class Calls:
        made = 0

        def count(self, texts: list[str]) -> list[int]:
            self.made += 1
            return BLANK_SEPARATED.count(texts)

        def spans(self, text: str) -> list[Span]:
            return BLANK_SEPARATED.spans(text)

    document = parse(source("guide.md", "".join(f"# H{i}\n\nText {i}.\n\n" for i in range(300))))
    result = make_chunker(ChunkConfig(), BLANK_SEPARATED, 254)(document)
    calls = Calls()
    contextualise(document, Chunked(tuple(replace(c, n_tokens=0) for c in result.chunks)), calls, limit=254)
    assert calls.made <= 3
