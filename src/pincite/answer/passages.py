"""What a passage consists of: sentences, rows, records, turns and lines, with what they stand under."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pincite.answer import records
from pincite.answer.titles import numbered, title_spans
from pincite.types import Evidence, Span

_ROW_TYPES = frozenset({"csv", "tsv"})
_SHEET_TYPES = frozenset({"xlsx", "xls", "ods"})
_LINE_TYPES = _ROW_TYPES | {"json", "jsonl", "yaml", "chat"}
_PROSE_TYPES = frozenset({"markdown", "text", "rst", "html"})
_LINE_KINDS = frozenset({"row", "record", "turn", "definition", "code"})
_FENCE = re.compile(r"\s*(?:[-*+>][ \t]+)?(`{3,}|~{3,})[ \t]*(.*)")
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*|\s*\+[=+]+\s*")
_STAMPED = re.compile(r"\W{0,2}(?:\d{4}-\d\d-\d\d|\d\d/\w{2,3}/\d{4}|\w{3} +\d{1,2})[T ,:]{1,2}\d\d:\d\d")
_QUESTION = re.compile(r"[?？]\W{0,4}$")

LONGEST_RECORD = 20
"""The most lines one quoted CSV record is followed over."""
LONGEST_CODE = 20
"""The most lines of a code fence that are one unit; a longer fence is quoted in stretches without a gap."""
MOST_UNDER_QUESTION = 4
"""The most sentences that stand under a question asked in the text."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, row, list item or line of one passage; `number` counts them in it, headings too.

    `under` is what it has to be read with: its nearest heading, the question it follows, its table's
    column names, the lines that enclose it in code and JSON, or the sentence before a code fence. `code`
    marks what stands in a code fence of a text, the whole fence if it is not long.
    """

    evidence: Evidence
    number: int
    span: Span
    text: str
    quotable: bool
    under: str = ""
    code: bool = False


def sentences(evidence: Evidence) -> list[Sentence]:
    """What a passage consists of, in order; headings, questions, fences and column names are not quotable."""
    text, start = evidence.text, evidence.span.start
    units = _units(evidence)
    spans, code = [span for span, _ in units], [fenced for _, fenced in units]
    texts = [text[span.start : span.end] for span in spans]
    places = [Span(start + span.start, start + span.end) for span in spans]
    titles = _titles(evidence)
    headings = [_is_heading(place, (*evidence.headings, *titles)) for place in places]
    names = _names(evidence, texts, headings)
    asked = [asks(words) for words in texts]
    columns = evidence.header
    if by_line(evidence):
        under = _enclosing(texts, names, columns)
    else:
        under = _above(texts, headings, asked, names, columns, nested=bool(titles))
    apart = zip(texts, headings, names, asked, strict=True)
    quotable = [_tells(words) and not any(marks) for words, *marks in apart]
    found = zip(places, texts, quotable, _introduced(texts, list(under), headings, code), code, strict=True)
    return [Sentence(evidence, n, *unit) for n, unit in enumerate(found)]


def by_line(evidence: Evidence) -> bool:
    """Whether a passage is read line by line: tables, records, messages, logs and code."""
    if evidence.type in _LINE_TYPES:
        return True
    if evidence.type not in _PROSE_TYPES and evidence.kind in _LINE_KINDS:
        return True
    lines = [line for line in evidence.text.splitlines()[:100] if line.strip()]
    return len(lines) > 1 and 2 * sum(bool(_STAMPED.match(line)) for line in lines) > len(lines)


def has_rows(evidence: Evidence) -> bool:
    """Whether the lines of a passage are delimited rows."""
    return evidence.type in _ROW_TYPES or (evidence.type not in _PROSE_TYPES and evidence.kind == "row")


def is_row(sentence: Sentence) -> bool:
    """Whether a unit is a row or record, which is quoted alone."""
    evidence = sentence.evidence
    if by_line(evidence):
        return has_rows(evidence) or evidence.type in ("jsonl", *records.TYPES)
    return not sentence.code and (sentence.text.lstrip().startswith("|") or _bare(sentence.text))


def asks(text: str) -> bool:
    """Whether a text ends with a question mark."""
    return bool(_QUESTION.search(text[-8:]))


# ── units ─────────────────────────────────────────────────────────────────────────────────────
def _units(evidence: Evidence) -> list[tuple[Span, bool]]:
    """The spans, in the passage's text, of its smallest quotable parts, each with whether it is fenced."""
    from pincite.chunk.sentences import line_spans, sentence_spans

    text = evidence.text
    if by_line(evidence):
        lines = line_spans(text, 0, len(text))
        if evidence.type in records.TYPES:
            return [(span, False) for span in records.joined(text, lines, evidence.type)]
        return [(span, False) for span in (_records(text, lines) if has_rows(evidence) else lines)]
    found: list[Span] = []
    for span in _apart(evidence, sentence_spans):
        lines = line_spans(text, span.start, span.end)
        found += lines if evidence.type in _SHEET_TYPES else _table_lines(text, lines) or [span]
    return list(_fenced(text, found))


