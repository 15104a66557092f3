"""A page of a PDF to its characters: each with its box on the page as shown, and its style."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.parse.pdf.library import address, code_point, loose_box, text_object
from pincite.parse.pdf.unmapped import without_glyph_numbers

MAX_CHARS = 200_000  # of one page; what is beyond is counted as cut
_BOLD_NAME = re.compile(r"bold|black|heavy|demi|(?:cm|ec|sf)bx|medi(?:ital)?$|-bd|\bhv\b")
_FIXED_NAME = re.compile(r"mono|courier|consolas|typewriter|(?:cm|sf|ec)tt\d")
_FORCE_BOLD, _FIXED, _ITALIC = 1 << 18, 1, 1 << 6
SLANTED = 4  # the `turn` of text that runs at another angle than the page's edges
_SKEW = 12.0  # degrees a line may be off, as on a page that was scanned askew

Fonts = dict[int, tuple[bool, bool, bool]]
"""By the address of a font: whether it is bold, of one width, and italic."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Style:
    """How a text object is set. `turn` is the direction its lines run in: 0 right, 1 down, 2 left, 3 up;
    `SLANTED` for all others.

    `invisible` text is what OCR lays over a scan.
    """

    size: float
    bold: bool
    fixed: bool
    turn: int
    italic: bool = False
    invisible: bool = False


@dataclass(frozen=True, slots=True)
class Chars:
    """The characters of one page in the order of the file.

    `boxes` is float64[n, 4]: left, top, right, bottom in points from the top left of the page as shown;
    `styles[style[i]]` is how character i is set; `cut` counts the characters over the limit.
    """

    text: str
    codes: Ints
    boxes: Floats
    style: Ints
    styles: tuple[Style, ...]
    width: float
    height: float
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of a page that is shown, in the page's own coordinates (y upwards), and its rotation."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int  # quarter turns clockwise

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the page as shown."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.turns % 2 else (width, height)

    def shown(self, boxes: Floats) -> Floats:
        """Boxes (left, bottom, right, top of the page's own coordinates) on the page as shown."""
        left, bottom, right, top = boxes[:, 0], boxes[:, 1], boxes[:, 2], boxes[:, 3]
        if self.turns == 0:
            columns = (left - self.left, self.top - top, right - self.left, self.top - bottom)
        elif self.turns == 1:
            columns = (bottom - self.bottom, left - self.left, top - self.bottom, right - self.left)
        elif self.turns == 2:
            columns = (self.right - right, bottom - self.bottom, self.right - left, top - self.bottom)
        else:
            columns = (self.top - top, self.right - right, self.top - bottom, self.right - left)
        return np.stack(columns, axis=1)


def page_frame(page: Any) -> Frame:
    """What is shown of a page."""
    import pypdfium2.raw as pdfium

    box = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, box)
    return Frame(box.left, box.bottom, box.right, box.top, pdfium.FPDFPage_GetRotation(page) % 4)


def read_chars(page: Any) -> Chars:
    """The characters of a page of pypdfium2's raw API."""
    import pypdfium2.raw as pdfium

    frame = page_frame(page)
    handle = pdfium.FPDFText_LoadPage(page)
    if not handle:
        return _no_chars(frame)
    try:
        found = max(0, pdfium.FPDFText_CountChars(handle))
        count = min(found, MAX_CHARS)
        if not count:
            return _no_chars(frame)
        text, codes = _text(address(handle), handle, count)
        boxes = frame.shown(_boxes(address(handle), count))
        style, styles = _styles(handle, count, frame.turns)
    finally:
        pdfium.FPDFText_ClosePage(handle)
    return Chars(text, codes, boxes, style, styles, *frame.size, found - count)


def _no_chars(frame: Frame) -> Chars:
    none = np.zeros(0, np.int64)
    return Chars("", none, np.zeros((0, 4)), none, (), *frame.size)


