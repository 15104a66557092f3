"""PDF: what is read of a page, in which order, and where it stands."""

from __future__ import annotations

from datetime import date

import pytest

from parsed import slice_of, texts
from pdf_files import EXPLAINED, UNEXPLAINED, Sheet, at, lines, numbered, parsed, pdf, rule
from pincite.errors import InputError
from pincite.parse import parse
from pincite.protocols import Source
from pincite.types import Document, Span

BODY = [
    "The pump stands in the cellar of the mill and runs by night, when",
    "the river is high and the wheel has nothing else to do. It fills",
    "the tank under the roof.",
]
LEFT = ["Close the inlet valve before", "you open the service hatch,", "or the rotor will be wet."]
RIGHT = ["Wear gloves when you touch", "the rotor; it stays hot for", "an hour after a long run."]


def headings(document: Document) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in document.sections]


def left_out(document: Document) -> list[tuple[str, str]]:
    return [(document.text[one.span.start : one.span.end], one.reason) for one in document.left_out]


def assert_sound(document: Document) -> None:
    """Blocks and what is left out hold all text, in order; each block has a page and boxes on it."""
    spans = sorted([b.span for b in document.blocks] + [one.span for one in document.left_out])
    at = 0
    for span in spans:
        assert at <= span.start < span.end and not document.text[at : span.start].strip()
        at = span.end
    assert not document.text[at:].strip()
    for block in document.blocks:
        place = document.origins.place(block.span)
        assert place.page and place.boxes and "\x02" not in slice_of(document, block)
        assert all(box.left < box.right and box.top < box.bottom for box in place.boxes)
        if block.header_span:
            assert document.text[block.header_span.start : block.header_span.end] == block.header


def test_a_page_with_its_places() -> None:
    document = parsed(pdf(at(72, 80, "The mill", 18) + "\n" + lines(72, 120, BODY)))
    assert texts(document) == ["The mill", " ".join(BODY)]
    assert headings(document) == [(1, "The mill")] and document.title == "The mill"
    second = document.text.index(BODY[1])
    (box,) = document.origins.place(Span(second, second + 5)).boxes
    assert (box.left, box.page) == (72, 1)
    assert box.top < 132 < box.bottom  # the baseline of the second line
    assert_sound(document)


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


