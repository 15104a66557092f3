"""Saved web pages (MHTML): read as HTML is, with the lines of the file, its address, its frames named."""

from __future__ import annotations

import base64
import quopri
import random

import pytest

from extracted import parts_of, read
from parsed import source
from pincite.config import ParseConfig
from pincite.errors import InputError, PinciteError
from pincite.parse import parse
from pincite.parse.detect import document_type

HEAD = """From: <Saved by Blink>
Snapshot-Content-Location: https://port.example/tides
Subject: =?utf-8?Q?Tides_=E2=80=93_Port?=
Date: Sat, 4 May 2024 10:00:00 -0000
MIME-Version: 1.0
Content-Type: multipart/related;
\ttype="text/html";
\tboundary="----b7"

"""
PAGE = (
    "<html lang=fr><head><title>Marées</title></head><body>\n<nav>Menu</nav><h1>Marée haute</h1>\n"
    "<p>À Brest, la mer monte de plusieurs mètres, et l’eau atteint le mur du port "
    "pendant les tempêtes.</p><p>Puis elle descend.</p>\n</body></html>\n"
)
PICTURE = "Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-Location: a.png\n\naGk=\n"


def _saved(*parts: str, head: str = HEAD) -> str:
    return head + "".join(f"------b7\n{part}\n" for part in parts) + "------b7--\n"


def _quoted(page: str, charset: str = "utf-8", *, ending: str = "\n") -> str:
    """The page as browsers write it, in lines of 76 characters."""
    packed = quopri.encodestring(page.encode(charset)).decode("ascii")
    stated = "" if charset == "utf-8" else f"; charset={charset}"
    head = f"Content-Type: text/html{stated}\nContent-ID: <frame-1@mhtml.blink>\n"
    return f"{head}Content-Transfer-Encoding: quoted-printable\n\n{packed}".replace("\n", ending)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("charset", ["utf-8", "windows-1252"])
def test_the_page_is_read_with_the_lines_of_the_file(charset: str, ending: str) -> None:
    data = _saved(_quoted(PAGE, charset), PICTURE).replace("\n", ending)
    document = read("tides.mhtml", data)
    assert (document.type, document.title, document.language) == ("mhtml", "Marées", "fr")
    assert document.meta["url"] == "https://port.example/tides"
    assert document.sections[0].title == "Marée haute"
    assert [cut.reason for cut in document.left_out] == ["navigation"]
    rows = data.split("\n")
    starts = ("<h1>", "<p>=C3=80" if charset == "utf-8" else "<p>=C0")
    for block, start in zip(document.blocks[:2], starts, strict=True):
        line = document.origins.place(block.span).line_start
        assert line is not None
        assert start in rows[line - 1]
    last = document.origins.place(document.blocks[-1].span).line_start
    assert last is not None
    assert "Puis" in "".join(rows[last - 1 : last + 1]).replace("=\r", "").replace("=", "")
    assert document.losses.dropped == ()


def test_a_page_of_plain_bytes_is_read_with_its_lines() -> None:
    part = f"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{PAGE}"
    document = read("a.mht", _saved(part))
    rows = _saved(part).split("\n")
    line = document.origins.place(document.blocks[1].span).line_start
    assert line == 1 + next(n for n, row in enumerate(rows) if "<p>À" in row)


def test_a_page_that_is_packed_stands_in_its_part() -> None:
    packed = base64.encodebytes(PAGE.encode()).decode("ascii")
    part = f"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n{packed}"
    document = read("a.mht", _saved(PICTURE, part))
    assert [place for _, place, _ in parts_of(document)] == ["part 2"] * 3


def test_the_page_that_is_stated_is_read_and_frames_are_named() -> None:
    head = HEAD.replace('type="text/html";', 'type="text/html";\n\tstart="<top>";')
    frame = "Content-Type: text/html\nContent-Location: https://ads.example/1\n\n<p>Buy.</p>"
    page = "Content-Type: text/html\nContent-ID: <top>\n\n<p>High tide.</p>"
    document = read("a.mht", _saved(frame, page, head=head))
    assert document.text == "High tide."
    assert document.title == "Tides – Port"
    assert document.losses.dropped == ("part 1: the page of a frame (https://ads.example/1)",)


def test_main_content_and_hidden_text_are_set_as_for_pages() -> None:
    prose = "<p>" + "The tide rises at Brest, and it falls again, as it did before. " * 12 + "</p>"
    page = f"<body><div class=sidebar>Aside</div><div>{prose}</div><p hidden>Secret</p></body>"
    part = f"Content-Type: text/html\n\n{page}"
    config = ParseConfig(main_content=True, hidden_html=True)
    document = parse(source("a.mht", _saved(part)), config)
    assert document.left_out[0].reason == "outside the main content"
    assert "[hidden] Secret" in document.text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("Hello", "not an e-mail"),
        (_saved(PICTURE), "holds no web page"),
    ],
)
def test_what_is_no_saved_page_is_refused_by_name(data: str, message: str) -> None:
    assert document_type("a.mht", data.encode()) == "mhtml"
    with pytest.raises(InputError, match=message):
        parse(source("a.mht", data))


def test_an_empty_file_has_no_text() -> None:
    assert read("a.mht", "").text == ""


def test_damaged_files_raise_nothing_else() -> None:
    whole = _saved(_quoted(PAGE), PICTURE).encode()
    plain = _saved(f"Content-Type: text/html\nContent-Transfer-Encoding: 8bit\n\n{PAGE}").encode()
    chance = random.Random(7)
    for _ in range(300):
        data = bytearray(whole if chance.random() < 0.5 else plain)
        for _ in range(chance.randrange(1, 20)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            read("a.mht", bytes(data[: chance.randrange(len(data))]))
        except PinciteError:
            continue
