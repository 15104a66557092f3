"""F118: rows that no rule parts are rows all the same, and a cell of several lines stays one."""

from __future__ import annotations

from pathlib import Path

import pytest

from libraries import inputs, library
from parsed import texts
from pdf_files import at, parsed, pdf, rule

KINDS = ("booktabs", "box_only", "box_vertical", "fullgrid", "groups", "no_header_rule", "zebra")
ROWS = [
    "Alabama | 18,870 | 23,022 | 71,137",
    "Alaska | 209 | 3,062 | 7,095",
    "Arizona | 2,303 | 12,382 | 27,087",
    "Arkansas | 3,298 | 6,359 | 25,048",
    "Florida | 15,907 | 50,796 | 103,532",
]


@pytest.mark.parametrize("kind", KINDS)
def test_each_state_is_a_row(kind: str) -> None:
    document = parsed(inputs("F118", f"{kind}.pdf")[f"{kind}.pdf"])
    assert texts(document, "table") == ["Country | Permits | Handguns | Total"]
    assert texts(document, "row") == ROWS


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_for_one_state_is_answered_with_its_row(tmp_path: Path, kind: str) -> None:
    with library(tmp_path, inputs("F118", f"{kind}.pdf")) as lib:
        answer = lib.ask("How many permit checks did Alaska have?")
    first = answer.claims[0]
    assert "209" in first.text and "18,870" not in first.text
    assert [one.quote for one in first.citations] == [ROWS[1]] and first.citations[0].verified


X, Y = (80, 220, 330, 440), 100
"""The edges of three columns, and the top of the table."""


def drawn(rows: list[tuple[tuple[str, ...], ...]], step: float = 14) -> list[str]:
    """The rows of a table whose cells have several lines, ruled below each row and beside each column."""
    out, y = [rule(X[0], Y, X[-1], Y)], float(Y)
    for cells in rows:
        for left, cell in zip(X, cells, strict=False):
            out += [at(left + 4, y + 11 + step * n, line) for n, line in enumerate(cell)]
        y += step * max(map(len, cells)) + 4
        out.append(rule(X[0], y, X[-1], y))
    out += [rule(x, Y, x, y) for x in X]
    return texts(parsed(pdf("\n".join(out))), "row")


HEAD = (("Part",), ("Use",), ("Price",))


def test_a_cell_that_goes_on_in_the_next_line_stays_one() -> None:
    found = drawn(
        [
            HEAD,
            (("Door seal", "with grease"), ("for the battery", "door of a meter"), ("6.50",)),
            (("Cap",), ("USB",), ("4.20",)),
        ]
    )
    assert found == ["Door seal with grease | for the battery door of a meter | 6.50", "Cap | USB | 4.20"]


def test_two_lines_beside_two_lines_are_no_two_rows_without_numbers() -> None:
    found = drawn(
        [
            HEAD,
            (("Door seal", "with grease"), ("for the battery", "door of a meter"), ("on", "request")),
            (("Cap",), ("USB",), ("free",)),
        ]
    )
    assert found[0] == "Door seal with grease | for the battery door of a meter | on request"


def test_a_name_of_two_lines_is_of_one_number() -> None:
    found = drawn(
        [
            HEAD,
            (
                ("Seal", "Door seal", "with grease", "Cap"),
                ("FM", "FM", "", "DS"),
                ("6.50", "7.10", "", "4.20"),
            ),
        ]
    )
    assert found == ["Seal | FM | 6.50", "Door seal with grease | FM | 7.10", "Cap | DS | 4.20"]


def test_a_title_above_the_names_is_no_name() -> None:
    title = (("Parts of the meter",), (), ())
    out = drawn([title, HEAD, (("Seal",), ("FM",), ("6.50",)), (("Cap",), ("DS",), ("4.20",))])
    assert out == ["Seal | FM | 6.50", "Cap | DS | 4.20"]


def test_lists_beside_one_another_are_two_cells() -> None:
    lists = (("Tools:", "- saw", "- drill"), ("Parts:", "- seal", "- cap"), ("Notes:", "- oil", "- wax"))
    assert drawn([HEAD, lists, (("Cap",), ("DS",), ("free",))])[0] == (
        "Tools: - saw - drill | Parts: - seal - cap | Notes: - oil - wax"
    )


def test_rows_of_words_alone_are_rows() -> None:
    people = (("Ada", "Bo", "Cy"), ("cook", "pilot", "clerk"), ("Kiel", "Oslo", "Brest"))
    assert drawn([HEAD, people]) == ["Ada | cook | Kiel", "Bo | pilot | Oslo", "Cy | clerk | Brest"]
