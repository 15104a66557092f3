"""Org: headlines, lists, blocks and tables; keywords are metadata, drawers are left out."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsed import assert_sound, lines_of, source, texts
from pincite.parse.org import parse_org
from pincite.types import Document

NOTES = """\
#+TITLE: Tide notes
#+AUTHOR: Ada Koray
#+DATE: [2020-03-04 Wed]
#+KEYWORDS: tides, Brest
#+LANGUAGE: en
# a remark

Intro over
two lines.

* TODO [#A] High water :sea:harbour:
SCHEDULED: <2020-04-01 Wed>
:PROPERTIES:
:CUSTOM_ID: high
:END:
- first
  goes on

  still first
- [ ] second
  1. inner
#+BEGIN_SRC python
* not a headline
#+END_SRC
** Table
#+CAPTION: Heights
| Port  | m |
|-------+---|
| Brest | 7 |
|-------+---|
| Sum   | 7 |
#+TBLFM: @3=1

#+BEGIN_QUOTE
Said.
#+END_QUOTE
#+BEGIN_center
Middle.
#+END_center
: fixed
: width
#+INCLUDE: "part.org"
[[file:map.png]]
| a | b |
"""


def _parsed(text: str) -> Document:
    document = parse_org(source("a.org", text))
    assert_sound(document)
    return document


def test_headlines_make_sections_and_keywords_are_metadata() -> None:
    document = _parsed(NOTES)
    assert [(s.level, s.title) for s in document.sections] == [(1, "High water"), (2, "Table")]
    assert (document.title, document.language, document.type) == ("Tide notes", "en", "org")
    assert document.meta == {
        "author": "Ada Koray",
        "date": date(2020, 3, 4),
        "keywords": ("tides", "Brest"),
    }


def test_blocks_are_slices_of_the_source_with_their_lines() -> None:
    document = _parsed(NOTES)
    assert [(b.kind, *lines_of(document, b)) for b in document.blocks] == [
        ("paragraph", 8, 9),
        ("heading", 11, 11),
        ("paragraph", 12, 12),
        ("list", 16, 19),
        ("list", 20, 20),
        ("list", 21, 21),
        ("code", 22, 24),
        ("heading", 25, 25),
        ("table", 26, 28),
        ("row", 29, 29),
        ("row", 31, 31),
        ("quote", 34, 36),
        ("paragraph", 38, 38),
        ("code", 40, 41),
        ("paragraph", 43, 43),
        ("row", 44, 44),
    ]
    row = next(block for block in document.blocks if block.kind == "row")
    assert row.header == "#+CAPTION: Heights\n| Port  | m |\n|-------+---|"
    assert document.losses.dropped == (
        'line 42: #+INCLUDE: "part.org" (not followed)',
        "line 43: an image (file:map.png)",
    )


def test_what_is_left_out_has_its_reason() -> None:
    document = _parsed(NOTES)
    reasons = [part.reason for part in document.left_out]
    assert reasons.count("keyword") == 7 and reasons.count("markup") == 3
    assert reasons.count("comment") == 1 and reasons.count("properties") == 1
    assert not any("CUSTOM_ID" in text for text in texts(document))


@pytest.mark.parametrize(
    "unit", ["#+BEGIN_SRC\n", ":A:\n", "- a\n\n", "|-\n| a\n", "#+CAPTION: x\n", "* \n", "# \n"]
)
def test_repetition_is_read(unit: str) -> None:
    _parsed(unit * 3_001)


_ROWS = [
    "* A",
    "** B :t:",
    "- c",
    "  d",
    "1. e",
    "| a | b |",
    "|---+---|",
    "",
    "text",
    "#+CAPTION: x",
    "# r",
    ": f",
]
_MORE = [
    "#+BEGIN_SRC",
    "#+END_SRC",
    "#+BEGIN_x",
    "#+END_x",
    ":P:",
    ":END:",
    "#+TBLFM: 1",
    "#+begin_comment",
    "\t",
]


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from([*_ROWS, *_MORE, "#+end_comment", "#+TITLE: t"]), max_size=25))
def test_any_order_of_lines_is_covered(rows: list[str]) -> None:
    _parsed("\n".join(rows))


def test_the_end_of_no_drawer_begins_none() -> None:
    document = parse_org(source("a.org", "Text.\n:END:\nMore text.\n:LOGBOOK:\nNote.\n:END:\n"))
    assert texts(document) == ["Text.\n:END:\nMore text."]
    assert [cut.reason for cut in document.left_out] == ["drawer"]
    assert document.text[document.left_out[0].span.start :].startswith(":LOGBOOK:")


@pytest.mark.parametrize("name", ["src", "comment", "quote"])
def test_a_block_that_is_not_closed_takes_nothing_along(name: str) -> None:
    document = parse_org(source("a.org", f"* One\n#+begin_{name}\nText.\n\n* Two\nMore.\n"))
    assert texts(document) == ["* One", "Text.", "* Two", "More."]
    assert [cut.reason for cut in document.left_out] == ["markup"]
