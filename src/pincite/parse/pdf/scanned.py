"""Pages of a PDF that are pictures: shown as pixels and read with OCR, in place of the text they lack."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pincite.parse.pdf.pages import Page
from pincite.parse.scans.ocr import MAX_SIDE, Pixels, reader_for_a_file
from pincite.parse.scans.pages import Scan, read_scan

_DPI = 300  # of the picture that is read, where that is not too large
_WHITE = 0xFFFFFFFF


def read_scanned(document: Any, pages: Sequence[Page], ocr: str, uri: str) -> tuple[list[Page], list[Scan]]:
    """The pages, those without text with the lines OCR finds, and what it found on each of those.

    A page on which it finds none keeps the little text it has.
    """
    reader = reader_for_a_file(ocr)
    read: list[Page] = []
    scans: list[Scan] = []
    for page in pages:
        picture = _picture(document, page) if page.unread and not page.damaged else None
        if picture is None:
            read.append(page)
            continue
        pixels, scale = picture
        scan = read_scan(pixels, scale, page.number, reader, uri=uri)
        scans.append(scan)
        read.append(replace(page, segments=scan.lines, unread=False) if scan.lines else page)
    return read, scans


def _picture(document: Any, page: Page) -> tuple[Pixels, float] | None:
    """The page as it is shown, and the size of a pixel in points; None for one that cannot be shown."""
    import pypdfium2.raw as pdfium

    if page.width < 1 or page.height < 1:
        return None
    scale = min(_DPI / 72, MAX_SIDE / max(page.width, page.height))
    width, height = max(1, round(page.width * scale)), max(1, round(page.height * scale))
    handle = pdfium.FPDF_LoadPage(document, page.number - 1)
    bitmap = pdfium.FPDFBitmap_Create(width, height, 0) if handle else None
    try:
        if not bitmap:
            return None
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, _WHITE)
        pdfium.FPDF_RenderPageBitmap(bitmap, handle, 0, 0, width, height, 0, 0)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        start = ctypes.cast(pdfium.FPDFBitmap_GetBuffer(bitmap), ctypes.POINTER(ctypes.c_uint8))
        rows = np.ctypeslib.as_array(start, (height, stride))[:, : width * 4]
        return rows.reshape(height, width, 4)[..., 2::-1].copy(), 1 / scale
    finally:
        if bitmap:
            pdfium.FPDFBitmap_Destroy(bitmap)
        if handle:
            pdfium.FPDF_ClosePage(handle)
