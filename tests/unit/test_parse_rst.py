"""reStructuredText: headings by their adornment, literal blocks and directives whole."""

from __future__ import annotations

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from parsed import assert_sound, lines_of, source, texts
from pincite.parse.rst import parse_rst
from pincite.types import Document

GUIDE = """\
======
Guide*
======

Intro over
two lines::

    literal
    Foo
    ===

Part one
--------
.. note:: A note
   goes on

   still

.. left out
   # remark

.. _target:

Detail
~~~~~~

* one
  cont

  para
* two

>>> run()
1

标题
----
Ends.
"""


def _parsed(text: str) -> Document:
    document = parse_rst(source("a.rst", text))
    assert_sound(document)
    return document


def test_levels_follow_the_order_of_styles() -> None:
    document = _parsed(GUIDE)
    place = document.origins.place
    assert [(s.level, s.title, place(s.title_span).line_start) for s in document.sections] == [
        (1, "Guide*", 1),
        (2, "Part one", 12),
        (3, "Detail", 24),
        (2, "标题", 36),
    ]
    assert document.heading_path(2) == ("Guide*", "Part one", "Detail")
    assert document.title == "Guide*"


def test_blocks_by_kind() -> None:
    document = _parsed(GUIDE)
    kinds = [(b.kind, lines_of(document, b)) for b in document.blocks if b.kind != "heading"]
    assert kinds == [
        ("paragraph", (5, 6)),
        ("code", (8, 10)),
        ("code", (14, 17)),
        ("paragraph", (22, 22)),
        ("list", (27, 30)),
        ("list", (31, 31)),
        ("code", (33, 34)),
        ("paragraph", (38, 38)),
    ]


def test_comments_are_left_out() -> None:
    document = _parsed(GUIDE)
    assert [(p.reason, document.text[p.span.start : p.span.end]) for p in document.left_out] == [
        ("comment", ".. left out\n   # remark")
    ]


def test_what_is_no_heading() -> None:
    document = _parsed(
        "text\n\n----\n\nmore text\nand on\n---\n\n=====  =====\nA      B\n=====  =====\n1      2\n"
    )
    assert document.sections == ()


def test_indented_text_is_a_quote_unless_literal() -> None:
    document = _parsed("para\n\n    quoted\n\nintro::\n\n    literal\n")
    assert [b.kind for b in document.blocks] == ["paragraph", "quote", "paragraph", "code"]
    assert texts(document, "code") == ["    literal"]


_LINES = st.sampled_from(
    [
        "Title",
        "=====",
        "---",
        "~~~~~",
        "text::",
        "   ind",
        "\ttab",
        "* item",
        "#. n",
        ".. note:: x",
        ".. c",
        "..",
        "",
        "",
    ]
)


@settings(deadline=None)
@given(st.lists(_LINES, max_size=20), st.sampled_from(["\n", "\r\n"]))
def test_any_rst_is_covered(lines: list[str], end: str) -> None:
    assert_sound(parse_rst(source("a.rst", end.join(lines))))


TABLES = """\
:Author: Ada Koray
:Date: 2020-03-04

.. image:: map.png

+-------+---+
| Port  | m |
+=======+===+
| Brest | 7 |
| town  |   |
+-------+---+
| Sum   | 7 |
+-------+---+

=====  ==
Port   m
=====  ==
Brest  7
       high
Sum    7
=====  ==

====  ==
a     b

c     d
====  ==

====  ==
open
"""


def test_tables_are_read_row_by_row_with_their_header() -> None:
    document = _parsed(TABLES)
    rows = [(lines_of(document, b), b.header) for b in document.blocks if b.kind == "row"]
    grid, simple = "+-------+---+\n| Port  | m |\n+=======+===+", "=====  ==\nPort   m\n=====  =="
    assert rows == [
        ((9, 11), grid),
        ((12, 13), grid),
        ((18, 19), simple),
        ((20, 21), simple),
        ((23, 24), ""),
        ((26, 27), ""),
    ]
    assert texts(document)[-1] == "====  ==\nopen"


def test_fields_at_the_start_are_metadata_and_files_are_named() -> None:
    document = _parsed(TABLES)
    assert document.meta == {"author": "Ada Koray", "date": date(2020, 3, 4)}
    assert document.losses.dropped == ("line 4: an image (map.png)",)
    assert texts(document)[0] == ":Author: Ada Koray\n:Date: 2020-03-04"


@settings(deadline=None, max_examples=150)
@given(
    st.lists(
        st.sampled_from(["+--+", "+==+", "|a |", "==  ==", "a   b", "", "  c", ":n: v", ".. x"]), max_size=14
    )
)
def test_any_order_of_table_lines_is_covered(rows: list[str]) -> None:
    _parsed("\n".join(rows))
