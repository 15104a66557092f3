"""What hangs on the cells of an XLSX sheet or lies over it: comments, links, drawings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from pincite.parse.office.alt_text import alt_text
from pincite.parse.office.chart import read_chart
from pincite.parse.office.drawingml import body_text, diagram_nodes, drawn
from pincite.parse.office.opc import Package, R, Relationship
from pincite.parse.sheets.regions import Area
from pincite.parse.sheets.sheet import Sheet, cell_name, comment, link_shown, one_line, read_area
from pincite.parse.sheets.xlsx_cells import item_text

if TYPE_CHECKING:
    from lxml import etree

MAX_NOTES = 10_000  # of one sheet


def read_notes(package: Package, part: str, sheet: Sheet, links: Iterable[tuple[Area, str]]) -> None:
    """Adds links to their cells' text, and comments and what the drawings hold to the sheet's notes."""
    _add_links(package.relationships(part), sheet, links)
    threads = dict(_threads(package, part))
    notes = [(where, text) for where, text in _comments(package, part) if where not in threads]
    notes += [(where, text) for where, texts in threads.items() for text in texts]
    notes.sort(key=lambda note: _order(note[0]))
    for drawing in package.related(part, "drawing"):
        notes += _drawn(package, drawing, sheet)
    if len(notes) > MAX_NOTES:
        sheet.dropped.append(
            f"sheet {sheet.name}: {len(notes) - MAX_NOTES:,} comments and drawings (beyond the limit)"
        )
    sheet.notes += notes[:MAX_NOTES]


def _order(reference: str) -> tuple[int, int]:
    area = read_area(reference)
    return (area.top, area.left) if area else (0, 0)


def _add_links(
    references: Mapping[str, Relationship], sheet: Sheet, links: Iterable[tuple[Area, str]]
) -> None:
    """Puts the address of a link behind its cell's text, unless the text says it."""
    for area, id_ in links:
        link, cells = references.get(id_), sheet.rows.get(area.top, {})
        if link and link.external and area.left in cells:
            cells[area.left] = link_shown(cells[area.left], link.target)


# ── comments ──────────────────────────────────────────────────────────────────────────────────
def _comments(package: Package, part: str) -> Iterator[tuple[str, str]]:
    """Cell and text of each note of the older kind, with its author."""
    for name in package.related(part, "comments"):
        root = package.optional(name)
        if root is None:
            continue
        authors = [one_line(element.text or "") for element in root.iterfind("{*}authors/{*}author")]
        for element in root.iterfind("{*}commentList/{*}comment"):
            item = element.find("{*}text")
            id_ = element.get("authorId", "")
            author = authors[int(id_)] if id_.isdecimal() and len(id_) < 6 and int(id_) < len(authors) else ""
            text = one_line(item_text(item)) if item is not None else ""
            text = text.removeprefix(f"{author}:").strip() if author else text
            if text:
                yield element.get("ref", ""), comment("" if author.startswith("tc=") else author, text)


def _threads(package: Package, part: str) -> Iterator[tuple[str, list[str]]]:
    """Cell and texts of each thread of comments, in the order of the file."""
    people = dict(_people(package))
    found: dict[str, list[str]] = {}
    for name in package.related(part, "threadedComment"):
        for element in package.items(name):
            text = one_line("".join(element.itertext()))
            if text:
                author = people.get(element.get("personId", ""), "")
                day = element.get("dT", "")[:10]
                found.setdefault(element.get("ref", ""), []).append(comment(author, text, day))
    yield from found.items()


def _people(package: Package) -> Iterator[tuple[str, str]]:
    for name in package.related(package.main("xl/workbook.xml"), "person"):
        for element in package.items(name):
            yield element.get("id", ""), one_line(element.get("displayName", ""))


# ── drawings ──────────────────────────────────────────────────────────────────────────────────
def _drawn(package: Package, drawing: str, sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Place and text of each drawing that says something; pictures without words are named."""
    for anchor in package.items(drawing):
        where = _anchor(anchor)
        for element in drawn(anchor):
            text = _said(package, drawing, element)
            if text:
                yield where, text
            elif element.tag.endswith("}pic"):
                sheet.dropped.append(f"sheet {sheet.name}: a picture" + (f" at {where}" if where else ""))


def _said(package: Package, drawing: str, element: etree._Element) -> str:
    """What an element of a drawing says: a text box, chart, diagram or described picture; "" for nothing."""
    kind = element.tag.rpartition("}")[2]
    if kind == "txBody":
        text = body_text(element)
        return f"[text box] {text}" if text else ""
    if kind == "pic":
        described = next((alt_text(p.get("descr")) for p in element.iter("{*}cNvPr")), "")
        return f"[image: {described}]" if described else ""
    if kind == "chart":
        root = _target(package, drawing, element.get(R + "id", ""))
        return f"[chart] {', '.join(read_chart(root).names())}".rstrip() if root is not None else ""
    if kind == "relIds":
        root = _target(package, drawing, element.get(R + "dm", ""))
        nodes = diagram_nodes(root) if root is not None else []
        return f"[diagram] {'; '.join(text for _, text in nodes)}" if nodes else ""
    return ""


def _target(package: Package, drawing: str, id_: str) -> etree._Element | None:
    """The root of the part that a drawing refers to; None if there is none that can be read."""
    found = package.relationships(drawing).get(id_)
    return package.optional(found.target) if found and found.target in package else None


def _anchor(anchor: etree._Element) -> str:
    """The cell at the top left of a drawing; "" if it has none."""
    start = anchor.find("{*}from")
    if start is None:
        return ""
    column, row = (start.findtext("{*}" + name, "").strip() for name in ("col", "row"))
    if not (column.isdecimal() and row.isdecimal()) or len(column + row) > 12:
        return ""
    return cell_name(int(row) + 1, int(column) + 1)