LINES = [
    ("Numbers of the parts are listed beside", "Wear gloves when you touch the rotor"),
    ("each of the figures of the book and of", "for it stays hot for an hour after it"),
    ("the plates that come with it, so that", "has run for long, and the steam that"),
    ("a miller finds them by night as well", "comes from it burns as well. Children"),
    ("as he does by day, if he has a lamp", "and dogs stay outside of the house as"),
    ("with him and the oil is not yet burnt.", "long as the machine runs in the night."),
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


@pytest.mark.parametrize(
    ("above", "below", "joined"),
    [
        ("It was docu-", "mented by us.", "It was documented by us."),
        ("It is a well-", "known thing.", "It is a well-known thing."),
        ("See Room 4-", "12 of it.", "See Room 4-12 of it."),
        ("The Anglo-", "American fleet.", "The Anglo-American fleet."),
        ("A gear-driven pump and a gear-", "driven saw.", "A gear-driven pump and a gear-driven saw."),
        ("The pump- station", "is old.", "The pump- station is old."),
        ("See http://a.org/b-", "c.html there.", "See http://a.org/b-c.html there."),
        ("The mill \x97", "and its pump.", "The mill — and its pump."),
        ("The mill\x97", "and its pump.", "The mill—and its pump."),
    ],
)
def test_hyphens_at_line_ends(above: str, below: str, joined: str) -> None:
    assert texts(parsed(pdf(lines(72, 100, [above, below])))) == [joined]


def test_running_lines_are_in_the_text_but_in_no_block() -> None:
    pages = [
        at(72, 40, "Report on mills") + "\n" + lines(72, 120 + 30 * n, BODY) + "\n" + at(300, 770, str(n + 1))
        for n in range(4)
    ]
    document = parsed(pdf(*pages))
    assert texts(document) == [" ".join(BODY)] * 4
    assert left_out(document)[:2] == [("Report on mills", "running header"), ("1", "page number")]
    assert len(document.left_out) == 8
    assert_sound(document)


def test_a_heading_that_comes_again_is_no_running_line() -> None:
    pages = [at(72, 60 + 5 * n, "Exceptions", 14) + "\n" + lines(72, 140, BODY) for n in range(8)]
    assert [title for _, title in headings(parsed(pdf(*pages)))] == ["Exceptions"] * 8


def test_a_table_has_a_header_and_rows() -> None:
    cells = [
        ("Part", "Torque", "Tool"),
        ("Cap", "12 Nm", "wrench"),
        ("Bolt", "40 Nm", "key"),
        ("Nut", "9 Nm", "hand"),
    ]
    shown = [
        at(72 + 120 * x, 150 + 16 * y, cell) for y, row in enumerate(cells) for x, cell in enumerate(row)
    ]
    document = parsed(pdf("\n".join([at(72, 120, "Table 1: Torques of all parts."), *shown])))
    assert [(b.kind, slice_of(document, b)) for b in document.blocks[1:]] == [
        ("table", "Part | Torque | Tool"),
        ("row", "Cap | 12 Nm | wrench"),
        ("row", "Bolt | 40 Nm | key"),
        ("row", "Nut | 9 Nm | hand"),
    ]
    assert document.blocks[-1].header == "Table 1: Torques of all parts.\n\nPart | Torque | Tool"
    assert_sound(document)


NAMES = ("Part", "Torque", "Tool")


def table(y: float, rows: list[tuple[str, ...]], step: float = 16) -> str:
    return "\n".join(
        at(72 + 120 * x, y + step * i, cell) for i, row in enumerate(rows) for x, cell in enumerate(row)
    )


def part(n: int) -> tuple[str, ...]:
    return f"Part {n}", f"{3 * n} Nm", ("wrench", "key", "hand")[n % 3]


@pytest.mark.parametrize("repeated", [True, False])
def test_rows_on_the_next_pages_stand_under_the_first_header(repeated: bool) -> None:
    pages = []
    for n in range(4):
        rows = [NAMES] * (repeated or not n) + [part(3 * n + i) for i in range(3)]
        captions = [at(72, 60, "Table 1: Torques.")] * (not n)
        pages.append("\n".join([*captions, table(80, rows), at(300, 770, str(n + 1))]))
    document = parsed(pdf(*pages))
    assert texts(document, "row") == [" | ".join(part(n)) for n in range(12)]
    assert {b.header for b in document.blocks if b.kind == "row"} == {
        "Table 1: Torques.\n\nPart | Torque | Tool"
    }
    reasons = [reason for _, reason in left_out(document)]
    assert reasons.count("repeated header row") == 3 * repeated and reasons.count("page number") == 4
    assert_sound(document)


def test_a_table_with_other_names_on_the_next_page_is_another_table() -> None:
    first = table(80, [NAMES, part(1), part(2)])
    second = table(80, [("Mill", "Height", "Owner"), ("North", "12 m", "Ann"), ("South", "9 m", "Ben")])
    document = parsed(pdf(first, second))
    assert [b.header for b in document.blocks if b.kind == "row"] == ["Part | Torque | Tool"] * 2 + [
        "Mill | Height | Owner"
    ] * 2


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([("Height:", "12 m"), ("Owner:", "Ann"), ("Town:", "Hill")], ""),
        ([("North", "12 m"), ("South", "9 m"), ("West", "7 m")], ""),
        ([("Year", "2023"), ("Corn", "12"), ("Oats", "9")], "Year | 2023"),
        ([("Mill", "Height"), ("North", "12 m"), ("South", "9 m")], "Mill | Height"),
    ],
)
def test_a_first_row_like_all_others_is_no_header(rows: list[tuple[str, ...]], header: str) -> None:
    document = parsed(pdf(table(100, rows)))
    assert {block.header for block in document.blocks if block.kind == "row"} == {header}
    assert len(document.blocks) == 3


def test_rows_that_differ_in_their_numbers_are_no_running_lines() -> None:
    pages = [at(72, 60, f"Load {7 * n * n} of 90 kg") + "\n" + lines(72, 140 + 9 * n, BODY) for n in range(6)]
    document = parsed(pdf(*pages))
    assert [text for text in texts(document) if text.startswith("Load")] == [
        f"Load {7 * n * n} of 90 kg" for n in range(6)
    ]


