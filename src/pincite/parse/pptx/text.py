"""The text of a shape: paragraphs and list items, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.parse.office.drawingml import chosen
from pincite.parse.office.items import MAX_REPEATED
from pincite.parse.office.numerals import numeral
from pincite.parse.office.omml import equation
from pincite.parse.office.symbols import plain_symbols
from pincite.parse.pairs import are_pairs
from pincite.parse.pptx.shapes import Shape
from pincite.parse.table import is_header

if TYPE_CHECKING:
    from lxml import etree

_BULLETS = frozenset({"buChar", "buAutoNum", "buBlip"})
_NUMBERS = {
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
    "circle": "decimalEnclosedCircle",
}
_ENDS = {"ParenR": ")", "Plain": "", "Minus": " -"}
_BODY = frozenset({"body", "obj", "subTitle"})


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines of text; `level` from 0; `lead` is the number of a numbered item as shown."""

    text: str
    level: int = 0
    is_item: bool = False
    lead: str = ""


def paragraphs(body: etree._Element, styles: Sequence[etree._Element] = ()) -> Iterator[Paragraph]:
    """The paragraphs of a text body that hold text; `styles` are list styles, the nearest first."""
    counts: dict[int, int] = {}
    for element in body.iterfind("{*}p"):
        text = _text(element)
        own = element.find("{*}pPr")
        given = own.get("lvl", "0") if own is not None else "0"
        level = int(given) if given in "012345678" and given else 0
        bullet = _bullet(own, level, styles)
        if not text:
            continue
        kind = bullet.tag.rpartition("}")[2] if bullet is not None else ""
        counts = {at: count for at, count in counts.items() if at < level or (at == level and kind)}
        lead = ""
        if kind == "buAutoNum" and bullet is not None:
            first = bullet.get("startAt", "1")
            start = int(first) if first.isdecimal() and len(first) < 6 else 1
            counts[level] = counts.get(level, start - 1) + 1
            lead = _numbered(counts[level], bullet.get("type", ""))
        yield Paragraph(text, level, kind in _BULLETS, lead)


def _numbered(number: int, style: str) -> str:
    """A number as its style shows it: `arabicPeriod` 1., `alphaLcParenBoth` (a), `romanUcParenR` II)."""
    numbers = next((name for start, name in _NUMBERS.items() if style.startswith(start)), "decimal")
    shown = numeral(number, numbers)
    if style.endswith("ParenBoth"):
        return f"({shown}) "
    return shown + next((mark for end, mark in _ENDS.items() if style.endswith(end)), ".") + " "


def shape_styles(shape: Shape, body_style: etree._Element | None) -> list[etree._Element]:
    """The list styles that hold for a shape, the nearest first; `body_style` is the master's."""
    own = [one.find("{*}txBody/{*}lstStyle") for one in (shape.element, *shape.inherited)]
    styles = [style for style in own if style is not None]
    if body_style is not None and shape.placeholder in _BODY and shape.placeholder != "subTitle":
        styles.append(body_style)
    return styles


def _bullet(
    own: etree._Element | None, level: int, styles: Sequence[etree._Element]
) -> etree._Element | None:
    """The element that says what marks a paragraph: `buNone`, `buChar` …; None if nothing does."""
    places = [own, *(style.find(f"{{*}}lvl{level + 1}pPr") for style in styles)]
    for place in places:
        for child in place if place is not None else ():
            kind = child.tag.rpartition("}")[2]
            if kind == "buNone" or kind in _BULLETS:
                return child
    return None


def _text(paragraph: etree._Element) -> str:
    """The words of a paragraph, equations as a line, its line breaks kept, its slide number left out."""
    out: list[str] = []
    todo = list(reversed(paragraph))
    while todo:
        element = todo.pop()
        kind = element.tag.rpartition("}")[2]
        if kind == "r":
            font = element.find("{*}rPr/{*}sym")
            words = (element.findtext("{*}t") or "").replace("\v", "\n")
            out.append(plain_symbols(words, font.get("typeface", "Symbol") if font is not None else "Symbol"))
        elif kind == "fld" and not element.get("type", "").startswith("slidenum"):
            out.append(element.findtext("{*}t") or "")
        elif kind == "br":
            out.append("\n")
        elif kind == "oMath":
            out.append(f" {equation(element)} ")
        elif kind == "AlternateContent":
            taken = chosen(element)
            todo.extend(reversed(taken if taken is not None else ()))
        elif kind in ("m", "oMathPara"):
            todo.extend(reversed(element))
    lines = (" ".join(line.split()) for line in "".join(out).split("\n"))
    return "\n".join(line for line in lines if line)


# ── tables ────────────────────────────────────────────────────────────────────────────────────
def table_rows(table: etree._Element) -> tuple[list[list[str]], int]:
    """The cells of a table, short merged ones repeated, and how many of the first rows are its header."""
    rows: list[list[str]] = []
    widened = False
    for element in table.iterfind("{*}tr"):
        row: list[str] = []
        for cell in element.iterfind("{*}tc"):
            above = rows[-1] if rows else []
            if cell.get("hMerge") in ("1", "true"):
                row.append(_repeated(row[-1]) if row else "")
                widened = widened or not rows
            elif cell.get("vMerge") in ("1", "true"):
                row.append(_repeated(above[len(row)]) if len(row) < len(above) else "")
            else:
                row.append(" ".join(" ".join(p.text for p in _cell(cell)).split()))
        rows.append(row)
    properties = table.find("{*}tblPr")
    stated = properties is not None and properties.get("firstRow") in ("1", "true")
    if len(rows) < 2 or are_pairs(rows) or not (stated or is_header(rows[0], rows[1:])):
        return rows, 0
    return rows, 2 if widened and len(rows) > 2 else 1


def _repeated(text: str) -> str:
    return text if len(text) <= MAX_REPEATED else ""


def _cell(cell: etree._Element) -> Iterator[Paragraph]:
    body = cell.find("{*}txBody")
    return paragraphs(body) if body is not None else iter(())
