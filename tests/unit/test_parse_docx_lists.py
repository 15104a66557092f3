"""Lists of Word files with the numbers Word shows, and tables with their headers and merged cells."""

from __future__ import annotations

import pytest

from growth import assert_linear
from parsed import texts
from pincite.parse.office.numerals import numeral
from pincite.types import RunOrigins
from word_files import blocks, cell, p, parts, read_word, row, run, sound, table, word_file

Levels = list[tuple[str, str]]


def outline(id: str, levels: Levels, more: str = "") -> str:
    """An outline of levels, each its number format and text; `more` is added to the last."""
    inside = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/>'
        f"{more if i == len(levels) - 1 else ''}</w:lvl>"
        for i, (form, text) in enumerate(levels)
    )
    return f'<w:abstractNum w:abstractNumId="{id}">{inside}</w:abstractNum>'


def listed(id: str, outline_id: str, change: str = "") -> str:
    return f'<w:num w:numId="{id}"><w:abstractNumId w:val="{outline_id}"/>{change}</w:num>'


def item(text: str, level: int = 0, id: str = "1") -> str:
    return p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{id}"/></w:numPr>')


def labels(body: str, numbering: str, styles: str = "") -> list[str]:
    """The blocks of a body without their last word."""
    document = sound(word_file(body, numbering=numbering, styles=styles))
    return [text.rpartition(" ")[0] for text in texts(document)]


LEGAL = outline("0", [("decimal", "%1."), ("lowerLetter", "%2)"), ("lowerRoman", "(%3)")]) + listed("1", "0")


def test_items_are_numbered_by_level_and_start_anew_under_each_item() -> None:
    levels = [0, 1, 1, 2, 2, 1, 0, 1, 2]
    body = "".join(item("x", level) for level in levels)
    assert labels(body, LEGAL) == ["1.", "a)", "b)", "(i)", "(ii)", "c)", "2.", "a)", "(i)"]
    document = sound(word_file(body, numbering=LEGAL))
    assert {block.kind for block in document.blocks} == {"list"}
    assert parts(document)[2] == "paragraph 3"


def test_a_label_is_text_of_ours_and_what_has_a_place_is_the_file_s() -> None:
    document = read_word(word_file(item("Gloves") + item("Lamp"), numbering=LEGAL))
    assert isinstance(document.origins, RunOrigins)
    runs = [(document.text[one.span.start : one.span.end], one.place.part) for one in document.origins.runs]
    assert document.text == "1. Gloves\n\n2. Lamp"
    assert runs == [("Gloves", "paragraph 1"), ("Lamp", "paragraph 2")]


def test_numbers_of_the_levels_above_are_part_of_a_label() -> None:
    numbering = outline("0", [("upperRoman", "%1."), ("decimal", "%1.%2"), ("decimal", "%1.%2.%3")]) + listed(
        "1", "0"
    )
    assert labels(item("x") + item("x") + item("x", 1) + item("x", 2), numbering) == [
        "I.",
        "II.",
        "II.1",
        "II.1.1",
    ]
    plain = outline("0", [("upperRoman", "%1."), ("decimal", "%1.%2")], "<w:isLgl/>") + listed("1", "0")
    assert labels(item("x") + item("x", 1), plain) == ["I.", "1.1"]


def test_a_level_that_skips_the_one_above_counts_it_as_begun() -> None:
    numbering = outline("0", [("decimal", "%1."), ("decimal", "%1.%2")]) + listed("1", "0")
    assert labels(item("x", 1) + item("x", 1), numbering) == ["1.1", "1.2"]


def test_lists_of_one_outline_count_on_and_a_start_of_their_own_counts_anew() -> None:
    anew = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    numbering = (
        outline("0", [("decimal", "%1.")]) + listed("1", "0") + listed("2", "0") + listed("3", "0", anew)
    )
    ids = ["1", "1", "2", "3", "3", "2"]
    assert labels("".join(item("x", id=id) for id in ids), numbering) == ["1.", "2.", "3.", "5.", "6.", "7."]


def test_a_level_that_never_restarts_counts_on() -> None:
    numbering = outline("0", [("decimal", "%1."), ("decimal", "%2)")], '<w:lvlRestart w:val="0"/>') + listed(
        "1", "0"
    )
    body = item("x") + item("x", 1) + item("x") + item("x", 1)
    assert labels(body, numbering) == ["1.", "1)", "2.", "2)"]


