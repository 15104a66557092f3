"""XLSX and XLSM: every visible sheet, its cells as shown; macros are never run, other files never opened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.parse.office.opc import Package, R, Relationship
from pincite.parse.sheets.number_format import BUILT_IN, GENERAL, SYSTEM_DATES
from pincite.parse.sheets.regions import Area
from pincite.parse.sheets.sheet import (
    MAX_CELLS,
    Room,
    Sheet,
    one_line,
    only,
    read_area,
    whole_number,
    write_sheet,
)
from pincite.parse.sheets.xlsx_cells import Book, item_text, read_cells
from pincite.parse.sheets.xlsx_notes import read_notes
from pincite.parse.writer import Writer
from pincite.parse.xml import iter_xml
from pincite.protocols import Source
from pincite.types import Document, Losses

if TYPE_CHECKING:
    from lxml import etree

_LOST = {
    "pivotTable": "the records behind a pivot table",
    "externalLink": "the stored values of another workbook",
}


def parse_xlsx(source: Source) -> Document:
    """The document of a workbook: a section per sheet, a block per row. Hidden sheets are named, not read."""
    package = Package(source.data, source.uri)
    main = package.main("xl/workbook.xml")
    workbook = package.xml(main)
    writer, dropped, room = Writer(), [], Room(MAX_CELLS)
    book = _book(package, main, workbook)
    cut, titles = 0, []
    for name, state, reference in _sheets(package, main, workbook):
        if state in ("hidden", "veryHidden"):
            dropped.append(f"sheet {name}: hidden, not read")
            continue
        sheet = _sheet(package, book, name, reference, room)
        cut += sheet.cut
        titles.append(write_sheet(writer, sheet))
        dropped += sheet.dropped
    if not writer.at:
        package.refuse_unread()
    dropped += [_LOST["externalLink"] for _ in package.related(main, "externalLink")]
    title, meta, language = package.properties()
    losses = Losses(cut_text=cut, dropped=(*dropped, *package.macros(main), *package.damaged))
    return writer.finish(
        source, "xlsx", title=title or only(titles), meta=meta, language=language, losses=losses
    )


def _sheets(
    package: Package, main: str, workbook: etree._Element
) -> Iterator[tuple[str, str, Relationship | None]]:
    """Name, state and part of each sheet in the order of the tabs."""
    references = package.relationships(main)
    for element in workbook.iterfind("{*}sheets/{*}sheet"):
        id_ = element.get(f"{R}id", "")
        yield " ".join(element.get("name", "").split()), element.get("state", ""), references.get(id_)


def _sheet(package: Package, book: Book, name: str, reference: Relationship | None, room: Room) -> Sheet:
    """One sheet; of a chart sheet only what lies over it."""
    if reference is None or reference.external or reference.target not in package:
        return Sheet(name, dropped=[f"sheet {name}: its part is missing in the file"])
    part = reference.target
    sheet = Sheet(name)
    links: list[tuple[Area, str]] = []
    if reference.kind == "worksheet":
        links = read_cells(package, book, part, sheet, room)
        for table in package.related(part, "table"):
            element = package.optional(table)
            area = read_area(element.get("ref", "")) if element is not None else None
            if element is not None and area and element.get("headerRowCount", "1") != "0":
                sheet.hints.headers.add(area.top)
    elif reference.kind != "chartsheet":
        sheet.dropped.append(f"sheet {name}: a {reference.kind}")
    read_notes(package, part, sheet, links)
    for kind in ("oleObject", "package"):
        sheet.dropped += [f"sheet {name}: an embedded file" for _ in package.related(part, kind)]
    sheet.dropped += [f"sheet {name}: {_LOST['pivotTable']}" for _ in package.related(part, "pivotTable")]
    return sheet


# ── what all sheets share ─────────────────────────────────────────────────────────────────────
def _book(package: Package, main: str, workbook: etree._Element) -> Book:
    properties = workbook.find("{*}workbookPr")
    date1904 = properties is not None and properties.get("date1904") in ("1", "true")
    strings = [
        text for part in package.related(main, "sharedStrings")[:1] for text in _strings(package, part)
    ]
    styles = [style for part in package.related(main, "styles")[:1] for style in _styles(package, part)]
    return Book(strings, [code for code, _ in styles], [bold for _, bold in styles], date1904)


def _strings(package: Package, part: str) -> Iterator[str]:
    """The shared strings in order, on one line each, of rich text its runs joined, readings left out."""
    for element in iter_xml(package.read(part), uri=package.uri, name=part, tags=("{*}si",)):
        yield one_line(item_text(element))


def _styles(package: Package, part: str) -> Iterator[tuple[str, bool]]:
    """The number format of each cell style, and whether its type is bold."""
    root = package.optional(part)
    if root is None:
        return
    own = {e.get("numFmtId"): e.get("formatCode", "") for e in root.iterfind("{*}numFmts/{*}numFmt")}
    weights = [font.find("{*}b") for font in root.iterfind("{*}fonts/{*}font")]
    bold = [mark is not None and mark.get("val", "1") not in ("0", "false") for mark in weights]
    for style in root.iterfind("{*}cellXfs/{*}xf"):
        id_, font = style.get("numFmtId", "0"), whole_number(style.get("fontId", "0"))
        number = whole_number(id_)
        code = BUILT_IN[number] if number in SYSTEM_DATES else own.get(id_) or BUILT_IN.get(number, GENERAL)
        yield code, font < len(bold) and bold[font]