def test_running_lines_whose_number_rises_by_more_than_the_page() -> None:
    pages = [
        at(72, 770, f"{n * n + 3}  Report on mills and pumps") + "\n" + lines(72, 140 + 9 * n, BODY)
        for n in range(4)
    ]
    assert [reason for _, reason in left_out(parsed(pdf(*pages)))] == ["running footer"] * 4


def test_rules_hold_the_lines_of_a_cell_together() -> None:
    rows = [
        ("Part", ["What it does"]),
        ("Cap", ["Closes the tank", "against dust", "and rain"]),
        ("Bolt", ["Holds the cap"]),
    ]
    shown, y = [rule(60, 138, 500, 138)], 150
    for name, said in rows:
        shown += [at(72, y, name), lines(200, y, said)]
        y += 12 * len(said) + 6
        shown.append(rule(60, y - 13, 500, y - 13))
    document = parsed(pdf("\n".join(shown)))
    assert texts(document) == [
        "Part | What it does",
        "Cap | Closes the tank against dust and rain",
        "Bolt | Holds the cap",
    ]


def test_the_last_cell_of_a_table_without_rules_is_whole() -> None:
    shown = [table(100, [("Part", "What it does", "Price")])]
    for i in range(3):
        y = 130 + 34 * i
        shown += [
            at(72, y, f"Part {i}"),
            lines(192, y, ["It closes the tank", "against dust"]),
            at(312, y, "7"),
        ]
    document = parsed(pdf("\n".join([*shown, at(72, 260, "All of them are made of brass.")])))
    assert texts(document) == [
        "Part | What it does | Price",
        *(f"Part {i} | It closes the tank against dust | 7" for i in range(3)),
        "All of them are made of brass.",
    ]


def test_a_frame_around_each_cell_holds_its_lines_together() -> None:
    rows = [
        [["Part"], ["What it does"]],
        [["Cap"], ["Closes the tank", "against dust", "and rain"]],
        [["Bolt of", "the cap"], ["Holds the cap"]],
        [["Nut"], ["Holds the bolt", "of the cap"]],
    ]
    shown, top = [], 100
    for row in rows:
        bottom = top + 12 * max(map(len, row)) + 6
        for x, cell in zip((72, 200), row, strict=True):
            shown.append(f"{x} {792 - bottom} 128 {bottom - top} re S")
            shown.append(lines(x + 4, top + 12, cell))
        top = bottom
    document = parsed(pdf("\n".join(shown)))
    assert texts(document) == [
        "Part | What it does",
        "Cap | Closes the tank against dust and rain",
        "Bolt of the cap | Holds the cap",
        "Nut | Holds the bolt of the cap",
    ]


def grid_of(xs: list[float], ys: list[float]) -> str:
    level = [rule(xs[0], y, xs[-1], y) for y in ys]
    return "\n".join([*level, *(rule(x, ys[0], x, ys[-1]) for x in xs)])


def test_the_cells_of_a_drawn_grid_are_those_of_the_table() -> None:
    said = ["Closes the tank against dust and rain", "in winter, when nobody is", "there to look after it."]
    shown = [grid_of([60, 120, 320, 400], [100, 120, 170, 220, 270])]
    for x, name in zip((64, 124, 324), ("Part", "What it does", "Price"), strict=True):
        shown.append(at(x, 114, name))
    for i, name in enumerate(("Cap", "Lid", "Bung")):  # beside the second or third line of the middle cell
        y = 132 + 50 * i
        shown += [lines(124, y, said), at(64, y + 12, name), at(324, y + 24, f"{i} EUR")]
    page = "\n".join([at(60, 80, "All parts are in the cellar."), *shown, at(60, 300, "Ask the miller.")])
    document = parsed(pdf(page))
    assert texts(document) == [
        "All parts are in the cellar.",
        "Part | What it does | Price",
        *(f"{name} | {' '.join(said)} | {i} EUR" for i, name in enumerate(("Cap", "Lid", "Bung"))),
        "Ask the miller.",
    ]
    assert_sound(document)


def test_a_cell_over_several_rows_of_a_grid_belongs_to_the_first() -> None:
    shown = [rule(60, y, 300, y) for y in (100, 120, 160)] + [rule(120, 140, 300, 140)]
    shown += [rule(x, 100, x, 160) for x in (60, 120, 200, 300)]
    shown += [at(64, 114, "Mill"), at(124, 114, "Year"), at(204, 114, "Flour"), at(64, 154, "North")]
    shown += [at(124, 134, "2023"), at(204, 134, "12 t"), at(124, 154, "2024"), at(204, 154, "9 t")]
    assert texts(parsed(pdf("\n".join(shown)))) == [
        "Mill | Year | Flour",
        "North | 2023 | 12 t",
        "| 2024 | 9 t",
    ]


