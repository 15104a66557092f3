"""Reports as data (XBRL instances) to a `Document`: the notes, which are pages of HTML, and the facts.

A fact is a row: what, value with its unit, for when, and for which members. Each has the line of its element;
a line of a note is counted from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pincite.parse.epub.package import as_date, local_name
from pincite.parse.html.blocks import CELL
from pincite.parse.html.parts import read_html, write_html
from pincite.parse.writer import Part, Writer, cells_joined
from pincite.parse.xml_vocabulary import FAR, KNOWN_LINES
from pincite.protocols import Source
from pincite.types import Document, MetaValue, Place

if TYPE_CHECKING:
    from lxml import etree

_MARKUP = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TITLE = ("DocumentType", "EntityRegistrantName", "DocumentPeriodEndDate")


def xbrl_document(source: Source, root: etree._Element) -> Document:
    """The document of an instance, titled by kind of report, company and end of the period."""
    contexts = {one.get("id"): _context(one) for one in root if local_name(one) == "context"}
    units = {one.get("id"): _unit(one) for one in root if local_name(one) == "unit"}
    writer, stated, seen = Writer(), dict[str, str](), set[str]()
    for fact in root:
        text = "".join(str(part) for part in fact.itertext())
        if not fact.get("contextRef") or not text.strip():
            continue
        stated.setdefault(local_name(fact), " ".join(text.split()))
        if _MARKUP.search(text):
            _write_note(writer, fact, text, seen)
        else:
            writer.add("row", _row(fact, text, contexts, units))
    return writer.finish(
        source,
        "xml",
        title=" ".join(stated[name] for name in _TITLE if name in stated),
        meta=dict(_meta(stated)),
    )


def _write_note(writer: Writer, fact: etree._Element, text: str, seen: set[str]) -> None:
    """Adds a note, unless the same text was a note before: reports tag some twice."""
    page = read_html(text)
    if page.text in seen:
        return
    seen.add(page.text)
    write_html(writer, page, lambda _, line: _place(fact, line - 1))


def _place(fact: etree._Element, below: int = 0) -> Place:
    line = fact.sourceline or 0
    if not 0 < line < KNOWN_LINES:
        return Place(part=FAR)
    return Place(line + below, line + below)


def _row(fact: etree._Element, text: str, contexts: dict[str, str], units: dict[str, str]) -> list[Part]:
    unit = units.get(fact.get("unitRef") or "", "")
    value = f"{' '.join(text.split())} {unit}".strip()
    cells = (_words(local_name(fact)), value, contexts.get(fact.get("contextRef") or "", ""))
    return cells_joined([[(cell, _place(fact))] for cell in cells], CELL)


def _context(context: etree._Element) -> str:
    """`2025-04-01 to 2025-12-31, Series B Preferred Stock Member`."""
    given: dict[str, str] = {}
    members: list[str] = []
    for one in context.iter():
        name, text = local_name(one), (one.text or "").strip()
        if name in ("explicitMember", "typedMember"):
            members.append(_words(text.rpartition(":")[2]))
        elif text:
            given.setdefault(name, text)
    start, end = given.get("startDate", ""), given.get("endDate", "") or given.get("instant", "")
    return ", ".join(filter(None, (f"{start} to {end}" if start else end, *members)))


def _unit(unit: etree._Element) -> str:
    """`USD`, or `USD / shares`."""
    measures = [(one.text or "").strip() for one in unit.iter() if local_name(one) == "measure"]
    return " / ".join(measure.rpartition(":")[2] for measure in measures)


def _words(name: str) -> str:
    return _WORDS.sub(" ", name)


def _meta(stated: dict[str, str]) -> Iterator[tuple[str, MetaValue]]:
    if company := stated.get("EntityRegistrantName"):
        yield "company", company
    if end := stated.get("DocumentPeriodEndDate"):
        yield "date", as_date(end)
