"""EPUB: chapters in the order of the spine, titles from the contents, anchors as places, locks by name."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest

from extracted import headings_of, parts_of, read
from parsed import source
from pincite.errors import InputError
from pincite.parse.epub import parse_epub
from pincite.types import Document

CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>"""
META = """<dc:title>Harbour Lights</dc:title><dc:creator>Ada Koray</dc:creator>
<dc:creator>B. Lund</dc:creator>
<dc:language>en-GB</dc:language><dc:date>2019-04-05</dc:date><dc:subject>Lighthouses</dc:subject>
<dc:description>&lt;p&gt;On lamps.&lt;/p&gt;</dc:description>
<meta property="dcterms:modified">2020-01-02T03:04:05Z</meta>"""
NAV = """<html xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><h1>Contents</h1><ol>
<li><a href="ch1.xhtml">The Lamp</a><ol><li><a href="ch1.xhtml#oil">Oil</a></li></ol></li>
<li><a href="text%20two.xhtml">The <i>Keeper</i></a></li></ol></nav></body></html>"""
ONE = """<html><head><title>x</title></head><body><section id="s1"><h1 id="top">The Lamp</h1>
<p>It burns<a href="#fn1" epub:type="noteref">1</a>
all night.</p></section><section id="oil"><h1>Oil</h1><p id="whale">Whale oil.</p>
<img src="a.png" alt="A cask"/>
<table><caption>Use</caption><tr><th>year</th><th>gallons</th></tr><tr><td>1850</td><td>90</td></tr></table>
</section><aside id="fn1" epub:type="footnote"><p>1. In winter.</p></aside></body></html>"""
TWO = "<html><body><p>He climbs <b>the</b> stairs.</p><p>Twice.</p></body></html>"


def _page(name: str, n: int) -> str:
    return f'<item id="p{n}" href="{name}" media-type="application/xhtml+xml"/>'


def _opf(pages: list[str], more: str = "", toc: str = "") -> str:
    items = "".join(_page(name, n) for n, name in enumerate(pages))
    refs = "".join(f'<itemref idref="p{n}"/>' for n in range(len(pages)))
    return (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<metadata>{META}</metadata><manifest>{items}{more}</manifest><spine {toc}>{refs}</spine></package>"
    )


