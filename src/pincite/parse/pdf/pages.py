"""The pages of an open PDF, each read once and closed: its segments, its notes, and whether it has text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pincite.errors import InputError
from pincite.parse.pdf.about import page_label
from pincite.parse.pdf.chars import Chars, read_chars
from pincite.parse.pdf.drawn import read_drawn
from pincite.parse.pdf.garbage import is_garbage, is_unclear
from pincite.parse.pdf.grid import Rule
from pincite.parse.pdf.lines import Line, find_segments
from pincite.parse.pdf.marks import Mark, open_form, read_marks

MAX_PAGES = 20_000
_FILLED = 0.7  # of the page: pictures that cover more of it are a scan if there is no more text than
_STAMP = 60  # letters and digits: a number or a name stamped on it
_UNCLEAR = 20  # characters in lines whose words are none: a page with as many has not been read


@dataclass(frozen=True, slots=True)
class Page:
    """One page: `unread` if something is shown on it but there is no text that can be read, or hardly any.

    `rules` are its level lines, `uprights` its upright ones; `pictures` counts the large ones that are left
    behind, `cut` the characters over the limit, `unknown` those whose meaning the file does not tell.
    """

    number: int
    label: str | None
    width: float
    height: float
    segments: tuple[Line, ...]
    marks: tuple[Mark, ...]
    rules: tuple[Rule, ...]
    unread: bool
    pictures: int
    cut: int
    unknown: int = 0
    damaged: bool = False
    uprights: tuple[Rule, ...] = ()


def read_pages(document: Any, uri: str) -> Iterator[Page]:
    """The pages from the first one on, up to `MAX_PAGES`. A page that is damaged counts as unread."""
    import pypdfium2.raw as pdfium

    count = pdfium.FPDF_GetPageCount(document)
    if count < 1:
        raise InputError(f"{uri}: this PDF has no pages", uri=uri)
    with open_form(document) as form:
        for index in range(min(count, MAX_PAGES)):
            label = page_label(document, index)
            page = pdfium.FPDF_LoadPage(document, index)
            if not page:
                yield Page(index + 1, label, 0, 0, (), (), (), True, 0, 0, damaged=True)
                continue
            try:
                yield _read_page(page, form, index + 1, label)
            finally:
                pdfium.FPDF_ClosePage(page)


def _read_page(page: Any, form: Any, number: int, label: str | None) -> Page:
    import pypdfium2.raw as pdfium

    chars = read_chars(page)
    drawn = read_drawn(page)
    found = [] if is_garbage(chars) else find_segments(chars, number, drawn.upright)
    segments = [line for line in found if not is_unclear(line)]
    unclear = sum(len(line.text) for line in found if len(line.text) > 3 and is_unclear(line))  # no bullets
    marks = read_marks(page, form, number)
    scanned = any(style.invisible for style in chars.styles)
    unread = not segments and pdfium.FPDFPage_CountObjects(page) > 0
    unread = (
        unread
        or unclear >= _UNCLEAR
        or (not scanned and drawn.covered > _FILLED and _n_letters(segments) < _STAMP)
    )
    return Page(
        number=number,
        label=label,
        width=chars.width,
        height=chars.height,
        segments=tuple(segments),
        marks=tuple(marks),
        rules=tuple(map(tuple, drawn.level.tolist())),
        unread=unread,
        pictures=0 if scanned else drawn.pictures,
        cut=chars.cut,
        unknown=_n_unknown(chars),
        uprights=tuple(map(tuple, drawn.upright.tolist())),
    )


def _n_letters(segments: list[Line]) -> int:
    return sum(char.isalnum() for line in segments for char in line.text)


def _n_unknown(chars: Chars) -> int:
    """How many characters have no meaning: those of private use, but for the signs of symbol fonts."""
    codes = chars.codes
    private = (codes >= 0xE000) & (codes <= 0xF8FF) & ((codes < 0xF000) | (codes > 0xF0FF))
    return int((private | (codes == 0xFFFD) | (codes >= 0xF0000)).sum())
