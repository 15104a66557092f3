"""Labels on places of files without lines: cells, slides, paragraphs, pages, as citations name them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from libraries import library
from pincite.evaluate.labels.tsv import targets
from pincite.types import Qrel
from pincite.types.parts import holds_part
from samples import samples

NAMES = ("parts.xlsx", "letter.docx", "slides.pptx", "page.pdf", "more.zip", "plan.md")
FILES = {name: samples()[name] for name in NAMES}


@pytest.mark.parametrize(
    ("wanted", "part", "held"),
    [
        ("Stock!A2:B9", "Stock!B3", True),
        ("Stock!A2:B9", "Stock!B1", False),
        ("Stock!A2:B9", "Other!B3", False),
        ("Stock!A2:B9", "Stock", False),
        ("Stock", "Stock", True),
        ("Stock", "Stock!B3", True),
        ("Stock", "Stocks!B3", False),
        ("ch2.xhtml", "ch2.xhtml#s1", True),
        ("ch2.xhtml#s1", "ch2.xhtml", False),
        ("slide 3", "slide 3, Title", True),
        ("slide 3-4", "slide 4, Notes", True),
        ("slide 3", "slide 4, Title", False),
        ("paragraph 1-2, paragraph 4", "paragraph 4", True),
        ("paragraph 1-2, paragraph 4", "paragraph 3", False),
    ],
)
def test_what_a_part_holds(wanted: str, part: str, held: bool) -> None:
    assert holds_part(wanted, part) == held


def test_targets_with_parts() -> None:
    cell = "a b.xlsx#Stock!A4:F4, c.docx#paragraph 1-2,d.md:7,e.PPTX#slide 3"
    assert list(targets("q", cell)) == [
        Qrel("q", "a b.xlsx", part="Stock!A4:F4"),
        Qrel("q", "c.docx", part="paragraph 1-2"),
        Qrel("q", "d.md", 7, 7),
        Qrel("q", "e.PPTX", part="slide 3"),
    ]
    cell = "m.eml#headers, part 1-2, deck.pptx#slide 3, Title, b.md:7,"
    assert [one.location for one in targets("q", cell)] == [
        "m.eml#headers, part 1-2",
        "deck.pptx#slide 3, Title",
        "b.md:7",
    ]
    assert list(targets("q", "c#.md")) == [Qrel("q", "c#.md")]
    assert next(targets("q", "a.xlsx#B!C2")).location == "a.xlsx#B!C2"


def test_what_a_citation_names_is_a_label(tmp_path: Path) -> None:
    root, asked = tmp_path / "docs", tmp_path / "asked.tsv"
    with library(root, {name: one.data for name, one in FILES.items()}) as opened:
        opened.sync()
        rows = [f"{one.words}\t{opened.search(one.words).hits[0].location}" for one in FILES.values()]
        asked.write_text("\n".join(rows) + "\n")
        evaluation = opened.evaluate(asked)
        assert [row.rank for row in evaluation.asked] == [1] * len(FILES)
        assert {one.code for one in opened.check_questions(asked)} <= {"too few", "leaked"}


def test_a_part_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    root, asked = tmp_path / "docs", tmp_path / "asked.jsonl"
    places = [("slides.pptx", "slide 9"), ("slides.pptx", "slide 1")]
    rows = [
        {"question_id": part, "question": f"What is on {part}?", "evidence": [{"uri": uri, "part": part}]}
        for uri, part in places
    ]
    asked.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with library(root, {"slides.pptx": FILES["slides.pptx"].data}) as opened:
        opened.sync()
        told = {one.code: one for one in opened.check_questions(asked)}
        assert "no 'slide 9'" in told["no such place"].message
        assert [row.rank for row in opened.evaluate(asked).asked] == [None, 1]
