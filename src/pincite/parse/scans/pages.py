"""Pages that are pictures: read with OCR into the lines the layout of PDFs starts from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.errors import InputError
from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.repairs import runs_left
from pincite.parse.scans.ocr import Pixels, Reader, TextLine
from pincite.types import Box, MetaValue

UNREADABLE = 0.5  # lines with less confidence are noise more often than text: named, not kept
UNSURE = 0.75  # lines with less are kept, and named
_NAMED = 50  # lines of one document that are named
_SHOWN = 60  # characters of one
_ALIKE = (0.7, 1.4)  # heights of lines, to that of most, which are taken for one type size
_EM = 0.8  # type size to height of a line's box


@dataclass(frozen=True, slots=True)
class Scan:
    """A page read with OCR: its lines, and how sure the reader was of each it found, with the text."""

    page: int
    lines: tuple[Line, ...]
    found: tuple[tuple[float, str], ...]


def read_scan(pixels: Pixels, scale: float, page: int, reader: Reader, *, uri: str) -> Scan:
    """The page shown in a picture; `scale` is the size of a pixel in points. Raises `InputError`."""
    try:
        found = reader(pixels)
    except InputError as error:
        raise InputError(f"{uri}: page {page}: {error.message}", uri=uri, page=page) from error
    kept = [one for one in found if one.confidence >= UNREADABLE]
    usual = _usual_height(kept)
    lines = tuple(_line(one, scale, page, usual) for one in kept)
    return Scan(page, lines, tuple((one.confidence, one.text) for one in found))


def _usual_height(lines: Sequence[TextLine]) -> float:
    """The height, in pixels, of the line in the middle of all letters; 0 without lines."""
    by_height = sorted((one.box[3] - one.box[1], len(one.text)) for one in lines)
    half = sum(letters for _, letters in by_height) / 2
    for height, letters in by_height:
        half -= letters
        if half <= 0:
            return height
    return 0.0


def confidence(scans: Iterable[Scan]) -> dict[str, MetaValue]:
    """`ocr_confidence`: that of the lines that are kept, on average, to 2 places; empty if there is none."""
    sure = [confidence for scan in scans for confidence, _ in scan.found if confidence >= UNREADABLE]
    return {"ocr_confidence": round(sum(sure) / len(sure), 2)} if sure else {}


def unsure_lines(scans: Sequence[Scan]) -> tuple[str, ...]:
    """The lines that may be read wrongly and those that are left out, with page and confidence."""
    named = [_named(scan.page, sure, text) for scan in scans for sure, text in scan.found if sure < UNSURE]
    more = len(named) - _NAMED
    return (*named[:_NAMED], f"{more:,} more lines of low confidence") if more > 0 else tuple(named)


def _named(page: int, confidence: float, text: str) -> str:
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    what = "not readable, left out" if confidence < UNREADABLE else "may be read wrongly"
    return f"page {page}: {what} ({confidence:.2f}): {shown}"


def _line(one: TextLine, scale: float, page: int, usual: float) -> Line:
    """A line of the layout. Heights of boxes vary with the letters in them, so near ones are made equal."""
    left, top, right, bottom = (side * scale for side in one.box)
    height = one.box[3] - one.box[1]
    alike = _ALIKE[0] * usual <= height <= _ALIKE[1] * usual
    size = (usual if alike else height) * scale * _EM
    box = Box(round(left, 2), round(top, 2), round(right, 2), round(bottom, 2), page)
    codes = np.array([ord(char) for char in one.text], np.int64)
    rtl = 2 * int(runs_left(codes).sum()) > len(one.text.replace(" ", ""))
    return Line(one.text, left, top, right, bottom, size, False, False, 0, rtl, box)
