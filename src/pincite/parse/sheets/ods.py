"""ODS: OpenDocument spreadsheets; cells hold their text as shown, so no number format is needed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.parse.odf.package import OFFICE, STYLE, TABLE, XLINK, OdfPackage
from pincite.parse.office.alt_text import alt_text
from pincite.parse.sheets.regions import Area
from pincite.parse.sheets.sheet import (
    MAX_CELLS,
    MAX_COLUMN,
    MAX_ROW,
    Room,
    Sheet,
    cell_name,
    comment,
    link_shown,
    one_line,
    only,
    read_area,
    write_sheet,
)
from pincite.parse.writer import Writer
from pincite.parse.xml import iter_xml
from pincite.protocols import Source
from pincite.types import Document, Losses

if TYPE_CHECKING:
    from lxml import etree

_TAGS = tuple("{*}" + name for name in ("style", "table-column", "table-row", "shapes", "database-range"))
_VALUES = ("string-value", "date-value", "time-value", "boolean-value", "value")
_HIDDEN = ("collapse", "filter")
_DRAWN = tuple("{*}" + name for name in ("frame", "custom-shape", "rect", "ellipse", "polygon", "path"))


def parse_ods(source: Source) -> Document:
    """The document of a spreadsheet: a section per sheet, a block per row; hidden sheets are only named."""
    package = OdfPackage(source.data, source.uri)
    reading = _Reading()
    for element in iter_xml(package.read("content.xml"), uri=source.uri, name="content.xml", tags=_TAGS):
        reading.take(element)
    writer = Writer()
    titles = [write_sheet(writer, sheet) for sheet in reading.sheets]
    dropped = [one for sheet in reading.sheets for one in sheet.dropped]
    dropped += [f"sheet {name}: hidden, not read" for name in reading.hidden]
    found = package.properties()
    dropped += package.losses()
    losses = Losses(cut_text=sum(sheet.cut for sheet in reading.sheets), dropped=tuple(dropped))
    return writer.finish(
        source,
        "ods",
        title=found.title or only(titles),
        meta=found.meta,
        language=found.language,
        losses=losses,
    )


@dataclass(slots=True)
class _Reading:
    """The sheets as their rows come."""

    sheets: list[Sheet] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    room: Room = field(default_factory=lambda: Room(MAX_CELLS))
    _hiding: set[str] = field(default_factory=set)  # styles of hidden tables
    _table: etree._Element | None = None
    _row: int = 0
    _column: int = 0

    def take(self, element: etree._Element) -> None:
        """Takes in a row, column, style, drawing or range as it ends."""
        kind = element.tag.rpartition("}")[2]
        if kind == "style":
            properties = element.find("{*}table-properties")
            if properties is not None and properties.get(f"{TABLE}display") == "false":
                self._hiding.add(element.get(f"{STYLE}name", ""))
        elif kind == "database-range":
            self._range(element)
        elif sheet := self._sheet(element):
            if kind == "table-column":
                self._columns(element, sheet)
            elif kind == "table-row":
                self._rows(element, sheet)
            else:
                _read_drawings(element, "", sheet)

    def _sheet(self, element: etree._Element) -> Sheet | None:
        """The sheet an element belongs to; None in a hidden one, and outside of tables."""
        tables = list(element.iterancestors(f"{TABLE}table"))
        if not tables:
            return None
        table = tables[-1]
        hides = table.get(f"{TABLE}style-name") in self._hiding
        if table is not self._table:
            self._table, self._row, self._column = table, 0, 0
            name = one_line(table.get(f"{TABLE}name", ""))
            if hides:
                self.hidden.append(name)
            else:
                self.sheets.append(Sheet(name))
        if hides:
            return None
        if len(tables) == 1:
            return self.sheets[-1]
        lost = f"sheet {self.sheets[-1].name}: a table within a cell"
        self.sheets[-1].dropped += [] if lost in self.sheets[-1].dropped else [lost]
        return None

    def _columns(self, element: etree._Element, sheet: Sheet) -> None:
        first = self._column + 1
        self._column = min(MAX_COLUMN, self._column + _repeated(element, "columns"))
        if element.get(f"{TABLE}visibility") in _HIDDEN:
            sheet.hidden_columns.update(range(first, self._column + 1))

    def _rows(self, element: etree._Element, sheet: Sheet) -> None:
        """Takes a row in as often as it is repeated, or counts it if there is no room."""
        first = self._row + 1
        self._row = min(MAX_ROW, self._row + _repeated(element, "rows"))
        if first > MAX_ROW:
            return
        runs = list(_cells(element, first, sheet))
        size = sum((right - left + 1) * len(text) for left, right, text in runs)
        for row in range(first, self._row + 1) if runs else ():
            if not sheet.has_room(self.room) or size > self.room.characters:
                sheet.leave(row, self._row, (self._row - row + 1) * size)
                break
            cells = {column: text for left, right, text in runs for column in range(left, right + 1)}
            sheet.take(row, cells, self.room)
            if element.get(f"{TABLE}visibility") in _HIDDEN:
                sheet.hidden_rows.add(row)
            if next(element.iterancestors(f"{TABLE}table-header-rows"), None) is not None:
                sheet.hints.headers.add(row)

    def _range(self, element: etree._Element) -> None:
        """Notes the header row of a range that the file names."""
        address = element.get(f"{TABLE}target-range-address", "")
        name, _, reference = address.partition(":")[0].rpartition(".")
        area = read_area(reference)
        sheet = next((one for one in self.sheets if one.name == name.strip("$'")), None)
        if area and sheet and element.get(f"{TABLE}contains-header", "true") == "true":
            sheet.hints.headers.add(area.top)


def _repeated(element: etree._Element, what: str) -> int:
    times = element.get(f"{TABLE}number-{what}-repeated", "1")
    return max(1, int(times)) if times.isdecimal() and len(times) < 9 else 1


def _cells(element: etree._Element, row: int, sheet: Sheet) -> Iterator[tuple[int, int, str]]:
    """First and last column, and text, of the cells of a row that show anything, equal ones as one.

    Merged areas, comments and drawings go to the sheet.
    """
    column = 1
    for cell in element:
        times = _repeated(cell, "columns")
        if column > MAX_COLUMN:
            break
        if len(cell) or cell.attrib:
            text = "" if cell.tag.endswith("}covered-table-cell") else _shown(cell)
            if text:
                yield column, min(MAX_COLUMN, column + times - 1), text
            _read_extras(cell, row, column, sheet)
        column += times


def _shown(cell: etree._Element) -> str:
    """What a cell shows: its text, or else its value, or else its formula."""
    lines = [_text(paragraph) for paragraph in cell.iterfind("{*}p")]
    if text := one_line(" ".join(lines)):
        for link in cell.iterfind("{*}p/{*}a"):
            text = link_shown(text, link.get(f"{XLINK}href", ""))
        return text
    value = next((found for name in _VALUES if (found := cell.get(OFFICE + name))), "")
    formula = cell.get(f"{TABLE}formula", "")
    return one_line(value or ("=" + formula.partition("=")[2] if "=" in formula else ""))


def _text(paragraph: etree._Element) -> str:
    """The text of a paragraph; spaces, tabs and line ends written as elements are spaces."""
    out = [paragraph.text or ""]
    for element in paragraph.iterdescendants():
        spaced = element.tag.rpartition("}")[2] in ("s", "tab", "line-break")
        out += [" " if spaced else element.text or "", element.tail or ""]
    return "".join(out)


def _read_extras(cell: etree._Element, row: int, column: int, sheet: Sheet) -> None:
    """Adds the merged area that begins in a cell, its comment and its drawings to the sheet."""
    wide, high = (cell.get(f"{TABLE}number-{what}-spanned", "1") for what in ("columns", "rows"))
    if (wide, high) != ("1", "1") and wide.isdecimal() and high.isdecimal() and len(wide + high) < 15:
        bottom, right = min(MAX_ROW, row + int(high) - 1), min(MAX_COLUMN, column + int(wide) - 1)
        sheet.merged.append(Area(row, column, bottom, right))
    for note in cell.iterfind("{*}annotation"):
        author = one_line(note.findtext("{*}creator") or "")
        if text := one_line(" ".join(_text(p) for p in note.iter("{*}p"))):
            sheet.notes.append((cell_name(row, column), comment(author, text)))
    _read_drawings(cell, cell_name(row, column), sheet)


def _read_drawings(holder: etree._Element, where: str, sheet: Sheet) -> None:
    """Adds the descriptions and texts of drawings to the sheet's notes; those without words are named."""
    for drawing in holder.iter(*_DRAWN):
        texts = [one_line(_text(p)) for p in drawing.iter("{*}p")]
        described = alt_text(drawing.findtext("{*}desc") or drawing.findtext("{*}title"))
        if any(texts):
            sheet.notes.append((where, f"[text box] {' '.join(filter(None, texts))}"))
        elif described:
            sheet.notes.append((where, f"[image: {described}]"))
        elif drawing.tag.endswith("}frame"):
            what = "a chart or embedded object" if drawing.find("{*}object") is not None else "a picture"
            sheet.dropped.append(f"sheet {sheet.name}: {what}" + (f" at {where}" if where else ""))
