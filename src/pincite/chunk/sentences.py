"""Sentences, lines and paragraphs of a text, by its punctuation and layout alone.

A line break ends a sentence only where the layout says so: at a blank line, a list item, a table row, a
heading, or inside a code fence. All functions take linear time, also on one line of many megabytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pincite.chunk.coverage import trimmed
from pincite.lexicon import words
from pincite.scripts import PAIRED
from pincite.types import Span

_CLOSERS = r"(?:\[\d{1,4}\]|[\"'”’»›)\]*_`」』）】》〉〗]){0,8}"
# The lookbehind keeps a long run of full stops from being tried at each of its characters.
_END = re.compile(
    rf"(?<![.!?…])([.!?…؟۔।॥]++){_CLOSERS}(?=\s)"
    rf"|(?<![.!?…])([!?]++){_CLOSERS}(?=[{PAIRED}「『《〈【〖〔])"
    rf"|([。！？；｡]++){_CLOSERS}"
)
_WORD = re.compile(r"[\w.&’'°%/-]*$")
_ACRONYM = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}|[^\W\d_]")
_ORDINAL = re.compile(r"(?:(\w+)\.?\s+)?(?<![\d.,])\d{1,3}$")
_FENCE = re.compile(r"[ \t]{0,3}(?:[-*+>][ \t]+)?(`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t>]*(?:[-*+•·‣][ \t]|\(?\d{1,3}[.)][ \t]|\(?[A-Za-z]\)[ \t])")
_COUNTED = re.compile(r"[ \t]*\d{1,3}\.[ \t]")
_LAST_WORD = re.compile(r"(\w+)[ \t\r]*\n$")
_MARKER = re.compile(r"[ \t>]*\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]")
_ALONE = re.compile(r"[ \t>]*(?:\||#{1,6}(?:[ \t]|$)|={1,6}[ \t]+\S|\+[-=+]{3})")
_BETWEEN = " | "
_UNDERLINE = re.compile(r"[ \t>]*(?:=+|-{2,}|~{2,}|\^{2,})[ \t]*\r?$")
_BLANK_LINE = re.compile(r"\n(?:[ \t\r\f\v]*\n)+")


def sentence_spans(text: str, start: int, end: int) -> list[Span]:
    """The sentences of text[start:end] in order, trimmed; together they hold all that is not blank.

    A list marker stays with its item; a table row (also one without outer borders), a heading, and a line of
    a code fence are each one.
    """
    return [span for run, prose in _runs(text, start, end) for span in _split(text, run, prose)]


def line_spans(text: str, start: int, end: int) -> list[Span]:
    """The lines of text[start:end] that are not blank, with their indentation, without their ends."""
    spans = []
    for line in _lines(text, start, end):
        kept = trimmed(text, line.start, line.end)
        if len(kept):
            spans.append(Span(line.start, kept.end))
    return spans


def paragraph_spans(text: str, start: int, end: int) -> list[Span]:
    """The stretches of text[start:end] between blank lines; the first line keeps its indentation."""
    spans, at = [], start
    for gap in _BLANK_LINE.finditer(text, start, end):
        spans.append(_unpadded(text, at, gap.start()))
        at = gap.end()
    return [span for span in [*spans, _unpadded(text, at, end)] if len(span)]


def _unpadded(text: str, start: int, end: int) -> Span:
    """[start, end) without white space at its end and without blank lines at its beginning."""
    kept = trimmed(text, start, end)
    return Span(max(start, text.rfind("\n", start, kept.start) + 1), kept.end) if len(kept) else kept


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield Span(start, stop)
        start = stop + 1


def _runs(text: str, start: int, end: int) -> Iterator[tuple[Span, bool]]:
    """Stretches no sentence crosses, each with whether it is prose to be split further."""
    opened, fence = -1, ""
    for line in _lines(text, start, end):
        if opened >= 0 and _underlines(text, opened, line):
            yield Span(opened, line.end), True
            opened = -1
            continue
        mark = _FENCE.match(text, line.start, line.end)
        alone = bool(fence or mark or _ALONE.match(text, line.start, line.end) or _is_row(text, line))
        blank = not len(trimmed(text, line.start, line.end))
        if opened >= 0 and (alone or blank or _is_item(text, opened, line)):
            yield Span(opened, line.start), True
            opened = -1
        if alone and not blank:
            yield line, False
            fence = _fence_after(fence, mark[1] if mark else "")
        elif not blank and opened < 0:
            opened = line.start
    if opened >= 0:
        yield Span(opened, end), True


def _is_item(text: str, opened: int, line: Span) -> bool:
    """Whether a line opens an item, and does not go on with an ordinal, as after a German `am`."""
    item = _ITEM.match(text, line.start, line.end)
    if not item or not _COUNTED.fullmatch(item[0]):
        return bool(item)
    before = _LAST_WORD.search(text, max(opened, line.start - 24), line.start)
    return not (before and before[1].lower() in abbreviations().before_wrapped)


def _is_row(text: str, line: Span) -> bool:
    """Whether a line is a row of cells without outer borders: of three or more, or beside another row."""
    cells = text.count(_BETWEEN, line.start, line.end)
    if cells != 1:
        return cells > 1
    before = text.rfind("\n", 0, max(0, line.start - 1)) + 1
    after = text.find("\n", line.end + 1)
    beside = (before, line.start), (line.end, len(text) if after < 0 else after)
    return any(_BETWEEN in text[slice(*span)] for span in beside)


def _underlines(text: str, opened: int, line: Span) -> bool:
    """Whether the line underlines a heading; tildes must be as long as it, or they open a fence."""
    if not _UNDERLINE.match(text, line.start, line.end):
        return False
    return "~" not in text[line.start : line.end] or len(line) >= line.start - 1 - opened


def _fence_after(fence: str, mark: str) -> str:
    """The fence that is open after a line with `mark`: one is closed by as many of the same character."""
    if not fence:
        return mark
    return "" if mark.startswith(fence) else fence


def _split(text: str, run: Span, prose: bool) -> Iterator[Span]:
    at = run.start
    if prose:
        marker = _MARKER.match(text, run.start, run.end)
        skip = marker.end() if marker else run.start
        for found in _END.finditer(text, run.start, run.end):
            if found.end() > skip and _ends(text, found, at, run.end):
                yield trimmed(text, at, found.end())
                at = found.end()
    rest = trimmed(text, at, run.end)
    if len(rest):
        yield rest


def _ends(text: str, found: re.Match[str], start: int, end: int) -> bool:
    """Whether the punctuation `found` ends the sentence that began at `start`."""
    after = trimmed(text, found.end(), min(end, found.end() + 40)).start
    following = text[after : after + 2] if after < end else " "
    if found[3]:  # a Japanese quotation that the sentence goes on from: 「はい。」と言った。
        return not (found[0][-1] in "」』" and following[0] in "とっはがをにでのもや")
    if found[0] != ".":
        return not following[0].islower() and (found[1] != "." or _stops(text, found, start, end, after))
    return _stops(text, found, start, end, after)


def _stops(text: str, found: re.Match[str], start: int, end: int, after: int) -> bool:
    """Whether one full stop ends a sentence, given the words on both sides of it."""
    before = _WORD.search(text, max(start, found.start() - 24), found.start())
    word = before[0].strip("'’-") if before else ""
    low, following = re.split("[-/'’]", word)[-1].lower(), text[after : min(end, after + 2)]
    known = abbreviations()
    numbered = low in known.before_number or low.endswith(known.streets)
    if low in known.never or (numbered and any(c.isdigit() for c in following)):
        return False
    if _is_ordinal(text, found.start(), start, after, end):
        return False
    if low in known.before_name:
        return _next_word(text, after, end) in known.openers
    if _ACRONYM.fullmatch(word):
        return _next_word(text, after, end) in known.english_openers
    return not following[:1].islower() or (len(word) >= 4 and word.isalpha() and word.islower())


def _is_ordinal(text: str, stop: int, start: int, after: int, end: int) -> bool:
    """Whether a number before a full stop is an ordinal, as in German: `am 3. Oktober`, `am 3. 10. 2026`."""
    number = _ORDINAL.search(text, max(start, stop - 24), stop)
    if not number:
        return False
    before, following = (number[1] or "").lower(), _next_word(text, after, end)
    known = abbreviations()
    if before in known.before_ordinal:
        return following not in known.openers
    return following in known.after_ordinal or (
        before.isdigit() and text[after : min(end, after + 1)].isdigit()
    )


def _next_word(text: str, start: int, end: int) -> str:
    """The word at `start` if it is capitalised, in lower case."""
    stop = start
    while stop < min(end, start + 20) and text[stop].isalpha():
        stop += 1
    return text[start:stop].lower() if text[start:stop][:1].isupper() else ""


# ── words with a full stop ─────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Abbreviations:
    """Words of all languages, in lower case, without the full stop.

    `never` ends no sentence; `before_number`, and words that end in `streets`, end none before a number;
    `before_name` ends one only before a word that often opens one ("et al. The", not "et al. Nature").
    `before_ordinal` and `after_ordinal` stand around one; behind `before_wrapped` one may open a line, where
    an item of a list may end with the others.
    """

    never: frozenset[str]
    before_number: frozenset[str]
    streets: tuple[str, ...]
    before_name: frozenset[str]
    openers: frozenset[str]
    english_openers: frozenset[str]
    before_ordinal: frozenset[str]
    before_wrapped: frozenset[str]
    after_ordinal: frozenset[str]


@cache
def abbreviations() -> Abbreviations:
    """Those of the lexicon."""
    before_wrapped = frozenset(words("sentences.before_ordinal"))
    return Abbreviations(
        never=frozenset(words("sentences.never")),
        before_number=frozenset(words("sentences.before_number")),
        streets=words("sentences.street"),
        before_name=frozenset(words("sentences.before_name")),
        openers=frozenset(words("sentences.openers")),
        english_openers=frozenset(words("sentences.openers", only="en")),
        before_ordinal=before_wrapped | frozenset(words("sentences.joining_ordinals")),
        before_wrapped=before_wrapped,
        after_ordinal=frozenset(words("sentences.after_ordinal")),
    )
