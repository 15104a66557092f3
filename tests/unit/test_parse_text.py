"""Plain text: paragraphs between blank lines, places in the file itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parsed import assert_sound, lines_of, source, texts
from pincite.parse.text import parse_text


def test_paragraphs_stand_between_blank_lines() -> None:
    document = parse_text(source("a.txt", "\n\nOne\n  two\n \t\nThree\x0c\x85x\r\n\r\n\r\nFour"))
    assert_sound(document)
    assert texts(document) == ["One\n  two", "Three\x0c\x85x", "Four"]
    assert [lines_of(document, b) for b in document.blocks] == [(3, 4), (6, 6), (9, 9)]
    assert (document.type, document.title, document.sections) == ("text", "", ())


def test_underlines_and_capitals_make_no_headings() -> None:
    document = parse_text(source("a.txt", "TITLE\n=====\n\n1. Scope\n\n# not Markdown\n"))
    assert document.sections == ()
    assert len(document.blocks) == 3


def test_indentation_of_the_first_line_is_kept() -> None:
    document = parse_text(source("a.txt", "\n    code\n      more\n\ntext\n"))
    assert texts(document) == ["    code\n      more", "text"]


def test_the_encoding_is_recorded() -> None:
    document = parse_text(source("a.txt", "Größe und Maß der Geräte\n".encode("cp1252")))
    assert (document.encoding, document.text) == ("cp1252", "Größe und Maß der Geräte\n")


def test_a_long_line_is_one_block() -> None:
    assert len(parse_text(source("a.txt", "word " * 500_000)).blocks) == 1


@given(st.text(st.sampled_from("ab \t\n\r\u2028\x0c\x85"), max_size=80))
def test_any_text_is_covered(text: str) -> None:
    assert_sound(parse_text(source("a.txt", text)))
