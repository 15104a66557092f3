"""FB2: sections with their numbers, notes at their paragraph, poems, tables; also packed."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest

from extracted import headings_of, parts_of, read
from pincite.errors import InputError

BOOK = """<?xml version="1.0" encoding="{encoding}"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink">
<description><title-info><author><first-name>Ада</first-name><last-name>Корай</last-name></author>
<author><nickname>Lund</nickname></author><book-title>Огни</book-title><lang>ru-RU</lang>
<keywords>море, маяк</keywords><date value="2019-04-05">2019</date><annotation><p>About.</p></annotation>
</title-info></description>
<body><title><p>Огни</p><p>гавани</p></title>
<epigraph><p>Quoted.</p><text-author>Someone</text-author></epigraph>
<section><title><p>One</p></title><p>It <emphasis>burns</emphasis><a l:href="#n1" type="note">1</a>
all night.</p><image l:href="#a.png"/>
<section><title><p>Inner</p></title><poem><title><p>Song</p></title>
<stanza><v>First line</v><v>second line</v></stanza></poem><code>x = 1
y</code></section></section>
<section><p>Two.</p><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></section>
</body>
<body name="notes"><section id="n1"><title><p>1</p></title><p>In winter.</p></section>
<section id="n2"><title><p>2</p></title><p>Unused.</p></section></body>
<binary id="a.png" content-type="image/png">aGk=</binary></FictionBook>"""
PARTS = [
    ("heading", "section 0", "Огни гавани"),
    ("quote", "section 0", "Quoted."),
    ("quote", "section 0", "Someone"),
    ("heading", "section 1", "One"),
    ("paragraph", "section 1", "It burns[1] all night."),
    ("paragraph", "note 1", "[note 1] In winter."),
    ("heading", "section 2", "Inner"),
    ("paragraph", "section 2", "Song"),
    ("paragraph", "section 2", "First line\nsecond line"),
    ("code", "section 2", "x = 1\ny"),
    ("paragraph", "section 3", "Two."),
    ("table", "section 3", "a | b"),
    ("row", "section 3", "1 | 2"),
    ("heading", "section 4", "2"),
    ("paragraph", "section 4", "Unused."),
]


def _book(encoding: str = "utf-8") -> bytes:
    return BOOK.format(encoding=encoding).encode(encoding)


def test_sections_notes_poems_and_tables_are_blocks() -> None:
    document = read("a.fb2", _book())
    assert parts_of(document) == PARTS
    assert headings_of(document)[:3] == [(1, "Огни гавани"), (2, "One"), (3, "Inner")]
    row = document.blocks[12]
    assert row.header == "a | b" and row.header_span is not None
    assert document.losses.dropped == ("section 1: 1 image",)


def test_metadata_is_that_of_the_book() -> None:
    document = read("a.fb2", _book("windows-1251"))
    assert (document.title, document.language, document.type) == ("Огни", "ru", "fb2")
    assert document.meta == {
        "author": ("Ада Корай", "Lund"),
        "keywords": ("море", "маяк"),
        "date": date(2019, 4, 5),
        "description": "About.",
    }


def test_a_packed_book_is_read() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("book.fb2", _book())
    assert parts_of(read("a.fb2.zip", out.getvalue())) == PARTS


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "holds no XML|not valid XML"),
        (b"<html><body/></html>", "holds no FictionBook"),
        (b"<FictionBook><description/></FictionBook>", "holds no FictionBook with a body"),
        (b'<!DOCTYPE f [<!ENTITY x "y">]><FictionBook><body/></FictionBook>', "entities of its own"),
    ],
)
def test_damaged_and_hostile_books_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read("bad.fb2", data)


def test_a_book_that_is_cut_off_keeps_what_is_there() -> None:
    data = _book()
    document = read("a.fb2", data[: data.index(b"Two.")])
    assert parts_of(document)[:4] == PARTS[:4]
    assert document.losses.dropped[-1] == "what follows the end of the file, which is cut off"
    deep = b"<FictionBook><body>" + b"<section>" * 5_000 + b"<p>x</p>"
    assert read("deep.fb2", deep).type == "fb2"


def test_text_that_stands_in_no_paragraph_is_not_lost() -> None:
    body = "<section>Bare &amp; short<p>Whole.</p>between <strong>bold</strong> after</section>"
    document = read("a.fb2", f"<FictionBook><body>{body}</body></FictionBook>")
    assert document.text.split("\n\n") == ["Bare & short", "Whole.", "between", "bold", "after"]
    assert {place for _, place, _ in parts_of(document)} == {"section 1"}


def test_the_title_of_a_note_is_read_unless_it_is_its_mark() -> None:
    link = '<p>x<a xmlns:l="l" l:href="#n" type="note">1</a></p>'
    for title, text in (("1.", "[note 1] Low."), ("On tides", "[note 1] On tides\nLow.")):
        note = f'<body><section id="n"><title><p>{title}</p></title><p>Low.</p></section></body>'
        book = f"<FictionBook><body><section>{link}</section></body>{note}</FictionBook>"
        assert [found for _, _, found in parts_of(read("a.fb2", book))] == ["x[1]", text]


def test_a_raised_number_stays_raised() -> None:
    book = (
        "<FictionBook><body><section><p>10<sup>6</sup> and x<sup>2</sup></p></section></body></FictionBook>"
    )
    assert read("a.fb2", book).text == "10⁶ and x2"