def _text(at: int, handle: Any, count: int) -> tuple[str, Ints]:
    """The characters and their codes, one for each index; U+FFFD for those the file does not explain."""
    text = _given_text(at, handle, count)
    given = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    codes = without_glyph_numbers(at, given)
    return (text if codes is given else "".join(map(chr, codes.tolist()))), codes


def _given_text(at: int, handle: Any, count: int) -> str:
    """The characters as PDFium hands them out."""
    import pypdfium2.raw as pdfium

    buffer = (ctypes.c_ushort * (2 * count + 2))()
    units = pdfium.FPDFText_GetText(handle, 0, count, buffer)
    text = bytes(buffer)[: 2 * max(0, units - 1)].decode("utf-16-le", "surrogatepass")
    if len(text) == count:
        return text
    codes = map(code_point(), repeat(at), range(count))
    return "".join(chr(code) if code < 0x110000 else "\ufffd" for code in codes)


def _boxes(at: int, count: int) -> Floats:
    """float64[n, 4]: left, bottom, right, top of each character in the page's own coordinates."""
    floats = np.zeros((count, 4), np.float32)
    start = floats.ctypes.data
    list(map(loose_box(), repeat(at), range(count), range(start, start + 16 * count, 16)))
    boxes = np.nan_to_num(floats.astype(np.float64), posinf=0, neginf=0)
    return boxes[:, (0, 3, 2, 1)]


def _styles(handle: Any, count: int, turns: int) -> tuple[Ints, tuple[Style, ...]]:
    """The number of each character's style, and the styles; made-up characters take the one before."""
    objects = list(map(text_object(), repeat(address(handle)), range(count)))
    styles: dict[Style, int] = {}
    known: dict[int | None, int] = {None: 0}
    fonts: Fonts = {}  # of this page: when it is closed, another font may get the address
    numbers = []
    last = 0
    for i, at in enumerate(objects):
        if at is not None and at not in known:
            style = _style(handle, i, at, turns, fonts)
            known[at] = styles.setdefault(style, len(styles))
        last = last if at is None else known[at]
        numbers.append(last)
    return np.array(numbers, np.int64), tuple(styles) or (Style(10.0, False, False, 0),)


def _style(handle: Any, index: int, at: int, turns: int, fonts: Fonts) -> Style:
    import pypdfium2.raw as pdfium

    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(handle, index, matrix)
    size = pdfium.FPDFText_GetFontSize(handle, index) or 1.0
    scale = float(np.hypot(matrix.c, matrix.d)) or 1.0
    angle = float(np.degrees(np.arctan2(matrix.b, matrix.a)))  # anticlockwise
    if size < 0:
        angle += 180
    item = ctypes.cast(at, pdfium.FPDF_PAGEOBJECT)
    font = pdfium.FPDFTextObj_GetFont(item)
    key = address(font)
    if key not in fonts:
        fonts[key] = _font(font) if font else (False, False, False)
    bold, fixed, italic = fonts[key]
    quarter = round(-angle / 90)
    turn = (quarter + turns) % 4 if abs(angle + 90 * quarter) <= _SKEW else SLANTED
    invisible = pdfium.FPDFTextObj_GetTextRenderMode(item) == pdfium.FPDF_TEXTRENDERMODE_INVISIBLE
    return Style(round(min(abs(size) * scale, 2000.0), 1), bold, fixed, turn, italic, invisible)


def _font(font: Any) -> tuple[bool, bool, bool]:
    """Whether a font is bold, whether its characters are of one width, and whether it is italic."""
    import pypdfium2.raw as pdfium

    buffer = ctypes.create_string_buffer(256)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, 256)
    name = buffer.value.decode("latin-1").lower()
    flags = max(0, pdfium.FPDFFont_GetFlags(font))
    bold = pdfium.FPDFFont_GetWeight(font) >= 600 or bool(flags & _FORCE_BOLD)
    bold = bold or _BOLD_NAME.search(name) is not None
    fixed = bool(flags & _FIXED) or _FIXED_NAME.search(name) is not None
    return bold, fixed, bool(flags & _ITALIC) or "italic" in name or "oblique" in name
