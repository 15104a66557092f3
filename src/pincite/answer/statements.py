"""A model's answer as statements: its sentences without their markers, and which markers are theirs."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite.answer.markers import Mark
from pincite.answer.reply_code import code_in
from pincite.types import Span

_LEAD = re.compile(r"^\s*(?:#{1,6}\s+|[-*+•·]\s+|\(?\d{1,3}[.)]\s+|[①-⑳]\s*)?")


@dataclass(slots=True)
class Statement:
    """One sentence on one line, its markers, and where in the text a remark on it goes; `code` is a block."""

    words: str
    end: int
    code: bool = False
    marks: list[Mark] = field(default_factory=list)

    @property
    def numbers(self) -> list[int]:
        """The passages it cites, each once."""
        return list(dict.fromkeys(number for mark in self.marks for number in mark.numbers))


def statements(text: str, marks: Sequence[Mark]) -> list[Statement]:
    """The statements of a text in order; every marker belongs to one, if there are any.

    A marker belongs to the sentence it stands in or right behind; on a new line to what follows. One that
    stands by itself, or with nothing but signs, belongs to the statement before it, else to the next.
    """
    bare = _Bare(text, marks)
    spans = _spans(bare.text)
    if not spans:
        return []
    made = [_statement(bare, span, code) for span, code in spans]
    ends = [span.end for span, _ in spans]
    telling = [number for number, one in enumerate(made) if any(map(str.isalnum, one.words))]
    if not telling:
        return []
    for mark, at in zip(marks, bare.anchors, strict=True):
        owner = min(bisect_right(ends, at), len(ends) - 1)
        behind = bisect_right(telling, owner)
        made[telling[max(0, behind - 1)]].marks.append(mark)
    return [made[number] for number in telling]


def _statement(bare: _Bare, span: Span, code: bool) -> Statement:
    words = " ".join(_LEAD.sub("", bare.text[span.start : span.end], count=1).split())
    end = bare.original(span.end - 1) + 1
    return Statement(words, end, code)


def _spans(bare: str) -> list[tuple[Span, bool]]:
    """The sentences of a text; a block of code is one."""
    from pincite.chunk.sentences import sentence_spans

    found: list[tuple[Span, bool]] = []
    at = 0
    for block in [span for span, is_block in code_in(bare) if is_block]:
        found += [(one, False) for one in sentence_spans(bare, at, block.start)]
        inner = bare[block.start : block.end]
        start = block.start + len(inner) - len(inner.lstrip())
        found.append((Span(start, block.start + len(inner.rstrip())), True))
        at = block.end
    return found + [(one, False) for one in sentence_spans(bare, at, len(bare))]


class _Bare:
    """A text without its markers and the blanks before them; where each stood, and the way back."""

    def __init__(self, text: str, marks: Sequence[Mark]) -> None:
        self.anchors: list[int] = []
        self._starts: list[int] = []  # of each piece, in the bare text
        self._froms: list[int] = []  # and in the text
        self._parts: list[str] = []
        self._size, at = 0, 0
        for mark in marks:
            self._add(text, at, mark.start)
            if not text[mark.end : mark.end + 1].isalnum():
                self._strip_blanks()
            self.anchors.append(self._anchor())
            at = mark.end
        self._add(text, at, len(text))
        self.text = "".join(self._parts)

    def original(self, at: int) -> int:
        """Where a character of the bare text stands in the text."""
        piece = bisect_right(self._starts, at) - 1
        return self._froms[piece] + at - self._starts[piece]

    def _add(self, text: str, start: int, end: int) -> None:
        if end > start:
            self._starts.append(self._size)
            self._froms.append(start)
            self._parts.append(text[start:end])
            self._size += end - start

    def _strip_blanks(self) -> None:
        while self._parts:
            kept = self._parts[-1].rstrip(" \t")
            self._size -= len(self._parts[-1]) - len(kept)
            self._parts[-1] = kept
            if kept:
                return
            del self._parts[-1], self._starts[-1], self._froms[-1]

    def _anchor(self) -> int:
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
