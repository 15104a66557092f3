"""What every document read from HTML must satisfy."""

from __future__ import annotations

from html import unescape
from itertools import pairwise

from parsed import source
from pincite.parse.html import parse_html
from pincite.types import Document, RunOrigins

RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")  # raised digits stand in the source as digits


def page_of(page: str, *, hidden: bool = False, main: bool = False) -> Document:
    document = parse_html(source("a.html", page), hidden_html=hidden, main_content=main)
    assert_sound(document, page)
    return document


def kinds(document: Document) -> list[tuple[str, str]]:
    return [(b.kind, document.text[b.span.start : b.span.end]) for b in document.blocks]


def left(document: Document) -> list[tuple[str, str]]:
    return [(one.reason, document.text[one.span.start : one.span.end]) for one in document.left_out]


def assert_sound(document: Document, page: str) -> None:
    """Blocks and what is left out are ordered, disjoint and hold all text; runs stand on their lines."""
    text, lines = document.text, page.split("\n")
    spans = sorted([*(b.span for b in document.blocks), *(left.span for left in document.left_out)])
    assert all(one.end <= two.start for one, two in pairwise(spans))
    ends = [0, *(s.end for s in spans)]
    starts = [*(s.start for s in spans), len(text)]
    assert all(not text[end:start].strip() for end, start in zip(ends, starts, strict=True))
    assert all(text[s.start : s.end].strip() for s in spans)
    assert isinstance(document.origins, RunOrigins)
    assert all(one.span.end <= two.span.start for one, two in pairwise(document.origins.runs))
    for run in document.origins.runs:
        line = run.place.line_start
        assert line is not None and line == run.place.line_end
        seen = iter(unescape(lines[line - 1]))  # the run's characters stand there in order, between tags
        shown = text[run.span.start : run.span.end].replace("|", "").translate(RAISED)
        assert all(ch in seen for ch in shown if ch.strip())
    for block in document.blocks:
        if block.header_span:
            assert text[block.header_span.start : block.header_span.end] == block.header
