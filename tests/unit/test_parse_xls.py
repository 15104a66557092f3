"""XLS: old workbooks give the same rows, values and places as new ones."""

from __future__ import annotations

import pytest

import pincite.parse.sheets.xls as xls
from biff_files import old_workbook
from extracted import parts_of, read
from parsed import source, texts
from pincite.errors import InputError
from pincite.parse import parse

STOCK = [
    ["Stock list 2026"],
    [],
    ["Region", "Item", "Count", "Checked"],
    ["North", "00172", 12, 46096],
    [None, "Rotor", 0, 46097],
]
DATED = {(3, 3): 1, (4, 3): 1}


def test_rows_have_title_and_column_names_and_values_as_shown() -> None:
    data = old_workbook({"Stock": STOCK}, codes=["yyyy\\-mm\\-dd"], styles=DATED, merged=[(3, 4, 0, 0)])
    document = read("stock.xls", data)
    header = "Stock list 2026\nRegion | Item | Count | Checked"
    assert document.type == "xls"
    assert parts_of(document) == [
        ("heading", "Stock", "Stock"),
        ("table", "Stock!A1:D3", header),
        ("row", "Stock!A4:D4", "North | 00172 | 12 | 2026-03-15"),
        ("row", "Stock!A5:D5", "North | Rotor | 0 | 2026-03-16"),
    ]
    assert document.blocks[-1].header == header
    assert document.title == "Stock list 2026"


def test_a_list_of_names_and_values_has_no_header() -> None:
    lines = [["Owner", "Pia Koch"], ["Hull number", "DE-KCH-33812"], ["Length", 12]]
    document = read("boat.xls", old_workbook({"S": lines}))
    assert [(b.kind, b.header) for b in document.blocks][1:] == [("row", "")] * 3


def test_truth_values_errors_and_formats() -> None:
    line = [True, b"\x2a", 0.25, "text"]
    document = read("a.xls", old_workbook({"S": [line]}, codes=["0%"], styles={(0, 2): 1}))
    assert texts(document)[1:] == ["TRUE | #N/A | 25% | text"]


def test_hidden_sheets_are_named_and_hidden_rows_marked() -> None:
    data = old_workbook({"Stock": STOCK, "Old": [["price 999"]]}, hidden=["Old"], hidden_rows=[4])
    document = read("stock.xls", data)
    assert texts(document)[-1].startswith("[hidden row] ")
    assert "999" not in document.text
    assert document.losses.dropped == ("sheet Old: hidden, not read",)


def test_rows_beyond_the_limit_are_cut_counted_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xls, "MAX_CELLS", 5)
    document = read("stock.xls", old_workbook({"Stock": STOCK}))
    assert texts(document)[1:] == ["Stock list 2026", "Region | Item | Count | Checked"]
    assert document.losses.cut_text == len("North00172124609646097Rotor0")
    assert document.losses.dropped[0].startswith("sheet Stock: rows 4-5 ")


def test_macros_are_named() -> None:
    data = old_workbook({"Stock": STOCK}, more={"_VBA_PROJECT_CUR": {"PROJECT": b"x"}})
    assert read("stock.xls", data).losses.dropped == ("macros (never run)",)


def test_damaged_workbooks_are_refused_by_name() -> None:
    good = old_workbook({"Stock": STOCK})
    locked = good.replace(b"\x09\x08\x10\x00", b"\x2f\x00\x10\x00", 1)
    for bad, reason in (
        (good[:700], "damaged"),
        (b"plain words", "old Office file"),
        (locked, "damaged|locked"),
    ):
        with pytest.raises(InputError, match=reason) as caught:
            parse(source("stock.xls", bad))
        assert "stock.xls" in str(caught.value)
