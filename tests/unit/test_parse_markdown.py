"""Markdown: blocks, sections, tables, front matter, and places that can be read again in the file."""

from __future__ import annotations

import datetime
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from parsed import lines_of, source, texts
from pincite.parse.markdown import parse_markdown
from pincite.parse.markdown.comments import hidden
from pincite.types import Document


def _parsed(text: str | bytes) -> Document:
    document = parse_markdown(source("a.md", text))
    _assert_tiled(document)
    return document


def _assert_tiled(document: Document) -> None:
    """Blocks and left-out parts are ordered, disjoint, not blank, and hold all text but white space."""
    text = document.text
    spans = sorted([b.span for b in document.blocks] + [part.span for part in document.left_out])
    assert [b.span for b in document.blocks] == sorted(b.span for b in document.blocks)
    assert all(text[s.start : s.end].strip() for s in spans)
    assert all(one.end <= two.start for one, two in pairwise(spans))
    at = 0
    for span in spans:
        assert not text[at : span.start].strip()
        at = span.end
    assert not text[at:].strip()


def _assert_places_reread(document: Document, data: bytes) -> None:
    """The cited lines, cut from the file's bytes at LF as `sed -n` does, are the block and nothing else.

    A comment stands beside it where it was cut out of these lines, as may what was on its other side.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").decode()
    lines, seen = (one.split("\n") for one in (text, hidden(text, [left.span for left in document.left_out])))
    for block in document.blocks:
        first, last = lines_of(document, block)
        assert first is not None and last is not None
        cited, without = ("\n".join(each[first - 1 : last]) for each in (lines, seen))
        words = document.text[block.span.start : block.span.end].strip()
        assert words in without if cited != without else words == cited.strip()


def _outline(document: Document) -> list[tuple[int, str, int | None]]:
    place = document.origins.place
    return [(s.level, s.title, place(s.title_span).line_start) for s in document.sections]


def test_blocks_of_every_kind() -> None:
    document = _parsed(
        "Intro\nmore\n\n# H\n\n- one\n  - nested\n\n- two\n\n> quote\n> on\n\n```py\ncode\n\nx\n```\n\n"
        "    indented\n\n***\n[ref]: http://x\n\n<div>html</div>\n\n1. a\n2. b\n"
    )
    assert [(b.kind, lines_of(document, b)) for b in document.blocks] == [
        ("paragraph", (1, 2)),
        ("heading", (4, 4)),
        ("list", (6, 7)),
        ("list", (9, 9)),
        ("quote", (11, 12)),
        ("code", (14, 18)),
        ("code", (20, 20)),
        ("paragraph", (22, 22)),
        ("paragraph", (23, 23)),
        ("paragraph", (25, 25)),
        ("list", (27, 27)),
        ("list", (28, 28)),
    ]
    assert [b.section for b in document.blocks] == [-1] + [0] * 11


def test_table_rows_carry_their_header_and_caption() -> None:
    document = _parsed(
        "Table 3: Torques\n| Part | Nm |\n|:--|--:|\n| Cap | 12 |\n| Bolt | 14 |\n\nText.\n\n"
        "| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\nTable: below\n\n| c |\n|---|\n"
    )
    rows = [b for b in document.blocks if b.kind == "row"]
    assert texts(document, "row") == ["| Cap | 12 |", "| Bolt | 14 |", "| 1 | 2 |"]
    assert rows[0].header == rows[1].header == "Table 3: Torques\n| Part | Nm |\n|:--|--:|"
    assert rows[0].header_span is not None
    assert document.text[rows[0].header_span.start : rows[0].header_span.end] == rows[0].header
    assert rows[2].header == "Table: below\n| a | b |\r\n|---|---|"
    assert rows[2].header_span is not None and rows[2].header_span.holds(rows[2].span)
    assert texts(document, "table") == [
        "| Part | Nm |\n|:--|--:|",
        "| a | b |\r\n|---|---|",
        "| c |\n|---|",
    ]


def test_the_paragraph_before_a_table_is_no_caption() -> None:
    document = _parsed("Tables are listed below.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    (row,) = [b for b in document.blocks if b.kind == "row"]
    assert row.header == "| a | b |\n|---|---|"


def test_heading_titles_lose_their_markup_only() -> None:
    document = _parsed(
        "## `code` *em* [link](u) ![alt *x*](i) &amp; <b>bold</b> \\# C# ##\n\n"
        "Two\nlines\n===\n\n# F#\n\n- # in a list\n\n> # in a quote\n"
    )
    assert _outline(document) == [
        (2, "code em link alt x & bold # C#", 1),
        (1, "Two lines", 3),
        (1, "F#", 7),
    ]
    assert document.title == "Two lines"


def test_attribute_lists_are_no_part_of_a_title() -> None:
    document = _parsed("# 标题 { #title }\n\n## `a` {#b .c}\n\n## {: #x}\n\n## C {#}\n\n## f{x}\n")
    assert [s.title for s in document.sections] == ["标题", "a", "", "C {#}", "f{x}"]


def test_sections_nest_and_end_at_the_next_of_their_level() -> None:
    document = _parsed("# A\n\n## B\n\nb\n\n### C\n\n## B\n\n# D\n")
    assert [document.heading_path(i) for i in range(5)] == [
        ("A",),
        ("A", "B"),
        ("A", "B", "C"),
        ("A", "B"),
        ("D",),
    ]
    places = [document.origins.place(s.span) for s in document.sections]
    assert [(p.line_start, p.line_end) for p in places] == [(1, 10), (3, 8), (7, 8), (9, 10), (11, 11)]


def test_comments_are_left_out_with_that_reason() -> None:
    document = _parsed("a\n\n<!-- one\n\n# two -->\n\nb <!-- three --> c <!-- not closed\n")
    assert [(part.reason, document.text[part.span.start : part.span.end]) for part in document.left_out] == [
        ("comment", "<!-- one\n\n# two -->"),
        ("comment", "<!-- three -->"),
    ]
    assert texts(document) == ["a", "b", "c <!-- not closed"]


def test_front_matter_becomes_typed_metadata() -> None:
    document = _parsed(
        "---\ntitle: The title\nupdated: 2026-03-14\nat: 2026-03-14T10:00:00Z\ntags: [a, 2, 1.5]\ndraft: no\n"
        "version: 1.10\nauthor:\n  name: Ann\n  mail: null\nlinks: [{a: b}]\nempty:\nnan: .nan\n"
        "---\n# Heading\n"
    )
    assert dict(document.meta) == {
        "title": "The title",
        "updated": datetime.date(2026, 3, 14),
        "at": datetime.date(2026, 3, 14),
        "tags": ("a", 2, 1.5),
        "draft": "no",
        "version": 1.1,
        "author.name": "Ann",
        "links": '[{"a": "b"}]',
        "nan": "nan",
    }
    assert type(document.meta["at"]) is datetime.date
    assert document.title == "The title"
    assert [part.reason for part in document.left_out] == ["front matter"]
    assert _outline(document) == [(1, "Heading", 15)]


def test_values_no_store_can_hold_become_text() -> None:
    document = _parsed(
        '---\ntitle: "a\\ud800b"\n"k\\udfff": "x\\ud83d\\ude00"\nn: ' + "9" * 400 + "\nneg: -.inf\n"
        "far: 9999-12-31\n---\nBody\n"
    )
    assert document.title == "a\ufffdb"
    assert dict(document.meta) == {
        "title": "a\ufffdb",
        "k\ufffd": "x\U0001f600",
        "n": "9" * 400,
        "neg": "-inf",
        "far": datetime.date.max,
    }


def test_toml_front_matter() -> None:
    document = _parsed('+++\ntitle = "T"\ndate = 2026-01-02\n[extra]\nn = 3\n+++\n\nBody\n')
    assert dict(document.meta) == {"title": "T", "date": datetime.date(2026, 1, 2), "extra.n": 3}
    assert texts(document) == ["Body"]


def test_dots_close_front_matter_and_crlf_is_no_obstacle() -> None:
    assert dict(_parsed("---\r\na: 1\r\n...\r\nBody\r\n").meta) == {"a": 1}


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: [broken\nowner: x\n---\n# H\n",
        "---\ntitle: a: b\n---\n# H\n",
        "---\na: " + "[" * 10_000 + "\n---\n# H\n",
        "---\na: &a [1, 2, 3, 4, 5, 6, 7, 8]\n"
        + "".join(f"{n}: &{n} [{', '.join([f'*{p}'] * 9)}]\n" for p, n in pairwise("abcdefghijkl"))
        + "---\n# H\n",
        "---\na: &a [*a]\n---\n# H\n",
        "+++\ntitle = \n+++\n# H\n",
    ],
)
def test_broken_front_matter_stays_text_and_makes_no_heading(text: str) -> None:
    document = _parsed(text)
    assert dict(document.meta) == {}
    assert document.left_out == ()
    assert [s.title for s in document.sections] == ["H"]
    assert document.blocks[0].kind == "paragraph"
    assert texts(document)[0] == text[: text.rindex("\n# H")]


def test_a_date_that_no_calendar_has_is_text() -> None:
    document = _parsed("---\ndate: 2026-13-45\n---\n# H\n")
    assert dict(document.meta) == {"date": "2026-13-45"}
    assert [left.reason for left in document.left_out] == ["front matter"]


@pytest.mark.timeout(20)
def test_merge_keys_cannot_make_front_matter_grow() -> None:
    """Each level merges the one before ten times: 10³⁰ pairs if they were written out."""
    levels = "".join(f"{n}: &{n} {{<<: [{', '.join([f'*{p}'] * 10)}]}}\n" for p, n in pairwise(range(31)))
    document = _parsed(f"---\n0: &0 {{k: v}}\n{levels}---\n# H\n")
    assert len(document.meta) <= 31
    assert [s.title for s in document.sections] == ["H"]


@pytest.mark.parametrize(
    "text", ["\n---\na: b\n---\n", "---\na: b\n", "--- x\na: b\n---\n", "---\n- a\n---\n"]
)
def test_what_is_no_front_matter(text: str) -> None:
    document = _parsed(text)
    assert dict(document.meta) == {}
    assert document.left_out == ()


def test_separators_other_than_lf_end_no_line() -> None:
    data = "\ufeff# A\u2028b\r\n\r\nx\x0cy\x85z\rw\x1cv\r\n\r\n# End\r\n".encode()
    document = _parsed(data)
    _assert_places_reread(document, data)
    assert [line for _, _, line in _outline(document)] == [1, 5]
    assert "\ufeff" not in document.text
    assert document.text == data.decode("utf-8-sig")


def test_a_file_with_cr_line_ends_still_has_headings() -> None:
    document = _parsed("# A\r\rtext\r\r# B\r")
    assert [s.title for s in document.sections] == ["A", "B"]


@pytest.mark.parametrize(
    "text",
    [
        ">" * 200_000,
        "- " * 100_000,
        "[" * 100_000,
        "".join(" " * (2 * i) + "- x\n" for i in range(300)),
        "<!--" * 50_000,
        "<!-- a --> " * 20_000 + "x",
        "# " + "[" * 100_000,
        "# " + "**a " * 490,
        "|a" * 500 + "\n" + "|-" * 500 + "\n" + "|b\n" * 3_000,
        "[a\n" * 40_000,
        "---\n" + "a: b\n" * 20_000,
        "x " * 5_000_000,
        "\t" * 150_000 + "x",
        "```\n" * 20_000,
    ],
    ids=lambda text: text[:12],
)
@pytest.mark.timeout(20)
def test_nothing_hangs(text: str) -> None:
    _parsed(text)


def test_a_very_long_line_leaves_headings_and_fences() -> None:
    text = "# One\n\n" + "word " * 60_000 + "\n\n```\n# no\n```\n## Two ##\nend\n~~~\n# open\n"
    document = _parsed(text)
    assert _outline(document) == [(1, "One", 1), (2, "Two", 8)]
    assert [b.kind for b in document.blocks] == [
        "heading",
        "paragraph",
        "code",
        "heading",
        "paragraph",
        "code",
    ]


_MARKDOWN = """# H;## H ##;#;Setext;===;---;text;- item;  - sub;1. one;> quote;```;~~~;````md;    indented
\\# esc;| a | b |;|---|---|;| 1 | 2 |;Table: cap;<!-- c -->;<!--;-->;<div>;</div>;[r]: /u;[r]: <;+++;...
a: b;***"""
_ODD = ["", "", "\t", "  ", "x\u2028y", "p\x0cq", "u\x85v", "\x1c", "\u2029"]
_LINES = st.sampled_from([*_MARKDOWN.replace("\n", ";").split(";"), *_ODD])
_ENDS = st.sampled_from(["\n", "\r\n", "\n", "\r"])


@settings(deadline=None, max_examples=300)
@given(st.booleans(), st.lists(st.tuples(_LINES, _ENDS), max_size=25))
@example(True, [("---", "\r\n"), ("a: b", "\r"), ("---", "\n"), ("#", "\n")])
def test_any_markdown_is_tiled_and_every_place_rereads(mark: bool, parts: list[tuple[str, str]]) -> None:
    text = "".join(line + end for line, end in parts)
    data = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
    document = parse_markdown(source("a.md", data))
    assert document.text == text
    _assert_tiled(document)
    if "\r" not in text.replace("\r\n", "") or "\n" in text:
        _assert_places_reread(document, data)
    for section in document.sections:
        assert section.span.holds(section.title_span)


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("#-=*>`~|:+[]<>!.\\ \t\n\r\u2028a1&;_"), max_size=120))
def test_any_characters_are_tiled(text: str) -> None:
    _assert_tiled(parse_markdown(source("a.md", text)))


@pytest.mark.parametrize("mark", ["===", "---"])
def test_more_than_three_lines_above_an_underline_are_no_heading(mark: str) -> None:
    short, long = (_parsed("line\n" * n + f"{mark}\n\ntext\n") for n in (3, 4))
    assert [(block.kind, block.section) for block in short.blocks] == [("heading", 0), ("paragraph", 0)]
    assert short.title == "line line line"
    assert [(block.kind, block.section) for block in long.blocks] == [("paragraph", -1)] * 2
    assert texts(long)[0] == "line\n" * 4 + mark
    assert (long.title, long.sections) == ("", ())
