"""RTF: paragraphs by their number, headings, lists, tables and notes; code pages; what is hidden."""

from __future__ import annotations

import time
from datetime import date

import pytest

from extracted import assert_placed, headings_of, parts_of, read
from pincite.errors import InputError
from pincite.types import Document

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}"
    r"{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS Gothic;}}"
    r"{\colortbl;\red0\green0\blue0;}{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s2 Heading 2;}}"
    r"{\info{\title Tide tables}{\author Ada Koray}{\keywords tides, Brest}{\creatim\yr2019\mo4\dy5\hr1}}"
)


def _rtf(body: str, head: str = HEAD) -> Document:
    return read("a.rtf", (head + body + "}").encode("cp1252"))


def test_paragraphs_headings_and_lists_have_their_number() -> None:
    document = _rtf(
        r"\pard\s1 Tides\par \pard High \b water\b0  at\line Brest.\par\pard\par"
        r"\pard\s2\b Lists\b0\par \pard\ls1{\listtext 1.\tab}one\par{\listtext\u8226 ?\tab}two\par"
        r"\pard\outlinelevel2 Deep\par \pard last"
    )
    assert parts_of(document) == [
        ("heading", "paragraph 1", "Tides"),
        ("paragraph", "paragraph 2", "High water at\nBrest."),
        ("heading", "paragraph 4", "Lists"),
        ("list", "paragraph 5", "1. one"),
        ("list", "paragraph 6", "two"),
        ("heading", "paragraph 7", "Deep"),
        ("paragraph", "paragraph 8", "last"),
    ]
    assert headings_of(document) == [(1, "Tides"), (2, "Lists"), (3, "Deep")]
    assert (document.title, document.type) == ("Tide tables", "rtf")
    assert document.meta == {
        "author": "Ada Koray",
        "keywords": ("tides", "Brest"),
        "date": date(2019, 4, 5),
    }


def test_rows_of_a_table_carry_their_header() -> None:
    row = r"\trowd{0}\cellx100\cellx200\pard\intbl {1}\cell {2}\cell\row "
    document = _rtf(
        r"\pard Before\par "
        + row.format(r"\trhdr", "Port", "m")
        + row.format("", r"Brest\par harbour", "7.1")
        + row.format("", "", "3")
        + r"\pard After\par"
    )
    assert parts_of(document) == [
        ("paragraph", "paragraph 1", "Before"),
        ("table", "table 1 row 1", "Port | m"),
        ("row", "table 1 row 2", "Brest harbour | 7.1"),
        ("row", "table 1 row 3", "| 3"),
        ("paragraph", "paragraph 2", "After"),
    ]
    assert document.blocks[2].header == "Port | m" and document.blocks[2].header_span is not None


def _table(*rows: tuple[str, str]) -> str:
    start = r"\trowd\cellx100\cellx200\pard\intbl "
    return "".join(rf"{start}{first}\cell {second}\cell\row " for first, second in rows)


def test_tables_and_their_rows_are_counted_as_in_word() -> None:
    document = _rtf(
        _table(("Port", "m"), ("", ""), ("Brest", "7.1"))
        + r"\pard Between\par "
        + _table(("Owner", "Pia Koch"), ("Hull number", "DE-33812"), ("Length", "12.5 m"))
    )
    assert parts_of(document) == [
        ("table", "table 1 row 1", "Port | m"),
        ("row", "table 1 row 3", "Brest | 7.1"),
        ("paragraph", "paragraph 1", "Between"),
        ("row", "table 2 row 1", "Owner | Pia Koch"),
        ("row", "table 2 row 2", "Hull number | DE-33812"),
        ("row", "table 2 row 3", "Length | 12.5 m"),
    ]
    assert [block.header for block in document.blocks] == ["", "Port | m", "", "", "", ""]


