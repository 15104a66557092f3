"""The cells of one XLSX worksheet as shown, read row by row in flat memory."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.errors import InputError
from pincite.parse.office.opc import Package, R
from pincite.parse.sheets.number_format import GENERAL, general, shown_number, shown_text
from pincite.parse.sheets.regions import Area
from pincite.parse.sheets.sheet import (
    MAX_COLUMN,
    MAX_ROW,
    Room,
    Sheet,
    column_number,
    one_line,
    read_area,
    whole_number,
)
from pincite.parse.xml import iter_xml

if TYPE_CHECKING:
    from lxml import etree

NOT_COMPUTED = "[not computed]"
MAX_MERGED = 100_000
_TAGS = ("{*}row", "{*}mergeCell", "{*}col", "{*}autoFilter", "{*}hyperlink", "{*}pane")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_TRUE = ("1", "true")


@dataclass(frozen=True, slots=True)
class Book:
    """What all sheets of a workbook share: strings on one line each, the number formats of styles, the dates.

    `bold` says of each style whether its type is bold.
    """

    strings: list[str]
    codes: list[str]
    bold: list[bool]
    date1904: bool = False


def read_cells(package: Package, book: Book, part: str, sheet: Sheet, room: Room) -> list[tuple[Area, str]]:
    """Fills the sheet with whole rows as far as there is room; the rows beyond are counted and named.

    Returns where links stand, and the ids of what they lead to. Of a damaged part the rows before the fault
    are read, and the package notes it.
    """
    rows = _Rows(book, sheet, room)
    try:
        for element in iter_xml(package.xml_data(part), uri=package.uri, name=part, tags=_TAGS):
            rows.take(element)
    except InputError as error:
        package.note(error, f"the sheet {sheet.name} is not read from there on")
    sheet.rows = {row: dict(sorted(sheet.rows[row].items())) for row in sorted(sheet.rows)}
    return rows.links


class _Rows:
    """The rows of a sheet as they are read."""

    def __init__(self, book: Book, sheet: Sheet, room: Room) -> None:
        self.book, self.sheet, self.room = book, sheet, room
        self.last = self.last_column = 0
        self.links: list[tuple[Area, str]] = []

    def take(self, element: etree._Element) -> None:
        """Takes in a row, or what the sheet says of columns and areas."""
        kind = element.tag.rpartition("}")[2]
        area = read_area(element.get("ref", ""))
        if kind == "row":
            self._row(element)
        elif kind == "col":
            self._columns(element)
        elif kind == "pane" and element.get("state", "").startswith("frozen"):
            self.sheet.hints.frozen.add(whole_number(element.get("ySplit", "").removesuffix(".0")))
        elif area and kind == "mergeCell" and len(self.sheet.merged) < MAX_MERGED:
            self.sheet.merged.append(area)
        elif area and kind == "hyperlink":
            self.links.append((area, element.get(f"{R}id", "")))
        elif area and kind == "autoFilter":
            self.sheet.hints.headers.add(area.top)

    def _columns(self, element: etree._Element) -> None:
        """Takes in whether a range of columns, which stand in order in the file, is hidden."""
        first, last = (whole_number(element.get(end, "")) for end in ("min", "max"))
        first, last = max(first, self.last_column + 1), min(last, MAX_COLUMN)
        self.last_column = max(last, self.last_column)
        if element.get("hidden") in _TRUE:
            self.sheet.hidden_columns.update(range(first, last + 1))

    def _row(self, element: etree._Element) -> None:
        """Takes a row in, or counts what it holds if there is no room left."""
        self.last = whole_number(element.get("r", "")) or self.last + 1
        if not 1 <= self.last <= MAX_ROW or not len(element):
            return
        sheet = self.sheet
        if not sheet.has_room(self.room):
            self._count(element)
            return
        cells = self._cells(element)
        if not cells or not sheet.take(self.last, cells, self.room):
            return
        sheet.hints.weigh(self.last, [self._is_bold(cell) for cell in element if len(cell)])
        if element.get("hidden") in _TRUE:
            sheet.hidden_rows.add(self.last)

    def _count(self, element: etree._Element) -> None:
        size = 0
        for cell in element:
            for value in cell.iter("{*}v", "{*}t"):
                raw = value.text or ""
                size += len(self.string(raw)) if cell.get("t") == "s" else len(raw)
        if size:
            self.sheet.leave(self.last, self.last, size)

    def _cells(self, element: etree._Element) -> dict[int, str]:
        cells: dict[int, str] = {}
        column = 0
        for cell in element:
            reference = cell.get("r", "")
            column = column_number(reference.rstrip("0123456789")) or column + 1
            if len(cell) and column <= MAX_COLUMN and (text := self._shown(cell)):
                cells[column] = text
        return cells

    def _shown(self, cell: etree._Element) -> str:
        """What the cell shows on one line: its value by its format, or its formula if no value is stored."""
        held = {child.tag.rpartition("}")[2]: child for child in cell}
        if "is" in held:
            return one_line(shown_text(item_text(held["is"]), self._code(cell)))
        raw = held["v"].text if "v" in held else None
        if raw is None:
            formula = held["f"].text if "f" in held else None
            return one_line(f"={formula}") if formula else NOT_COMPUTED if "f" in held else ""
        if cell.get("t") == "s":
            return shown_text(self.string(raw), self._code(cell))  # the strings are on one line already
        return one_line(self._value(raw, cell.get("t", "n"), self._code(cell)))

    def _value(self, raw: str, kind: str, code: str) -> str:
        if kind == "n":
            return self._number(raw, code)
        if kind == "str":
            return shown_text(unescaped(raw), code)
        return {"1": "TRUE", "0": "FALSE"}.get(raw.strip(), raw) if kind == "b" else raw

    def _is_bold(self, cell: etree._Element) -> bool:
        at = whole_number(cell.get("s", ""))
        return at < len(self.book.bold) and self.book.bold[at]

    def _code(self, cell: etree._Element) -> str:
        at = whole_number(cell.get("s", ""))
        return self.book.codes[at] if at < len(self.book.codes) else GENERAL

    def _number(self, value: str, code: str) -> str:
        try:
            number = float(value)
        except ValueError:
            return value
        return general(number) if code == GENERAL else shown_number(number, code, self.book.date1904)

    def string(self, index: str) -> str:
        """The shared string of a number; the number itself if there is none."""
        index = index.strip()
        at = int(index) if index.isdecimal() and len(index) < 9 else -1
        return self.book.strings[at] if 0 <= at < len(self.book.strings) else index


def item_text(element: etree._Element) -> str:
    """The text of a string item: its own, or that of its runs, without readings."""
    texts = [
        child.text or ""
        for item in element
        if not item.tag.endswith("}rPh")
        for child in (item, *item)
        if child.tag.endswith("}t")
    ]
    return unescaped("".join(texts))


def unescaped(text: str) -> str:
    """Text with `_x000D_` and its like as the characters they stand for."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
