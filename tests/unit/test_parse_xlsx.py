"""XLSX: tables with caption and column names, cells as shown, what is hidden, dropped or cut by name."""

from __future__ import annotations

import zipfile
from datetime import date
from io import BytesIO
from time import process_time
from typing import Any

import pytest

import pincite.parse.sheets.xlsx as xlsx
from extracted import headings_of, parts_of, read
from office_files import CORE, DRAWN, MAIN, cell, data, relationships, rows, workbook, zipped
from parsed import source, texts
from pincite.errors import InputError
from pincite.parse import parse
from pincite.parse.sheets.sheet import Room, column_name
from pincite.types import Document, Span

STOCK = [["Region", "Item", "Count"], ["North", "Seal kit", 12], ["South", "Rotor", 0]]


def _read(content: str, **more: Any) -> Document:
    return read("stock.xlsx", workbook({"Stock": content}, **more))


def _shown(content: str, **more: Any) -> list[str]:
    return texts(_read(content, **more))[1:]


# ── tables ────────────────────────────────────────────────────────────────────────────────────
def test_rows_have_title_and_column_names_as_header() -> None:
    content = data(
        rows([["Stock list 2026"]]) + rows(STOCK, top=3), "<mergeCells><mergeCell ref='A1:C1'/></mergeCells>"
    )
    document = _read(content)
    header = "Stock list 2026\nRegion | Item | Count"
    assert parts_of(document) == [
        ("heading", "Stock", "Stock"),
        ("table", "Stock!A1:C3", header),
        ("row", "Stock!A4:C4", "North | Seal kit | 12"),
        ("row", "Stock!A5:C5", "South | Rotor | 0"),
    ]
    assert [block.header for block in document.blocks] == ["", "", header, header]
    assert document.title == "Stock list 2026"


def test_each_cell_has_its_own_place() -> None:
    document = _read(data(rows(STOCK)))
    for value, reference in (("Seal kit", "B2"), ("Rotor", "B3"), ("Count", "C1")):
        at = document.text.index(value)
        assert document.origins.place(Span(at, at + len(value))).part == f"Stock!{reference}"
    at = document.text.index("North")
    whole = document.origins.place(Span(at, document.text.index("Rotor")))
    assert whole.part == "Stock!A2:C3"
    assert whole.location("stock.xlsx") == "stock.xlsx#Stock!A2:C3"


def test_merged_cells_are_repeated() -> None:
    content = rows([["Region", "Item", "Count"], ["North", "Seal kit", 12], [None, "Rotor", 0]])
    merged = "<mergeCells><mergeCell ref='A2:A3'/></mergeCells>"
    assert _shown(data(content, merged))[1:] == ["North | Seal kit | 12", "North | Rotor | 0"]


def test_a_long_text_over_several_columns_stands_once() -> None:
    long = "Seal kits are kept dry and are looked at every third month by two people."
    content = rows([["Item", "Note", "More"], ["Seal kit", long], ["Rotor", "new", "x"]])
    merged = "<mergeCells><mergeCell ref='B2:C2'/></mergeCells>"
    assert _shown(data(content, merged))[1] == f"Seal kit | {long}"


def test_tables_beside_and_below_each_other_are_told_apart() -> None:
    left = [["Part", "Mass"], ["bolt", 4], ["nut", 2], ["ring", 1]]
    lines = [[*line, None, None] for line in left]
    lines[0] += ["Town", "Phone"]
    lines[1] += ["Lund", 4212]
    lines += [[], ["Year", "Sum"], [2025, 7], [2026, 9]]
    document = _read(data(rows(lines)))
    assert [(b.kind, b.header) for b in document.blocks][1:] == [
        ("table", ""), *[("row", "Part | Mass")] * 3, ("table", ""), ("row", "Town | Phone"),
        ("table", ""), *[("row", "Year | Sum")] * 2,
    ]  # fmt: skip


