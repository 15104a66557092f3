"""Which parser reads a file, and the reason when none does."""

from __future__ import annotations

import io
import tarfile
import time
import zipfile
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsed import source
from pincite.config import ParseConfig
from pincite.errors import InputError, SkippedError
from pincite.parse import TYPES, document_type, parse
from pincite.parse.detect import is_isolated
from pincite.parse.promises import broken_promise


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


def zipped(*members: str, mimetype: str = "") -> bytes:
    """A zip file with empty members of these names; `mimetype` is the content of a first one, so called."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        if mimetype:
            file.writestr("mimetype", mimetype)
        for name in members:
            file.writestr(name, b"")
    return out.getvalue()


def tar(name: str, data: bytes) -> bytes:
    """A tar file with one member."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        file.addfile(info, io.BytesIO(data))
    return out.getvalue()


WORD = zipped("[Content_Types].xml", "word/document.xml")
PAGE = b"<!DOCTYPE html>\n<html><body><p>The gate code changes.</p></body></html>"
MHTML = (
    b"Subject: Valves\nMIME-Version: 1.0\nContent-Type: multipart/related;\n boundary=x\n\n"
    b"--x\nContent-Type: text/html; charset=utf-8\n\n<p>Valve 7 leaks.</p>\n--x--\n"
)
WORKBOOK_XML = (
    b'<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n'
    b'<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet/></Workbook>'
)
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\nendobj\n"


@pytest.mark.parametrize(
    ("uri", "data", "kind"),
    [
        ("a.pdf", PDF, "pdf"),
        ("a.txt", PDF, "pdf"),
        ("a.pdf", b"\r\nsome mail server's line\r\n" + PDF, "pdf"),
        ("pdf.md", b"# PDF by hand\n\n    %PDF-1.7\n    1 0 obj\n    endobj\n", "markdown"),
        ("a.docx", WORD, "docx"),
        ("a.doc", WORD, "docx"),
        ("a", zipped("[Content_Types].xml", "xl/workbook.xml"), "xlsx"),
        ("a.bin", zipped("[Content_Types].xml", "ppt/presentation.xml"), "pptx"),
        ("a.zip", zipped(mimetype="application/vnd.oasis.opendocument.text"), "odt"),
        ("a.ods", zipped(mimetype="application/vnd.oasis.opendocument.spreadsheet"), "ods"),
        ("a.odp", zipped(mimetype="application/vnd.oasis.opendocument.presentation"), "odp"),
        ("a.epub", zipped(mimetype="application/epub+zip"), "epub"),
        ("a.epub", zipped("META-INF/container.xml"), "epub"),
        ("a.zip", zipped("word/document.xml"), "archive"),
        ("a.zip", zipped(mimetype=PDF.decode("latin-1")), "archive"),
        ("a.tar", tar("a.pdf", PDF), "archive"),
        ("a.tar.gz", b"\x1f\x8b\x08\0\0\0\0\0", "archive"),
        ("a.rtf", b"{\\rtf1 text}", "rtf"),
        ("a.doc", b"{\\rtf1 text}", "rtf"),
        ("a.rtf", b"\n{\\pard a part of a file\\par}", "rtf"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0", "image"),
        ("a.md", b"\xff\xd8\xff\xe0", "image"),
    ],
)
def test_the_content_says_what_a_binary_file_is(uri: str, data: bytes, kind: str) -> None:
    assert document_type(uri, data) == kind
    assert kind in TYPES


@pytest.mark.parametrize(
    ("uri", "data", "reason"),
    [
        ("a.xlsb", zipped("[Content_Types].xml", "xl/workbook.bin"), "save it as .xlsx"),
        (
            "a.pages",
            zipped("Index/Document.iwa", "preview.jpg"),
            "files of Apple Pages are not read; export it as",
        ),
        (
            "a.key",
            zipped("index.apxl", "QuickLook/Preview.pdf"),
            "Apple Keynote are not read; export it as PDF or .pptx",
        ),
        ("a.numbers", zipped("Index.zip"), "Apple Numbers are not read; export it as PDF or .xlsx"),
        ("a.exe", b"MZ\x90\0\3\0\0\0", "the content is a Windows program"),
        ("font.xyz", b"anything", "files of type .xyz are not read by this version"),
        ("a.md:7", b"anything", "a.md:7: files with :7 behind .md in their name are not read"),
        ("core", b"\x01\x02\0\0", "are not read by this version"),
    ],
)
def test_reasons_for_skipping(uri: str, data: bytes, reason: str) -> None:
    with pytest.raises(SkippedError) as raised:
        parse(source(uri, data))
    assert raised.value.message.startswith(f"{uri}: ")
    assert reason in raised.value.message
    assert raised.value.uri == uri


def test_the_reason_of_a_damaged_old_office_file_is_no_advice_to_programmers() -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + Random(0).randbytes(20_000)
    with pytest.raises(InputError) as raised:
        parse(source("a.xls", data))
    assert raised.value.message == "a.xls: this is a damaged OLE (old Office) file"


@pytest.mark.parametrize(
    ("uri", "data", "reason"),
    [
        ("noise.pdf", b"\0\xff" * 9, "this is not a valid PDF (it does not start with %PDF-)"),
        (
            "text.pdf",
            b"just text",
            "this is not a valid PDF (it does not start with %PDF-; it is plain text: name it",
        ),
        ("login.pdf", PAGE, "this is a web page, not a PDF: perhaps one to log in, or an error; download"),
        ("zero.pdf", b"", "this is an empty file (0 bytes), not a PDF"),
        ("zero.tar", b"", "this is an empty file (0 bytes), not an archive"),
        (
            "fake.docx",
            b"just text\n",
            "this is not a valid Word file (not a zip file; it is plain text: name it .txt)",
        ),
        ("noise.docx", b"\0\xff" * 9, "this is not a valid Word file (not a zip file)"),
        ("book.epub", PAGE, "this is a web page, not an EPUB"),
        ("a.xls", WORKBOOK_XML, "this is an Excel 2003 XML file, not an old Office file; save it as .xlsx"),
        ("half.docx", WORD[:40], "this is not a valid Word file (a zip file that is damaged, or holds"),
        (
            "other.xlsx",
            zipped("a.txt"),
            "this is not a valid Excel file (a zip file that is damaged, or holds",
        ),
        ("page.zip", b"<html>Not found</html>", "this is a web page, not an archive: perhaps one to log in"),
        ("noise.zip", b"\0\xff" * 9, "this is not an archive of a kind that is read"),
        (
            "old.doc",
            b"\0\xff" * 9,
            "this is not a valid old Office file (it does not start with D0 CF 11 E0)",
        ),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "damaged OLE (old Office) file"),
    ],
)
def test_a_file_that_is_not_what_its_name_promises_fails(uri: str, data: bytes, reason: str) -> None:
    with pytest.raises(InputError) as raised:
        parse(source(uri, data))
    assert not isinstance(raised.value, SkippedError)
    assert raised.value.message.startswith(f"{uri}: {reason}") or reason in raised.value.message


