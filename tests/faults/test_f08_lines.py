"""F08: a byte-order mark hides no heading; only a line feed ends a line."""

from __future__ import annotations

import json
from pathlib import Path

from libraries import FAULTS, all_chunks, inputs, lexical, library

EXPECT = json.loads((FAULTS / "F08" / "expect.json").read_text("utf-8"))
FILES = inputs("F08", *EXPECT)


def test_headings_and_lines_are_those_of_an_editor(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as lib:
        document, _ = lib.parse(tmp_path / "safety.md")
        sections = [
            [s.level, s.title, document.origins.place(s.title_span).line_start] for s in document.sections
        ]
        assert sections == EXPECT["safety.md"]["headings"]
        for name, expect in EXPECT.items():
            for words, line in expect["line_of"].items():
                (hit, *_) = lexical(lib, f'"{words}"')
                assert hit.stored.uri == name
                before = hit.stored.chunk.text[: hit.stored.chunk.text.index(words)]
                assert (hit.stored.place.line_start or 0) + before.count("\n") == line
        for hit in all_chunks(lib):
            assert "\ufeff" not in hit.stored.chunk.text
            assert "\r" not in hit.stored.chunk.text.replace("\r\n", "")
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == FILES


def test_the_answer_cites_the_line(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as lib:
        lib.sync()
        answer = lib.ask("cobalt-02")
        shown = lib.show("odd_breaks.py:12")
    cited = [citation.location for claim in answer.claims for citation in claim.citations]
    assert cited == ["odd_breaks.py:12"]
    assert shown.lines == ('CODE = "cobalt-02"',)