def test_one_blank_column_does_not_part_a_table() -> None:
    lines = [["Region", "Item", None, "Count"], ["North", "Seal kit", None, 12], ["South", "Rotor", None, 0]]
    assert _shown(data(rows(lines))) == [
        "Region | Item | Count",
        "North | Seal kit | 12",
        "South | Rotor | 0",
    ]


BUDGET = [
    ["Department", "Q1", None, "Contact", "Phone"],
    ["Kitchen", 120, None, "Ada Berg", "0461 55 12"],
    ["Pier", 410, None, "Per Lind", "0461 55 19"],
    ["Total", 530],
]


def test_one_blank_column_parts_tables_that_both_name_their_rows() -> None:
    document = _read(data(rows(BUDGET)))
    left, right = "Department | Q1", "Contact | Phone"
    assert [(text, b.header) for text, b in zip(texts(document), document.blocks, strict=True)][1:] == [
        (left, ""), ("Kitchen | 120", left), ("Pier | 410", left), ("Total | 530", left),
        (right, ""), ("Ada Berg | 0461 55 12", right), ("Per Lind | 0461 55 19", right),
    ]  # fmt: skip


def test_a_title_merged_over_a_blank_column_joins_both_sides() -> None:
    merged = "<mergeCells><mergeCell ref='A1:E1'/></mergeCells>"
    shown = _shown(data(rows([["Budget 2027"], *BUDGET]), merged))
    assert shown[:2] == [
        "Budget 2027\nDepartment | Q1 | Contact | Phone",
        "Kitchen | 120 | Ada Berg | 0461 55 12",
    ]


def test_columns_of_numbers_behind_a_blank_column_belong_to_the_table() -> None:
    lines = [["Town", "2024", None, "2025", "2026"], ["Kiel", 3, None, 4, 5], ["Husum", 6, None, 7, 8]]
    assert _shown(data(rows(lines)))[1:] == ["Kiel | 3 | 4 | 5", "Husum | 6 | 7 | 8"]


def test_a_blank_row_within_a_table_keeps_its_header() -> None:
    lines = [*STOCK, [], ["North", "Shaft", 5], ["West", "Cap", 6]]
    document = _read(data(rows(lines)))
    assert [block.header for block in document.blocks][-2:] == ["Region | Item | Count"] * 2


def test_grouped_names_and_units_belong_to_the_header() -> None:
    lines = [["Pump", "Load", None, "Price"], [None, "min", "max", None], [None, "kN", "kN", "EUR"]]
    lines += [["P1", 3, 9, 120], ["P2", 4, 8, 150]]
    merged = (
        "<mergeCells><mergeCell ref='B1:C1'/><mergeCell ref='A1:A2'/><mergeCell ref='D1:D2'/></mergeCells>"
    )
    document = _read(data(rows(lines), merged))
    assert texts(document, "table") == [
        "Pump | Load | Load | Price\nPump | min | max | Price\n| kN | kN | EUR"
    ]
    assert texts(document, "row") == ["P1 | 3 | 9 | 120", "P2 | 4 | 8 | 150"]


def test_a_table_of_the_file_names_its_header_row() -> None:
    lines = [["2024", "2025"], ["a", "b"], ["c", "d"]]
    known = {
        "xl/worksheets/_rels/sheet1.xml.rels": relationships(("rId1", "table", "../tables/table1.xml")),
        "xl/tables/table1.xml": f'<table {MAIN} ref="A1:B3"/>',
    }
    document = _read(data(rows(lines)), more=known)
    assert texts(document, "table") == ["2024 | 2025"]


def test_rows_in_bold_type_are_header_rows() -> None:
    lines = [
        ["Part", "Colour"],
        ["cap", "red"],
        ["nut", "blue"],
        [],
        ["Town", "Tree"],
        ["Lund", "oak"],
        ["Ystad", "elm"],
    ]
    bold = rows(lines)
    for reference in ("A1", "B1", "A5", "B5"):
        bold = bold.replace(f'<c r="{reference}"', f'<c r="{reference}" s="1"')
    fonts = "<fonts><font/><font><b/></font></fonts>"
    styles = f'{fonts}<cellXfs><xf numFmtId="0"/><xf numFmtId="0" fontId="1"/></cellXfs>'
    document = _read(data(bold), more={"xl/styles.xml": f"<styleSheet {MAIN}>{styles}</styleSheet>"})
    assert texts(document, "table") == ["Part | Colour", "Town | Tree"]
    assert texts(_read(data(rows(lines))), "table") == ["Part | Colour"]


