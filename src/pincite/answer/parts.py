"""The smallest parts of a passage that can be quoted, by what the parser saw in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.answer import records
from pincite.cells import RULE
from pincite.types import Block, BlockKind, Evidence, Span

LINED: frozenset[BlockKind] = frozenset({"row", "table", "record", "turn", "definition", "lines"})
"""Kinds of which a part is a line or row of its own, and no sentence."""
LONGEST_CODE = 20
"""The most lines of code in a text that are one part; longer code is quoted in stretches without a gap."""

_WHOLE = frozenset({"heading", "row", "field", "record"})
_SHEETS = frozenset({"xlsx", "xls", "ods"})
_FENCE = re.compile(r"\s*(?:[-*+>][ \t]+)?(`{3,}|~{3,})[ \t]*(.*)")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a passage: its span in the document, the block it is of, and whether it is code in a text."""

    span: Span
    block: Block
    code: bool = False

    @property
    def kind(self) -> BlockKind:
        return self.block.kind


def parts_of(evidence: Evidence) -> Iterator[Part]:
    """The parts of a passage in order. One of which nothing is known is read as a paragraph."""
    start = evidence.span.start
    blocks = evidence.blocks or (Block("paragraph", evidence.span),)
    if evidence.type in records.TYPES and all(block.kind in LINED for block in blocks):
        lines = _lines(evidence.text, blocks[0].span.start - start, blocks[-1].span.end - start)
        for span in records.joined(evidence.text, lines, evidence.type):
            yield Part(_moved(span, start), blocks[0])
        return
    for block in blocks:
        inside = _moved(block.span, -start)
        if block.kind in _WHOLE:
            yield Part(_moved(_without_rules(evidence.text, inside), start), block)
        elif block.kind in LINED or evidence.type in _SHEETS:
            lines = _lines(evidence.text, inside.start, inside.end)
            yield from (Part(_moved(line, start), block) for line in lines)
        else:
            for span, code in _prose(evidence.text, inside, block):
                yield Part(_moved(span, start), block, code)


def _prose(text: str, span: Span, block: Block) -> Iterator[tuple[Span, bool]]:
    """Sentences, and code; that between fences may stand in an item of a list."""
    from pincite.chunk.sentences import sentence_spans

    if block.kind == "code" and not _FENCE.match(text, span.start, span.end):
        yield from ((one, True) for one in _short(text, span, _lines(text, span.start, span.end)))
    else:
        yield from _fenced(text, sentence_spans(text, span.start, span.end))


def _lines(text: str, start: int, end: int) -> list[Span]:
    from pincite.chunk.sentences import line_spans

    return line_spans(text, start, end)


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _without_rules(text: str, span: Span) -> Span:
    """A row without the drawn line below it."""
    end = span.end
    while (line := text.rfind("\n", span.start, end)) >= 0 and RULE.fullmatch(text, line + 1, end):
        end = line
    return Span(span.start, end)


def _fenced(text: str, spans: Sequence[Span]) -> Iterator[tuple[Span, bool]]:
    """The spans, each with whether it is code; lines between two fences joined, unless they are many."""
    at = 0
    while at < len(spans):
        last = _fence_end(text, spans, at)
        if last == at:
            yield spans[at], False
        elif text.count("\n", spans[at].start, spans[last].end) < LONGEST_CODE:
            yield Span(spans[at].start, spans[last].end), True
        else:
            yield spans[at], False
            yield from ((span, True) for span in _stretches(text, spans[at + 1 : last]))
            yield spans[last], False
        at = last + 1


def _fence_end(text: str, spans: Sequence[Span], at: int) -> int:
    """The number of the line that closes the fence that span `at` opens; `at` if it opens none."""
    opening = _FENCE.match(text, spans[at].start, spans[at].end)
    for number in range(at + 1, len(spans) if opening else 0):
        mark = _FENCE.match(text, spans[number].start, spans[number].end)
        if mark and opening and mark[1].startswith(opening[1]):
            return at if mark[2] else number  # a fence that opens: the one before was an end
    return at


def _short(text: str, span: Span, lines: Sequence[Span]) -> Iterator[Span]:
    """All of it, unless its lines are many."""
    return iter([span]) if len(lines) <= LONGEST_CODE else _stretches(text, lines)


def _stretches(text: str, lines: Sequence[Span]) -> Iterator[Span]:
    """Lines joined up to the next blank line, at most `LONGEST_CODE` of them."""
    first = 0
    for number in range(1, len(lines) + 1):
        gap = text[lines[number - 1].end : lines[number].start] if number < len(lines) else "\n\n"
        if gap.count("\n") > 1 or number - first == LONGEST_CODE:
            start = text.rfind("\n", 0, lines[first].start) + 1  # with its indentation
            yield Span(start, lines[number - 1].end)
            first = number


def has_words(text: str) -> bool:
    """Whether a part holds words, and not just a fence or a rule."""
    return any(char.isalnum() and not _FENCE.match(line) for line in text.splitlines() for char in line)
