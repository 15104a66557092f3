"""F01: a `#` line inside a code fence is no heading, whatever the fence looks like."""

from __future__ import annotations

import json
from pathlib import Path

from libraries import FAULTS, all_chunks, holds_lines, inputs, lexical, library

EXPECT = json.loads((FAULTS / "F01" / "expect.json").read_text("utf-8"))


def test_headings_are_those_of_the_file(tmp_path: Path) -> None:
    with library(tmp_path, inputs("F01", "fences.md")) as lib:
        document, _ = lib.parse(tmp_path / "fences.md")
    found = [[s.level, s.title, document.origins.place(s.title_span).line_start] for s in document.sections]
    assert found == EXPECT["headings"]


def test_no_comment_is_in_a_heading_path_and_the_fence_stays_with_its_heading(tmp_path: Path) -> None:
    with library(tmp_path, inputs("F01", "fences.md")) as lib:
        chunks = all_chunks(lib)
        (last,) = lexical(lib, '"last line of the file"', k=1)
    for hit in chunks:
        told = f"{hit.stored.chunk.heading} {hit.stored.chunk.context} {hit.stored.doc_title}"
        assert EXPECT["forbidden_in_heading_path"] not in told
    (whole,) = [hit for hit in chunks if holds_lines(hit, *EXPECT["same_chunk_lines"])]
    assert whole.stored.chunk.heading == ("Deploy guide",)
    assert last.stored.chunk.heading == ("Deploy guide", "Unclosed fence")