OWNER = [["Owner", "Pia Koch"], ["Hull number", "DE-KCH-33812"], ["Length", "12.5 m"]]
NAMED = [["Owner", "Home port"], ["Pia Koch", "Kiel"], ["Ada Berg", "Lund"]]
BOLD = "<fonts><font/><font><b/></font></fonts>"
STYLES = '<cellXfs><xf numFmtId="0"/><xf numFmtId="0" fontId="1"/></cellXfs>'
STYLED = f"<styleSheet {MAIN}>{BOLD}{STYLES}</styleSheet>"


def test_a_list_of_names_and_values_has_no_header() -> None:
    document = _read(data(rows([["Certificate"], *OWNER])))
    assert [(b.kind, b.header) for b in document.blocks][1:] == [("table", ""), *[("row", "Certificate")] * 3]
    assert texts(document, "row") == ["Owner | Pia Koch", "Hull number | DE-KCH-33812", "Length | 12.5 m"]


def test_bold_names_beside_plain_values_are_no_header() -> None:
    bold = rows(NAMED)
    for reference in ("A1", "A2", "A3"):
        bold = bold.replace(f'<c r="{reference}"', f'<c r="{reference}" s="1"')
    assert texts(_read(data(bold), more={"xl/styles.xml": STYLED}), "table") == []
    assert texts(_read(data(rows(NAMED))), "table") == ["Owner | Home port"]


def test_the_row_above_a_frozen_line_is_a_header_where_nothing_else_tells() -> None:
    frozen = '<sheetViews><sheetView><pane ySplit="1" state="frozen"/></sheetView></sheetViews>'
    assert texts(_read(frozen + data(rows(OWNER))), "table") == ["Owner | Pia Koch"]
    split = frozen.replace("frozen", "split")
    assert texts(_read(split + data(rows(OWNER))), "table") == []


def test_labels_with_values_are_no_table_with_names() -> None:
    document = _read(data(rows([["Author:", "Ada"], ["Town:", "Lund"]])))
    assert [(b.kind, b.header) for b in document.blocks][1:] == [("row", ""), ("row", "")]


def test_equal_values_are_no_title() -> None:
    lines = [["yes", "yes", "yes"], ["a", "b", "c"], ["no", "no", "no"]]
    assert _shown(data(rows(lines))) == ["yes | yes | yes", "a | b | c", "no | no | no"]


def test_a_header_that_stands_again_begins_a_table() -> None:
    document = _read(data(rows([*STOCK, [], *STOCK])))
    assert [block.kind for block in document.blocks][1:] == ["table", "row", "row"] * 2


def test_a_wide_nearly_empty_table_names_its_columns() -> None:
    names = "".join(cell(f"{column_name(n)}1", f"N{n}") for n in range(1, 101))
    lines = "".join(f'<row r="{n}">{cell(column_name(n) + str(n), n)}</row>' for n in range(2, 101))
    document = _read(data(f'<row r="1">{names}</row>{lines}'))
    assert texts(document, "row")[:2] == ["N2: 2", "N3: 3"]


@pytest.mark.timeout(20)
def test_sheets_of_any_shape_take_linear_time() -> None:
    diagonal = "".join(f'<row r="{n}">{cell(column_name(n) + str(n), "v")}</row>' for n in range(1, 16_385))
    line = "".join(cell(f"{column_name(n)}1", n) for n in range(1, 16_385, 2))
    sheets = {"Diagonal": data(diagonal), "Gaps": data(f'<row r="1">{line}</row><row r="2">{line}</row>')}
    document = parse(source("a.xlsx", workbook(sheets)))
    assert len(document.text) < 2_000_000


