"""PDF: columns, and what stands beside or over the text."""

from __future__ import annotations

import pytest

from parsed import slice_of, texts
from pdf_files import (
    BODY,
    LINES,
    NAMES,
    Drawn,
    assert_sound,
    at,
    left_out,
    lines,
    parsed,
    part,
    pdf,
)
from pincite.types import Span

LEFT = ["Close the inlet valve before", "you open the service hatch,", "or the rotor will be wet."]


RIGHT = ["Wear gloves when you touch", "the rotor; it stays hot for", "an hour after a long run."]


def test_columns_are_read_one_after_the_other() -> None:
    rows = [
        line for i in range(3) for line in (at(72, 150 + 12 * i, LEFT[i]), at(330, 150 + 12 * i, RIGHT[i]))
    ]
    page = "\n".join([at(72, 80, "Service bulletin", 18), *rows, at(72, 220, "Issued by the works office.")])
    document = parsed(pdf(page))
    assert texts(document) == [
        "Service bulletin",
        " ".join(LEFT),
        " ".join(RIGHT),
        "Issued by the works office.",
    ]
    assert_sound(document)


def test_columns_whose_lines_are_not_level() -> None:
    short = "Numbers of the parts are listed beside each of the"
    left = [f"{short} {word}" for word in ("figures", "drawings", "plates", "tables")]
    document = parsed(pdf(lines(40, 100, left, 9) + "\n" + lines(330, 105, left[::-1], 9, step=13)))
    assert texts(document) == [" ".join(left + left[::-1])] or texts(document) == [
        " ".join(left),
        " ".join(left[::-1]),
    ]


def justified(x: float, y: float, text: str, width: float = 230) -> str:
    """A line set in Courier so that it is as wide as its column."""
    space = (width - 6 * len(text)) / text.count(" ")
    return f"BT {space} Tw /FC 10 Tf {x} {792 - y} Td ({text}) Tj 0 Tw ET"


@pytest.mark.parametrize("gap", [4, 6, 8, 12])
@pytest.mark.parametrize("by_row", [True, False])
def test_columns_a_word_apart_are_read_one_after_the_other(gap: float, by_row: bool) -> None:
    places = [(row, side) for row in range(6) for side in range(2)]
    places = places if by_row else sorted(places, key=lambda place: place[1])
    shown = [justified(72 + side * (230 + gap), 100 + 12 * row, LINES[row][side]) for row, side in places]
    assert texts(parsed(pdf("\n".join(shown)))) == [
        " ".join(line[side] for line in LINES) for side in range(2)
    ]


def test_a_narrow_column_of_small_type_beside_the_text() -> None:
    side = [f"{word} is a tin cylinder with iron" for word in ("Canister", "Shrapnel", "Grapeshot")] * 4
    said = [line[1] for line in LINES]
    left = [f"BT /F 8 Tf 72 {692 - 7 * i} Td ({text}) Tj ET" for i, text in enumerate(side)]
    edge = 72 + 8 * 16.2  # the longest line is 15.6 type sizes wide
    document = parsed(pdf("\n".join([*left, lines(edge, 103, said, 11, step=12.5)])))
    assert texts(document) == [" ".join(side), " ".join(said)]


def test_gaps_between_words_are_no_gutters() -> None:
    said = [" ".join(line) for line in LINES]
    shown = [justified(60, 100 + 12 * i, one, 500) for i, one in enumerate(said)]
    assert texts(parsed(pdf("\n".join(shown)))) == [" ".join(said)]


@pytest.mark.parametrize("x", [72, 400])
def test_a_paragraph_beside_a_table_is_in_no_row(x: float) -> None:
    said = [line[0] for line in LINES]
    rows = [NAMES, *(part(n) for n in range(1, 6))]
    left = 330 if x == 72 else 60
    cells = [at(left + 70 * i, 100 + 12 * y, c, 9) for y, row in enumerate(rows) for i, c in enumerate(row)]
    document = parsed(pdf("\n".join([lines(x, 100, said, 9), *cells])))
    assert texts(document, "paragraph") == [" ".join(said)]
    assert texts(document, "row") == [" | ".join(part(n)) for n in range(1, 6)]