def test_notes_follow_their_paragraph_and_running_headers_are_left_out() -> None:
    document = _rtf(
        r"{\header\pard Harbour Office\par}\pard It rises.{\super\chftn}{\footnote\pard{\super\chftn} In "
        r"{\i winter}.} Then falls.{\*\annotation Check.}\par\pard Next.\par"
    )
    assert parts_of(document) == [
        ("paragraph", "paragraph 1", "It rises.[1] Then falls."),
        ("paragraph", "footnote 1", "[footnote 1] In winter."),
        ("paragraph", "comment 1", "[comment 1] Check."),
        ("paragraph", "paragraph 2", "Next."),
    ]
    assert [part.reason for part in document.left_out] == ["running header"]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"caf\'e9 o\'f9", "café où"),
        (r"\f1 \'cf\'f0\'e8\'e2\'e5\'f2", "Привет"),
        (r"\f2 \'93\'fa\'96\'7b", "日本"),
        (r"\u8216 ?hi\u8217\'92\u-10179?\u-8704?", "‘hi’😀"),
        (r"{\uc2\u228\'E8ab}c\u945 ?", "äbcα"),
        (r"a\~b\_c\-d\emdash e\{x\}\\", "a b-cd—e{x}\\"),
        (r"{\field{\*\fldinst HYPERLINK x}{\fldrslt link}} {\*\unknown gone}on", "link on"),
        (r"{\pict\bin5 }}}}}x}y", "y"),
        (r"{\f0 \u1055 \'cf}ok", "Пok"),
        (r"\ansicpg99999\'e9", "é"),
    ],
)  # fmt: skip
def test_characters(body: str, text: str) -> None:
    document = _rtf(rf"\pard {body}\par")
    assert [part[2] for part in parts_of(document)] == [text]


def test_what_is_hidden_or_drawn_is_named() -> None:
    document = _rtf(r"\pard seen {\v secret}{\deleted old}{\*\shppict{\pict\pngblip 89504e}}\par")
    assert [part[2] for part in parts_of(document)] == ["seen"]
    assert document.losses.dropped == ("1 picture", "9 characters of hidden or deleted text")


def test_a_file_that_is_cut_off_says_so() -> None:
    document = read("a.rtf", HEAD + r"\pard one\par {\b two")
    assert [part[2] for part in parts_of(document)] == ["one", "two"]
    assert document.losses.dropped == ("what follows the end of the file, which is cut off",)


def test_bad_files_are_refused_with_the_reason() -> None:
    with pytest.raises(InputError, match=r"^a\.rtf: .*it does not start with"):
        read("a.rtf", b"hello")
    with pytest.raises(InputError, match=r"nested deeper than 1,000 \(the limit\)"):
        read("a.rtf", "{\\rtf1" + "{" * 1_001)


@pytest.mark.parametrize(
    "unit", ["{\\b x}", "\\par", "\\cell", "\\row x\\cell", "{\\footnote x", "\\u9 ", "\\'", "}"]
)
def test_hostile_repetition_takes_linear_time(unit: str) -> None:
    start = time.process_time()
    count = 900 if unit.count("{") > unit.count("}") else 20_000
    assert_placed(read("a.rtf", "{\\rtf1 " + unit * count))
    assert time.process_time() - start < 5


def test_a_raised_number_stays_raised() -> None:
    document = read(
        "a.rtf", r"{\rtf1 10{\super 6} t, 2{\super nd}, CO{\super 2}, 10\super -3\nosupersub  m\par}"
    )
    assert document.text == "10⁶ t, 2nd, CO2, 10⁻³ m"


def test_a_text_box_follows_the_paragraph_it_stands_in() -> None:
    shape = r"{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt In the box.\par}}}"
    document = read("a.rtf", rf"{{\rtf1 One {shape}paragraph.\par Next.\par}}")
    assert parts_of(document) == [
        ("paragraph", "paragraph 1", "One paragraph."),
        ("paragraph", "text box 1", "In the box."),
        ("paragraph", "paragraph 2", "Next."),
    ]
