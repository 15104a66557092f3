"""Lists among rows of segments: bullets with their text, and lists that stand beside one another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.parse.pdf.grid import Cell, Row, Rule, cells_of, columns_of
from pincite.parse.pdf.lines import Line, is_rtl

_BULLET = re.compile(r"[•●○▪■◦‣∙►➢❖]$")
ITEM = re.compile(r"[•●○▪■◦‣∙►➢❖] ?\S|\(?(?:\d{1,3}|[a-z])[.)] +\S")
_INDENT = 2.5  # type sizes: the text of an item stands no further from its bullet


def lists_in(rows: Sequence[Row], rules: Sequence[Rule]) -> list[Row]:
    """The lines of lists that stand beside one another, list after list; none if the rows are not such.

    They are if no rule lies between them, and items stand below one another in several columns.
    """
    cells = [line for row in rows for line in row]
    if sum(ITEM.match(line.text) is not None for line in cells) < 0.6 * len(cells):
        return []
    columns = columns_of(rows)
    columns = columns[::-1] if is_rtl(cells) else columns
    grid = [cells_of(row, columns) for row in rows]
    lists = [[cell for cell in column if cell] for column in zip(*grid, strict=True)]
    if sum(map(has_items, lists)) < 2 or _ruled(rules, rows):
        return []
    return [cell for column in lists for cell in column]


def has_items(column: Sequence[Cell]) -> bool:
    """Whether a column holds two items of a list or more."""
    return sum(ITEM.match(cell[0].text) is not None for cell in column) > 1


def _ruled(rules: Sequence[Rule], rows: Sequence[Row]) -> bool:
    """Whether a rule lies between rows."""
    left, right = (
        min(line.left for row in rows for line in row),
        max(line.right for row in rows for line in row),
    )
    top, bottom = rows[0][0].bottom - 4, rows[-1][0].top + 4
    return any(top < y < bottom and min(end, right) > max(start, left) for y, start, end in rules)


def with_bullets(row: Sequence[Line]) -> Iterator[list[Line]]:
    """The segments of a row, each bullet together with the text it stands before."""
    ordered = list(row)
    at = 0
    while at < len(ordered):
        pair = ordered[at : at + 2]
        if not (len(pair) == 2 and _BULLET.match(pair[0].text) and _is_item_text(*pair)):
            pair = pair[:1]
        yield pair
        at += len(pair)


def _is_item_text(bullet: Line, text: Line) -> bool:
    near = text.left - bullet.right < _INDENT * text.size
    return near and not bullet.rtl and not text.rtl and not _BULLET.match(text.text)
