"""Segments of a page to rows: those at the same height."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.parse.pdf.lines import Line

_TALL = 2.0  # heights of a line: a row is no higher for an initial over several lines


def position(line: Line) -> tuple[float, float]:
    """What orders lines from top to bottom, then from left to right."""
    return line.top, line.left


def make_rows(lines: Iterable[Line]) -> list[list[Line]]:
    """Segments at the same height as rows from top to bottom, each from left to right."""
    rows: list[list[Line]] = []
    top = bottom = 0.0
    for line in sorted(lines, key=position):
        overlap = min(bottom, line.bottom) - max(top, line.top)
        if rows and overlap > 0.5 * min(bottom - top, line.height):
            rows[-1].append(line)
            low, high = sorted((bottom - top, line.height))
            if (line.height == high) == (high < _TALL * low):
                top, bottom = line.top, line.bottom
        else:
            rows.append([line])
            top, bottom = line.top, line.bottom
    return [sorted(row, key=lambda line: line.left) for row in rows]
