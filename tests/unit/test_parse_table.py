"""CSV and TSV: exact records with their header row, whatever stands in the quotes."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsed import assert_sound, lines_of, source, texts
from pincite.parse.table import parse_table
from pincite.types import Document


def _parsed(text: str, uri: str = "parts.csv") -> Document:
    document = parse_table(source(uri, text))
    assert document.text == text
    assert_sound(document)
    return document


def test_rows_carry_the_header_row() -> None:
    document = _parsed("part,torque\nM6 bolt,9.5\nM8 螺栓 😀,23\n")
    assert document.type == "csv"
    assert [b.kind for b in document.blocks] == ["table", "row", "row"]
    assert texts(document) == ["part,torque", "M6 bolt,9.5", "M8 螺栓 😀,23"]
    assert [b.header for b in document.blocks] == ["", "part,torque", "part,torque"]
    assert document.blocks[1].header_span == document.blocks[0].span


def test_quoted_fields_hold_line_breaks_delimiters_and_quotes() -> None:
    text = 'part,note\r\nA,"first line\r\nsecond, with comma"\r\nB,"a ""quoted"" word"\r\nC,""\r\n'
    document = _parsed(text)
    assert texts(document, "row") == [
        'A,"first line\r\nsecond, with comma"',
        'B,"a ""quoted"" word"',
        'C,""',
    ]
    assert [lines_of(document, b) for b in document.blocks] == [(1, 1), (2, 3), (4, 4), (5, 5)]


def test_a_header_over_two_lines_is_kept_as_it_stands() -> None:
    document = _parsed('part,"torque\n(Nm)"\nM6,9.5\nM8,23\n')
    assert document.blocks[1].header == 'part,"torque\n(Nm)"'


@pytest.mark.parametrize(
    "text",
    [
        'size,what\n5" pipe,long\n6" pipe,short\n',  # inside a field
        'size,what\n"5 pipe,long\n7,x\n',  # never closed
        'size,what\n"5" pipe,long\n"6" pipe,short\n',  # closed before other text
    ],
)
def test_stray_quotes_swallow_no_lines(text: str) -> None:
    assert texts(_parsed(text)) == text.splitlines()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_recognised(delimiter: str) -> None:
    rows = [["part", "price, net; each"], ["M6", "1,25"], ["M8", "2,50"], ["M10", "x|y"]]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([[*row, "a", "b"] for row in rows])
    text = out.getvalue().replace("a", "c1", 1)
    document = _parsed(text.replace(f"{delimiter}a{delimiter}b", f'{delimiter}"a\nb"{delimiter}b'))
    assert len(document.blocks) == 4
    assert "\n" in texts(document)[2]


def test_tsv_by_name() -> None:
    document = _parsed("a, b\tc\n1, 2\t3\n", "x.tsv")
    assert document.type == "tsv"
    assert document.blocks[1].header == "a, b\tc"


def test_a_stated_delimiter_is_used_and_left_out() -> None:
    document = _parsed("sep=;\r\na;b,c\r\n1;2,3\r\n")
    assert texts(document) == ["a;b,c", "1;2,3"]
    assert [document.text[cut.span.start : cut.span.end] for cut in document.left_out] == ["sep=;"]


@pytest.mark.parametrize(
    "text",
    [
        "1,2\n3,4\n5,6\n",
        "Anna,1990,2010\nBen,1985,2001\n",
        "a,a\n1,2\n",
        "only,line\n",
        "2026-03-14,x\n2026-03-15,y\n",
    ],
)
def test_rows_without_a_header_have_none(text: str) -> None:
    document = _parsed(text)
    assert texts(document, "row") == text.splitlines()
    assert {b.header for b in document.blocks} == {""}


def test_years_can_name_columns() -> None:
    document = _parsed("country,2019,2020\nFrance,12,14\nItaly,9,11\n")
    assert document.blocks[1].header == "country,2019,2020"


def test_numbers_above_words_name_columns() -> None:
    assert _parsed("1,2\na,b\nc,d\n").blocks[1].header == "1,2"


def test_names_and_values_have_no_header() -> None:
    document = _parsed("Owner;Pia Koch\nHull number;DE-KCH-33812\nLength;12,5 m\n")
    assert [(b.kind, b.header) for b in document.blocks] == [("row", "")] * 3


def test_title_lines_stand_before_the_header() -> None:
    document = _parsed("Stock list,,\n\npart,place,number\nM6,A1,40\nM8,A2,25\n")
    assert [b.kind for b in document.blocks] == ["paragraph", "table", "row", "row"]
    assert document.blocks[2].header == "part,place,number"


def test_ragged_and_blank_rows() -> None:
    document = _parsed("a,b,c\n1,2\n\n  \n1,2,3,4\n,,\n5,6,7\n")
    assert texts(document, "row") == ["1,2", "1,2,3,4", ",,", "5,6,7"]


def test_a_byte_order_mark_is_not_part_of_the_header() -> None:
    document = parse_table(source("a.csv", b"\xef\xbb\xbfpart,n\r\nM6,1\r\n"))
    assert texts(document) == ["part,n", "M6,1"]
    assert_sound(document)


def test_empty_files_have_no_blocks() -> None:
    assert _parsed("").blocks == ()
    assert _parsed("\r\n \n").blocks == ()


def test_hostile_quotes_end_quickly() -> None:
    for text in ('"abc\n' * 50_000, '"' * 300_000, ("x" + ',"' * 5) * 20_000, '"a\n' * 40_000 + '"'):
        _parsed(text)


def test_many_rows_share_one_header() -> None:
    document = _parsed("id,name\n" + "".join(f"{i},name {i}\n" for i in range(20_000)))
    assert len(document.blocks) == 20_001
    assert len({id(b.header) for b in document.blocks[1:]}) == 1


_CELL = st.text(alphabet='ab1,;"\n\r é中😀', max_size=6)


@given(st.lists(st.lists(_CELL, min_size=2, max_size=4), min_size=1, max_size=8))
def test_records_are_those_of_the_csv_module(rows: list[list[str]]) -> None:
    rows = [[f"k{i}", *row] for i, row in enumerate(rows)]
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    document = _parsed("sep=,\n" + out.getvalue())
    read = [next(csv.reader(io.StringIO(text, newline=""))) for text in texts(document)]
    assert read == rows


_SIGNS = ['"', '""', ",", ";", "\t", "|", "\n", "\r\n", " ", "\f", "\u2028"]
_PIECES = st.sampled_from([*_SIGNS, "a", "12", "中", "😀"])


@given(st.lists(_PIECES, max_size=40))
def test_blocks_cover_any_text(pieces: list[str]) -> None:
    _parsed("".join(pieces))