def test_an_empty_item_counts_and_list_nought_is_none() -> None:
    assert labels(item("x") + item("") + item("x"), LEGAL) == ["1.", "3."]
    document = read_word(word_file(item("No list", id="0") + item("Nor this", id="77"), numbering=LEGAL))
    assert blocks(document) == [("paragraph", "No list"), ("paragraph", "Nor this")]


def test_a_deleted_item_does_not_count() -> None:
    gone = p(
        raw=f'<w:del w:id="1">{run("gone")}</w:del>',
        properties='<w:numPr><w:numId w:val="1"/></w:numPr><w:rPr><w:del w:id="2"/></w:rPr>',
    )
    assert labels(item("x") + gone + item("x"), LEGAL) == ["1.", "2."]


def test_bullets_are_characters() -> None:
    def font(name: str) -> str:
        return f'<w:rPr><w:rFonts w:ascii="{name}"/></w:rPr>'

    for text, more, shown in (
        ("\uf0b7", font("Symbol"), "•"),
        ("o", font("Courier New"), "◦"),
        ("\uf0a7", font("Wingdings"), "▪"),
        ("\uf099", font("Webdings"), "•"),
        ("–", "", "–"),
    ):
        numbering = outline("0", [("bullet", text)], more) + listed("1", "0")
        assert texts(read_word(word_file(item("x"), numbering=numbering))) == [f"{shown} x"]


def test_headings_are_numbered_through_their_style() -> None:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="H{n}"><w:name w:val="heading {n}"/><w:pPr>'
        f"{'<w:numPr><w:numId w:val=' + chr(34) + '1' + chr(34) + '/></w:numPr>'}</w:pPr></w:style>"
        for n in (1, 2)
    )
    levels = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="H{i + 1}"/>'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for i, text in enumerate(("%1", "%1.%2"))
    )
    numbering = f'<w:abstractNum w:abstractNumId="0">{levels}</w:abstractNum>' + listed("1", "0")
    body = "".join(p(f"T{n}", f'<w:pStyle w:val="H{n}"/>') for n in (1, 2, 2, 1, 2))
    document = sound(word_file(body, numbering=numbering, styles=styles))
    assert [(s.title, s.level) for s in document.sections] == [
        ("1 T1", 1),
        ("1.1 T2", 2),
        ("1.2 T2", 2),
        ("2 T1", 1),
        ("2.1 T2", 2),
    ]


def test_a_list_may_take_its_levels_from_a_style() -> None:
    linked = '<w:abstractNum w:abstractNumId="5"><w:numStyleLink w:val="Ours"/></w:abstractNum>' + listed(
        "9", "5"
    )
    style = (
        '<w:style w:type="numbering" w:styleId="Ours"><w:pPr><w:numPr><w:numId w:val="{}"/></w:numPr></w:pPr>'
    )
    styles = style.format(1) + "</w:style>"
    assert labels(item("x", id="9") + item("x", 1, "9"), LEGAL + linked, styles) == ["1.", "a)"]
    loop = style.format(9) + "</w:style>"
    assert texts(read_word(word_file(item("x", id="9"), numbering=linked, styles=loop))) == ["x"]


@pytest.mark.parametrize(
    ("number", "style", "shown"),
    [
        (4, "lowerRoman", "iv"),
        (1994, "upperRoman", "MCMXCIV"),
        (27, "lowerLetter", "aa"),
        (3, "upperLetter", "C"),
        (22, "ordinal", "22nd"),
        (11, "ordinal", "11th"),
        (7, "decimalZero", "07"),
        (12, "chineseCounting", "十二"),
        (305, "chineseCountingThousand", "三百零五"),
        (110, "chineseCounting", "一百一十"),
        (3, "decimalEnclosedCircle", "③"),
        (5, "bullet", ""),
        (5, "unheardOf", "5"),
        (0, "lowerRoman", "0"),
        (100_000, "lowerLetter", "100000"),
        (2, "russianLower", "б"),
        (12, "decimalFullWidth", "１２"),
    ],
)
def test_numerals(number: int, style: str, shown: str) -> None:
    assert numeral(number, style) == shown


HEADER = "<w:tblHeader/>"


