"""Tables of document XML: their rows, and what a cell covers, in HTML, CALS, TEI and DITA."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.parse import xml_vocabulary as words
from pincite.parse.epub.package import local_name
from pincite.parse.office.items import Cell

if TYPE_CHECKING:
    from lxml import etree


def outside_cells(table: etree._Element) -> Iterator[etree._Element]:
    """The elements of a table in order, without those in its rows: tables in cells are read with them."""
    waiting = list(reversed(table))
    while waiting:
        element = waiting.pop()
        yield element
        if local_name(element) not in words.ROWS:
            waiting.extend(reversed(element))


def continued(cells: list[Cell], spans: dict[int, int], column: int) -> int:
    """Adds a cell for each column that a cell above reaches down to; returns the next free column."""
    while spans.get(column, 0) > 0:
        spans[column] -= 1
        cells.append(Cell(continues=True))
        column += 1
    return column


def is_head(row: etree._Element) -> bool:
    """Whether a row is of the table's head, or in a table without one made of header cells alone."""
    parent = row.getparent()
    in_head = parent is not None and local_name(parent) == "thead"
    if in_head or local_name(row) == "sthead" or row.get("role") == "label":
        return True
    names = [local_name(cell) for cell in row]
    return bool(names) and all(name == "th" for name in names)


def cell_width(cell: etree._Element) -> int:
    """The columns a cell takes: `colspan`, or from `namest` to `nameend`."""
    if cell.get("namest") and cell.get("nameend"):
        group = cell
        while group is not None and local_name(group) != "tgroup":
            group = group.getparent()
        columns = group if group is not None else ()
        names = [one.get("colname") for one in columns if local_name(one) == "colspec"]
        if cell.get("namest") in names and cell.get("nameend") in names:
            return max(1, names.index(cell.get("nameend")) - names.index(cell.get("namest")) + 1)
    return max(whole_number(cell, "colspan", 1), whole_number(cell, "cols", 1), 1)


def whole_number(element: etree._Element, name: str, default: int) -> int:
    """An attribute's number, the default where there is none below 10,000."""
    value = element.get(name, "").strip()
    return int(value) if value.isdecimal() and len(value) < 5 else default
