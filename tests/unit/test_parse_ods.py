"""ODS: OpenDocument spreadsheets give rows, places and marks as workbooks do; repetitions are bounded."""

from __future__ import annotations

from datetime import date
from time import process_time

import pytest

import pincite.parse.sheets.ods as ods
from extracted import parts_of, read
from office_files import zipped
from parsed import source, texts
from pincite.errors import InputError
from pincite.parse import parse
from pincite.types import Document

SPACES = {name: name for name in ("office", "table", "text", "style")}
SPACES |= {"draw": "drawing", "svg": "svg-compatible"}
NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{of}:1.0"' for name, of in SPACES.items()
)
MORE = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
MIME = "application/vnd.oasis.opendocument.spreadsheet"
STYLES = (
    '<office:automatic-styles><style:style style:name="gone" style:family="table">'
    '<style:table-properties table:display="false"/></style:style></office:automatic-styles>'
)


def _file(tables: str, **members: str) -> bytes:
    content = (
        f"<office:document-content {NAMES} {MORE}>{STYLES}<office:body><office:spreadsheet>{tables}"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    named = {name.replace("__", "/") + ".xml": text for name, text in members.items()}
    return zipped({"mimetype": MIME, "content.xml": content, **named})


def _read(tables: str, **members: str) -> Document:
    return read("stock.ods", _file(tables, **members))


def _table(rows: str, name: str = "Stock", style: str = "") -> str:
    return f'<table:table table:name="{name}" table:style-name="{style}">{rows}</table:table>'


def _row(*cells: str, attributes: str = "") -> str:
    return f"<table:table-row {attributes}>{''.join(cells)}</table:table-row>"


def _cell(text: str, attributes: str = "", more: str = "") -> str:
    shown = f"<text:p>{text}</text:p>" if text else ""
    return f'<table:table-cell office:value-type="string" {attributes}>{more}{shown}</table:table-cell>'


HEAD = _row(_cell("Region"), _cell("Item"), _cell("Count"))


def test_rows_have_title_and_column_names_and_places() -> None:
    title = _cell("Stock list 2026", 'table:number-columns-spanned="3" table:number-rows-spanned="1"')
    covered = '<table:covered-table-cell table:number-columns-repeated="2"/>'
    north = _cell("North", 'table:number-columns-spanned="1" table:number-rows-spanned="2"')
    rows = (
        _row(title, covered)
        + _row('<table:table-cell table:number-columns-repeated="16384"/>')
        + HEAD
        + _row(north, _cell("Seal<text:s/>kit"), _cell("12"))
        + _row("<table:covered-table-cell/>", _cell("Rotor"), _cell("0"))
        + _row('<table:table-cell/>', attributes='table:number-rows-repeated="1048571"')
    )  # fmt: skip
    document = _read(_table(rows))
    header = "Stock list 2026\nRegion | Item | Count"
    assert parts_of(document) == [
        ("heading", "Stock", "Stock"),
        ("table", "Stock!A1:C3", header),
        ("row", "Stock!A4:C4", "North | Seal kit | 12"),
        ("row", "Stock!A5:C5", "North | Rotor | 0"),
    ]
    assert document.title == "Stock list 2026"


def test_a_cell_without_text_is_shown_by_its_value_or_formula() -> None:
    value = '<table:table-cell office:value-type="float" office:value="4.5"/>'
    formula = '<table:table-cell table:formula="of:=[.D5]*80"/>'
    assert texts(_read(_table(_row(_cell("North"), value, formula))))[1:] == ["North | 4.5 | =[.D5]*80"]


def test_repeated_cells_and_rows_are_written_out_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ods, "MAX_CELLS", 12)
    rows = _row(
        _cell("x", 'table:number-columns-repeated="3"'), attributes='table:number-rows-repeated="1000000"'
    )
    document = _read(_table(rows))
    assert texts(document)[1:] == ["x | x | x"] * 4
    assert document.losses.cut_text == 3 * (1_000_000 - 4)
    assert document.losses.dropped[0].startswith("sheet Stock: rows 5-1000000 ")