def test_three_columns_with_a_table_in_one() -> None:
    said = [
        "Every column of this page",
        "is read from its top to its",
        "end, and then the next one",
        "is read in its turn.",
    ]
    cells = [("Run", "MAP"), ("A", ".41"), ("B", ".52")]
    table = [
        at(225 + 60 * x, 170 + 14 * y, cell) for y, row in enumerate(cells) for x, cell in enumerate(row)
    ]
    columns = [lines(40, 100, said * 2, 9), lines(225, 105, said, 9), *table, lines(410, 97, said * 2, 9)]
    document = parsed(pdf("\n".join(columns)))
    whole = " ".join(said)
    assert texts(document) == [whole] * 3 + ["Run | MAP", "A | .41", "B | .52"] + [whole] * 2


def test_a_paragraph_goes_on_over_columns_and_pages() -> None:
    pages = [lines(72, 100, BODY[:2]), lines(72, 100, ["and waters the garden behind the", "house as well."])]
    document = parsed(pdf(*pages))
    (paragraph,) = document.blocks
    assert (
        slice_of(document, paragraph)
        == " ".join(BODY[:2]) + " and waters the garden behind the house as well."
    )
    place = document.origins.place(paragraph.span)
    assert (place.page, place.page_end) == (1, 2)
    assert_sound(document)


def slanted(x: float, y: float, text: str, size: float) -> str:
    return f"BT /F {size} Tf 0.7071 0.7071 -0.7071 0.7071 {x} {792 - y} Tm ({text}) Tj ET"


@pytest.mark.parametrize("mark", [slanted(150, 300, "DRAFT ONLY", 60), at(80, 130, "DRAFT ONLY", 60)])
def test_a_watermark_is_apart_and_the_text_below_it_whole(mark: str) -> None:
    document = parsed(pdf(mark + "\n" + lines(72, 80, BODY * 9)))
    assert texts(document) == [" ".join(BODY)] * 9
    assert left_out(document) == [("DRAFT ONLY", "watermark")]
    assert_sound(document)


def test_slanted_labels_are_whole_and_come_last() -> None:
    labels = [slanted(100 + 40 * i, 500, f"Sum of {name}", 8) for i, name in enumerate(("May", "June"))]
    document = parsed(pdf("\n".join([*labels, lines(72, 100, BODY)])))
    assert texts(document) == [" ".join(BODY), "Sum of May", "Sum of June"]


@pytest.mark.parametrize(
    ("initial", "rest", "said"),
    [("T", "he pump stands", "The pump"), ("A", "mill is a house", "A mill"), ("I", "n winter it", "In win")],
)
def test_an_initial_over_several_lines_belongs_to_its_word(initial: str, rest: str, said: str) -> None:
    x = 84 if initial == "I" else 100
    shown = [at(72, 124, initial, 36), lines(x, 100, [rest, "in the cellar of the mill", "by the river"])]
    document = parsed(pdf("\n".join(shown)))
    (text,) = texts(document)
    assert text.startswith(said) and text.endswith(" in the cellar of the mill by the river")


def test_text_outside_the_page_is_in_no_block() -> None:
    beyond = [at(72, -20, "plan.indd 12"), at(700, 400, "cut here"), lines(72, 100, BODY)]
    document = parsed(pdf("\n".join(beyond)))
    assert texts(document) == [" ".join(BODY)]
    assert left_out(document) == [
        ("plan.indd 12", "text outside the page"),
        ("cut here", "text outside the page"),
    ]


def test_lines_that_run_down_are_read_from_the_right() -> None:
    said = [
        "水车靠河水的力量转动并且磨碎谷物，",
        "夜里水泵把水送到屋顶下面的水箱，",
        "早晨农民打开阀门浇灌田地。",
    ]
    font = Drawn("".join(sorted(set("".join(said)))))
    shown = [
        font.at(400 - 20 * column, 100 + 12 * row, char, 12)
        for column, line in enumerate(said)
        for row, char in enumerate(line)
    ]
    document = parsed(pdf("\n".join(shown), fonts=font.fonts, more=font.more))
    assert texts(document) == ["".join(said)]
    second = document.text.index(said[1])
    (box,) = document.origins.place(Span(second, second + 3)).boxes
    assert (box.left, box.right) == (pytest.approx(380, abs=1), pytest.approx(392, abs=1))
    assert box.top < 100 < box.bottom
    assert_sound(document)
