"""XLS: old binary Excel workbooks, read with xlrd; every visible sheet with its cells as shown."""

from __future__ import annotations

import io
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pincite.errors import InputError
from pincite.parse.office.opc import property_value
from pincite.parse.sheets.number_format import BUILT_IN, GENERAL, SYSTEM_DATES, shown_number, shown_text
from pincite.parse.sheets.regions import Area
from pincite.parse.sheets.sheet import (
    MAX_CELLS,
    Room,
    Sheet,
    cell_name,
    comment,
    link_shown,
    one_line,
    only,
    write_sheet,
)
from pincite.parse.writer import Writer
from pincite.protocols import Source
from pincite.types import Document, Losses, Meta, MetaValue

if TYPE_CHECKING:
    from xlrd.book import Book
    from xlrd.sheet import Cell
    from xlrd.sheet import Sheet as Table

_BOLD = 600  # weight of type from which it is bold
_PROPERTIES = (
    ("author", "author"), ("create_time", "date"), ("last_saved_time", "modified_date"),
    ("keywords", "keywords"), ("subject", "subject"), ("comments", "description"),
)  # fmt: skip


def parse_xls(source: Source) -> Document:
    """The document of a workbook: a section per sheet, a block per row. Hidden sheets are named, not read."""
    book = _open(source)
    writer, room, cut = Writer(), Room(MAX_CELLS), 0
    dropped: list[str] = []
    titles: list[str] = []
    for number, name in enumerate(book.sheet_names()):
        table = _table(source, book, number)
        if table.visibility:
            dropped.append(f"sheet {name}: hidden, not read")
            continue
        sheet = _sheet(book, table, room)
        cut += sheet.cut
        titles.append(write_sheet(writer, sheet))
        dropped += sheet.dropped
        book.unload_sheet(number)
    title, meta, macros = _properties(source)
    dropped += macros
    losses = Losses(cut_text=cut, dropped=tuple(dropped))
    return writer.finish(source, "xls", title=title or only(titles), meta=meta, losses=losses)


def _open(source: Source) -> Book:
    """The workbook with its formats. Raises `InputError` for one that is locked or damaged."""
    import xlrd

    try:
        return xlrd.open_workbook(
            file_contents=source.data, formatting_info=True, on_demand=True, ragged_rows=True,
            logfile=io.StringIO(),
        )  # fmt: skip
    except MemoryError:
        raise
    except Exception as error:  # xlrd raises whatever a damaged record sets off
        locked = "encrypt" in str(error).lower()
        what = "is locked with a password (save it without one)" if locked else f"is damaged{_why(error)}"
        message = f"{source.uri}: this Excel workbook {what}"
        raise InputError(message, uri=source.uri, code="locked" if locked else "") from error


def _why(error: Exception) -> str:
    """What xlrd says of the file; "" for an error of another kind, whose words are about its code."""
    import xlrd
    from xlrd.compdoc import CompDocError

    return f" ({error})" if isinstance(error, xlrd.XLRDError | CompDocError) else ""


def _table(source: Source, book: Book, number: int) -> Table:
    """A sheet of the workbook. Raises `InputError` for one that is damaged."""
    try:
        return book.sheet_by_index(number)
    except MemoryError:
        raise
    except Exception as error:  # as above
        message = f"{source.uri}: sheet {number + 1} of this Excel workbook is damaged{_why(error)}"
        raise InputError(message, uri=source.uri) from error


def _sheet(book: Book, table: Table, room: Room) -> Sheet:
    sheet = Sheet(" ".join(table.name.split()))
    sheet.merged = [Area(top + 1, left + 1, bottom, right) for top, bottom, left, right in table.merged_cells]
    sheet.hidden_rows = {row + 1 for row, info in table.rowinfo_map.items() if info.hidden}
    sheet.hidden_columns = {column + 1 for column, info in table.colinfo_map.items() if info.hidden}
    codes = [_code(book, style.format_key) for style in book.xf_list]
    fonts = [font.bold or font.weight >= _BOLD for font in book.font_list]
    bold = {n for n, style in enumerate(book.xf_list) if _at(fonts, style.font_index)}
    if table.panes_are_frozen:
        sheet.hints.frozen.add(table.horz_split_pos)
    for row in range(table.nrows):
        cells = {n: text for n, cell in enumerate(table.row(row), 1) if (text := _shown(book, cell, codes))}
        if cells and sheet.take(row + 1, cells, room):
            sheet.hints.weigh(row + 1, [table.cell_xf_index(row, n - 1) in bold for n in cells])
    _read_notes(table, sheet)
    return sheet


def _at(flags: list[bool], index: int) -> bool:
    return 0 <= index < len(flags) and flags[index]


def _code(book: Book, key: int) -> str:
    if key in SYSTEM_DATES:
        return BUILT_IN[key]
    own = book.format_map.get(key)
    return (own.format_str if own else BUILT_IN.get(key)) or GENERAL


def _shown(book: Book, cell: Cell, codes: list[str]) -> str:
    """What a cell shows; "" for an empty one."""
    import xlrd

    code = codes[cell.xf_index] if cell.xf_index is not None and cell.xf_index < len(codes) else GENERAL
    if cell.ctype in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        return one_line(shown_number(float(cell.value), code, book.datemode == 1))
    if cell.ctype == xlrd.XL_CELL_TEXT:
        return one_line(shown_text(cell.value, code))
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, "#ERROR!"))
    return ""


def _read_notes(table: Table, sheet: Sheet) -> None:
    """Adds comments, and links to the text of their cells."""
    for (row, column), note in sorted(table.cell_note_map.items()):
        author = one_line(note.author or "")
        text = one_line(note.text or "").removeprefix(f"{author}:").strip()
        if text:
            sheet.notes.append((cell_name(row + 1, column + 1), comment(author, text)))
    for (row, column), link in sorted(table.hyperlink_map.items()):
        cells = sheet.rows.get(row + 1, {})
        if column + 1 in cells:
            cells[column + 1] = link_shown(cells[column + 1], link.url_or_path)


# ── properties ────────────────────────────────────────────────────────────────────────────────
def _properties(source: Source) -> tuple[str, Meta, list[str]]:
    """Title and metadata of the file's summary, empty where it has none that can be read; its macros."""
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(source.data)) as file:
            found = file.get_metadata()
            macros = ["macros (never run)"] if file.exists("_VBA_PROJECT_CUR") else []
    except Exception:  # a damaged summary: the workbook itself was read
        return "", {}, []
    meta: dict[str, MetaValue] = {}
    for attribute, name in _PROPERTIES:
        value = _property(name, getattr(found, attribute), found.codepage)
        if value:
            meta[name] = value
    return str(_property("title", found.title, found.codepage)), meta, macros


def _property(name: str, value: Any, codepage: int | None) -> MetaValue:
    if isinstance(value, datetime):
        return value.date()
    if not isinstance(value, bytes):
        return ""
    encoding = "utf-8" if codepage in (None, 65001) else f"cp{codepage & 0xFFFF}"
    try:
        text = one_line(value.decode(encoding, "replace").rstrip("\0"))
    except LookupError:
        text = one_line(value.decode("cp1252", "replace").rstrip("\0"))
    return property_value(name, text) if text else ""
