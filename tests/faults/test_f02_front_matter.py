"""F02: front matter is metadata and no heading; a file that opens with a rule keeps its text."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from libraries import FAULTS, all_chunks, holds_lines, inputs, lexical, library

EXPECT = json.loads((FAULTS / "F02" / "expect.json").read_text("utf-8"))
FILES = inputs("F02", *EXPECT)
META = {
    "title": "Travel policy",
    "owner": "finance",
    "updated": date(2026, 3, 14),
    "tags": ("travel", "expenses"),
}


@pytest.mark.parametrize("name", EXPECT)
def test_headings_metadata_and_lines(name: str, tmp_path: Path) -> None:
    expect = EXPECT[name]
    with library(tmp_path, {name: FILES[name]}) as lib:
        document, _ = lib.parse(tmp_path / name)
        sections = [
            [s.level, s.title, document.origins.place(s.title_span).line_start] for s in document.sections
        ]
        assert sections == expect["headings"]
        assert dict(document.meta) == (META if expect["metadata"] else {})
        chunks = all_chunks(lib)
        for words, line in expect["line_of"].items():
            (hit, *_) = lexical(lib, words)
            assert words in hit.stored.chunk.text
            assert holds_lines(hit, line, line)
    body = FILES[name].decode().split("\n")
    first = body.index("---", 1) + 2 if expect["metadata"] else 2
    for number, line in enumerate(body, 1):
        if number >= first and line.strip() and line != "---":
            assert any(holds_lines(hit, number, number) for hit in chunks), line
    assert not any("owner: finance" in hit.stored.chunk.text for hit in chunks)


@pytest.mark.parametrize(
    ("expression", "kept"),
    [
        ("updated>=2026-03-14", ["policy.md"]),
        ("updated<2026-03-14", []),
        ("tags=expenses", ["policy.md"]),
        ("owner!=finance", ["rule.md", "rule2.md"]),
    ],
)
def test_front_matter_is_used_in_filters(expression: str, kept: list[str], tmp_path: Path) -> None:
    with library(tmp_path, FILES) as lib:
        lib.sync()
        hits = lib.search("the", filter=expression, per_document=True, legs=("dense",)).hits
    assert sorted(hit.stored.uri for hit in hits) == kept
