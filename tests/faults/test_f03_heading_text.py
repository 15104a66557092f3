"""F03: the text of a heading is kept as it is: `C#`, empty, indented and underlined headings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from libraries import FAULTS, all_chunks, inputs, lexical, library

EXPECT = json.loads((FAULTS / "F03" / "expect.json").read_text("utf-8"))


def test_headings_are_those_of_the_file(tmp_path: Path) -> None:
    with library(tmp_path, inputs("F03", "headings.md")) as lib:
        document, _ = lib.parse(tmp_path / "headings.md")
    found = [[s.level, s.title, document.origins.place(s.title_span).line_start] for s in document.sections]
    assert found == EXPECT["headings"]


@pytest.mark.parametrize(
    "line",
    ["#hashtag is not a heading", "####### seven hashes are not a heading", "\\# escaped is not a heading"],
)
def test_what_is_no_heading_is_body_text(line: str, tmp_path: Path) -> None:
    with library(tmp_path, inputs("F03", "headings.md")) as lib:
        (hit, *_) = lexical(lib, line)
    assert line in hit.stored.chunk.text
    assert not any("not a heading" in title for title in hit.stored.chunk.heading)


def test_the_language_is_found_by_its_name(tmp_path: Path) -> None:
    with library(tmp_path, inputs("F03", "headings.md")) as lib:
        found = [hit.stored.chunk.heading[-1] for hit in lexical(lib, "C#") if hit.stored.chunk.heading]
        (empty,) = [hit for hit in all_chunks(lib) if "Text under an empty heading." in hit.stored.chunk.text]
    assert found[0] == "C#"
    assert "Ticket #42" not in empty.stored.chunk.heading