def test_the_lines_of_a_chart_are_no_cells() -> None:
    chart = [grid_of([60, 120, 180, 240, 300], [100, 140, 180, 220, 260])]
    chart += [at(70, 130, "90.2"), at(190, 170, "65.0"), at(250, 210, "42.1")]
    assert "|" not in parsed(pdf("\n".join(chart))).text


def test_words_over_a_drawing_stay_whole() -> None:
    hatching = [rule(72 + 3 * i, 80, 72 + 3 * i, 110) for i in range(60)]
    document = parsed(pdf("\n".join([*hatching, at(72, 100, "Threaded nut core"), lines(72, 200, BODY)])))
    assert texts(document) == ["Threaded nut core", " ".join(BODY)]


def test_two_columns_of_a_list_are_no_table() -> None:
    items = [
        ("1.", "Open the hatch."),
        ("2.", "Close the valve."),
        ("3.", "Wait for an hour."),
        ("4.", "Look inside."),
    ]
    shown = [
        at(72 + 30 * x, 150 + 14 * y, part) for y, item in enumerate(items) for x, part in enumerate(item)
    ]
    document = parsed(pdf("\n".join(shown)))
    assert texts(document, "list") == [" ".join(item) for item in items]


def bulleted(x: float, y: float, items: list[str]) -> str:
    return "\n".join([lines(x, y, ["\x95"] * len(items)), lines(x + 16, y, items)])


PARTS, TOOLS = ["Cap of the tank", "Long bolt", "Nut"], ["Wrench", "Hook", "Oil can"]


def test_lists_beside_one_another_are_read_one_after_the_other() -> None:
    steps = lines(420, 100, ["1. Open it", "2. Clean it", "3. Close it"])
    document = parsed(pdf("\n".join([bulleted(72, 100, PARTS), bulleted(240, 100, TOOLS), steps])))
    assert texts(document) == [
        *(f"• {item}" for item in PARTS + TOOLS),
        *("1. Open it", "2. Clean it", "3. Close it"),
    ]
    assert {block.kind for block in document.blocks} == {"list"}
    assert_sound(document)


def test_lists_between_rules_are_cells() -> None:
    shown = [rule(60, y, 500, y) for y in (88, 126, 164)]
    shown += [bulleted(72, 100, PARTS[:2]), bulleted(300, 100, TOOLS[:2])]
    shown += [bulleted(72, 138, ["Lid", "Pin"]), bulleted(300, 138, ["File", "Saw"])]
    document = parsed(pdf("\n".join(shown)))
    assert texts(document) == [
        "• Cap of the tank • Long bolt | • Wrench • Hook",
        "• Lid • Pin | • File • Saw",
    ]


def test_signs_in_cells_are_no_bullets() -> None:
    rows = [
        ["Part", "North", "South"],
        ["Cap", "\x95", "\x95"],
        ["Bolt", "\x95", "\x97"],
        ["Nut", "\x97", "\x95"],
    ]
    shown = [at(72 + 100 * x, 100 + 14 * y, cell) for y, row in enumerate(rows) for x, cell in enumerate(row)]
    assert texts(parsed(pdf("\n".join(shown)))) == [
        "Part | North | South",
        "Cap | • | •",
        "Bolt | • | —",
        "Nut | — | •",
    ]


def test_a_cell_of_a_ruled_table_may_hold_paragraphs() -> None:
    shown = [rule(60, y, 500, y) for y in (88, 106, 190, 220)]
    shown += [at(72, 100, "Part"), at(300, 100, "Tool"), lines(72, 118, ["Cap of the tank"])]
    shown += [lines(72, 132, ["It closes the tank against dust", "and rain in the winter months."])]
    shown += [at(300, 118, "Wrench"), lines(72, 160, ["It is made of brass.", "See below."])]
    shown += [at(72, 202, "Bolt"), at(300, 202, "Key")]
    document = parsed(pdf("\n".join([*shown, at(72, 250, "All parts are in the cellar.")])))
    assert texts(document) == [
        "Part | Tool",
        "Cap of the tank It closes the tank against dust and rain in the winter months."
        " It is made of brass. See below. | Wrench",
        "Bolt | Key",
        "All parts are in the cellar.",
    ]


