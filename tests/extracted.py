"""What every document whose text is extracted from its file must satisfy."""

from __future__ import annotations

from parsed import assert_covered, source
from pincite.parse import parse
from pincite.types import Document, RunOrigins


def read(uri: str, data: str | bytes) -> Document:
    """The document of a file, checked to be sound."""
    document = parse(source(uri, data))
    assert_placed(document)
    return document


def assert_placed(document: Document) -> None:
    """Blocks are ordered, disjoint and not blank; they and `left_out` hold all text but white space;
    headers stand where they say; runs are ordered, each with a line, a page or a part."""
    text = document.text
    assert_covered(document)
    for block in document.blocks:
        assert -1 <= block.section < len(document.sections)
        if block.header_span is not None:
            assert text[block.header_span.start : block.header_span.end] == block.header
    assert isinstance(document.origins, RunOrigins)
    at = 0
    for run in document.origins.runs:
        assert at <= run.span.start <= run.span.end <= len(text)
        assert not text or run.place.line_start or run.place.page or run.place.part
        at = run.span.end


def parts_of(document: Document) -> list[tuple[str, str, str]]:
    """Kind, place as a person reads it and text of each block."""
    found = []
    for block in document.blocks:
        place = document.origins.place(block.span)
        lines = f"{place.line_start}-{place.line_end}" if place.line_start else ""
        where = " ".join(part for part in (place.part or "", lines) if part)
        found.append((block.kind, where, document.text[block.span.start : block.span.end]))
    return found


def headings_of(document: Document) -> list[tuple[int, str]]:
    """Level and title of each section."""
    return [(section.level, section.title) for section in document.sections]
