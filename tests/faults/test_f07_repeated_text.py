"""F07: repeated text is cited where it stands, not where it stands first."""

from __future__ import annotations

import json
from pathlib import Path

from libraries import FAULTS, all_chunks, bundled, cited_lines, inputs, lexical, library, locations

EXPECT = json.loads((FAULTS / "F07" / "expect.json").read_text("utf-8"))
SENTENCE = "Check the oil level every week."


def test_every_copy_has_its_own_place(tmp_path: Path) -> None:
    with library(tmp_path, inputs("F07", "pumps.md")) as lib:
        chunks = all_chunks(lib)
    places = [(hit.stored.place.line_start, hit.stored.place.line_end) for hit in chunks]
    assert places == [tuple(section["lines"]) for section in EXPECT["sections"]]
    assert [list(hit.stored.chunk.heading) for hit in chunks] == [
        section["heading_path"] for section in EXPECT["sections"]
    ]
    starts = [hit.stored.chunk.span.start + hit.stored.chunk.text.index(SENTENCE) for hit in chunks]
    assert starts == EXPECT["sentence_offsets"]
    for hit in chunks:
        assert cited_lines(tmp_path, hit).strip() == hit.stored.chunk.text.strip()


def test_the_question_names_the_copy(tmp_path: Path) -> None:
    with bundled(tmp_path, inputs("F07", "pumps.md")) as lib:
        assert locations(lexical(lib, "oil level of pump C"))[0] == "pumps.md:9-11"
        lib.sync()
        found = lib.search("oil level of pump C")
        answer = lib.ask("oil level of pump C")
    assert locations(found)[0] == "pumps.md:9-11"
    assert answer.claims[0].citations[0].location == "pumps.md:11"
    assert answer.claims[0].citations[0].verified