def test_lines_of_text_are_paragraphs() -> None:
    document = _read(data(rows([["Read this first."], [], [], [], [], ["Then this."]])))
    assert [kind for kind, _, _ in parts_of(document)] == ["heading", "paragraph", "paragraph"]


# ── cells ─────────────────────────────────────────────────────────────────────────────────────
def test_cells_are_shown_as_in_the_sheet() -> None:
    cells = [
        cell("A1", 46096, 1), cell("B1", 0.25, 2), cell("C1", 1, kind="b"), cell("D1", "#N/A", kind="e"),
        cell("E1", "00172"), cell("F1", 0.1 + 0.2), cell("G1", 0, kind="s"), cell("H1", 172, 3),
        cell("I1", 46096.5, 4), cell("J1", "a&lt;b", kind="str"), cell("K1", "x_x000D_y"),
    ]  # fmt: skip
    codes: list[str | int] = [14, "0.0%", "00000", 22]
    strings = ["<r><t>rich </t></r><r><t>text</t></r><rPh><t>reading</t></rPh>"]
    line = _shown(data(f'<row r="1">{"".join(cells)}</row>'), codes=codes, strings=strings)
    assert line == [
        "2026-03-15 | 25.0% | TRUE | #N/A | 00172 | 0.3 | rich text | 00172 | 2026-03-15 12:00 | a<b | x y"
    ]


def test_dates_of_the_1904_system() -> None:
    content = data(f'<row r="1">{cell("A1", 44634, 1)}{cell("B1", "on")}</row>')
    assert _shown(content, codes=[14], date1904=True) == ["2026-03-15 | on"]


def test_a_formula_without_a_result_is_shown_itself() -> None:
    formulas = (
        '<c r="A1"><f>D5*80</f></c><c r="B1"><f>1+1</f><v>2</v></c>'
        '<c r="C1"><f t="shared" si="0"/></c><c r="D1" t="str"><f>"a"</f><v></v></c>'
    )
    assert _shown(data(f'<row r="1">{formulas}</row>'))[0].startswith("=D5*80 | 2 | [not computed]")


def test_a_sparse_sheet_costs_what_it_holds() -> None:
    styled = "".join(f'<c r="{column}2" s="1"/>' for column in ("A", "B", "XFD"))
    content = data(
        f'<row r="1">{cell("A1", "start")}</row><row r="2">{styled}</row>'
        f'<row r="1048576">{cell("XFD1048576", "end")}</row>'
    )
    document = _read(content)
    assert parts_of(document)[1:] == [
        ("paragraph", "Stock!A1", "start"),
        ("paragraph", "Stock!XFD1048576", "end"),
    ]


def test_merged_areas_of_the_whole_sheet_are_bounded() -> None:
    merged = "<mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>"
    content = data(rows([["all"]]) + f'<row r="1048576">{cell("XFD1048576", "end")}</row>', merged)
    document = _read(content)
    assert document.losses.dropped == ("sheet Stock: the repetition of 1 merged areas",)
    assert texts(document)[1:] == ["all", "end"]


def test_cells_without_references_stand_one_after_the_other() -> None:
    bare = "<row><c><v>1</v></c><c><v>2</v></c></row>"
    content = bare + "<row r='0'><c r='A0'><v>5</v></c></row><row r='4'><c r='ZZZZ4'><v>3</v></c></row>"
    assert [where for _, where, _ in parts_of(_read(data(content)))] == [
        "Stock",
        "Stock!A1:B1",
        "Stock!A2",
        "Stock!A4",
    ]


# ── what is hidden, hangs on cells, or is lost ────────────────────────────────────────────────
def test_hidden_sheets_are_named_and_hidden_rows_and_columns_marked() -> None:
    content = rows(STOCK).replace('<row r="3">', '<row r="3" hidden="1">')
    columns = '<cols><col min="3" max="3" hidden="1"/></cols>'
    sheets = {"Stock": columns + data(content), "Old": data(rows([["price 999"]]))}
    document = read("a.xlsx", workbook(sheets, states={"Old": "veryHidden"}))
    assert texts(document) == [
        "Stock",
        "Region | Item | [hidden column] Count",
        "North | Seal kit | 12",
        "[hidden row] South | Rotor | 0",
    ]
    assert document.losses.dropped == ("sheet Old: hidden, not read",)


