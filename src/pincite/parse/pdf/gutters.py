"""Narrow gaps between columns: as wide as one between words, but in line after line at the same place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

NARROW = 0.35  # of the type size: the least width of a gutter
_WIDEST = 0.9  # of the type size: wider ones are seen without looking for them
_LEAST = 5  # lines with text on both sides: gaps between words do not meet in so many
_MOST = 100  # that are followed at a time
_COLUMN = 8  # type sizes: a column of text is no narrower

Piece = tuple[float, float, float, float, float]
"""Text without a gap as wide as a gutter: left, top, right, bottom, type size; points."""

Gutter = tuple[float, float, float]
"""As a rule that stands in it: x, top, bottom."""


@dataclass(slots=True)
class _Track:
    """A gutter as far as it is followed. `lines` have text on both sides, `wide` ones as much as a column."""

    left: float
    right: float
    top: float
    bottom: float
    lines: int
    wide: int


def find_gutters(pieces: Iterable[Piece], rules: Iterable[Gutter]) -> list[Gutter]:
    """The narrow gutters among pieces of text, but for those with an upright rule in them, as in tables."""
    found: list[_Track] = []
    open_: list[_Track] = []
    for row in _rows(pieces):
        still: list[_Track] = []
        for gutter in open_:
            (still if _goes_on(gutter, row) else found).append(gutter)
        open_ = [*still, *_started(row, still)][:_MOST]
    likely = [one for one in found + open_ if one.lines >= _LEAST and 2 * one.wide > one.lines]
    return [
        ((one.left + one.right) / 2, one.top, one.bottom)
        for one in likely
        if not any(one.left <= x <= one.right and top < one.bottom and one.top < end for x, top, end in rules)
    ]


def _rows(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """The pieces at one height, from top to bottom, each row from left to right."""
    row: list[Piece] = []
    middle = float("-inf")
    for piece in sorted(pieces, key=lambda piece: (piece[1] + piece[3], piece[0])):
        if row and (piece[1] + piece[3]) / 2 - middle > 0.4 * piece[4]:
            yield sorted(row)
            row = []
        middle = middle if row else (piece[1] + piece[3]) / 2
        row.append(piece)
    if row:
        yield sorted(row)


def _goes_on(gutter: _Track, row: Sequence[Piece]) -> bool:
    """Whether a gutter is blank in a row as well; it is narrowed to what is blank in it."""
    size = row[0][4]
    left, right = gutter.left, gutter.right
    before = [piece[2] for piece in row if piece[0] < (left + right) / 2]
    after = [piece[0] for piece in row if piece[0] >= (left + right) / 2]
    left, right = max([left, *before]), min([right, *after])
    if right - left < NARROW * size or row[0][1] - gutter.bottom > 2 * size:
        return False
    gutter.left, gutter.right = left, right
    gutter.bottom = max(gutter.bottom, *(piece[3] for piece in row))
    if before and after:
        gutter.lines += 1
        gutter.wide += _is_wide(row, left, right)
    return True


def _started(row: Sequence[Piece], known: Sequence[_Track]) -> list[_Track]:
    """The gutters that may start in a row, besides those that are known."""
    started = []
    top, bottom = min(piece[1] for piece in row), max(piece[3] for piece in row)
    for a, b in pairwise(row):
        left, right = a[2], b[0]
        if not NARROW * a[4] <= right - left < _WIDEST * a[4]:
            continue
        if not any(one.left < right and left < one.right for one in known):
            started.append(_Track(left, right, top, bottom, 1, int(_is_wide(row, left, right))))
    return started


def _is_wide(row: Sequence[Piece], left: float, right: float) -> bool:
    """Whether the text of a row on each side of a gutter is as wide as a column, with no wide gap in it."""
    size = row[0][4]
    before = [piece for piece in reversed(row) if piece[2] <= left + 0.1]
    after = [piece for piece in row if piece[0] >= right - 0.1]
    start, end = left, right
    for piece in before:
        if start - piece[2] >= _WIDEST * size:
            break
        start = piece[0]
    for piece in after:
        if piece[0] - end >= _WIDEST * size:
            break
        end = piece[2]
    return min(left - start, end - right) >= _COLUMN * size
