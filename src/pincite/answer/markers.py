"""The citation markers of a model's answer: where they stand, and which numbers they name.

A number is always that of the passage that had it when the model read it. What can be something else, an
array index, a list, an interval, a footnote, stays in the text as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pincite.answer.marker_forms import LIST, bracketed, word
from pincite.answer.reply_code import code_in
from pincite.hidden import Folded, folded
from pincite.types import Span

WIDEST = 50
"""The most passages one range such as [1-3] may name."""

# What may stand around a marker and belongs to it: another pair of brackets, escapes, a raised position.
_OPENS = r"(?:<sup>[ \t]?)?(?:\[(?=\[[^\[\]]{0,40}\]\])|\\(?=\[))?"
_CLOSES = r"\]?(?:[ \t]?</sup>)?"
_LINKED = re.compile(r"\((?P<target>[^()\s]{1,300})\)")
_ENDS = re.compile(r"[ \t]*(?:[.,;:!?。，；：！？、)\]}»”\"'*_|]|\n|\Z|[\[【(](?:\d|source|evidence))|</sup>")
_ASSIGNED = re.compile(r"[ \t]*[-+*/|&]?=|\.\w|\(")
_OPERATOR = re.compile(r"[=<∈≤≥][ \t]?\Z")
_SUPERSCRIPT = re.compile(
    r"(?<=[.,;!?。”\"'»)])[¹²³⁰-⁹]{1,2}(?![\w¹²³⁰-⁹])|(?<=[^\W\d_]{3})[¹²³⁰-⁹](?=[.,;!?\s]|\Z)"
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marker at [start, end) of the text: the passages it names, and what it names that is none."""

    start: int
    end: int
    numbers: tuple[int, ...]
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Brackets with numbers that were left as text, though they might have been a marker."""

    written: str


def marks_in(text: str, uris: Mapping[int, str]) -> tuple[list[Mark], list[Doubtful]]:
    """The markers of a text in order, and what was left as text; `uris` are the files of the passages.

    Brackets come first: only a text without any that names a passage is read for `(1)` and raised numbers.
    """
    shown = folded(text)
    outside = _Outside([span for span, _ in code_in(text)])
    found: list[Mark] = []
    doubtful: list[Doubtful] = []
    text_before = mark_before = -1
    for one in _pattern().finditer(shown.text):
        span = shown.span(*one.span())
        if not outside(span.start):
            continue
        seen = _Seen.of(one, shown, uris)
        linked = _LINKED.match(seen.after)
        if linked:
            end = shown.span(one.start(), one.end() + linked.end()).end
            links = [uris.get(number) for number in seen.numbers] == [text[span.end + 1 : end - 1]]
            found += [Mark(span.start, end, seen.numbers)] if links else []
        elif span.start == text_before or seen.is_text(behind_mark=span.start == mark_before):
            text_before = span.end
            doubtful += [Doubtful(text[span.start : span.end])] if seen.numbers or seen.several else []
        else:
            mark_before = span.end
            found.append(Mark(span.start, span.end, seen.numbers, seen.unknown))
    if not any(mark.numbers for mark in found):
        found = sorted([*found, *_bare(text, uris, outside)], key=lambda mark: mark.start)
    return found, doubtful


@dataclass(frozen=True, slots=True)
class _Seen:
    """Brackets that may be a marker, with what stands around them."""

    before: str
    after: str
    several: bool
    zero: bool
    numbers: tuple[int, ...]
    unknown: tuple[str, ...]

    @classmethod
    def of(cls, one: re.Match[str], shown: Folded, uris: Mapping[int, str]) -> _Seen:
        listed = one["listed"] or one["worded"]
        all_numbers = [int(number) for number in re.findall(r"\d+", listed)]
        return cls(
            shown.text[max(0, one.start() - 40) : one.start()],
            shown.text[one.end() : one.end() + 320],
            len(all_numbers) > 1,
            0 in all_numbers,
            *_numbers(listed, uris),
        )

    def is_text(self, *, behind_mark: bool) -> bool:
        """Whether they are something else: an index, a value, an interval, a link by reference."""
        ends = bool(_ENDS.match(self.after))
        glued = self.before[-1:].isalnum() or self.before[-1:] in ("_", ")")
        if self.before.endswith("]") and not behind_mark:
            return True
        if _OPERATOR.search(self.before) or (glued and _ASSIGNED.match(self.after)):
            return True
        if self.numbers:
            return False
        if self.zero and (self.several or glued):
            return True
        return not ends and (self.several or glued or self.zero)


class _Outside:
    """Whether a place is outside code; asked in order."""

    def __init__(self, code: list[Span]) -> None:
        self._code, self._at = code, 0

    def __call__(self, at: int) -> bool:
        while self._at < len(self._code) and self._code[self._at].end <= at:
            self._at += 1
        return self._at == len(self._code) or at < self._code[self._at].start


@cache
def _pattern() -> re.Pattern[str]:
    """Markers in brackets with what belongs to them, and a word with a number in parentheses."""
    listed = bracketed().pattern.replace("numbers", "listed")
    return re.compile(rf"{_OPENS}{listed}{_CLOSES}|\([ \t]?(?:see[ \t])?{word()}(?P<worded>{LIST})[ \t]?\)")


def _numbers(listed: str, uris: Mapping[int, str]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The passages that a list of numbers and ranges names, in order, and what it names that is none."""
    named: dict[int, None] = {}
    nowhere: dict[str, None] = {}
    for part in re.split(r"[,，、;]", listed):
        ends = [int(end) for end in re.split(r"[-–—]", part)]
        first, last = ends[0], ends[-1]
        if len(ends) > 2 or not 0 <= last - first < WIDEST:
            nowhere[part.strip()] = None
            continue
        for number in range(first, last + 1):
            if number in uris:
                named[number] = None
            else:
                nowhere[str(number)] = None
    return tuple(named), tuple(nowhere)


def _bare(text: str, uris: Mapping[int, str], outside: _Outside) -> Iterator[Mark]:
    """`(1)` and raised numbers, if every one of a kind can be nothing else than a marker."""
    code = _Outside(outside._code)
    parens = [one for one in re.finditer(r"\((\d{1,3})\)", text) if code(one.start())]
    if parens and all(_behind_statement(text, one) and int(one[1]) in uris for one in parens):
        yield from (Mark(*one.span(), (int(one[1]),)) for one in parens)
    code = _Outside(outside._code)
    raised = [one for one in _SUPERSCRIPT.finditer(text) if code(one.start())]
    numbers = [int(one[0].translate(_RAISED)) for one in raised]
    if all(number in uris for number in numbers):
        yield from (Mark(*one.span(), (number,)) for one, number in zip(raised, numbers, strict=True))


def _behind_statement(text: str, one: re.Match[str]) -> bool:
    """Whether a number in parentheses stands behind words, apart from them, and ends what it stands in."""
    before = text[max(0, one.start() - 2) : one.start()]
    ended = re.match(r"[.,;:!?。，；]|[ \t]*(?:\n|\Z)", text[one.end() : one.end() + 40])
    return bool(ended) and len(before) == 2 and before[1] in " \t" and not before[0].isspace()
