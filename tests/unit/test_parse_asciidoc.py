"""AsciiDoc: headings, lists, delimited blocks, tables with header rows; attributes are metadata."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extracted import assert_placed
from parsed import lines_of, source, texts
from pincite.parse.asciidoc import parse_asciidoc
from pincite.types import Document, RunOrigins

GUIDE = """\
// a remark
= Tide *Guide*
Ada Koray <ada@example.org>; B. Lund
v1.2, 2020-03-04
:keywords: tides, Brest
:lang: en-GB
:port: Brest

Intro over
two lines.

////
hidden
== Not one
////

[#high]
== High water ==

.Steps
. First
goes on
. Second
+
----
$ run

twice
----
* Bullet

Term:: what it
means

[source,python]
----
== not a heading
----

====
NOTE: In an example.
====

____
Said.
____

Detail
~~~~~~

include::part.adoc[]

 literal
 text

image::map.png[A map]
End.
"""

TABLES = """\
.Heights
[cols="1,1",options="header"]
|===
|Port
|Metres

|Brest
|7
|Lorient
|5
|===

|===
|a |b

|1 |2
|3
|4
|===

|===
|x |y
|===
"""


def _parsed(text: str) -> Document:
    document = parse_asciidoc(source("a.adoc", text))
    assert_placed(document)
    lines = text.split("\n")
    assert isinstance(document.origins, RunOrigins)
    for run in document.origins.runs if document.text else ():
        words = document.text[run.span.start : run.span.end]
        assert run.place.line_start and run.place.line_start == run.place.line_end
        assert words.strip() in lines[run.place.line_start - 1].replace("\\|", "|")
    return document


def test_headings_make_sections_and_the_header_is_metadata() -> None:
    document = _parsed(GUIDE)
    sections = [(s.level, s.title) for s in document.sections]
    assert sections == [(1, "Tide *Guide*"), (2, "High water"), (3, "Detail")]
    assert (document.title, document.language, document.type) == ("Tide *Guide*", "en", "asciidoc")
    assert document.meta == {
        "author": ("Ada Koray", "B. Lund"),
        "date": date(2020, 3, 4),
        "keywords": ("tides", "Brest"),
        "port": "Brest",
    }


def test_blocks_are_slices_of_the_source_with_their_lines() -> None:
    document = _parsed(GUIDE)
    found = [(b.kind, *lines_of(document, b)) for b in document.blocks]
    assert found == [
        ("heading", 2, 2),
        ("paragraph", 3, 4),
        ("paragraph", 9, 10),
        ("heading", 18, 18),
        ("paragraph", 20, 20),
        ("list", 21, 22),
        ("list", 23, 29),
        ("list", 30, 30),
        ("list", 32, 33),
        ("code", 35, 38),
        ("paragraph", 41, 41),
        ("quote", 44, 46),
        ("heading", 48, 48),
        ("paragraph", 51, 51),
        ("code", 53, 54),
        ("paragraph", 56, 57),
    ]
    assert document.losses.dropped == ("line 51: include:: (part.adoc)", "line 56: an image (map.png)")


def test_comments_attributes_and_marks_are_left_out_by_name() -> None:
    document = _parsed(GUIDE)
    left = [(document.text[p.span.start : p.span.end], p.reason) for p in document.left_out]
    assert left[0] == ("// a remark", "comment")
    assert ("[#high]", "attributes") in left and (":port: Brest", "attributes") in left
    assert [reason for _, reason in left].count("markup") == 2
    assert not any("hidden" in text for text in texts(document))


def test_rows_carry_their_header() -> None:
    document = _parsed(TABLES)
    assert texts(document, "row") == ["Brest | 7", "Lorient | 5", "1 | 2", "3 | 4", "x | y"]
    rows = [block for block in document.blocks if block.kind == "row"]
    assert rows[0].header == "Heights\nPort | Metres"
    assert rows[2].header == "a | b"
    assert rows[4].header == ""


def test_cells_are_told_by_their_bars_and_headings_have_no_marks() -> None:
    document = _parsed(
        '= Guide\n\n== Valves\nThe main valve closes.\n\n.Valves\n[cols="1,2a"]\n|===\n|Valve |Colour\n\n'
        "|Main\n|red or\ngreen\n|Drain 2+^|blue \\| white\n|===\n"
    )
    assert texts(document) == [
        "Guide",
        "Valves",
        "The main valve closes.",
        "Valves",
        "Valve | Colour",
        "Main | red or green",
        "Drain | blue | white",
    ]
    rows = [block for block in document.blocks if block.kind == "row"]
    assert {row.header for row in rows} == {"Valves\nValve | Colour"}
    assert [lines_of(document, row) for row in rows] == [(11, 13), (14, 14)]


def test_front_matter_is_metadata() -> None:
    document = _parsed("---\ntitle: Guide\ntags: [a, b]\n---\n\n= Other\n\nText.\n")
    assert (document.title, document.meta) == ("Guide", {"tags": ("a", "b")})
    assert texts(document) == ["Other", "Text."]


@pytest.mark.parametrize(
    "unit", ["----\n", "|===\n|a\n", "* a\n+\n", "[a]\n", "////\n\n", ".t\n", "a::\n", "====\n"]
)
def test_repetition_is_read(unit: str) -> None:
    _parsed(unit * 3_001)


_ROWS = [
    "= A",
    "== B",
    "* c",
    ". d",
    "+",
    "----",
    "|===",
    "|a |b",
    "",
    "text",
    "[x]",
    ".T",
    "//",
    "====",
    "a:: b",
    " i",
]


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.sampled_from([*_ROWS, "____", "////", ":n: v", "---", "include::x[]", "~~~~", "\t", "--"]),
        max_size=25,
    )
)
def test_any_order_of_lines_is_covered(rows: list[str]) -> None:
    _parsed("\n".join(rows))


def test_a_directive_ends_a_paragraph() -> None:
    document = parse_asciidoc(source("a.adoc", "ifdef::x[]\nText.\nendif::[]\n"))
    assert texts(document) == ["Text."]
