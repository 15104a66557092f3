"""Which lines of a passage to show for a query, and which of their words to light."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.analyze import analyze, identifier
from pincite.characters import lowered
from pincite.scripts import PAIRED
from pincite.types import Query, SearchHit, Span

MAX_LINES = 4
MAX_LOOKED_AT = 200  # lines of one passage
MAX_WIDTH = 240  # characters of one line
MAX_LIT = 5000  # characters of one line among which words are lit
_REGEX_SECONDS = 0.1  # for one passage
_WORD = re.compile(r"\S{1,200}")
_LEFT, _RIGHT = re.compile(r"[^\w#+.]+"), re.compile(r"[^\w#+]+\Z")
_APART = re.compile(r"""[^,;:!?(){}\[\]<>|/\\"=&*~^`“”„«»…]+""")
_PART = re.compile(r"[^-_.\u2010-\u2015\u2212]+")
_PAIRED = re.compile(f"[{PAIRED}]")


@dataclass(frozen=True, slots=True)
class SnippetLine:
    """One line of a passage: its number in the file if that is known, its text, and the spans to light."""

    number: int | None
    text: str
    lit: tuple[Span, ...] = ()


def snippet(
    hit: SearchHit, query: Query, *, stemmers: tuple[str, ...], numbers: Sequence[int | None] | None = None
) -> list[SnippetLine]:
    """Up to four lines of the hit: the window that holds most of the query's words.

    `numbers` are those of its lines in the file; without them they follow from the hit's place, if they do.
    """
    lines = hit.stored.chunk.text.split("\n")
    numbers = _numbers(hit, len(lines)) if numbers is None else numbers
    if query.regex:
        lit = _found(lines[:MAX_LOOKED_AT], query.text)
    else:
        terms = _terms(query.text, stemmers)
        lit = [_matches(line, terms, stemmers) for line in lines[:MAX_LOOKED_AT]]
    start = _best_window(
        [len({lines[n][s.start : s.end].lower() for s in spans}) for n, spans in enumerate(lit)]
    )
    shown = [n for n in range(start, len(lit)) if lines[n].strip()][:MAX_LINES]
    return [_cut(numbers[n], lines[n], lit[n]) for n in shown]


def _terms(text: str, stemmers: tuple[str, ...]) -> frozenset[str]:
    """The query's terms; a code counts as a whole only, so that `ERR-5021` does not light `ERR-5022`."""
    words = text.split()
    codes = [one if any(map(str.isdigit, one)) else "" for one in map(identifier, words)]
    plain = " ".join(word for word, code in zip(words, codes, strict=True) if not code)
    found = analyze(plain, side="query", stemmers=stemmers).split()
    return frozenset([*found, *(code for code in codes if code)])


def _found(lines: Sequence[str], expression: str) -> list[tuple[Span, ...]]:
    """Where a regular expression matches in each line, as far as its time goes."""
    import regex

    lit: list[tuple[Span, ...]] = [() for _ in lines]
    until = time.monotonic() + _REGEX_SECONDS
    try:
        for n, line in enumerate(lines):
            left = max(0.001, until - time.monotonic())
            found = regex.finditer(expression, line[:MAX_LIT], timeout=left)
            lit[n] = _merged([Span(*match.span()) for match in found])
    except (TimeoutError, MemoryError, regex.error):
        return lit
    return lit


def _numbers(hit: SearchHit, count: int) -> Sequence[int | None]:
    """The line numbers of the passage, if each of its lines is one line of the file."""
    first, last = hit.stored.place.line_start, hit.stored.place.line_end
    if first is None or last is None or last - first + 1 != count:
        return [None] * count
    return range(first, last + 1)


def _best_window(counts: Sequence[int]) -> int:
    """The first line of the window with the highest sum, moved on to its first line with a match."""
    sums = [sum(counts[n : n + MAX_LINES]) for n in range(max(1, len(counts) - MAX_LINES + 1))]
    best = max(range(len(sums)), key=lambda n: (sums[n], -n))
    while best + 1 < len(sums) and not counts[best] and sums[best + 1] == sums[best] and sums[best]:
        best += 1
    return best


def _matches(line: str, terms: frozenset[str], stemmers: tuple[str, ...]) -> tuple[Span, ...]:
    """Where the line holds words of the query, sorted and not overlapping."""
    found = []
    for word in _WORD.finditer(line[:MAX_LIT]):
        if _PAIRED.search(word[0]):
            found += _pairs(word[0], word.start(), terms)
        else:
            found += [_core(line, span) for span in _matching(line, Span(*word.span()), terms, stemmers)]
    return _merged(found)


def _matching(
    line: str,
    word: Span,
    terms: frozenset[str],
    stemmers: tuple[str, ...],
    finer: tuple[re.Pattern[str], ...] = (_APART, _PART),
) -> list[Span]:
    """The parts of what stands between two spaces that hold a term: `Hops` alone of `Hops,Saaz`.

    What matches as a whole only, as a code does, is not taken apart.
    """
    text = line[word.start : word.end]
    if terms.isdisjoint(analyze(text, side="document", stemmers=stemmers).split()):
        return []
    if not finer or identifier(text) in terms:
        return [word]
    parts = [Span(*part.span()) for part in finer[0].finditer(line, word.start, word.end)]
    return [one for part in parts for one in _matching(line, part, terms, stemmers, finer[1:])] or [word]


def _core(line: str, word: Span) -> Span:
    """The word without the punctuation around it."""
    left, right = _LEFT.match(line, word.start, word.end), _RIGHT.search(line[word.start : word.end])
    return Span(left.end() if left else word.start, word.end - (len(right[0]) if right else 0))


def _pairs(run: str, start: int, terms: frozenset[str]) -> list[Span]:
    """Occurrences of the query's terms in text that is indexed in pairs of characters."""
    found, folded = [], lowered(run)
    for term in sorted(term for term in terms if _PAIRED.search(term) or len(term) > 2):
        at = folded.find(term)
        while at != -1:
            found.append(Span(start + at, start + at + len(term)))
            at = folded.find(term, at + 1)
    return found


def _merged(spans: Sequence[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        elif len(span):
            merged.append(span)
    return tuple(merged)


def _cut(number: int | None, line: str, lit: tuple[Span, ...]) -> SnippetLine:
    """The line, or the part of a long one around its first lit word, with `…` where it was cut."""
    line = line.removesuffix("\r")
    if len(line) <= MAX_WIDTH:
        return SnippetLine(number, line, lit)
    first = max(0, min((lit[0].start if lit else 0) - 40, len(line) - MAX_WIDTH))
    last = first + MAX_WIDTH
    head, tail = "…" if first else "", "…" if last < len(line) else ""
    moved = (Span(max(s.start, first), min(s.end, last)) for s in lit if s.start < last and s.end > first)
    shift = len(head) - first
    return SnippetLine(
        number, head + line[first:last] + tail, tuple(Span(s.start + shift, s.end + shift) for s in moved)
    )
