"""Plain text: paragraphs between blank lines, places in the file itself."""

from __future__ import annotations

import pytest
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


LOCKERS = "locker;holder;until\n12;Pia Koch;2026-12-31\n13;Ole Hansen;2027-03-31\n"


@pytest.mark.parametrize("sign", [";", "\t", ","])
def test_a_table_saved_as_text_is_read_as_its_rows(sign: str) -> None:
    document = parse_text(source("lockers.txt", LOCKERS.replace(";", sign)))
    assert_sound(document)
    assert document.type == ("tsv" if sign == "\t" else "csv")
    assert texts(document, "row") == [line.replace(";", sign) for line in LOCKERS.splitlines()[1:]]
    assert {b.header for b in document.blocks if b.kind == "row"} == {f"locker{sign}holder{sign}until"}


@pytest.mark.parametrize(
    "text",
    [
        "a;b\n1;2\n",  # two lines are no table yet
        "The wind turns; we wait.\nThe tide turns; we go.\nThe sun sets; we sleep.\n",
        "Ada, Bo, Kim\nOle, Pia, Suse\nIda, Mira, Per\n",
        "int a;\nint b;\nint c;\n",
        "12;ok;now\n13;ok;then\n14;bad;now\n",  # no names of columns
        LOCKERS + "\nThe list is kept by Ida.\n",
        f"name;text\nA;{'long ' * 30}\nB;short\n",
    ],
)
def test_lines_that_are_no_table_stay_text(text: str) -> None:
    assert parse_text(source("a.txt", text)).type == "text"