def test_comments_links_charts_and_pictures() -> None:
    start = "<xdr:from><xdr:col>4</xdr:col><xdr:row>8</xdr:row></xdr:from>"
    drawing = (
        f"<xdr:wsDr {DRAWN}><xdr:oneCellAnchor>{start}{_picture('A pump')}</xdr:oneCellAnchor>"
        f"<xdr:oneCellAnchor>{_picture('')}</xdr:oneCellAnchor><xdr:absoluteAnchor><xdr:graphicFrame>"
        '<c:chart r:id="rId1"/></xdr:graphicFrame></xdr:absoluteAnchor></xdr:wsDr>'
    )
    words = "<c:tx><c:rich><a:p><a:r><a:t>Parts a year</a:t></a:r></a:p></c:rich></c:tx>"
    chart = (
        f"<c:chartSpace {DRAWN}><c:chart><c:title>{words}</c:title>"
        "<c:plotArea><c:barChart/></c:plotArea></c:chart></c:chartSpace>"
    )
    more = {
        "xl/worksheets/_rels/sheet1.xml.rels": relationships(
            ("rId1", "hyperlink", "https://example.org/seal"),
            ("rId2", "comments", "../comments1.xml"),
            ("rId3", "drawing", "../drawings/drawing1.xml"),
            ("rId4", "pivotTable", "../pivotTables/pivotTable1.xml"),
        ),
        "xl/pivotTables/pivotTable1.xml": "<p/>",
        "xl/drawings/drawing1.xml": drawing,
        "xl/drawings/_rels/drawing1.xml.rels": relationships(("rId1", "chart", "../charts/chart1.xml")),
        "xl/charts/chart1.xml": chart,
        "xl/comments1.xml": f"<comments {MAIN}><authors><author>Ada</author></authors>"
        '<commentList><comment ref="C2" authorId="0"><text><t>Ada:\nCount again.</t></text></comment>'
        "</commentList></comments>",
    }
    content = data(rows(STOCK), '<hyperlinks><hyperlink ref="B2" r:id="rId1"/></hyperlinks>')
    document = _read(content, more=more)
    assert "North | Seal kit (https://example.org/seal) | 12" in texts(document, "row")
    assert parts_of(document)[-3:] == [
        ("paragraph", "Stock!C2", "[comment by Ada] Count again."),
        ("paragraph", "Stock!E9", "[image: A pump]"),
        ("paragraph", "Stock", "[chart] Parts a year"),
    ]
    assert document.losses.dropped == (
        "sheet Stock: a picture",
        "sheet Stock: the records behind a pivot table",
    )


def test_of_a_drawing_and_what_older_programs_show_instead_one_is_read() -> None:
    said = "<xdr:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></xdr:txBody>"
    drawing = (
        f"<xdr:wsDr {DRAWN}><xdr:absoluteAnchor><mc:AlternateContent><mc:Choice>{said.format('Mind the gap')}"
        f"</mc:Choice><mc:Fallback>{said.format('Not available here')}</mc:Fallback></mc:AlternateContent>"
        '<dgm:relIds r:dm="rId1"/></xdr:absoluteAnchor></xdr:wsDr>'
    )
    points = "".join(
        f'<dgm:pt modelId="{text}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for text in ("Plan", "Do")
    )
    more = {
        "xl/worksheets/_rels/sheet1.xml.rels": relationships(("rId3", "drawing", "../drawings/d.xml")),
        "xl/drawings/d.xml": drawing,
        "xl/drawings/_rels/d.xml.rels": relationships(("rId1", "diagramData", "../diagrams/data1.xml")),
        "xl/diagrams/data1.xml": f"<dgm:dataModel {DRAWN}><dgm:ptLst>{points}</dgm:ptLst></dgm:dataModel>",
    }
    assert _shown(data(rows([["word"]])), more=more)[1:] == [
        "[text box] Mind the gap",
        "[diagram] Plan; Do",
    ]


