"""Tables of reStructuredText drawn with characters: their header and rows, by lines."""

from __future__ import annotations

import re
from itertools import pairwise

from pincite.parse.build import Piece
from pincite.parse.lines import Lines, table_pieces

_GRID = re.compile(r"\+(?:[-=]{1,1000}\+){1,200}")
_RULE = re.compile(r"={2,1000}(?:[ \t]{1,100}={2,1000}){1,200}")
_HEADER = re.compile(r"\+(?:={1,1000}\+){1,200}")
_SPANS = re.compile(r"-{2,1000}(?:[ \t]{1,100}-{2,1000}){0,200}")
MAX_LINES = 2_000  # looked through for the end of a table; each line that may begin one is looked behind


def read_table(lines: Lines, i: int) -> tuple[list[Piece], int] | None:
    """The pieces of the table at line `i` and the line behind it; None if none starts there."""
    row = lines.rows[i]
    if _GRID.fullmatch(row):
        return _grid(lines, i)
    return _simple(lines, i) if _RULE.fullmatch(row) else None


def _grid(lines: Lines, i: int) -> tuple[list[Piece], int] | None:
    """A table whose cells are drawn with `+`, `-` and `|`; `=` is under its header."""
    end = i
    while not lines.blank(end) and lines.rows[end][0] in "+|":
        end += 1
    drawn = [n for n in range(i, end) if _GRID.fullmatch(lines.rows[n])]
    if len(drawn) < 2 or drawn[-1] != end - 1:
        return None
    under = next((k for k, n in enumerate(drawn) if k and _HEADER.fullmatch(lines.rows[n])), 0)
    # each row takes the line drawn under it, the first also the one above
    bounds = [i, *(n + 1 for n in drawn[1:])]
    rows = [(a, b) for a, b in pairwise(bounds) if b > a]
    if not under or under >= len(rows):
        return table_pieces(lines, None, rows), end
    return table_pieces(lines, (i, drawn[under] + 1), rows[under:]), end


def _simple(lines: Lines, i: int) -> tuple[list[Piece], int] | None:
    """A table between lines of `=`: two of them around the rows, or three with a header."""
    rules = [i]
    end = i + 1
    while end < min(len(lines.rows), i + MAX_LINES) and len(rules) < 3:
        row = lines.rows[end]
        if row == lines.rows[i]:
            rules.append(end)
            if lines.blank(end + 1):
                break
        elif not row and lines.blank(end + 1):
            return None
        end += 1
    if len(rules) < 2 or not lines.blank(rules[-1] + 1):
        return None
    first, last = rules[-2] + 1, rules[-1]
    rows = _rows(lines, first, last)
    if not rows:
        return None
    rows[-1] = (rows[-1][0], last + 1)
    if len(rules) == 2:
        rows[0] = (i, rows[0][1])
        return table_pieces(lines, None, rows), last + 1
    return table_pieces(lines, (i, rules[1] + 1), rows), last + 1


def _rows(lines: Lines, first: int, last: int) -> list[tuple[int, int]]:
    """The rows by their lines: one starts where the first column has text."""
    rows: list[tuple[int, int]] = []
    for n in range(first, last):
        row = lines.rows[n]
        starts = bool(row) and not lines.indented(n) and not _SPANS.fullmatch(row)
        if starts or not rows:
            rows.append((n, n + 1))
        else:
            rows[-1] = (rows[-1][0], n + 1)
    return [(a, b) for a, b in rows if any(lines.rows[n] for n in range(a, b))]
