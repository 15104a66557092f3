"""F07: repeated text is cited where it stands, not where it stands first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(("pump", "line"), [("A", 3), ("B", 7), ("C", 11)])
def test_the_question_names_the_copy(tmp_path: Path, pump: str, line: int) -> None:
    with bundled(tmp_path, inputs("F07", "pumps.md")) as lib:
        if pump != "A":  # a stop word of a query
            assert locations(lexical(lib, f"oil level of pump {pump}"))[0] == f"pumps.md:{line - 2}-{line}"
        lib.sync()
        assert "pumps.md:9-11" in locations(lib.search("oil level of pump C"))[:1]
        answer = lib.ask(f"oil level of pump {pump}")
    (claim,) = answer.claims
    assert claim.text == SENTENCE
    assert [(one.location, one.verified) for one in claim.citations] == [(f"pumps.md:{line}", True)]


def test_a_question_for_two_copies_or_for_none_cites_all_that_are_meant(tmp_path: Path) -> None:
    with bundled(tmp_path, inputs("F07", "pumps.md")) as lib:
        lib.sync()
        for question, lines in (("oil level of pump C and pump B", {7, 11}), ("oil level", {3, 7, 11})):
            (claim,) = lib.ask(question).claims
            assert {one.location for one in claim.citations} == {f"pumps.md:{line}" for line in lines}


@pytest.mark.parametrize("level", ["## Oil\n\n", ""])
def test_no_claim_is_about_another_pump(tmp_path: Path, level: str) -> None:
    """Neither by a heading right above it nor by one further up, in one passage or in several."""
    often = {"Pump B": "daily", "Pump C": "yearly", "Pump D": "weekly"}
    pumps = {name: f"# {name}\n\n{level}The oil level is checked {when}.\n" for name, when in often.items()}
    files = {"all.md": "\n".join(pumps.values()), **{f"{one[-1]}/oil.md": pumps[one] for one in pumps}}
    with bundled(tmp_path, files) as lib:
        lib.sync()
        for name, when in often.items():
            answer = lib.ask(f"How often is the oil level of {name.lower()} checked?")
            assert {claim.text for claim in answer.claims} == {f"The oil level is checked {when}."}
            cited = [one for claim in answer.claims for one in claim.citations]
            assert {one.uri for one in cited} <= {"all.md", f"{name[-1]}/oil.md"}
            assert all(one.verified for one in cited)