def _table_lines(text: str, lines: list[Span]) -> list[Span]:
    """The lines of a table of bare rows, those of its caption as one; nothing if it is none."""
    rows = [" | " in text[line.start : line.end] for line in lines]
    first = rows.index(True) if True in rows else len(rows)
    if len(rows) - first < 2 or not all(rows[first:]):
        return []
    caption = [Span(lines[0].start, lines[first - 1].end)] if first else []
    return caption + lines[first:]


def _titles(evidence: Evidence) -> list[Span]:
    """Where the titles of a plain text stand in the document."""
    if evidence.type != "text" or by_line(evidence):
        return []
    start = evidence.span.start
    return [Span(start + one.start, start + one.end) for one in title_spans(evidence.text)]


def _apart(evidence: Evidence, split: Callable[[str, int, int], list[Span]]) -> Iterator[Span]:
    """The sentences of a passage; a plain text's titles stand apart from what follows them."""
    text, start, at = evidence.text, evidence.span.start, 0
    for title in _titles(evidence):
        yield from split(text, at, title.start - start)
        yield Span(title.start - start, title.end - start)
        at = title.end - start
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


def _tells(text: str) -> bool:
    """Whether a unit holds words, and not just a fence or a rule."""
    return any(char.isalnum() and not _FENCE.match(line) for line in text.splitlines() for char in line)


def is_rule(text: str) -> bool:
    """Whether a line is what stands under a table's column names."""
    return ("|" in text or "+" in text) and bool(_RULE.fullmatch(text))


def _is_heading(span: Span, headings: Sequence[Span]) -> bool:
    return any(2 * span.overlap(heading) > len(span) for heading in headings)


# ── what they stand under ─────────────────────────────────────────────────────────────────────
def _names(evidence: Evidence, texts: Sequence[str], headings: Sequence[bool]) -> list[bool]:
    """Which units are column names: a CSV's header row, a row above a rule, the first of bare rows."""
    if by_line(evidence):
        return list(headings) if has_rows(evidence) else [False] * len(texts)
    bare = [_bare(words) for words in texts]
    found = []
    for n, words in enumerate(texts):
        ruled = n + 1 < len(texts) and "|" in words and is_rule(texts[n + 1])
        first = bare[n] and bare[n + 1 : n + 2] == [True] and not (n and bare[n - 1])
        found.append(ruled or (first and not evidence.header))
    return found


def _bare(words: str) -> bool:
    """Whether a line is a row of cells without an outer border, as extracted from HTML."""
    return " | " in words and not words.lstrip().startswith("|") and not _FENCE.match(words)


def _above(
    texts: Sequence[str],
    headings: Sequence[bool],
    asked: Sequence[bool],
    names: Sequence[bool],
    columns: str,
    *,
    nested: bool,
) -> Iterator[str]:
    """For each unit its heading, the question before it, and its table's column names (first: `columns`).

    With `nested`, a numbered heading stands under the last one without a number.
    """
    top, heading, question, since = "", "", "", 0
    for n, words in enumerate(texts):
        since += 1
        if names[n]:
            columns = words
        elif headings[n]:
            top = top if numbered(words) else words
            heading = f"{top}\n{words}" if nested and top not in ("", words) else words
            question, columns = "", ""
        elif "|" not in words:
            columns = ""
        yield "" if headings[n] else "\n".join(filter(None, (heading, question, columns)))
        if asked[n] and not headings[n]:
            question, since = words, 0
        elif since >= MOST_UNDER_QUESTION:
            question = ""


def _introduced(
    texts: Sequence[str], under: Sequence[str], headings: Sequence[bool], code: Sequence[bool]
) -> Iterator[str]:
    """What each unit stands under, for code with the last sentence before it."""
    before = ""
    for words, over, heading, fenced in zip(texts, under, headings, code, strict=True):
        yield "\n".join(filter(None, (over, before))) if fenced else over
        if not fenced and _tells(words):
            before = "" if heading else words


def _enclosing(texts: Sequence[str], names: Sequence[bool], columns: str) -> Iterator[str]:
    """For each line the column names, the lines less indented above it, and a question right before it."""
    columns = next((words for words, named in zip(texts, names, strict=True) if named), columns)
    open_lines: list[tuple[int, str]] = []
    before = ""
    for words in texts:
        bare = words.lstrip()
        indent = len(words) - len(bare) + bare.startswith("- ")  # in YAML, a list may stand below its key
        while open_lines and open_lines[-1][0] >= indent:
            open_lines.pop()
        question = before if asks(before) else ""
        yield "\n".join(filter(None, (columns, *(line for _, line in open_lines), question)))
        open_lines.append((indent, words))
        before = words
