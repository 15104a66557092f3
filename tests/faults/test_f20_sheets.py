"""F20: of a workbook each row is known with its column names, its values as shown, and its sheet."""

from __future__ import annotations

import json
from pathlib import Path

from libraries import FAULTS, all_chunks, inputs, lexical, library
from pincite.types import Document, SearchHit

EXPECT = json.loads((FAULTS / "F20" / "expect.json").read_text("utf-8"))


def _read(root: Path) -> tuple[Document, list[SearchHit], list[SearchHit]]:
    with library(root, inputs("F20", "stock.xlsx")) as lib:
        document, _ = lib.parse(root / "stock.xlsx")
        return document, all_chunks(lib), lexical(lib, "Old price 999")


def test_every_row_is_known_with_its_columns_and_its_place(tmp_path: Path) -> None:
    document, _, _ = _read(tmp_path)
    rows = [block for block in document.blocks if block.kind == "row"]
    found = {}
    for block in rows:
        names = block.header.splitlines()[-1].split(" | ")
        cells = document.text[block.span.start : block.span.end].split(" | ")
        part = document.origins.place(block.span).part or ""
        sheet, _, cell_range = part.partition("!")
        assert sheet == EXPECT["sheet"]
        number = cell_range.split(":")[0].lstrip("A")
        assert {cell.strip("ABCDEF") for cell in cell_range.split(":")} == {number}
        found[number] = dict(zip(names, cells, strict=False))
    for number, wanted in EXPECT["rows"].items():
        assert found[number].items() >= wanted.items()
    assert found["5"]["Value"] == "=D5*80"


def test_chunks_have_column_names_sheet_and_title_and_nothing_made_up(tmp_path: Path) -> None:
    document, chunks, old = _read(tmp_path)
    assert document.title == "Stock list 2026"
    assert chunks
    for hit in chunks:
        told = f"{hit.stored.chunk.context}\n{hit.stored.chunk.text}"
        assert not any(word in told for word in EXPECT["forbidden"])
        for wanted in ("Stock list 2026", "Region | Item | Count | Checked | Value", EXPECT["sheet"]):
            assert wanted in told
        assert hit.location.startswith("stock.xlsx#Stock!A")
    assert not any("999" in hit.stored.chunk.text for hit in old)
    assert document.losses.dropped == (f"sheet {EXPECT['hidden_sheet']}: hidden, not read",)


def test_an_answer_is_one_row_with_its_columns(tmp_path: Path) -> None:
    with library(tmp_path, inputs("F20", "stock.xlsx")) as lib:
        answer = lib.ask("How many of the item Seal kit are in the region North?")
    assert answer.text.startswith("Region: North; Item: Seal kit; Count: 12")
    (citation, *_) = answer.claims[0].citations
    assert (citation.place.part, citation.verified) == ("Stock!A4:F4", True)
