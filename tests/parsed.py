"""What every document whose text is its own source must satisfy."""

from __future__ import annotations

from hashlib import sha256

from pincite.protocols import Source
from pincite.types import Block, Document, Place


def source(uri: str, text: str | bytes) -> Source:
    data = text.encode("utf-8") if isinstance(text, str) else text
    return Source(uri, data, sha256(data).hexdigest())


def slice_of(document: Document, block: Block) -> str:
    return document.text[block.span.start : block.span.end]


def texts(document: Document, kind: str | None = None) -> list[str]:
    """The blocks' slices, of one kind if given."""
    return [slice_of(document, block) for block in document.blocks if kind in (None, block.kind)]


def lines_of(document: Document, block: Block) -> tuple[int | None, int | None]:
    place = document.origins.place(block.span)
    return place.line_start, place.line_end


def reread(lines: list[str], place: Place) -> str:
    """The lines of a place, counted by LF alone, as `sed -n` prints them."""
    assert place.line_start is not None and place.line_end is not None
    return "\n".join(lines[place.line_start - 1 : place.line_end])


def assert_covered(document: Document) -> None:
    """Blocks are ordered, disjoint and not blank; they and `left_out` hold all text but white space."""
    text = document.text
    spans = sorted([b.span for b in document.blocks] + [cut.span for cut in document.left_out])
    at = 0
    for span in spans:
        assert at <= span.start < span.end <= len(text)
        assert not text[at : span.start].strip()
        assert text[span.start : span.end].strip()
        at = span.end
    assert not text[at:].strip()
    assert [b.span for b in document.blocks] == sorted(b.span for b in document.blocks)


def assert_sound(document: Document) -> None:
    """Blocks are ordered, disjoint and not blank; they and `left_out` hold all text but white space;
    the cited lines hold each block; headers and sections stand where they say."""
    text, lines = document.text, document.text.split("\n")
    assert_covered(document)
    for block in document.blocks:
        assert slice_of(document, block) in reread(lines, document.origins.place(block.span))
        assert -1 <= block.section < len(document.sections)
        if block.header_span is not None:
            assert text[block.header_span.start : block.header_span.end] == block.header
    for i, section in enumerate(document.sections):
        assert -1 <= section.parent < i
        assert section.span.holds(section.title_span)
        assert section.title and section.level >= 1
        if section.parent >= 0:
            parent = document.sections[section.parent]
            assert parent.span.holds(section.span) and parent.level < section.level