def test_lists_captions_and_footnotes() -> None:
    page = "\n".join(
        [
            lines(72, 100, BODY),
            lines(72, 150, ["\x95 Open the hatch and look", "  inside the tank.", "\x95 Close it."]),
            at(72, 200, "Figure 3: The tank under the roof."),
            lines(72, 240, BODY),
            at(72, 700, "1 The tank holds nine barrels.", 7),
        ]
    )
    document = parsed(pdf(page, lines(72, 100, BODY)))
    assert texts(document, "list") == ["• Open the hatch and look inside the tank.", "• Close it."]
    assert "Figure 3: The tank under the roof." in texts(document)
    assert "1 The tank holds nine barrels." in texts(document)
    assert_sound(document)


def test_headings_by_weight_number_and_outline() -> None:
    page = "\n".join(
        [
            at(72, 100, "1 Machines", 14, "B"),
            lines(72, 130, BODY),
            at(72, 200, "1.1 Pumps", 10, "B"),
            lines(72, 230, BODY),
            at(72, 300, "Notes on oil"),
            lines(72, 330, BODY),
        ]
    )
    marks = (
        "<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>",
        "<< /Title (Notes on oil) /Parent 10 0 R /Dest [12 0 R /Fit] >>",
    )
    document = parsed(pdf(page, catalog="/Outlines 10 0 R", more=marks))
    assert headings(document) == [(1, "1 Machines"), (2, "1.1 Pumps"), (1, "Notes on oil")]


def test_a_circle_of_bookmarks_ends() -> None:
    marks = (
        "<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>",
        "<< /Title (The mill) /Parent 10 0 R /Next 11 0 R /First 11 0 R /Dest [12 0 R /Fit] >>",
    )
    assert parsed(pdf(at(72, 100, "The mill"), catalog="/Outlines 10 0 R", more=marks)).blocks


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_are_those_of_the_page_as_shown(turn: int) -> None:
    document = parsed(pdf(Sheet(at(72, 100, "Upright before turning"), rotate=turn)))
    (box,) = document.origins.place(Span(0, 5)).boxes
    left, top = {0: (72, 91), 90: (690, 72), 180: (443, 690), 270: (91, 443)}[turn]
    assert (box.left, box.top) == (pytest.approx(left, abs=3), pytest.approx(top, abs=3))
    assert document.text == "Upright before turning"


def test_text_that_runs_up_the_margin_is_apart() -> None:
    stamp = "BT /F 20 Tf 0 1 -1 0 30 300 Tm (arXiv stamp of the paper) Tj ET"
    document = parsed(pdf(stamp + "\n" + lines(72, 100, BODY)))
    assert texts(document) == [" ".join(BODY)]
    assert left_out(document) == [("arXiv stamp of the paper", "text in the margin")]


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


def test_a_raised_number_stands_apart_from_its_word() -> None:
    raised = "/F 10 Tf 72 692 Td (The Resource Center) Tj 4 Ts /F 6 Tf (1) Tj 0 Ts /F 10 Tf ( is old.) Tj"
    assert texts(parsed(pdf(f"BT {raised} ET"))) == ["The Resource Center 1 is old."]


@pytest.mark.parametrize("number", ["1", "12"])
def test_the_number_of_a_note_stands_apart_from_its_text(number: str) -> None:
    note = f"/F 6 Tf 72 92 Td 3 Ts ({number}) Tj 0 Ts /F 8 Tf (The tank holds nine barrels.) Tj"
    document = parsed(pdf(lines(72, 100, BODY) + f"\nBT {note} ET"))
    assert texts(document) == [" ".join(BODY), f"{number} The tank holds nine barrels."]


@pytest.mark.parametrize(
    ("before", "raised", "said"),
    [
        ("It needs 10", "6", "It needs 10⁶ of it."),
        ("It needs 10", "-12", "It needs 10⁻¹² of it."),
        ("Built in 1990", "3,4", "Built in 1990³,⁴ of it."),
        ("Built of stone.", "3", "Built of stone.³ of it."),
        ("The 1", "st", "The 1st of it."),
    ],
)
def test_a_raised_number_is_never_more_digits(before: str, raised: str, said: str) -> None:
    shown = f"/F 10 Tf 72 692 Td ({before}) Tj 4 Ts /F 6 Tf ({raised}) Tj 0 Ts /F 10 Tf ( of it.) Tj"
    assert texts(parsed(pdf(f"BT {shown} ET"))) == [said]