def test_hidden_sheets_are_named_and_hidden_rows_and_columns_marked() -> None:
    columns = '<table:table-column table:number-columns-repeated="2"/>'
    columns += '<table:table-column table:visibility="collapse"/>'
    hidden = _row(_cell("South"), _cell("Rotor"), _cell("0"), attributes='table:visibility="filter"')
    rows = columns + HEAD + _row(_cell("North"), _cell("Kit"), _cell("12")) + hidden
    document = _read(_table(_row(_cell("price 999")), "Old", "gone") + _table(rows))
    assert texts(document) == [
        "Stock",
        "Region | Item | [hidden column] Count",
        "North | Kit | 12",
        "[hidden row] South | Rotor | 0",
    ]
    assert document.losses.dropped == ("sheet Old: hidden, not read",)


def test_named_ranges_name_the_header_row() -> None:
    rows = "".join(_row(*map(_cell, line)) for line in (("2024", "2025"), ("a", "b"), ("c", "d")))
    ranges = (
        "<table:database-ranges><table:database-range"
        " table:target-range-address=\"'Stock'.A1:'Stock'.B3\"/></table:database-ranges>"
    )
    assert texts(_read(_table(rows) + ranges), "table") == ["2024 | 2025"]


def test_comments_links_and_pictures() -> None:
    note = "<office:annotation><dc:creator>Ada</dc:creator><text:p>Count again.</text:p></office:annotation>"
    link = '<text:a xlink:href="https://example.org/kit">Kit</text:a>'
    drawn = "<draw:frame><draw:image/><svg:desc>A pump</svg:desc></draw:frame>"
    drawn += "<draw:frame><draw:image/></draw:frame>"
    document = _read(_table(HEAD + _row(_cell("North", more=note), _cell(link), _cell("2", more=drawn))))
    assert texts(document, "row") == ["North | Kit (https://example.org/kit) | 2"]
    assert parts_of(document)[-2:] == [
        ("paragraph", "Stock!A2", "[comment by Ada] Count again."),
        ("paragraph", "Stock!C2", "[image: A pump]"),
    ]
    assert document.losses.dropped == ("sheet Stock: a picture at C2",)


def test_a_table_within_a_cell_is_named_and_the_sheet_read() -> None:
    inner = _table(_row(_cell("inner")) * 2, "Inner")
    document = _read(_table(HEAD + _row(_cell("North"), _cell("Kit", more=inner), _cell("2")) + HEAD))
    assert texts(document)[1:3] == ["Region | Item | Count", "North | Kit | 2"]
    assert document.losses.dropped == ("sheet Stock: a table within a cell",)


def test_properties_become_metadata() -> None:
    meta = (
        '<office:document-meta xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<office:meta><dc:title>Parts</dc:title><meta:creation-date>2026-03-01T10:00:00</meta:creation-date>"
        "<dc:language>de-DE</dc:language></office:meta></office:document-meta>"
    )
    document = _read(_table(HEAD), meta=meta)
    assert (document.title, document.language) == ("Parts", "de")
    assert document.meta == {"date": date(2026, 3, 1)}


def test_locked_and_damaged_spreadsheets_are_refused_by_name() -> None:
    manifest = (
        '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><m:file-entry>'
        "<m:encryption-data/></m:file-entry></m:manifest>"
    )
    for bad, reason in (
        (_file("", **{"META-INF__manifest": manifest}), "locked with a password"),
        (_file("<table:table>"), "not valid XML"),
        (zipped({"mimetype": MIME}), "content.xml is missing"),
        (_file(_table(HEAD))[:300], "zip"),
    ):
        with pytest.raises(InputError, match=reason) as caught:
            parse(source("stock.ods", bad))
        assert "stock.ods" in str(caught.value)


def test_a_long_text_repeated_without_end_is_cut_and_counted() -> None:
    start = process_time()
    document = _read(_table(_row(_cell("y " * 200_000, 'table:number-columns-repeated="16384"'))))
    assert process_time() - start < 5  # some 50 s and 6 GB if the row were made
    assert document.losses.cut_text == 16_384 * 399_999
    assert document.losses.dropped == (
        "sheet Stock: rows 1-1 (beyond the limit of 500,000 cells or 20,000,000 characters)",
    )


def test_words_in_shapes_of_any_form_are_read() -> None:
    shapes = "<table:shapes><draw:rect><text:p>Keep dry</text:p></draw:rect><draw:ellipse/></table:shapes>"
    document = _read(_table(shapes + _row(_cell("word"))))
    assert texts(document)[1:] == ["word", "[text box] Keep dry"] and not document.losses.dropped
