"""Pictures: skipped without OCR; read with page, box and confidence with it; bounded, refused by name."""

from __future__ import annotations

import io
import shutil
import struct
import sys
import zlib
from importlib.util import find_spec
from pathlib import Path

import pytest

from extracted import assert_placed
from parsed import source
from pdf_files import at, pdf
from pincite.config import ParseConfig
from pincite.errors import InputError, MissingExtraError, SkippedError
from pincite.parse import parse
from pincite.parse.scans.ocr import TextLine, languages_of, load_reader
from pincite.parse.scans.pages import Scan, confidence, read_scan, unsure_lines
from pincite.types import Document

READERS = [
    pytest.param(
        "rapidocr",
        marks=pytest.mark.skipif(
            not (find_spec("rapidocr") and find_spec("PIL")), reason="pip install 'pincite[ocr]'"
        ),
    ),
    pytest.param(
        "tesseract",
        marks=pytest.mark.skipif(
            not (shutil.which("tesseract") and find_spec("PIL")), reason="no tesseract, or no Pillow"
        ),
    ),
]
WORDS = ["The harbour wall is seven metres high.", "It was built in 1904 by Ada Koray."]


def _read(uri: str, data: bytes, ocr: str) -> Document:
    document = parse(source(uri, data), ParseConfig(ocr=ocr))
    assert_placed(document)
    return document


def _drawn(*texts: str, format: str = "PNG", size: tuple[int, int] = (760, 400), **more: object) -> bytes:
    """A picture with a text on each page, black on white, two lines with a gap between them."""
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(36)
    pages = []
    for text in texts:
        page = Image.new("RGB", size, "white")
        for i, line in enumerate(text.split("\n")):
            ImageDraw.Draw(page).text((40, 40 + 50 * i), line, "black", font)
        pages.append(page)
    out = io.BytesIO()
    pages[0].save(out, format, save_all=len(pages) > 1, append_images=pages[1:], **more)  # type: ignore[arg-type]
    return out.getvalue()