def test_ligatures_under_the_code_of_another_sign_are_letters() -> None:
    broken = [
        'A signi"cant case of speci"c use, well',
        'de"ned, is the "rst di!cult one. He said',
        '"type" and "exit": 5 % of a+b & c.',
    ]
    document = parsed(pdf(lines(72, 100, broken)))
    assert texts(document) == [
        "A significant case of specific use, well defined, is the first difficult one."
        ' He said "type" and "exit": 5 % of a+b & c.'
    ]


def test_signs_between_letters_are_kept_where_they_are_no_ligatures() -> None:
    said = ["Write a+b and R&D, key=x&y=z, or", 'the cry "ha!ha" once.']
    assert texts(parsed(pdf(lines(72, 100, said)))) == [" ".join(said)]


def test_code_keeps_its_lines_and_is_set_in() -> None:
    code = [at(72, 200, "def fill(tank):", font="C"), at(96, 212, "tank.open()", font="C")]
    document = parsed(pdf("\n".join([lines(72, 100, BODY * 2), *code, lines(72, 250, BODY * 2)])))
    assert texts(document, "code") == ["def fill(tank):\n    tank.open()"]


def test_a_title_over_two_lines_is_one_heading() -> None:
    title = [at(72, 80, "Instructions for the use of the", 16), at(120, 99, "pump in the cellar", 16)]
    document = parsed(pdf("\n".join([*title, lines(72, 140, BODY)])))
    assert headings(document) == [(1, "Instructions for the use of the pump in the cellar")]


def test_text_printed_twice_comes_once() -> None:
    twice = "\n".join(
        [at(72, 100, "Danger of fire"), at(72.3, 100, "Danger of fire"), at(72, 400, "Danger of fire")]
    )
    assert texts(parsed(pdf(twice))) == ["Danger of fire", "Danger of fire"]


@pytest.mark.parametrize("order", [1, -1])
def test_a_part_of_a_line_printed_twice_comes_once(order: int) -> None:
    twice = [at(72, 100, "Danger of fire in the mill"), at(72.3, 100, "Danger of"), at(72, 400, "Danger of")]
    assert texts(parsed(pdf("\n".join(twice[::order])))) == ["Danger of fire in the mill", "Danger of"]


def test_invisible_text_is_kept() -> None:
    assert texts(parsed(pdf(at(72, 100, "Read by a machine", operators="3 Tr")))) == ["Read by a machine"]


def test_pages_without_text_are_named_and_blank_ones_are_not() -> None:
    document = parsed(pdf(lines(72, 100, BODY), rule(72, 100, 300, 400), ""))
    assert document.losses.pages_without_text == (2,)
    nothing = parsed(pdf(rule(72, 100, 300, 400)))
    assert (nothing.text, nothing.blocks, nothing.losses.pages_without_text) == ("", (), (1,))


@pytest.mark.parametrize(("said", "without"), [(["Bates 000123"], (1,)), (BODY, ())])
def test_a_scan_with_a_stamp_has_no_text(said: list[str], without: tuple[int, ...]) -> None:
    picture = "q 600 0 0 780 6 6 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q"
    document = parsed(pdf(picture + "\n" + lines(72, 700, said)))
    assert document.losses.pages_without_text == without
    assert texts(document) == [" ".join(said)]


def test_a_text_layer_that_means_nothing_is_unread() -> None:
    soup = lines(72, 100, ["wkh txlfn eurzq ira mxpsv ryhu wkh odcb grj " + "zklfk vwdqgv lq wkh fhoodu"] * 6)
    document = parsed(pdf(soup, lines(72, 100, BODY)))
    assert document.losses.pages_without_text == (1,)
    assert texts(document) == [" ".join(BODY)]


def test_markup_that_repeats_a_few_words_is_text() -> None:
    rows = ["<tr><td></td><td></td><td></td><td></td><td></td><td></td></tr>"] * 12
    document = parsed(pdf(lines(72, 100, ["<table> with span and colspan", *rows, "</table>"])))
    assert document.losses.pages_without_text == ()
    assert document.text.count("<td></td>") == 72


