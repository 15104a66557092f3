"""Pictures (PNG, JPEG, TIFF, GIF, WebP) to a `Document`: the text OCR reads on them, with page and box."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pincite.errors import InputError, MissingExtraError, SkippedError
from pincite.parse.scans.ocr import HINT, MAX_SIDE, Pixels, reader_for_a_file
from pincite.parse.writer import Writer
from pincite.protocols import Source
from pincite.types import Document, Losses

if TYPE_CHECKING:
    from PIL.Image import Image

    from pincite.parse.pdf.pages import Page
    from pincite.parse.scans.pages import Scan

MAX_PIXELS = 80_000_000  # of one picture
MAX_PAGES = 100
_FORMATS = ("PNG", "JPEG", "TIFF", "GIF", "WEBP")
_SCREEN = 96.0  # pixels an inch, where the file states none


def parse_image(source: Source, *, ocr: str = "") -> Document:
    """The document of a picture, read with `ocr`. Raises `SkippedError` without it.

    `MissingExtraError` says that what is configured is not installed, `InputError` that the file is damaged.
    """
    if not ocr:
        message = f"{source.uri}: an image; its text is read with OCR"
        raise SkippedError(f'{message}: {HINT} and parse.ocr = "rapidocr"', uri=source.uri)
    from pincite.parse.pdf.flow import make_flow
    from pincite.parse.pdf.written import write_flow
    from pincite.parse.scans.pages import confidence, read_scan, unsure_lines

    reader = reader_for_a_file(ocr)
    scans: list[Scan] = []
    pages: list[Page] = []
    dropped: list[str] = []
    for number, (pixels, scale) in enumerate(_pictures(source, dropped), 1):
        scan = read_scan(pixels, scale, number, reader, uri=source.uri)
        scans.append(scan)
        height, width = (side * scale for side in pixels.shape[:2])
        pages.append(_page(scan, width, height))
    writer = Writer()
    write_flow(writer, make_flow(pages, {}), pages)
    blank = tuple(scan.page for scan in scans if not scan.lines)
    losses = Losses(blank, 0, (*unsure_lines(scans), *dropped))
    return writer.finish(source, "image", meta=confidence(scans), losses=losses)


def _page(scan: Scan, width: float, height: float) -> Page:
    """The page a picture is, as the layout of PDFs takes it; sizes are points."""
    from pincite.parse.pdf.pages import Page

    return Page(
        number=scan.page,
        label=None,
        width=width,
        height=height,
        segments=scan.lines,
        marks=(),
        rules=(),
        unread=not scan.lines,
        pictures=0,
        cut=0,
    )


def _pictures(source: Source, dropped: list[str]) -> Iterator[tuple[Pixels, float]]:
    """The pictures of a file, one per page, with the size of a pixel in points."""
    try:
        from PIL import Image, ImageSequence
    except ImportError as error:
        message = "parse.ocr is set, but Pillow, which opens pictures, is not installed"
        raise MissingExtraError(message, stage="parse", hint=HINT) from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pixels: they are counted below
            with Image.open(io.BytesIO(source.data), formats=_FORMATS) as file:
                paged = file.format == "TIFF"
                for number, frame in enumerate(ImageSequence.Iterator(file), 1):
                    if number > MAX_PAGES:
                        dropped.append(f"pages after the {MAX_PAGES}th")
                        break
                    if number > 1 and not paged:
                        dropped.append("all but the first picture of an animation")
                        break
                    yield _pixels(frame, source.uri)
    except InputError:
        raise
    except Image.DecompressionBombError as error:
        raise _too_large(source.uri) from error
    except Exception as error:  # Pillow's readers raise a dozen kinds, by format
        raise InputError(f"{source.uri}: the picture is damaged ({error})", uri=source.uri) from error


def _pixels(frame: Image, uri: str) -> tuple[Pixels, float]:
    """The picture upright, on white, at most `MAX_SIDE` pixels long, and the size of a pixel in points."""
    from PIL import Image, ImageOps

    if frame.width * frame.height > MAX_PIXELS:
        raise _too_large(uri)
    stated = frame.info.get("dpi", (_SCREEN, _SCREEN))
    dpi = float(stated[0]) if isinstance(stated, tuple) and 30 <= float(stated[0]) <= 4800 else _SCREEN
    shown = ImageOps.exif_transpose(frame)
    if shown.mode in ("I;16", "I;16B", "I", "F"):
        shown = _eight_bits(shown)
    if shown.has_transparency_data:
        shown = shown.convert("RGBA")
        shown = Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown)
    longest = max(shown.size)
    shrunk = min(1.0, MAX_SIDE / longest)
    shown = shown.convert("RGB")
    if shrunk < 1:
        size = (max(1, round(shown.width * shrunk)), max(1, round(shown.height * shrunk)))
        shown = shown.resize(size, Image.Resampling.LANCZOS)
    return np.asarray(shown), 72 / dpi / shrunk


def _eight_bits(picture: Image) -> Image:
    """A picture of deeper grey values, its darkest made black and its lightest white."""
    from PIL import Image

    values = np.nan_to_num(np.asarray(picture, np.float64))
    low, high = values.min(), values.max()
    return Image.fromarray(np.round((values - low) / max(high - low, 1e-9) * 255).astype(np.uint8))


def _too_large(uri: str) -> InputError:
    return InputError(
        f"{uri}: the picture has more than {MAX_PIXELS / 1e6:.0f} million pixels (the limit)", uri=uri
    )
