"""Very large Markdown, line by line: headings, fences and blank-line paragraphs, in linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.parse.build import Heading, paragraph_spans, trim
from pincite.types import BlockKind, Span

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]|\r?$)")
_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_MAX_TITLE = 2_000


def scan_lines(text: str, start: int) -> Iterator[tuple[BlockKind, Span, Heading | None]]:
    """Blocks of `text` from `start` on, in order, with the heading where one starts.

    Tables, lists and quotes are not told apart here: they are paragraphs.
    """
    fence, at = "", start  # the open fence's marks; where the text not yet given out starts
    for line in _line_spans(text, start):
        mark = _FENCE.match(text, line.start, min(line.end, line.start + 200))
        if fence:
            if _closes(text, line, mark, fence):
                yield "code", trim(text, at, line.end), None
                fence, at = "", line.end
        elif mark:
            yield from _paragraphs(text, at, line.start)
            fence, at = mark.group(1), line.start
        elif heading := _heading(text, line):
            yield from _paragraphs(text, at, line.start)
            yield "heading", heading.span, heading
            at = line.end
    if fence and at < len(text):
        yield "code", trim(text, at, len(text)), None
    elif not fence:
        yield from _paragraphs(text, at, len(text))


def _line_spans(text: str, start: int) -> Iterator[Span]:
    """The lines from `start` on without their LF."""
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end == -1 else end
        yield Span(start, end)
        start = end + 1


def _closes(text: str, line: Span, mark: re.Match[str] | None, fence: str) -> bool:
    if not mark or mark.group(1)[0] != fence[0] or len(mark.group(1)) < len(fence):
        return False
    return line.end - mark.end() < 200 and not text[mark.end() : line.end].strip()


def _heading(text: str, line: Span) -> Heading | None:
    found = _ATX.match(text, line.start, min(line.end, line.start + 12))
    if not found or len(line) > _MAX_TITLE:
        return None
    title = _CLOSING.sub("", text[found.end(1) : line.end].strip()).strip()
    return Heading(title, len(found.group(1)), trim(text, line.start, line.end))


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[BlockKind, Span, None]]:
    for span in paragraph_spans(text, start, end):
        yield "paragraph", span, None