# Glyph numbers of a Korean font: what a reader sees for each is another syllable.
BY_LOT = ["묾푷쭖쩣컪훟읊퓒칺몮픟컪픦팢", "솒빪먾헏젊몒몋캏윦캏맞쩣컪훟", "픦팢솒빪먾헏젊몒몋캏묾푷쭖쩣"]
REAL = [
    ["물레방아는 강물의 힘으로 돌아가며", "곡식을 빻고 밤에는 펌프를 움직여", "지붕 밑의 물통을 채운다"],
    ["水车靠河水的力量转动并且磨碎谷物，", "夜里水泵把水送到屋顶下面的水箱，", "早晨农民打开阀门浇灌田地。"],
    ["水車は川の力で回り、穀物をひく。", "夜にはポンプが屋根の下の水槽を", "満たし、朝には畑に水を流す。"],
]


def numbered_lines(top: float, texts: list[str], font: str = "0") -> str:
    return "\n".join(numbered(72, top + 14 * i, text, 10, font) for i, text in enumerate(texts)) + "\n"


def test_glyph_numbers_are_no_text_and_the_rest_of_the_page_is() -> None:
    document = parsed(pdf(numbered_lines(100, BY_LOT) + lines(72, 200, BODY), fonts=UNEXPLAINED))
    assert document.losses.pages_without_text == (1,)
    assert texts(document) == [" ".join(BODY)]


@pytest.mark.parametrize("said", REAL)
def test_numbers_that_are_those_of_characters_are_text(said: list[str]) -> None:
    document = parsed(pdf(numbered_lines(100, said), fonts=UNEXPLAINED))
    assert document.losses.pages_without_text == ()
    assert document.text.replace(" ", "").replace("\n", "") == "".join(said).replace(" ", "")


@pytest.mark.parametrize(("said", "without"), [(BY_LOT, (1,)), *((said, ()) for said in REAL)])
def test_a_wrong_map_to_syllables_that_no_text_has(said: list[str], without: tuple[int, ...]) -> None:
    document = parsed(pdf(numbered_lines(100, said, "1"), fonts=EXPLAINED))
    assert document.losses.pages_without_text == without
    assert bool(document.text) == (not without)


def test_a_few_unknown_characters_are_named_in_their_line() -> None:
    said = numbered(72, 100, "스마트데이터서비스와보안기술", font="1")
    known = "\n".join(numbered(232 + 80 * i, 100, "기술을함께", font="1") for i in range(3))
    unknown = "\n".join(numbered(282 + 80 * i, 100, "퓒컪") for i in range(3))
    document = parsed(pdf("\n".join((said, known, unknown)), fonts=UNEXPLAINED + EXPLAINED))
    assert document.losses.pages_without_text == ()
    assert document.losses.dropped == ("page 1: 6 characters whose meaning the file does not tell",)
    assert document.text.count("\ufffd") == 6 and "퓒" not in document.text


def test_lines_that_run_down_are_read_from_the_right() -> None:
    said = [
        "水车靠河水的力量转动并且磨碎谷物，",
        "夜里水泵把水送到屋顶下面的水箱，",
        "早晨农民打开阀门浇灌田地。",
    ]
    shown = [
        numbered(400 - 20 * column, 100 + 12 * row, char, 12, "1")
        for column, line in enumerate(said)
        for row, char in enumerate(line)
    ]
    document = parsed(pdf("\n".join(shown), fonts=EXPLAINED))
    assert texts(document) == ["".join(said)]
    second = document.text.index(said[1])
    (box,) = document.origins.place(Span(second, second + 3)).boxes
    assert (box.left, box.right) == (pytest.approx(380, abs=1), pytest.approx(392, abs=1))
    assert box.top < 100 < box.bottom
    assert_sound(document)


def test_what_the_file_says_of_itself() -> None:
    info = {
        "Title": "Mills of the north",
        "Author": "A. Miller",
        "CreationDate": "D:20240102030405Z",
        "ModDate": "D:20240305",
        "Keywords": "mill, pump",
    }
    catalog = "/Lang (en-GB) /PageLabels << /Nums [0 << /S /r >>] >>"
    document = parsed(pdf(lines(72, 100, BODY), info=info, catalog=catalog))
    assert (document.title, document.language) == ("Mills of the north", "en")
    assert document.meta == {
        "author": "A. Miller",
        "date": date(2024, 1, 2),
        "modified_date": date(2024, 3, 5),
        "keywords": ("mill", "pump"),
    }
    assert document.origins.place(Span(0, 3)).page_label == "i"


