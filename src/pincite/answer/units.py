"""The smallest parts of a passage that can be quoted: sentences, rows, records, lines and code fences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from pincite.answer import events, records
from pincite.answer.delimited import is_delimited
from pincite.answer.mails import head_lines
from pincite.answer.titles import title_spans
from pincite.types import Evidence, Span

_ROW_TYPES = frozenset({"csv", "tsv"})
_SHEET_TYPES = frozenset({"xlsx", "xls", "ods"})
_LINE_TYPES = _ROW_TYPES | {"json", "jsonl", "yaml", "chat"}
_PROSE_TYPES = frozenset({"markdown", "text", "rst", "html"})
_LINE_KINDS = frozenset({"row", "record", "turn", "definition", "code"})
_FENCE = re.compile(r"\s*(?:[-*+>][ \t]+)?(`{3,}|~{3,})[ \t]*(.*)")
_STAMPED = re.compile(r"\W{0,2}(?:\d{4}-\d\d-\d\d|\d\d/\w{2,3}/\d{4}|\w{3} +\d{1,2})[T ,:]{1,2}\d\d:\d\d")

LONGEST_RECORD = 20
"""The most lines one quoted CSV record is followed over."""
LONGEST_CODE = 20
"""The most lines of a code fence that are one unit; a longer fence is quoted in stretches without a gap."""


def by_line(evidence: Evidence) -> bool:
    """Whether a passage is read line by line: tables, records, messages, logs and code."""
    if evidence.type in _LINE_TYPES or is_delimited(evidence):
        return True
    if evidence.type not in _PROSE_TYPES and evidence.kind in _LINE_KINDS:
        return True
    lines = [line for line in evidence.text.splitlines()[:100] if line.strip()]
    return len(lines) > 1 and 2 * sum(bool(_STAMPED.match(line)) for line in lines) > len(lines)


def has_rows(evidence: Evidence) -> bool:
    """Whether the lines of a passage are delimited rows."""
    if evidence.type == "text":
        return is_delimited(evidence)
    return evidence.type in _ROW_TYPES or (evidence.type not in _PROSE_TYPES and evidence.kind == "row")


def units_of(evidence: Evidence) -> list[tuple[Span, bool]]:
    """The spans, in the passage's text, of its smallest quotable parts, each with whether it is fenced."""
    from pincite.chunk.sentences import line_spans, sentence_spans

    text = evidence.text
    if evidence.type == events.TYPE:
        return [(span, False) for span in events.units(text)]
    if by_line(evidence):
        lines = line_spans(text, 0, len(text))
        if evidence.type in records.TYPES:
            return [(span, False) for span in records.joined(text, lines, evidence.type)]
        return [(span, False) for span in (_records(text, lines) if has_rows(evidence) else lines)]
    found: list[Span] = []
    for span in _apart(evidence, sentence_spans):
        found += line_spans(text, span.start, span.end) if evidence.type in _SHEET_TYPES else [span]
    return list(_fenced(text, found))


def titles_of(evidence: Evidence) -> list[Span]:
    """Where the titles of a plain text stand in the document."""
    if evidence.type != "text" or by_line(evidence):
        return []
    start = evidence.span.start
    return [Span(start + one.start, start + one.end) for one in title_spans(evidence.text)]


def _apart(evidence: Evidence, split: Callable[[str, int, int], list[Span]]) -> Iterator[Span]:
    """The sentences of a passage; titles of a plain text and the head of a mail stand apart."""
    text, start, at = evidence.text, evidence.span.start, 0
    titles = [Span(one.start - start, one.end - start) for one in titles_of(evidence)]
    for line in titles or head_lines(evidence):
        yield from split(text, at, line.start)
        yield line
        at = line.end
    yield from split(text, at, len(text))


def _fenced(text: str, spans: Sequence[Span]) -> Iterator[tuple[Span, bool]]:
    """The spans, each with whether it is code; lines of one fence joined."""
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


def _stretches(text: str, lines: Sequence[Span]) -> Iterator[Span]:
    """Lines joined up to the next blank line, at most `LONGEST_CODE` of them."""
    first = 0
    for number in range(1, len(lines) + 1):
        gap = text[lines[number - 1].end : lines[number].start] if number < len(lines) else "\n\n"
        if gap.count("\n") > 1 or number - first == LONGEST_CODE:
            start = text.rfind("\n", 0, lines[first].start) + 1  # with its indentation
            yield Span(start, lines[number - 1].end)
            first = number


def _records(text: str, lines: Sequence[Span]) -> Iterator[Span]:
    """CSV records: a line whose quotation marks are not closed goes on to the line that closes them."""
    at = 0
    while at < len(lines):
        ends = range(at, min(len(lines), at + LONGEST_RECORD))
        last = next((n for n in ends if _closed(text, lines[at], lines[n])), at)
        yield Span(lines[at].start, lines[last].end)
        at = last + 1


def _closed(text: str, first: Span, last: Span) -> bool:
    return text.count('"', first.start, last.end) % 2 == 0


def has_words(text: str) -> bool:
    """Whether a unit holds words, and not just a fence or a rule."""
    return any(char.isalnum() and not _FENCE.match(line) for line in text.splitlines() for char in line)
