"""PDF: tables with and without rules, over pages, and lists that are none."""

from __future__ import annotations

from time import process_time

import pytest

from parsed import slice_of, texts
from pdf_files import BODY, NAMES, assert_sound, at, left_out, lines, parsed, part, pdf, rule, table


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


def test_words_in_small_letters_are_cells() -> None:
    rows = [
        ("fruit", "colour", "taste"),
        ("apple", "red", "sweet"),
        ("lemon", "yellow", "sour"),
        ("sloe", "blue", "dry"),
    ]
    assert texts(parsed(pdf(table(100, rows)))) == [" | ".join(row) for row in rows]


def test_a_page_full_of_cells_is_read_fast() -> None:
    rows = [(f"cell {n}", f"{n} Nm", "wrench", "of brass") for n in range(44)]
    data = pdf(*[table(60, rows) + "\n" + at(72, 780, f"made {n * n}") for n in range(12)])
    start = process_time()
    assert len(texts(parsed(data), "row")) > 400
    assert process_time() - start < 4


def test_a_paragraph_goes_on_after_a_table() -> None:
    cells = [at(64, 214, "Part"), at(164, 214, "Price"), at(64, 234, "Cap"), at(164, 234, "7 EUR")]
    shown = [lines(72, 100, BODY[:2]), grid_of([60, 160, 260], [200, 220, 240]), *cells, at(72, 270, BODY[2])]
    assert texts(parsed(pdf("\n".join(shown)))) == [" ".join(BODY), "Part | Price", "Cap | 7 EUR"]


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


def test_a_table_stands_under_its_own_heading_wherever_it_is_on_the_line() -> None:
    """Short headings at the left, tables in the middle or at the right."""
    shown, y = [at(60, 60, "All pumps of the mill are listed in this part of the book, in order.")], 90.0
    expected = [("paragraph", "All pumps of the mill are listed in this part of the book, in order.")]
    for name, left in (("Pump B", 250), ("Pump C", 380)):
        edges = [left, left + 80, left + 160]
        shown += [at(60, y, name, 12, "B"), grid_of(edges, [y + 12, y + 30, y + 48])]
        rows = [("Part", "Torque"), (f"Lid of {name[-1]}", f"{len(shown)} Nm")]
        for n, cells in enumerate(rows):
            shown += [at(x + 4, y + 24 + 18 * n, cell) for x, cell in zip(edges, cells, strict=False)]
        expected += [("heading", name), ("table", "Part | Torque"), ("row", " | ".join(rows[1]))]
        y += 90
    document = parsed(pdf("\n".join(shown)))
    assert [(block.kind, slice_of(document, block)) for block in document.blocks] == expected
