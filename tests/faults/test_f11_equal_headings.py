"""F11: sections of equal name live side by side; nothing before, between or after headings is lost."""

from __future__ import annotations

import json
import re
from pathlib import Path

from embedders import bag_of_words
from libraries import FAULTS, all_chunks, holds_lines, inputs, lexical, library

EXPECT = json.loads((FAULTS / "F11" / "expect.json").read_text("utf-8"))
FAQ = inputs("F11", "faq.md")


def test_every_section_is_found_at_its_lines(tmp_path: Path) -> None:
    with library(tmp_path, FAQ) as lib:
        document, _ = lib.parse(tmp_path / "faq.md")
        setups = [s for s in document.sections if s.title == "Setup"]
        found = {port: lexical(lib, f'"port {port}"') for port in EXPECT["line_of"]}
        chunks = all_chunks(lib)
        later = {query: lexical(lib, query, k=1) for query in ("Roadmap Later", "Empty tail")}
    assert len({section.span for section in setups}) == 3
    for port, line in EXPECT["line_of"].items():
        (hit,) = [hit for hit in found[port] if port in hit.stored.chunk.text]
        assert found[port][0] == hit
        assert hit.stored.place.line_start in (line - 1, line) and hit.stored.place.line_end == line
    (intro,) = [hit for hit in chunks if "Intro line" in hit.stored.chunk.text]
    assert intro.stored.chunk.heading == () and intro.stored.place.line_start == 1
    assert holds_lines(later["Roadmap Later"][0], 12, 12)
    assert holds_lines(later["Empty tail"][0], 13, 13)
    assert len({hit.stored.chunk.id for hit in chunks}) == len(chunks)


def test_a_chunk_ends_with_no_heading_of_the_next_section(tmp_path: Path) -> None:
    with library(tmp_path, FAQ) as lib:
        chunks = all_chunks(lib)
    for hit in chunks:
        lines = [line for line in hit.stored.chunk.text.split("\n") if line.strip()]
        if not all(line.startswith("#") for line in lines):
            assert not lines[-1].startswith("#"), lines


def test_ids_do_not_depend_on_what_follows(tmp_path: Path) -> None:
    with library(tmp_path, FAQ) as lib:
        before = {hit.stored.chunk.id: hit.stored.chunk.text for hit in all_chunks(lib)}
        (tmp_path / "faq.md").write_bytes(FAQ["faq.md"] + b"\n# Added\nOne more section.\n")
        lib.sync()
        after = {hit.stored.chunk.id: hit.stored.chunk.text for hit in all_chunks(lib)}
    kept = {one: text for one, text in before.items() if "Empty tail" not in text}
    assert len(kept) >= 4
    assert kept.items() <= after.items()


def test_what_is_embedded_has_each_heading_once(tmp_path: Path) -> None:
    model = bag_of_words()
    with library(tmp_path, FAQ, embedder=model) as lib:
        lib.sync()
    assert model.embedded
    for text in model.embedded:
        for heading in ("Setup", "Server", "Client"):
            assert len(re.findall(rf"\b{heading}\b(?! setup| uses)", text)) <= 1, text
