"""The `[n]` markers of a model's answer: where they stand, which passages and sentences they belong to.

A number that no passage has is taken out of the text and reported; it is never mapped to another.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.answer.marker_forms import LIST

_MARKER = re.compile(rf"[\[【][ \t]?(?P<numbers>{LIST})[ \t]?[\]】](?!\(|:[ \t])")  # no link, no footnote
# Where brackets are no markers: fenced and inline code.
_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|``[^\n]*?``|`[^`\n]*`", re.S)
_LEAD = re.compile(r"^\s*(?:#{1,6}\s+|[-*+•·]\s+|\(?\d{1,3}[.)]\s+)?")
WIDEST = 50
"""The most passages one range such as [1-3] may name."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A marker's numbers, and a character of the text without markers that they belong to."""

    at: int
    numbers: tuple[int, ...]


def unmarked(text: str, known: frozenset[int]) -> tuple[str, str, list[Marked], list[str]]:
    """The text without markers, the text with the known ones, where they stood, and the unknown numbers."""
    bare, shown = _Growing(), _Growing()
    marks: list[Marked] = []
    unknown: dict[str, None] = {}
    at = 0
    for found in markers_in(text):
        numbers, nowhere = _resolved(found["numbers"], known)
        unknown |= dict.fromkeys(nowhere)
        before, after = text[at : found.start()], text[found.end() : found.end() + 1]
        bare.add(before)
        if not after.isalnum():
            bare.strip_blanks()
        shown.add(before)
        if numbers:
            shown.add("".join(f"[{n}]" for n in numbers))
        else:
            shown.strip_blanks()
        marks.append(Marked(bare.anchor(), numbers))
        at = found.end()
    bare.add(text[at:])
    shown.add(text[at:])
    return bare.text(), shown.text().strip(), marks, list(unknown)


class _Growing:
    """A text that grows at its end: each step costs what it adds, however long the text is."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._size = 0

    def add(self, part: str) -> None:
        if part:
            self._parts.append(part)
            self._size += len(part)

    def strip_blanks(self) -> None:
        """Takes spaces and tabs from the end."""
        while self._parts:
            last = self._parts.pop()
            self._size -= len(last)
            if kept := last.rstrip(" \t"):
                self.add(kept)
                return

    def anchor(self) -> int:
        """Where a marker at the end belongs: to the last word, or on a new line to what follows."""
        at = self._size
        for part in reversed(self._parts):
            blank = len(part) - len(part.rstrip())
            if "\n" in part[len(part) - blank :]:
                return self._size
            at -= blank
            if blank < len(part):
                break
        return max(0, at - 1)

    def text(self) -> str:
        return "".join(self._parts)


def markers_in(text: str) -> Iterator[re.Match[str]]:
    """The markers of `text` that stand outside code."""
    code, inside = _CODE.finditer(text), (-1, -1)
    for found in _MARKER.finditer(text):
        while inside[1] <= found.start() and (next_one := next(code, None)):
            inside = next_one.span()
        if not inside[0] <= found.start() < inside[1]:
            yield found


def _resolved(numbers: str, known: frozenset[int]) -> tuple[tuple[int, ...], list[str]]:
    """The known numbers a marker names, in order, and those that point nowhere, as written."""
    named: dict[int, None] = {}
    nowhere: list[str] = []
    for part in re.split(r"[,，、;]", numbers):
        ends = [int(end) for end in re.split(r"[-–—]", part)]
        first, last = ends[0], ends[-1]
        if len(ends) > 2 or not 0 <= last - first < WIDEST:
            nowhere.append(part.strip())
            continue
        for number in range(first, last + 1):
            if number in known:
                named[number] = None
            else:
                nowhere.append(str(number))
    return tuple(named), nowhere


def marked_sentences(bare: str, marks: Sequence[Marked]) -> Iterator[tuple[str, list[int]]]:
    """Each sentence of the answer on one line, with the numbers that stand in it or right behind it."""
    from pincite.chunk.sentences import sentence_spans

    spans = sentence_spans(bare, 0, len(bare))
    numbers: list[list[int]] = [[] for _ in spans]
    ends = [span.end for span in spans]
    for mark in marks:
        if spans:
            numbers[owner(mark.at, ends)] += mark.numbers
    for span, cited in zip(spans, numbers, strict=True):
        words = " ".join(_LEAD.sub("", bare[span.start : span.end], count=1).split())
        if any(char.isalnum() for char in words):
            yield words, list(dict.fromkeys(cited))


def owner(at: int, ends: Sequence[int]) -> int:
    """The number of the sentence that holds the character `at`, else of the next one, else of the last."""
    return min(bisect_right(ends, at), len(ends) - 1)