def _png(width: int, height: int, rows: bytes = b"") -> bytes:
    """A PNG written by hand, of any stated size."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def test_a_picture_is_skipped_without_ocr_and_the_line_says_what_to_do() -> None:
    with pytest.raises(SkippedError) as error:
        parse(source("a.png", _png(1, 1, b"\0\0")))
    line = (
        "a.png: an image; its text is read with OCR: pip install 'pincite[ocr]' and parse.ocr = \"rapidocr\""
    )
    assert error.value.message == line


@pytest.mark.parametrize("ocr", READERS)
def test_a_picture_is_read_with_box_and_confidence(ocr: str) -> None:
    document = _read("a.png", _drawn("\n".join(WORDS), dpi=(144, 144)), ocr)
    assert document.text.split() == " ".join(WORDS).split()
    assert (document.type, len(document.blocks)) == ("image", 1)
    sure = document.meta["ocr_confidence"]
    assert isinstance(sure, float)
    assert 0.8 < sure <= 1
    assert not document.losses
    place = document.origins.place(document.blocks[0].span)
    assert (place.page, len(place.boxes)) == (1, 2)
    first, second = place.boxes
    assert abs(first.left - 20) < 4  # 40 pixels at 144 an inch
    assert first.bottom <= second.top + 4
    assert 15 <= first.top < first.bottom < 48


@pytest.mark.parametrize("ocr", READERS)
def test_pages_of_a_tiff_are_pages_and_blank_ones_are_named(ocr: str) -> None:
    data = _drawn(WORDS[0], "", WORDS[1], format="TIFF", compression="tiff_lzw")
    document = _read("a.tif", data, ocr)
    assert [document.origins.place(block.span).page for block in document.blocks] == [1, 3]
    assert document.losses.pages_without_text == (2,)


@pytest.mark.parametrize("ocr", READERS)
def test_of_an_animation_the_first_picture_is_read(ocr: str) -> None:
    document = _read("a.gif", _drawn(WORDS[0], WORDS[1], format="GIF"), ocr)
    assert document.text == WORDS[0]
    assert document.losses.dropped == ("all but the first picture of an animation",)


@pytest.mark.parametrize("ocr", READERS)
def test_text_on_nothing_and_turned_pictures_are_read(ocr: str) -> None:
    from PIL import Image, ImageDraw, ImageFont

    clear = Image.new("RGBA", (760, 400), (0, 0, 0, 0))
    ImageDraw.Draw(clear).text((40, 40), WORDS[0], (0, 0, 0, 255), ImageFont.load_default(36))
    out = io.BytesIO()
    clear.save(out, "WEBP", lossless=True)
    assert _read("a.webp", out.getvalue(), ocr).text == WORDS[0]
    turned, exif = Image.open(io.BytesIO(_drawn(WORDS[0]))).transpose(Image.Transpose.ROTATE_90), Image.Exif()
    exif[0x0112] = 6  # to be shown a quarter turned to the right
    out = io.BytesIO()
    turned.save(out, "JPEG", quality=95, exif=exif)
    assert _read("a.jpg", out.getvalue(), ocr).text == WORDS[0]


@pytest.mark.parametrize("ocr", READERS)
def test_the_same_picture_gives_the_same_document(ocr: str) -> None:
    data = _drawn("\n".join(WORDS))
    assert _read("a.png", data, ocr) == _read("a.png", data, ocr)


@pytest.mark.parametrize("ocr", READERS)
def test_pages_of_a_pdf_without_text_are_read_and_others_left_alone(ocr: str) -> None:
    data = _drawn(WORDS[0], "", WORDS[1], format="PDF", resolution=72)
    document = _read("a.pdf", data, ocr)
    assert {"harbour", "high.", "built", "1904"} <= set(document.text.split())
    places = [document.origins.place(block.span) for block in document.blocks]
    assert [place.page for place in places] == [1, 3]
    assert abs(places[0].boxes[0].left - 40) < 8  # a pixel is a point here
    assert document.losses.pages_without_text == (2,)
    assert document.meta["ocr_confidence"] > 0.8  # type: ignore[operator]
    assert _read("a.pdf", data, "").losses.pages_without_text == (1, 2, 3)


@pytest.mark.parametrize("ocr", READERS)
def test_a_stamp_on_a_page_where_ocr_finds_nothing_is_kept(ocr: str) -> None:
    picture = "q 600 0 0 780 6 6 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q\n"
    data = pdf(picture + at(72, 700, "Bates 000123", operators="1 1 1 rg"))  # white on white
    document = _read("a.pdf", data, ocr)
    assert document.text == "Bates 000123"
    assert document.losses.pages_without_text == (1,)


@pytest.mark.parametrize(
    ("installed", "read"),
    [
        (["osd", "eng"], "eng"),
        (["eng", "deu", "osd", "fra", ""], "deu+eng+fra"),
        ([], "eng"),
        ([f"l{n}" for n in range(9)], "eng"),
    ],
)
def test_tesseract_reads_the_languages_that_are_installed(installed: list[str], read: str) -> None:
    assert languages_of(installed) == read


def test_lines_of_low_confidence_are_named_and_noise_is_left_out() -> None:
    import numpy as np

    found = [
        TextLine("The wall", (10, 10, 200, 30), 0.98),
        TextLine("is hlgh", (10, 40, 200, 60), 0.6),
        TextLine("~~ .,", (10, 70, 200, 90), 0.2),
    ]
    scan = read_scan(np.zeros((1, 1, 3), np.uint8), 0.5, 4, lambda pixels: found, uri="a.png")
    assert [(line.text, line.box.top, line.box.page) for line in scan.lines] == [
        ("The wall", 5, 4),
        ("is hlgh", 20, 4),
    ]
    assert not any(line.rtl for line in scan.lines)
    hebrew = [TextLine("המשאבה עומדת 12", (10, 10, 200, 30), 0.98)]
    (line,) = read_scan(np.zeros((1, 1, 3), np.uint8), 0.5, 4, lambda pixels: hebrew, uri="a.png").lines
    assert line.rtl
    assert confidence([scan]) == {"ocr_confidence": 0.79}
    assert confidence([Scan(1, (), ())]) == {}
    assert unsure_lines([scan]) == (
        "page 4: may be read wrongly (0.60): is hlgh",
        "page 4: not readable, left out (0.20): ~~ .,",
    )
    many = Scan(1, (), ((0.1, "x"),) * 70)
    assert unsure_lines([many])[-1] == "20 more lines of low confidence"


@pytest.mark.parametrize("ocr", READERS)
def test_damaged_and_oversized_pictures_are_refused_by_name(ocr: str) -> None:
    for data, what in (
        (_png(20_000, 20_000), "more than 80 million pixels"),
        (_png(9_000, 9_000), "more than 80 million pixels"),
        (_png(100, 100), "the picture is damaged"),
        (_drawn(WORDS[0])[:300], "the picture is damaged"),
        (b"\xff\xd8\xff\xe0 no picture", "the picture is damaged"),
    ):
        with pytest.raises(InputError, match=f"a.png: {what}|a.png: the picture has {what}"):
            _read("a.png", data, ocr)


def test_what_is_configured_but_missing_is_an_error_with_the_line_that_mends_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    load_reader.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtraError) as error:
        load_reader("tesseract")
    assert "pip install 'pincite[ocr]'" in error.value.hint
    monkeypatch.setitem(sys.modules, "rapidocr", None)  # as Python does for what cannot be imported
    with pytest.raises(MissingExtraError) as error:
        load_reader("rapidocr")
    assert error.value.hint == "pip install 'pincite[ocr]'"
    load_reader.cache_clear()