@pytest.mark.timeout(20)
def test_comments_before_a_page_take_no_time() -> None:
    """There are as many ways to part them as there are subsets, if a comment may go on over its end."""
    start = time.process_time()
    assert broken_promise("doc", b"<!---->" * 580 + b"x").startswith("this is not a valid old Office file")
    assert broken_promise("doc", b"<!-- a --> <!---->" * 100 + b"<html>").startswith("this is a web page")
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("uri", "data", "kind", "words"),
    [
        ("export.xls", PAGE, "html", ["The gate code changes."]),
        ("page.doc", b"\xef\xbb\xbf<!-- x -->\n<table><tr><td>a<td>b</table>", "html", ["a | b"]),
        ("wide.doc", "<HTML><p>Größe</p></HTML>".encode("utf-16"), "html", ["Größe"]),
        ("wiki.doc", MHTML, "mhtml", ["Valve 7 leaks."]),
        ("export.xls", b"Order\tPieces\n5001\t4\n5002\t19\n", "tsv", ["5001\t4", "5002\t19"]),
        ("export.xls", "Artikel;Stück\nBänke;4\nEimer;19\n".encode("cp1252"), "csv", ["Bänke;4", "Eimer;19"]),
        ("export.xlsx", "Order\tPieces\n5001\t4\n".encode("utf-16"), "tsv", ["5001\t4"]),
    ],
)
def test_web_exports_are_read_as_what_they_are(uri: str, data: bytes, kind: str, words: list[str]) -> None:
    document = parse(source(uri, data))
    assert document.type == kind
    assert [document.text[b.span.start : b.span.end] for b in document.blocks][-len(words) :] == words


@pytest.mark.parametrize("uri", ["a.docx", "a.doc", "a.xlsx", "a.pptx", "a.odt", "a.rtf"])
def test_an_office_file_without_bytes_is_empty(uri: str) -> None:
    assert parse(source(uri, b"")).blocks == ()


def test_a_page_saved_as_one_file_is_isolated_under_any_name() -> None:
    assert is_isolated("wiki.mhtml", MHTML) and is_isolated("wiki.doc", MHTML)
    assert not is_isolated("page.doc", PAGE) and not is_isolated("notes.txt", MHTML)


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
    assert "unseen" in parse(page, ParseConfig(hidden_html=True)).text


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
