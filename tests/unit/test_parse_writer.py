"""The writer of extracted text: blocks, places, headings and limits kept in step."""

from __future__ import annotations

from extracted import assert_placed, headings_of, parts_of
from parsed import source
from pincite.parse.writer import Writer, joined, plain_text
from pincite.types import Document, Losses, Place, Span


def _at(number: int) -> Place:
    return Place(part=f"paragraph {number}")


def _finish(writer: Writer, losses: Losses | None = None) -> Document:
    document = writer.finish(source("a.x", "bytes"), "docx", losses=losses)
    assert_placed(document)
    return document


def test_blocks_are_parted_and_trimmed_and_keep_their_places() -> None:
    writer = Writer()
    first = writer.add("paragraph", [(" ", _at(1)), (" one", _at(1)), (" and ", None), ("two ", _at(2))])
    assert first == Span(0, 11)
    assert writer.add("paragraph", [(" \n", _at(3))]) is None
    writer.add("list", [("item", _at(4))])
    document = _finish(writer)
    assert document.text == "one and two\n\nitem"
    assert parts_of(document) == [
        ("paragraph", "paragraph 1-2", "one and two"),
        ("list", "paragraph 4", "item"),
    ]


def test_rows_stand_line_by_line_and_tight_blocks_too() -> None:
    writer = Writer()
    writer.add("paragraph", [("Caption", _at(1))])
    head = writer.add("table", [("a | b", _at(2))], tight=True)
    writer.add("row", [("1 | 2", _at(3))], header="a | b", header_span=head)
    writer.add("row", [("3 | 4", _at(4))], header="a | b", header_span=head)
    writer.add("paragraph", [("After", _at(5))])
    assert _finish(writer).text == "Caption\na | b\n1 | 2\n3 | 4\n\nAfter"


def test_headings_make_sections_with_a_title_of_their_own_if_given() -> None:
    writer = Writer()
    writer.add("heading", [("# Tides of *Brest*", _at(1))], level=1, title="Tides of Brest")
    writer.add("heading", [("High\nwater", _at(2))], level=2)
    writer.add("paragraph", [("Text", _at(3))])
    document = _finish(writer)
    assert headings_of(document) == [(1, "Tides of Brest"), (2, "High water")]
    assert document.title == "Tides of Brest"
    assert [block.section for block in document.blocks] == [0, 1, 1]


def test_what_is_left_out_is_in_no_block() -> None:
    writer = Writer()
    writer.add("paragraph", [("Page 1", _at(1))], left_out="running header")
    writer.add("row", [("x", _at(2))])
    document = _finish(writer)
    assert document.text == "Page 1\n\nx"
    assert [(part.span, part.reason) for part in document.left_out] == [(Span(0, 6), "running header")]


def test_text_beyond_the_limit_is_counted() -> None:
    writer = Writer(limit=8)
    writer.add("paragraph", [("12345", _at(1))])
    writer.add("paragraph", [("67890", _at(2)), ("ab", _at(2))])
    assert writer.add("paragraph", [("gone", _at(3))]) is None
    document = _finish(writer, Losses(cut_text=2, dropped=("a chart",)))
    assert document.text == "12345\n\n678"
    assert document.losses == Losses(cut_text=2 + 4 + 4, dropped=("a chart",))


def test_text_is_freed_of_what_is_none() -> None:
    assert plain_text("a\x00b\r\nc\xa0d\xade\ud800f\u2028g") == "ab\nc def\ng"


def test_groups_without_text_are_passed_when_joined() -> None:
    assert joined([[("a", None)], [("", None)], [("b", None)]], " | ") == [
        ("a", None),
        (" | ", None),
        ("b", None),
    ]


def test_a_block_can_open_a_section_without_a_title() -> None:
    writer = Writer()
    writer.add("heading", [("One", Place(part="slide 1"))], level=1)
    writer.add("paragraph", [("Two.", Place(part="slide 2"))], opens=1)
    document = _finish(writer)
    assert document.text == "One\n\nTwo."
    assert [(one.title, one.span, len(one.title_span)) for one in document.sections] == [
        ("One", Span(0, 5), 3),
        ("", Span(5, 9), 0),
    ]
    assert [(block.kind, block.section) for block in document.blocks] == [("heading", 0), ("paragraph", 1)]
    assert document.title == "One"
