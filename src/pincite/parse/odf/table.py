"""The rows and cells of an OpenDocument table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.parse.odf.package import TABLE
from pincite.parse.office.items import Cell

if TYPE_CHECKING:
    from lxml import etree

MAX_REPEATS = 100  # times one cell with text may stand beside itself
MAX_WIDTH = 1_000  # columns one cell may be said to take, and up to which empty ones count
_GROUPS = frozenset(TABLE + name for name in ("table-rows", "table-row-group"))


def rows_in(table: etree._Element) -> Iterator[tuple[etree._Element, bool]]:
    """The rows of a table in order, each with whether it is a header row."""
    stack = [(child, False) for child in reversed(table)]
    while stack:
        element, is_header = stack.pop()
        if element.tag == f"{TABLE}table-row":
            yield element, is_header
        elif element.tag == f"{TABLE}table-header-rows":
            stack.extend((child, True) for child in reversed(element))
        elif element.tag in _GROUPS:
            stack.extend((child, is_header) for child in reversed(element))


def table_cells(
    row: etree._Element, spans: dict[int, tuple[int, int]]
) -> Iterator[tuple[etree._Element | None, Cell]]:
    """The cells of a row in order, each with its element; None for one that continues the cell above.

    `spans` is kept from row to row: by first column, the rows a cell still goes down, and its width.
    """
    column, covered = 0, 0
    for element in row:
        if element.tag not in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
            continue
        repeats = number(element, "number-columns-repeated")
        is_cell = element.tag == f"{TABLE}table-cell"
        if is_cell and len(element):
            for _ in range(min(repeats, MAX_REPEATS)):
                width = number(element, "number-columns-spanned")
                spans[column] = (number(element, "number-rows-spanned") - 1, width)
                yield element, Cell(width=width)
                column, covered = column + width, width - 1
            continue
        for _ in range(min(repeats, MAX_WIDTH - column)):
            if covered and not is_cell:
                covered -= 1
            elif column in spans and spans[column][0] > 0:
                down, width = spans[column]
                spans[column] = (down - 1, width)
                yield None, Cell(width=width, continues=not is_cell)
                column, covered = column + width, width - 1
            else:
                spans.pop(column, None)
                yield None, Cell()
                column += 1


def number(element: etree._Element, name: str) -> int:
    """A count that a cell states, from 1 and bounded."""
    given = element.get(TABLE + name, "1")
    return max(1, min(int(given[:6]), MAX_WIDTH)) if given.isdecimal() else 1
