"""F51: a marker counts only if it points to evidence; others are marked, named, and never mapped."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pincite.answer.generate import claims_from
from pincite.answer.marks import NOTHING_CITED
from shelf import as_indexed, shelf_of

HERE = Path(__file__).parent / "F51"
ROWS = list(csv.DictReader((HERE / "answers.tsv").read_text("utf-8").splitlines(), delimiter="\t"))
LINK = "[2](https://example.test/x)"
SHELF, CONTEXT = shelf_of("The first source.\n", "The second source.\n", "The third source.\n")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["answer"])
def test_markers_resolve_to_given_sources_only(row: dict[str, str]) -> None:
    written = claims_from(row["answer"], CONTEXT, as_indexed(SHELF))
    sources = sorted({c.marker for claim in written.claims for c in claim.citations})
    assert sources == [int(number) for number in row["sources"].strip("[]").split(",") if number]
    nowhere = [problem for problem in written.problems if "points to no evidence" in problem]
    verdict, _, number = row["verdict"].partition(":")
    assert nowhere == ([f"[{number}] points to no evidence"] if verdict == "invalid" else [])
    if verdict == "invalid":
        assert f"[{number}]" not in written.text
        assert f"[no evidence {number}]" in written.text
    if verdict == "none":
        shown = row["answer"].replace(LINK, f"`{LINK}`")  # an address is shown as code
        assert written.text == f"{NOTHING_CITED}\n\n{shown}"
    if not sources:
        assert "uncited: the answer cites no evidence" in written.problems
        assert written.text.startswith(NOTHING_CITED)


def test_every_number_maps_to_a_path_and_lines() -> None:
    (claim,) = claims_from("All three [1-3].", CONTEXT, as_indexed(SHELF)).claims
    assert [c.location for c in claim.citations] == ["1.md:1", "2.md:1", "3.md:1"]


@pytest.mark.parametrize("marker", ["[1-999999999]", "[3-1]", "[1-2-3]", "[7, 8]", "[０]"])
def test_odd_ranges_are_never_mapped(marker: str) -> None:
    written = claims_from(f"So it is {marker}.", CONTEXT, as_indexed(SHELF))
    assert written.claims[0].citations == ()
    assert any("points to no evidence" in problem for problem in written.problems)


@pytest.mark.parametrize(
    "text", ["```\nrow[1]\n```", "`a[1]` and ``b[2]``", "~~~\nx[3]\n", "[1]: https://x.test"]
)
def test_brackets_in_code_and_link_definitions_are_no_markers(text: str) -> None:
    written = claims_from(text, CONTEXT, as_indexed(SHELF))
    shown = f"`{text}`" if "https" in text else text.strip()
    assert written.text == f"{NOTHING_CITED}\n\n{shown}"
    assert all(not claim.citations for claim in written.claims)
