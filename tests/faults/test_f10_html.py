"""F10: of an HTML page its visible words are kept, apart from each other, and nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from libraries import DEFAULT, FAULTS, all_chunks, cited_lines, inputs, lexical, library

EXPECT = json.loads((FAULTS / "F10" / "expect.json").read_text("utf-8"))
HIDDEN = "Hidden answer: reset with code 7719."


def test_what_is_kept_and_what_is_not(tmp_path: Path) -> None:
    with library(tmp_path, inputs("F10", "valve.html")) as lib:
        document, _ = lib.parse(tmp_path / "valve.html")
        chunks = all_chunks(lib)
        (sealed, *_) = lexical(lib, "SK-4")
        (torque, *_) = lexical(lib, "torque of the cap")
    assert document.title == EXPECT["title"]
    assert [[s.level, s.title] for s in document.sections] == EXPECT["headings"]
    told = "\n".join(f"{hit.stored.chunk.context}\n{hit.stored.chunk.text}" for hit in chunks)
    for words in EXPECT["forbidden"]:
        assert words not in told
    for words in EXPECT["required"]:
        assert words in told.replace("\u00a0", " ")
    words = {"Home", "Parts", "more", "Use", "Part", "Torque", "Cap", "12", "Grease", "Gasket"}
    assert set(re.findall(r"\w+", document.text)) >= words
    assert set(re.findall(r"\w+", told)) >= words - {"Home", "Parts"}  # navigation is in no passage
    assert [(document.text[left.span.start : left.span.end], left.reason) for left in document.left_out] == [
        ("Home Parts", "navigation")
    ]
    assert "open  valve\n    wait 5s\nclose valve" in told
    assert "SK\u20114" in sealed.stored.chunk.text
    assert "Torque" in torque.stored.chunk.header + torque.stored.chunk.text
    assert re.search(r"\bCap\b.*\b12\b", torque.stored.chunk.text)
    assert HIDDEN not in told


def test_cited_lines_hold_the_words(tmp_path: Path) -> None:
    with library(tmp_path, inputs("F10", "valve.html")) as lib:
        chunks = all_chunks(lib)
    for hit in chunks:
        there = cited_lines(tmp_path, hit)
        for word in re.findall(r"[A-Za-z]{3,}", hit.stored.chunk.text):
            assert word in there


def test_hidden_text_is_marked_when_it_is_asked_for(tmp_path: Path) -> None:
    config = replace(DEFAULT, parse=replace(DEFAULT.parse, hidden_html=True))
    with library(tmp_path, inputs("F10", "valve.html"), config=config) as lib:
        told = "\n".join(hit.stored.chunk.text for hit in all_chunks(lib))
    assert told.count(HIDDEN) == told.count(f"[hidden] {HIDDEN}") == 1
