"""Narrow gaps between columns: as wide as one between words, but in line after line at the same place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

NARROW = 0.35  # of the type size: the least width of a gutter
_WIDEST = 0.9  # of the type size: wider ones are seen without looking for them
_ALIGNED = 0.15  # type sizes: lines of a column start no further from one another
_BROKEN = 1.5  # of the type size: a gap that ends the text of a column
_LEAST = 5  # lines with text on both sides: gaps between words do not meet in so many
_LEVEL = 1 / 3  # of the lower one's height
_COMPARED = 40  # pieces of a row, the last ones
_MOST = 100  # that are followed at a time
_COLUMN = 8  # type sizes: a column of text is no narrower

Piece = tuple[float, float, float, float, float]
"""Text without a gap as wide as a gutter: left, top, right, bottom, type size; points."""

Gutter = tuple[float, float, float]
"""As a rule that stands in it: x, top, bottom."""


@dataclass(slots=True)
class _Track:
    """A gutter as far as it is followed. `lines` have text on both sides, `wide` ones as much as a column.

    `edge` is where the text right of it starts, `aligned` counts the lines that start where the last did.
    """

    left: float
    right: float
    top: float
    bottom: float
    lines: int
    wide: int
    edge: float
    aligned: int = 0


def find_gutters(pieces: Iterable[Piece], rules: Iterable[Gutter]) -> list[Gutter]:
    """The narrow gutters among pieces of text, but for those with an upright rule in them, as in tables."""
    found: list[_Track] = []
    open_: list[_Track] = []
    for row in _rows(pieces):
        still: list[_Track] = []
        for gutter in open_:
            (still if _goes_on(gutter, row) else found).append(gutter)
        open_ = [*still, *_started(row, still)][:_MOST]
    likely = [
        one for one in found + open_ if one.lines >= _LEAST and 2 * min(one.wide, one.aligned + 1) > one.lines
    ]
    return [
        ((one.left + one.right) / 2, one.top, one.bottom)
        for one in likely
        if not any(one.left <= x <= one.right and top < one.bottom and one.top < end for x, top, end in rules)
    ]


def _rows(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """The pieces beside one another, from top to bottom, each row from left to right.

    Lines of two columns need not be level: those that overlap by a third are beside one another.
    """
    row: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: (piece[1] + piece[3], piece[0])):
        if row and not _is_beside(piece, row):
            yield sorted(row)
            row = []
        row.append(piece)
    if row:
        yield sorted(row)


def _is_beside(piece: Piece, row: Sequence[Piece]) -> bool:
    _, top, _, bottom, _ = row[0]
    overlap = min(piece[3], bottom) - max(piece[1], top)
    level = overlap > _LEVEL * min(piece[3] - piece[1], bottom - top)
    return level and all(piece[0] >= one[2] or piece[2] <= one[0] for one in row[-_COMPARED:])


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
        gutter.aligned += abs(min(after) - gutter.edge) < _ALIGNED * size
        gutter.edge = min(after)
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
            started.append(_Track(left, right, top, bottom, 1, int(_is_wide(row, left, right)), right))
    return started


def _is_wide(row: Sequence[Piece], left: float, right: float) -> bool:
    """Whether the text of a row on each side of a gutter is as wide as a column, with no wide gap in it."""
    size = row[0][4]
    before = [piece for piece in reversed(row) if piece[2] <= left + 0.1]
    after = [piece for piece in row if piece[0] >= right - 0.1]
    start, end = left, right
    for piece in before:
        if start - piece[2] >= _BROKEN * piece[4]:
            break
        start = piece[0]
    for piece in after:
        if piece[0] - end >= _BROKEN * piece[4]:
            break
        end = piece[2]
    return min(left - start, end - right) >= _COLUMN * size
