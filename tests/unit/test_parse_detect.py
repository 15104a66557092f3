"""Which parser reads a file, and the reason when none does."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsed import source
from pincite.errors import InputError, SkippedError
from pincite.parse import TYPES, document_type, parse


@pytest.mark.parametrize(
    ("uri", "kind"),
    [
        ("a.md", "markdown"),
        ("A.MARKDOWN", "markdown"),
        ("a.rst", "rst"),
        ("a.htm", "html"),
        ("a.txt", "text"),
        ("server.log", "text"),
        ("LICENSE", "text"),
        ("sub/README", "text"),
        ("a.py", "python"),
        ("Makefile", "make"),
        ("CMakeLists.txt", "cmake"),
        ("a.csv", "csv"),
        ("a.tsv", "tsv"),
        ("a.json", "json"),
        ("a.jsonl", "jsonl"),
        ("notes", "text"),
    ],
)
def test_type_by_name(uri: str, kind: str) -> None:
    assert document_type(uri, b"some text\n") == kind
    assert kind in TYPES


@pytest.mark.parametrize(
    ("uri", "data", "reason"),
    [
        ("a.pdf", b"%PDF-1.7\n...startxref\n0\n%%EOF", "PDF is not read by this version"),
        ("broken.pdf", b"%PDF-1.7\nthis is not a pdf\n", "not a valid PDF"),
        ("text.pdf", b"just text", "not a valid PDF"),
        ("zero.pdf", b"", "empty file"),
        ("fake.docx", b"just text\n", "not a zip file"),
        ("real.docx", b"PK\x03\x04...", "Word is not read by this version"),
        ("mail.eml", b"From: a\n", "e-mail is not read by this version"),
        ("picture.md", b"\x89PNG\r\n\x1a\n\0\0", "the content is a PNG image, not markdown"),
        ("x.md", b"%PDF-1.7\n\xe2\xe3\xcf\xd3", "the content is a PDF, not markdown"),
        ("archive.zip", b"PK\x03\x04", "the content is a zip archive"),
        ("font.xyz", b"anything", "files of type .xyz are not read by this version"),
        ("core", b"\x01\x02\0\0", "are not read by this version"),
    ],
)
def test_reasons_for_skipping(uri: str, data: bytes, reason: str) -> None:
    with pytest.raises(SkippedError) as raised:
        parse(source(uri, data))
    assert raised.value.message.startswith(f"{uri}: ")
    assert reason in raised.value.message
    assert raised.value.uri == uri


@pytest.mark.parametrize("uri", ["a.md", "a.txt", "a.rst", "a.html", "a.py", "a.csv", "a.json", "a.jsonl"])
@pytest.mark.parametrize("data", [b"", b"   \n\n \n", b"\xef\xbb\xbf"])
def test_blank_files_have_no_blocks(uri: str, data: bytes) -> None:
    document = parse(source(uri, data))
    assert document.blocks == ()
    assert document.uri == uri


def test_text_that_talks_about_formats_is_text() -> None:
    assert document_type("a.txt", b"RIFF files start with RIFF") == "text"


def test_a_text_file_of_messages_is_a_chat() -> None:
    chat = "Anna: Is the seal in?\nBen: Yes, since Monday.\nAnna: Good.\nBen: I will test it.\n"
    assert parse(source("talk.txt", chat)).type == "chat"
    assert parse(source("talk.txt", "One line.\n\nAnother.\n")).type == "text"


def test_hidden_html_is_passed_on() -> None:
    page = source("a.html", "<p>seen</p><p hidden>unseen</p>")
    assert "unseen" not in parse(page).text
    assert "unseen" in parse(page, hidden_html=True).text


@settings(deadline=None, max_examples=150)
@given(
    st.sampled_from(["a.md", "a.txt", "a.rst", "a.html", "a.py", "a.csv", "a.json", "a.jsonl", "a", "a.pdf"]),
    st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace")),
)
def test_no_content_raises_anything_else(uri: str, data: bytes) -> None:
    try:
        document = parse(source(uri, data))
    except InputError as error:
        assert error.message.startswith(f"{uri}: ")
    else:
        assert document.type in TYPES


@pytest.mark.parametrize(
    "data", [b"", b"just text\n", b"%PDF-1.7\n", b"%PDF-1.7\nstartxref\n0\n%%EOF", b"PK\x03\x04"]
)
@pytest.mark.parametrize(
    "ending", ["pdf", "docx", "xlsx", "pptx", "odt", "epub", "doc", "rtf", "eml", "ipynb"]
)
def test_a_format_that_is_not_read_yet_is_never_only_called_damaged(ending: str, data: bytes) -> None:
    with pytest.raises(SkippedError, match=r": .+ is not read by this version"):
        parse(source(f"a.{ending}", data))