def test_rows_know_their_header_rows() -> None:
    body = table(
        row("Part", "Price", properties=HEADER),
        row("", "EUR", properties=HEADER),
        row("Seal", "4"),
        row("Pump", "90"),
    )
    document = sound(word_file(p("Before.") + body))
    assert blocks(document)[1:] == [
        ("table", "Part | Price\n| EUR"),
        ("row", "Seal | 4"),
        ("row", "Pump | 90"),
    ]
    assert [block.header for block in document.blocks] == [
        "",
        "",
        "Part | Price\n| EUR",
        "Part | Price\n| EUR",
    ]
    assert parts(document) == ["paragraph 1", "table 1 row 1-2", "table 1 row 3", "table 1 row 4"]


def test_the_first_row_is_a_header_if_it_is_full_and_the_style_does_not_deny_it() -> None:
    def kinds(first: str, look: str = "") -> list[str]:
        data = word_file(f"<w:tbl><w:tblPr>{look}</w:tblPr>{first}{row('a', 'b')}</w:tbl>")
        return [block.kind for block in read_word(data).blocks]

    assert kinds(row("A", "B")) == ["table", "row"]
    assert kinds(row("", "B", "C")) == ["table", "row"]
    assert kinds(row("A", "")) == ["row", "row"]
    assert kinds(row("A", "B"), '<w:tblLook w:val="0480"/>') == ["row", "row"]
    assert kinds(row("A", "B"), '<w:tblLook w:val="04A0"/>') == ["table", "row"]
    assert kinds(row("A", "B"), '<w:tblLook w:firstRow="0" w:val="04A0"/>') == ["row", "row"]


OWNER = [("Owner", "Pia Koch"), ("Hull number", "DE-KCH-33812"), ("Length", "12.5 m")]
NAMED = [("Owner", "Home port"), ("Pia Koch", "Kiel"), ("Ada Berg", "Lund")]


def bold(text: str) -> str:
    return cell("", raw=p(raw=run(text, "<w:b/>")))


def test_a_list_of_names_and_values_has_no_header() -> None:
    document = sound(word_file(table(*(row(name, value) for name, value in OWNER))))
    assert blocks(document) == [("row", f"{name} | {value}") for name, value in OWNER]
    assert {block.header for block in document.blocks} == {""}


def test_bold_type_tells_names_of_columns_from_names_of_rows() -> None:
    first, *later = OWNER
    top = sound(word_file(table(row(*map(bold, first)), *(row(*line) for line in later))))
    assert top.blocks[-1].header == "Owner | Pia Koch"
    left = sound(word_file(table(*(row(bold(name), value) for name, value in NAMED))))
    assert {block.header for block in left.blocks} == {""}
    assert sound(word_file(table(*(row(*line) for line in NAMED)))).blocks[-1].header == "Owner | Home port"


def test_numbers_above_numbers_name_no_columns() -> None:
    lines = [row("Rope", "12.5", "m"), row("Chain", "30", "m")]
    assert {block.header for block in sound(word_file(table(*lines))).blocks} == {""}
    years = table(row("Rope", "2025", "2026"), row("Chain", "30", "20"))
    assert sound(word_file(years)).blocks[-1].header == "Rope | 2025 | 2026"


def test_a_caption_below_a_table_is_not_that_of_the_next() -> None:
    styles = '<w:style w:type="paragraph" w:styleId="K"><w:name w:val="caption"/></w:style>'
    first, second = (p(text, '<w:pStyle w:val="K"/>') for text in ("Table 1", "Table 2"))
    tables = table(row("a", "b"), row("1", "2")), table(row("c", "d"), row("3", "4"))
    below = sound(word_file(tables[0] + first + tables[1] + second, styles=styles))
    assert [block.header for block in below.blocks if block.kind == "row"] == ["a | b", "c | d"]
    above = sound(word_file(first + tables[0] + second + tables[1], styles=styles))
    assert [block.header for block in above.blocks if block.kind == "row"] == [
        "Table 1\n\na | b", "Table 2\n\nc | d",
    ]  # fmt: skip


def test_a_caption_before_a_table_is_part_of_its_rows_headers_and_of_no_other_s() -> None:
    styles = '<w:style w:type="paragraph" w:styleId="K"><w:name w:val="caption"/></w:style>'
    one = table(row("Part", "Price", properties=HEADER), row("Seal", "4"))
    body = (
        p("Table 1: Prices", '<w:pStyle w:val="K"/>') + one + p("Text.") + table(row("x", ""), row("y", "1"))
    )
    document = sound(word_file(body, styles=styles))
    assert document.blocks[2].header == "Table 1: Prices\n\nPart | Price"
    assert [block.header for block in document.blocks[3:]] == ["", "", ""]