def test_titles_that_programs_put_there_are_none() -> None:
    document = parsed(
        pdf(at(72, 80, "The mill", 18) + lines(72, 120, BODY), info={"Title": "Microsoft Word - a.doc"})
    )
    assert document.title == "The mill"


def test_notes_and_fields_are_kept_and_marked() -> None:
    note = "<< /Type /Annot /Subtype /Text /Rect [100 600 120 620] /Contents (Check the valve) >>"
    field = "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (Alice) /Rect [100 500 200 520] >>"
    sheet = Sheet(lines(72, 100, BODY), notes=(note, field))
    document = parsed(pdf(sheet, lines(72, 100, ["The end."]), catalog="/AcroForm << /Fields [13 0 R] >>"))
    assert texts(document) == [" ".join(BODY), "[note] Check the valve", "[field] Name: Alice", "The end."]
    (box,) = document.origins.place(document.blocks[1].span).boxes
    assert (box.left, box.top, box.right, box.bottom) == (100, 172, 120, 192)


def test_attachments_are_named() -> None:
    more = (
        "<< /Type /Filespec /F (plan.xlsx) /UF (plan.xlsx) /EF << /F 11 0 R >> >>",
        "<< /Type /EmbeddedFile /Length 2 >>\nstream\nhi\nendstream",
    )
    names = "/Names << /EmbeddedFiles << /Names [(plan.xlsx) 10 0 R] >> >>"
    assert parsed(pdf(lines(72, 100, BODY), catalog=names, more=more)).losses.dropped == (
        "attachment plan.xlsx",
    )


def test_a_file_pinned_to_a_page_is_named() -> None:
    more = (
        "<< /Type /Filespec /F (plan.xlsx) /UF (plan.xlsx) /EF << /F 11 0 R >> >>",
        "<< /Type /EmbeddedFile /Length 2 >>\nstream\nhi\nendstream",
    )
    pin = "<< /Type /Annot /Subtype /FileAttachment /FS 10 0 R /Contents (The plan) /Rect [9 9 20 20] >>"
    document = parsed(pdf(Sheet(lines(72, 100, BODY), notes=(pin,)), more=more))
    assert document.losses.dropped == ("page 1: attachment plan.xlsx",)
    assert texts(document) == [" ".join(BODY), "[note] The plan"]


def test_a_day_that_does_not_exist_is_no_date() -> None:
    info = {"CreationDate": "D:20230231", "ModDate": "D:20240229"}
    assert parsed(pdf(lines(72, 100, BODY), info=info)).meta == {"modified_date": date(2024, 2, 29)}


@pytest.mark.parametrize("cut", [40, 200, 600])
def test_a_truncated_file_is_read_or_refused_by_name(cut: int) -> None:
    data = pdf(lines(72, 100, BODY))[:cut]
    with pytest.raises(InputError, match=r"a\.pdf: this (?:is not a valid PDF|PDF has no pages)"):
        parsed(data)


def test_a_file_whose_table_of_objects_is_wrong_is_read() -> None:
    data = pdf(lines(72, 100, BODY)).replace(b"xref\n0 ", b"xref\n7 ", 1)
    assert texts(parsed(data[: data.index(b"startxref")])) == [" ".join(BODY)]


def test_pages_that_hold_each_other_end() -> None:
    data = pdf(lines(72, 100, BODY)).replace(b"/Kids [10 0 R]", b"/Kids [ 2 0 R]")
    losses = parsed(data).losses
    assert (losses.pages_without_text, losses.dropped) == ((1,), ("page 1: it is damaged",))


def test_a_pdf_with_another_name_is_a_pdf() -> None:
    data = pdf(lines(72, 100, BODY))
    document = parse(Source("notes.txt", data, ""))
    assert document.type == "pdf"


def test_a_page_of_very_many_lines_stays_fast() -> None:
    grid = "\n".join(at(10 + 30 * x, 10 + 4 * y, "ab", 3) for y in range(190) for x in range(19))
    document = parsed(pdf(grid))
    assert sum(text.count("ab") for text in texts(document)) == 190 * 19
