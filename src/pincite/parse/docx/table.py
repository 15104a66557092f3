"""The rows and cells of a Word table, and which of its rows are headers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from pincite.parse.docx.story import CELL_CHANGES, CHANGES
from pincite.parse.docx.styles import W, is_on, value
from pincite.parse.office.drawingml import MC, chosen
from pincite.parse.office.items import Cell, Item, heads_columns, is_full, joined_lines
from pincite.parse.office.story import Change

if TYPE_CHECKING:
    from lxml import etree

MAX_WIDTH = 1_000  # columns one cell may be said to take
_FIRST_ROW = 0x20  # of the bits that say which rows a table's style sets apart


def elements_in(
    container: Iterable[etree._Element], names: frozenset[str], change: Change = ""
) -> Iterator[tuple[etree._Element, Change]]:
    """The elements of some names in a container, in order, with the change they are part of.

    What is wrapped in content controls, custom XML and changes counts as directly inside.
    """
    stack = [(iter(container), change)]
    while stack:
        children, within = stack[-1]
        element = next(children, None)
        if element is None:
            stack.pop()
        elif element.tag in names:
            yield element, within
        elif element.tag == f"{MC}AlternateContent":
            inner = chosen(element)
            stack.append((iter(() if inner is None else inner), within))
        elif element.tag in WRAPPERS:
            stack.append((iter(element), CHANGES.get(element.tag, within)))


WRAPPERS = frozenset(CHANGES) | {W + name for name in ("sdt", "sdtContent", "customXml", "smartTag")}
_ROWS, _CELLS = frozenset([f"{W}tr"]), frozenset([f"{W}tc"])


def rows_in(table: etree._Element, change: Change) -> Iterator[tuple[etree._Element, Change]]:
    """The rows of a table, each with the change it is part of."""
    for row, within in elements_in(table, _ROWS, change):
        properties = row.find(f"{W}trPr")
        own = (CHANGES[e.tag] for e in properties if e.tag in CHANGES) if properties is not None else ()
        yield row, next(iter(own), within)


def cells_in(row: etree._Element, change: Change) -> Iterator[tuple[etree._Element, Change]]:
    """The cells of a row, each with the change it is part of."""
    for cell, within in elements_in(row, _CELLS, change):
        properties = cell.find(f"{W}tcPr")
        own = (
            (CELL_CHANGES[e.tag] for e in properties if e.tag in CELL_CHANGES)
            if properties is not None
            else ()
        )
        yield cell, next(iter(own), within)


def gap_before(row: etree._Element) -> int:
    """The columns a row leaves free at its start."""
    properties = row.find(f"{W}trPr")
    return _width(value(properties, "gridBefore")) if properties is not None else 0


def made_cell(element: etree._Element, items: Sequence[Item]) -> Cell:
    """A cell with the text of its items, a line each; cells merged into the one above have none."""
    parts = joined_lines(item.parts for item in items)
    properties = element.find(f"{W}tcPr")
    if properties is None:
        return Cell(parts)
    merge = properties.find(f"{W}vMerge")
    continues = merge is not None and merge.get(f"{W}val", "continue") == "continue"
    return Cell(parts, max(1, _width(value(properties, "gridSpan"))), continues)


def _width(text: str) -> int:
    return min(int(text[:6]), MAX_WIDTH) if text.isdecimal() else 0


def header_rows(table: etree._Element, rows: Sequence[tuple[etree._Element, Sequence[Cell]]]) -> int:
    """The number of header rows at the top: those marked as such, or the first if it looks like one."""
    marked = 0
    for row, _ in rows:
        properties = row.find(f"{W}trPr")
        mark = properties.find(f"{W}tblHeader") if properties is not None else None
        if mark is None or not is_on(mark):
            break
        marked += 1
    if marked:
        return marked if marked < len(rows) else 1
    if len(rows) < 2 or not _styled_first_row(table) or not is_full(rows[0][1]):
        return 0
    bold = [_bold_cells(row) for row, _ in rows[:2]]
    if all(bold[0]) and not all(bold[1]):
        return 1
    names_itself = len(bold[0]) == 2 and bold[0] == [True, False]
    return int(not names_itself and heads_columns([cells for _, cells in rows]))


def _bold_cells(row: etree._Element) -> list[bool]:
    """Which cells of a row have bold type throughout, by their own properties; empty ones have not."""
    return [_is_bold(cell) for cell, _ in elements_in(row, _CELLS)]


def _is_bold(cell: etree._Element) -> bool:
    runs = [run for run in cell.iter(f"{W}r") if any(text.text for text in run.iterfind(f"{W}t"))]
    marks = [run.find(f"{W}rPr/{W}b") for run in runs]
    return bool(marks) and all(mark is not None and is_on(mark) for mark in marks)


def _styled_first_row(table: etree._Element) -> bool:
    """Whether the table's style sets the first row apart, or says nothing of it."""
    look = table.find(f"{W}tblPr/{W}tblLook")
    if look is None:
        return True
    if look.get(f"{W}firstRow") is not None:
        return is_on(look, "firstRow")
    try:
        return bool(int(look.get(f"{W}val", "0"), 16) & _FIRST_ROW)
    except ValueError:
        return False
