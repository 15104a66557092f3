"""PDF: characters → segments → columns → blocks → roles → one flow, written with the place of every line."""

from __future__ import annotations

from pincite.parse.pdf.about import carried_along, read_language, read_meta, read_outline, read_title
from pincite.parse.pdf.flow import make_flow
from pincite.parse.pdf.ligatures import mend_ligatures
from pincite.parse.pdf.opening import open_pdf
from pincite.parse.pdf.pages import MAX_PAGES, Page, read_pages
from pincite.parse.pdf.written import write_flow
from pincite.parse.writer import Writer
from pincite.protocols import Source
from pincite.types import Document, Losses


def parse_pdf(source: Source, *, ocr: str = "", password_file: str = "") -> Document:
    """The document of a PDF. Raises `InputError` for one that is locked, damaged or empty.

    `ocr` is the name of what reads pages without text; `password_file` holds passwords to try, one a line.
    """
    import pypdfium2.raw as pdfium

    from pincite.parse.pdf.scanned import read_scanned
    from pincite.parse.scans.pages import confidence, unsure_lines

    with open_pdf(source, password_file) as document:
        n_pages = pdfium.FPDF_GetPageCount(document)
        pages = mend_ligatures(list(read_pages(document, source.uri)))
        meta, unsure = read_meta(document), tuple[str, ...]()
        if ocr and pages_without_text(pages):
            pages, scans = read_scanned(document, pages, ocr, source.uri)
            meta, unsure = {**meta, **confidence(scans)}, unsure_lines(scans)
        writer = Writer()
        write_flow(writer, make_flow(pages, read_outline(document)), pages)
        return writer.finish(
            source,
            "pdf",
            title=read_title(document),
            meta=meta,
            language=read_language(document),
            losses=_losses(pages, n_pages, [*unsure, *carried_along(document)]),
        )


def pages_without_text(pages: list[Page]) -> tuple[int, ...]:
    """The numbers of the pages that show something but have no text: what OCR would have to read."""
    return tuple(page.number for page in pages if page.unread)


def _losses(pages: list[Page], n_pages: int, carried: list[str]) -> Losses:
    """What was left behind, in the order of the file."""
    named = [f"page {page.number}: {left}" for page in pages if (left := _left_behind(page))]
    beyond = (
        [f"pages {MAX_PAGES + 1} to {n_pages}: over the limit of {MAX_PAGES:,}"]
        if n_pages > MAX_PAGES
        else []
    )
    pinned = [
        f"page {page.number}: attachment {mark.attached}"
        for page in pages
        for mark in page.marks
        if mark.attached
    ]
    cut = sum(page.cut for page in pages)
    return Losses(pages_without_text(pages), cut, (*named, *pinned, *beyond, *carried))


def _left_behind(page: Page) -> str:
    """What of a page was not read besides its text."""
    if page.damaged:
        return "it is damaged"
    if page.unread:
        return ""
    if page.unknown > 4:
        return f"{page.unknown} characters whose meaning the file does not tell"
    if not page.pictures:
        return ""
    return "a large picture" if page.pictures == 1 else f"{page.pictures} large pictures"