def _picture(described: str) -> str:
    name = f'<xdr:cNvPr id="1" name="Drawing" descr="{described}"/>'
    return f"<xdr:pic><xdr:nvPicPr>{name}</xdr:nvPicPr></xdr:pic>"


def test_rows_beyond_the_limit_are_cut_counted_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "MAX_CELLS", 6)
    sheets = {"Stock": data(rows(STOCK)), "More": data(rows([["word", 1]]))}
    document = read("a.xlsx", workbook(sheets))
    assert texts(document)[1:3] == ["Region | Item | Count", "North | Seal kit | 12"]
    assert document.losses.cut_text == len("SouthRotor0") + len("word1")
    assert [text.partition(" (")[0] for text in document.losses.dropped] == [
        "sheet Stock: rows 3-3", "sheet More: rows 1-1",
    ]  # fmt: skip


def test_a_large_sheet_has_a_place_for_each_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.parse.sheets.sheet.MAX_EXACT", 3)
    document = _read(data(rows([*STOCK, [None, "Cap"]])))
    assert parts_of(document)[2:] == [
        ("row", "Stock!A2:C2", "North | Seal kit | 12"),
        ("row", "Stock!A3:C3", "South | Rotor | 0"),
        ("row", "Stock!B4", "| Cap"),
    ]


def test_properties_become_metadata_and_sheets_sections() -> None:
    files = {
        "_rels/.rels": relationships(("rId1", "officeDocument", "xl/workbook.xml")),
        "docProps/core.xml": CORE,
    }
    sheets = {"Stock": data(rows(STOCK)), "Q1 & more".replace("&", "&amp;"): data(rows([["text"]]))}
    document = read("a.xlsm", workbook(sheets, more=files))
    assert document.title == "Spare parts"
    assert document.language == "en"
    assert document.meta == {"author": "Ada Koray", "date": date(2026, 3, 1), "keywords": ("pump", "seal")}
    assert headings_of(document) == [(1, "Stock"), (1, "Q1 & more")]