def _zip(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for name, text in files.items():
            book.writestr(name, text)
    return out.getvalue()


NAV_ITEM = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
BOOK = {
    "META-INF/container.xml": CONTAINER,
    "OEBPS/book.opf": _opf(["ch1.xhtml", "text%20two.xhtml"], NAV_ITEM),
    "OEBPS/nav.xhtml": NAV,
    "OEBPS/text two.xhtml": TWO,
    "OEBPS/ch1.xhtml": ONE,
}


def _book(**changes: str) -> Document:
    return read("a.epub", _zip({**BOOK, **changes}))


def test_chapters_follow_the_spine_with_their_file_and_anchor() -> None:
    assert parts_of(_book()) == [
        ("heading", "ch1.xhtml#top", "The Lamp"),
        ("paragraph", "ch1.xhtml#top", "It burns1 all night."),
        ("heading", "ch1.xhtml#oil", "Oil"),
        ("paragraph", "ch1.xhtml#oil", "Whale oil."),
        ("paragraph", "ch1.xhtml#oil", "A cask"),
        ("paragraph", "ch1.xhtml#oil", "Use"),
        ("table", "ch1.xhtml#oil", "year | gallons"),
        ("row", "ch1.xhtml#oil", "1850 | 90"),
        ("paragraph", "ch1.xhtml#fn1", "1. In winter."),
        ("heading", "ch1.xhtml#fn1", "The Keeper"),
        ("paragraph", "text two.xhtml", "He climbs the stairs."),
        ("paragraph", "text two.xhtml", "Twice."),
    ]


def test_an_anchor_of_a_paragraph_is_no_place_unless_the_contents_lead_to_it() -> None:
    assert ("paragraph", "ch1.xhtml#oil", "Whale oil.") in parts_of(_book())
    led = _book(**{"OEBPS/nav.xhtml": NAV.replace("ch1.xhtml#oil", "ch1.xhtml#whale")})
    assert ("paragraph", "ch1.xhtml#whale", "Whale oil.") in parts_of(led)


def test_the_contents_give_levels_and_missing_titles() -> None:
    document = _book()
    assert headings_of(document) == [(1, "The Lamp"), (2, "Oil"), (1, "The Keeper")]
    row = document.blocks[7]
    assert row.header == "Use\nyear | gallons" and row.header_span is not None


def test_metadata_is_that_of_the_package() -> None:
    document = _book()
    assert (document.title, document.language, document.type) == ("Harbour Lights", "en", "epub")
    assert document.meta == {
        "author": ("Ada Koray", "B. Lund"),
        "keywords": ("Lighthouses",),
        "description": "On lamps.",
        "date": date(2019, 4, 5),
        "modified_date": date(2020, 1, 2),
    }
    assert document.losses.dropped == ("ch1.xhtml: 1 image",)


def test_an_older_book_has_its_contents_in_an_ncx() -> None:
    ncx = (
        '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd">'
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>Part I</text>'
        '</navLabel><content src="ch1.xhtml"/><navPoint><navLabel><text>Night</text></navLabel>'
        '<content src="ch1.xhtml#n"/></navPoint></navPoint></navMap></ncx>'
    )
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    document = _book(
        **{
            "OEBPS/book.opf": _opf(["ch1.xhtml"], item, 'toc="ncx"'),
            "OEBPS/toc.ncx": ncx,
            "OEBPS/ch1.xhtml": '<p>Part I</p><p>Dusk.<p><a id="n"/>Night<p>Dark.<h3>Later</h3><p>End.',
        }
    )
    assert headings_of(document) == [(1, "Part I"), (2, "Night"), (3, "Later")]
    assert [where for _, where, _ in parts_of(document)][-3:] == ["ch1.xhtml#n"] * 3


def test_what_the_spine_names_and_cannot_be_read_is_dropped_by_name() -> None:
    svg = '<item id="p9" href="cover.svg" media-type="image/svg+xml"/>'
    opf = _opf(["gone.xhtml", "ch1.xhtml"], svg).replace("</spine>", '<itemref idref="p9"/></spine>')
    document = _book(**{"OEBPS/book.opf": opf, "OEBPS/cover.svg": "<svg/>", "OEBPS/ch1.xhtml": TWO})
    assert document.losses.dropped == (
        "gone.xhtml: named in the spine, but not in the file",
        "cover.svg: not a page of text (image/svg+xml)",
    )


def test_navigation_in_the_spine_is_left_out() -> None:
    document = _book(**{"OEBPS/book.opf": _opf(["nav.xhtml", "text%20two.xhtml"])})
    assert {part.reason for part in document.left_out} == {"navigation"}
    assert [text for _, _, text in parts_of(document)] == ["He climbs the stairs.", "Twice."]


LOCK = """<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">
<e:EncryptedData><e:EncryptionMethod Algorithm="{how}"/><e:CipherData><e:CipherReference URI="{what}"/>
</e:CipherData></e:EncryptedData></encryption>"""
AES = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"


def test_a_book_under_drm_is_refused_by_name() -> None:
    lock = LOCK.format(how=AES, what="OEBPS/ch1.xhtml")
    with pytest.raises(InputError, match=r"^a\.epub: the chapters of this EPUB are encrypted \(protected"):
        _book(**{"META-INF/encryption.xml": lock})
    with pytest.raises(InputError, match=r"protected with DRM \(Adobe ADEPT\); it cannot be read"):
        _book(**{"META-INF/encryption.xml": lock, "META-INF/rights.xml": "<rights/>"})


def test_a_book_whose_fonts_are_obfuscated_is_read() -> None:
    fonts = LOCK.format(how="http://www.idpf.org/2008/embedding", what="OEBPS/a.otf")
    assert _book(**{"META-INF/encryption.xml": fonts}).title == "Harbour Lights"


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("META-INF/container.xml", "<container/>", ""),
        ("OEBPS/book.opf", "<package/>", "names no chapters in the spine of OEBPS/book.opf"),
        ("OEBPS/book.opf", '<!DOCTYPE p [<!ENTITY x "y">]><package>&x;</package>', "entities of its own"),
    ],
)
def test_damaged_and_hostile_books_are_refused_with_the_reason(name: str, text: str, reason: str) -> None:
    if not reason:  # the package is found without its container
        assert _book(**{name: text}).title == "Harbour Lights"
        return
    with pytest.raises(InputError, match=reason):
        _book(**{name: text})


def test_a_chapter_that_is_damaged_or_made_to_fill_the_memory_costs_itself_only() -> None:
    bomb = _book(**{"OEBPS/ch1.xhtml": "A" * 30_000_000})
    assert [text for _, _, text in parts_of(bomb)][-2:] == ["He climbs the stairs.", "Twice."]
    (dropped,) = bomb.losses.dropped
    assert dropped.startswith("OEBPS/ch1.xhtml grows to more than 200 times its size (the limit)")
    data = bytearray(_zip(BOOK))
    start = data.index(b"OEBPS/ch1.xhtml") + len("OEBPS/ch1.xhtml")
    data[start + 4 : start + 12] = b"\xff" * 8
    damaged = read("a.epub", bytes(data))
    assert damaged.losses.dropped[0].startswith("OEBPS/ch1.xhtml is damaged")
    assert "He climbs the stairs." in damaged.text


def test_truncated_and_empty_files_are_refused() -> None:
    with pytest.raises(InputError, match="empty file"):
        read("a.epub", b"")
    with pytest.raises(InputError, match="not a readable zip file"):
        parse_epub(source("a.epub", _zip(BOOK)[:900]))
    with pytest.raises(InputError, match="no package file"):
        read("b.epub", _zip({"a.txt": "words"}))


def test_a_member_without_a_name_is_passed() -> None:
    data = _zip({**BOOK, "x": "nameless"})
    at = data.rindex(b"PK\x01\x02")  # the directory's entry of the last member
    length = 1
    assert data[at + 28] == length
    damaged = data[: at + 28] + b"\0\0" + data[at + 30 : at + 46] + data[at + 47 :]
    end = damaged.rindex(b"PK\x05\x06")
    size = int.from_bytes(damaged[end + 12 : end + 16], "little") - length
    whole = damaged[: end + 12] + size.to_bytes(4, "little") + damaged[end + 16 :]
    assert read("a.epub", whole).title == "Harbour Lights"