def test_cells_merged_down_are_in_each_row_and_cells_merged_across_once() -> None:
    start, on = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    body = table(
        row("Region", "Item", "Price"),
        row(cell("North", start), "Seal", "4"),
        row(cell("", on), "Pump", "90"),
        row(cell("", on), cell("sold out", '<w:gridSpan w:val="2"/>')),
        row(cell("", on), "", ""),
        row("South", "Rotor", "7"),
    )
    assert texts(sound(word_file(body))) == [
        "Region | Item | Price",
        "North | Seal | 4",
        "North | Pump | 90",
        "North | sold out",
        "South | Rotor | 7",
    ]


def test_a_long_cell_merged_down_is_not_repeated() -> None:
    long = "word " * 60
    body = table(row(cell(long, '<w:vMerge w:val="restart"/>'), "1"), row(cell("", "<w:vMerge/>"), "2"))
    assert texts(read_word(word_file(body)))[1] == "| 2"


def test_a_row_may_begin_late() -> None:
    body = table(row("A", "B", "C"), row("2", "3", properties='<w:gridBefore w:val="1"/>'))
    assert texts(read_word(word_file(body))) == ["A | B | C", "| 2 | 3"]


def test_cells_hold_paragraphs_and_lists_on_one_line() -> None:
    inside = p("Bring:") + item("gloves") + item("lamp")
    body = table(row("Day", "What"), row("Mon", cell("", raw=inside)))
    assert texts(sound(word_file(body, numbering=LEGAL)))[1] == "Mon | Bring: 1. gloves 2. lamp"


def test_a_table_that_holds_headings_or_tables_or_one_column_is_layout() -> None:
    inner = table(row("K", "V"), row("a", "1"))
    body = table(row("Left", cell("", raw=p("Right") + inner))) + table(row("Only"), row("column"))
    document = sound(
        word_file(body + table(row(cell("", raw=p("Part", '<w:outlineLvl w:val="0"/>')), "side")))
    )
    assert blocks(document) == [
        ("paragraph", "Left"),
        ("paragraph", "Right"),
        ("table", "K | V"),
        ("row", "a | 1"),
        ("paragraph", "Only"),
        ("paragraph", "column"),
        ("heading", "Part"),
        ("paragraph", "side"),
    ]
    assert parts(document)[3:] == [
        "table 1 row 1",
        "table 2 row 1",
        "table 2 row 2",
        "table 3 row 1",
        "table 3 row 1",
    ]


def test_notes_of_cells_follow_the_table() -> None:
    note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    body = table(row("A", "B"), row(cell("", raw=p(raw=run("x") + note)), "y"), row("z", "w"))
    data = word_file(body, footnotes=f'<w:footnote w:id="2">{p("By law.")}</w:footnote>')
    assert texts(sound(data)) == ["A | B", "x[1] | y", "z | w", "[footnote 1] By law."]


def test_cells_that_were_inserted_or_deleted() -> None:
    body = table(row("A", cell("old", '<w:cellDel w:id="1"/>'), cell("new", '<w:cellIns w:id="2"/>')))
    assert texts(read_word(word_file(body))) == ["A | new"]
    assert texts(read_word(word_file(body), "original")) == ["A | old"]
    assert texts(read_word(word_file(body), "all")) == ["A | [deleted: old] | [inserted: new]"]


def test_long_chains_of_styles_and_long_lists_of_levels_take_no_time() -> None:
    def read(items: int) -> None:
        chain = "".join(
            f'<w:style w:styleId="S{n}"><w:name w:val="s{n}"/><w:basedOn w:val="S{n + 1}"/></w:style>'
            for n in range(13 * items)
        )
        levels = '<w:lvl w:ilvl="8"><w:pStyle w:val="x"/></w:lvl>' * (5 * items // 3) + '<w:lvl w:ilvl="0"/>'
        numbering = f'<w:abstractNum w:abstractNumId="1">{levels}</w:abstractNum>'
        numbering += '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
        body = p("item", '<w:pStyle w:val="S0"/><w:numPr><w:numId w:val="1"/></w:numPr>') * items
        assert len(read_word(word_file(body, styles=chain, numbering=numbering)).blocks) == items

    assert_linear(read, 200)
