"""The blocks of a text: as its parser sees them, or as those do that extract such a text from a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from parsed import source
from pincite.parse import parse
from pincite.parse.pairs import are_pairs
from pincite.types import Block, Span

_OWN = {
    "markdown": "a.md", "text": "a.txt", "csv": "a.csv", "tsv": "a.tsv", "json": "a.json", "jsonl": "a.jsonl",
    "yaml": "a.yaml", "python": "a.py", "rst": "a.rst",
}  # fmt: skip
"""Types whose text is the file itself, with the name of one."""
_MAIL = re.compile(r"(?:From|To|Cc|Date|Subject): ")
_SAYS = re.compile(r"(?:When|Repeats|Where|Organizer|With|Status): ")


def blocks_of(text: str, type: str) -> tuple[Block, ...]:
    """The blocks of a file of a type, without their sections."""
    if type == "chat":
        return tuple(Block("turn", Span(*line.span())) for line in re.finditer(".+", text))
    if type in _OWN:
        found = parse(source(_OWN[type], text)).blocks
        return tuple(Block(b.kind, b.span, -1, b.header, b.header_span) for b in found)
    return tuple(_extracted(text, type))


def _extracted(text: str, type: str) -> Iterator[Block]:
    for found in re.finditer(r"\S.*(?:\n.*\S.*)*", text):
        lines = [
            Span(found.start() + m.start(), found.start() + m.end()) for m in re.finditer(".+", found[0])
        ]
        texts = [text[line.start : line.end] for line in lines]
        if type in ("eml", "msg", "mbox") and all(map(_MAIL.match, texts)):
            yield from (Block("field", line) for line in lines)
        elif type == "ics":
            yield from _entry(text, lines, texts)
        else:
            yield from _paragraph(lines, texts)


def _paragraph(lines: Sequence[Span], texts: Sequence[str]) -> Iterator[Block]:
    """Lines that are rows, and stretches of those that are not."""
    pairs = list(zip(lines, texts, strict=True))
    for is_row, run in groupby(pairs, lambda one: " | " in one[1] or one[1].startswith("|")):
        spans, words = map(list, zip(*run, strict=True))
        if is_row:
            yield from _table(spans, words)
        else:
            yield Block("paragraph", Span(spans[0].start, spans[-1].end))


def _table(lines: Sequence[Span], texts: Sequence[str]) -> Iterator[Block]:
    if are_pairs([[cell.strip() for cell in one.split("|")] for one in texts]):
        yield from (Block("row", line) for line in lines)
        return
    yield Block("table", lines[0])
    yield from (Block("row", line, -1, texts[0], lines[0]) for line in lines[1:])


def _entry(text: str, lines: Sequence[Span], texts: Sequence[str]) -> Iterator[Block]:
    said = 1 + sum(map(bool, map(_SAYS.match, texts)))
    if said == 1:
        yield Block("paragraph", Span(lines[0].start, lines[-1].end))
        return
    entry = Span(lines[0].start, lines[said - 1].end)
    yield Block("record", entry)
    if said < len(lines):
        rest = Span(lines[said].start, lines[-1].end)
        yield Block("paragraph", rest, -1, text[entry.start : entry.end], entry)