# ── files that cannot be read ─────────────────────────────────────────────────────────────────
def test_damaged_and_hostile_workbooks_are_refused_by_name() -> None:
    good = workbook({"Stock": data(rows(STOCK))})
    for bad, reason in (
        (good[: len(good) // 2], "zip"),
        (b"PK\x03\x04 no zip at all", "stock"),
        (workbook({"Stock": "<sheetData><row>"}), "not valid XML"),
        (_with(good, "xl/workbook.xml", b'<!DOCTYPE x [<!ENTITY a "b">]><x/>'), "entities"),
    ):
        with pytest.raises(InputError, match=reason) as caught:
            parse(source("stock.xlsx", bad))
        assert "stock.xlsx" in str(caught.value)


def test_macros_and_embedded_files_are_named_and_never_opened() -> None:
    refs = relationships(("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "vbaProject", "vba.bin"))
    more = {
        "xl/_rels/workbook.xml.rels": refs,
        "xl/vba.bin": b"\xff",
        "xl/worksheets/_rels/sheet1.xml.rels": relationships(("rId1", "package", "../embeddings/a.docx")),
        "xl/embeddings/a.docx": b"PK",
    }
    document = read("a.xlsm", workbook({"Stock": data(rows(STOCK))}, more=more))
    assert document.losses.dropped == ("sheet Stock: an embedded file", "macros (never run)")


def test_a_sheet_whose_part_is_missing_is_named() -> None:
    good = workbook({"Stock": data(rows(STOCK)), "Gone": data("")})
    files = {n: zipfile.ZipFile(BytesIO(good)).read(n) for n in zipfile.ZipFile(BytesIO(good)).namelist()}
    del files["xl/worksheets/sheet2.xml"]
    document = read("a.xlsx", zipped(files))
    assert document.losses.dropped == ("sheet Gone: its part is missing in the file",)


def _with(packed: bytes, name: str, content: bytes) -> bytes:
    """The zip file with another content of one member."""
    with zipfile.ZipFile(BytesIO(packed)) as files:
        return zipped({one: content if one == name else files.read(one) for one in files.namelist()})


def test_of_a_damaged_sheet_the_rows_before_the_fault_are_read_and_the_other_sheets() -> None:
    cut = f"<worksheet {MAIN}><sheetData>{rows([['a', 'b']])}<row r='2'><c"
    broken = {"xl/worksheets/sheet1.xml": cut, "docProps/core.xml": "<x"}
    document = read("stock.xlsx", workbook({"One": "", "Two": data(rows([["c", "d"]]))}, more=broken))
    assert texts(document) == ["One", "a | b", "Two", "c | d"]
    sheet, core = document.losses.dropped
    assert sheet.startswith("xl/worksheets/sheet1.xml is not valid XML")
    assert sheet.endswith("the sheet One is not read from there on")
    assert core.startswith("docProps/core.xml is not valid XML")
    with pytest.raises(InputError, match=r"stock\.xlsx: xl/worksheets/sheet1\.xml is not valid XML"):
        parse(source("stock.xlsx", workbook({"One": ""}, more={"xl/worksheets/sheet1.xml": "<"})))


def test_columns_hidden_many_times_over_take_no_time() -> None:
    columns = "<cols>" + '<col min="1" max="16384" hidden="1"/>' * 20_000 + "</cols>"
    start = process_time()
    assert _shown(columns + data(rows([["a", "b"]]))) == ["[hidden column] a | [hidden column] b"]
    assert process_time() - start < 5  # some 11 s if each range were gone through


def test_characters_are_bounded_as_cells_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "Room", lambda cells: Room(cells, characters=25))
    document = _read(data(rows([["short", 1], ["a row of much more text than fits", 2], ["c", 3]])))
    assert texts(document) == ["Stock", "short | 1"]
    assert document.losses.cut_text == len("a row of much more text than fits2c3")
    assert document.losses.dropped == (
        "sheet Stock: rows 2-3 (beyond the limit of 500,000 cells or 20,000,000 characters)",
    )


def test_one_long_text_in_thousands_of_cells_takes_no_time() -> None:
    cells = '<c t="s"><v>0</v></c>' * 3_000
    start = process_time()
    document = _read(data(f"<row>{cells}</row>"), strings=[f"<t>{'y ' * 250_000}</t>"])
    assert process_time() - start < 5  # some 20 s and 2 GB if the row were made
    assert document.losses.cut_text == 3_000 * 499_999


def test_a_long_merged_text_is_not_repeated_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.parse.sheets.regions.MAX_FILLED_TEXT", 50)
    content = rows([["Region", "Item", "Count"], ["North of the river", "Seal", 1], [None, "Cap", 2]])
    twice = rows([["South of the river and of the hills", "Pin", 3], [None, "Rod", 4]], top=4)
    merged = "<mergeCells><mergeCell ref='A2:A3'/><mergeCell ref='A4:A5'/></mergeCells>"
    document = _read(data(content + twice, merged))
    assert texts(document, "row") == [
        "North of the river | Seal | 1",
        "North of the river | Cap | 2",
        "South of the river and of the hills | Pin | 3",
        "| Rod | 4",
    ]
    assert document.losses.dropped == ("sheet Stock: the repetition of 1 merged areas",)


def test_links_of_the_strict_form_are_read() -> None:
    usual = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    more = {
        "xl/worksheets/_rels/sheet1.xml.rels": relationships(("rId1", "hyperlink", "https://example.org"))
    }
    content = data(rows([["word"]]), '<hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks>')
    files = zipfile.ZipFile(BytesIO(workbook({"Stock": content}, more=more)))
    strict = "http://purl.oclc.org/ooxml/officeDocument/relationships"
    parts = {name: files.read(name).replace(usual.encode(), strict.encode()) for name in files.namelist()}
    assert texts(read("stock.xlsx", zipped(parts))) == ["Stock", "word (https://example.org)"]
