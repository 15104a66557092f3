"""One slide of a presentation: its title, its body in reading order, what hangs on it, what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.parse.html.blocks import CELL
from pincite.parse.office.alt_text import alt_text
from pincite.parse.office.chart import read_chart
from pincite.parse.office.drawingml import body_text, diagram_nodes
from pincite.parse.office.items import HIDDEN_SLIDE
from pincite.parse.office.opc import Package, R
from pincite.parse.pptx.shapes import Shape, Shapes, slide_shapes
from pincite.parse.pptx.text import Paragraph, paragraphs, shape_styles, table_rows
from pincite.parse.sheets.sheet import comment, header_text
from pincite.parse.writer import Part, Writer
from pincite.types import BlockKind, Place, Span

if TYPE_CHECKING:
    from lxml import etree


@dataclass(slots=True)
class Deck:
    """What the slides of a presentation share while they are read.

    `authors` are those of comments by id; `footers` the texts at the edge of slides, each of which is listed
    once; `level` is that of the slides' sections.
    """

    package: Package
    authors: Mapping[str, str]
    writer: Writer = field(default_factory=Writer)
    dropped: list[str] = field(default_factory=list)
    footers: set[str] = field(default_factory=set)
    level: int = 1


class Slide:
    """One slide on its way into the writer."""

    def __init__(self, deck: Deck, part: str, number: int, style: etree._Element | None) -> None:
        self.deck, self.part, self.number, self.style = deck, part, number, style
        self.package, self.writer = deck.package, deck.writer
        self.title: Shape | None = None
        self.opens = deck.level  # of the section that the next block begins; 0 once it has begun
        self.mark: list[Part] = []  # that the slide is hidden
        self.lost: Counter[str] = Counter()

    def head(self, shapes: list[Shape], *, hidden: bool) -> None:
        """Adds the title as heading; without one, what follows is a section that has none."""
        titled = shapes[0] if shapes and shapes[0].is_title else None
        text = " ".join(" ".join(p.text for p in self._paragraphs(titled)).split()) if titled else ""
        self.title = titled if text else None
        self.mark = [(HIDDEN_SLIDE, None)] if hidden else []
        if titled and text:
            self.writer.add("heading", [*self.mark, (text, self._place(titled.name))], level=self.opens)
            self.opens = 0
        if self.number == 1 and titled and titled.placeholder == "ctrTitle" and text:
            self.deck.level = 2

    def _add(
        self, kind: BlockKind, parts: list[Part], header: str = "", above: Span | None = None
    ) -> Span | None:
        """Adds a block; the first of a slide without a title opens a section, and says if it is hidden."""
        if self.opens and self.mark:
            mark, self.mark = self.mark, []
            self._add("paragraph", mark)
        span = self.writer.add(kind, parts, opens=self.opens, header=header, header_span=above)
        self.opens = 0 if span else self.opens
        return span

    def add(self, shape: Shape) -> None:
        """Adds what a shape shows, or names it as lost."""
        if shape.kind == "pic":
            self._picture(shape)
        elif shape.kind == "graphicFrame":
            self._frame(shape)
        else:
            self._write(self._paragraphs(shape), shape.name)

    def leave(self, shapes: Shapes) -> None:
        """Lists what stands at the slide's edge as left out, and names hidden shapes as lost."""
        for shape in shapes.furniture:
            text = "\n".join(paragraph.text for paragraph in self._paragraphs(shape))
            if text and text not in self.deck.footers:
                self.deck.footers.add(text)
                self.writer.add("paragraph", [(text, self._place(shape.name))], left_out="slide footer")
        for shape in shapes.hidden:
            if shape.kind != "sp" or any(self._paragraphs(shape)):
                self.lost["a hidden shape"] += 1

    def finish(self) -> None:
        """Adds notes and comments, and names what was lost."""
        for name in self.package.related(self.part, "notesSlide"):
            self._notes(self.package.optional(name))
        for name in self.package.related(self.part, "comments"):
            self._comments(self.package.optional(name))
        where = f"slide {self.number}" + (", which has no text" if self.opens else "")
        for what, count in self.lost.items():
            self.deck.dropped.append(f"{where}: {what}" + (f" ({count})" if count > 1 else ""))

    # ── what stands on it ─────────────────────────────────────────────────────────────────────
    def _place(self, name: str) -> Place:
        return Place(part=f"slide {self.number}" + (f", {name}" if name else ""))

    def _paragraphs(self, shape: Shape) -> Iterator[Paragraph]:
        body = shape.element.find("{*}txBody")
        return paragraphs(body, shape_styles(shape, self.style)) if body is not None else iter(())

    def _write(self, found: Iterable[Paragraph], name: str, mark: str = "") -> None:
        """Adds paragraphs, and list items with those of deeper levels under them."""
        item: list[Part] = []
        place = self._place(name)
        for one in found:
            if item and not (one.is_item and one.level):
                self._put("list", item)
                item = []
            lines = _lines(one, place, one.lead or mark)
            if one.is_item:
                item += [("\n" + "  " * one.level, None), *lines] if item else lines
            else:
                self._put("paragraph", lines)
        self._put("list", item)

    def _put(self, kind: BlockKind, parts: list[Part]) -> None:
        if parts:
            self._add(kind, parts)

    def _picture(self, shape: Shape) -> None:
        properties = shape.properties
        described = alt_text(properties.get("descr")) if properties is not None else ""
        media = (
            shape.element.find(".//{*}videoFile") is not None
            or shape.element.find(".//{*}audioFile") is not None
        )
        if described:
            self._write([Paragraph(f"[image: {described}]")], shape.name)
        elif not media:
            self.lost["a picture"] += 1
        if media:
            self.lost["a video or sound"] += 1

    def _frame(self, shape: Shape) -> None:
        """Adds a table, a chart or SmartArt."""
        data = shape.element.find("{*}graphic/{*}graphicData")
        first = data[0] if data is not None and len(data) else None
        kind = first.tag.rpartition("}")[2] if first is not None else ""
        if first is None:
            return
        if kind == "tbl":
            rows, headers = table_rows(first)
            self._table(rows, headers, shape.name)
        elif kind == "relIds" and (part := self._target(first, "dm")):
            data_model = self.package.optional(part)
            nodes = diagram_nodes(data_model) if data_model is not None else []
            found = (Paragraph(text, min(level, 8), is_item=True) for level, text in nodes)
            self._write(found, shape.name)
        elif kind == "chart" and (part := self._target(first, "id")):
            self._chart(part, shape.name)
        else:
            self.lost[f"an embedded object ({shape.name})" if shape.name else "an embedded object"] += 1

    def _target(self, element: etree._Element, attribute: str) -> str:
        """The part a reference means; "" if there is none."""
        found = self.package.relationships(self.part).get(element.get(R + attribute, ""))
        return found.target if found and not found.external and found.target in self.package else ""

    def _chart(self, part: str, name: str) -> None:
        root = self.package.optional(part)
        if root is None:
            return
        chart = read_chart(root)
        if not chart.names() and not chart.rows:
            self.lost["a chart"] += 1
            return
        title = ": ".join(filter(None, (chart.title, ", ".join(chart.axes))))
        rows = [list(chart.header), *map(list, chart.rows)] if chart.rows else []
        self._table(rows, 1, name, caption=f"[chart] {title}".rstrip())
        if chart.cut:
            self.lost[f"{chart.cut:,} rows or series of a chart (beyond the limit)"] += 1

    def _table(self, rows: list[list[str]], headers: int, name: str, caption: str = "") -> None:
        """Adds a caption with the header rows as one block, and each row with that as its header."""
        place = self._place(name)
        lines = [caption] if caption else []
        lines += [_row(row) for row in rows[:headers]]
        parts: list[Part] = []
        for line in filter(str.strip, lines):
            parts += [("\n", None), (line, place)] if parts else [(line, place)]
        span = self._add("table", parts) if parts else None
        header = header_text("".join(text for text, _ in parts), span)
        for row in rows[headers:]:
            if any(row):
                self._add("row", [(_row(row), place)], header, span)

    # ── what hangs on it ──────────────────────────────────────────────────────────────────────
    def _notes(self, root: etree._Element | None) -> None:
        tree = root.find("{*}cSld/{*}spTree") if root is not None else None
        for shape in slide_shapes(tree, []).shown if tree is not None else ():
            texts = [Paragraph(one.text) for one in self._paragraphs(shape)]
            self._write(texts, "notes", "[notes] ")

    def _comments(self, root: etree._Element | None) -> None:
        for element in root.iter("{*}cm", "{*}reply") if root is not None else ():
            words = [child.text or "" for child in element.iterfind("{*}text")]
            words += [body_text(body) for body in element.iterfind("{*}txBody")]
            author = self.deck.authors.get(element.get("authorId", ""), "")
            day = (element.get("dt") or element.get("created") or "")[:10]
            if text := " ".join(" ".join(words).split()):
                self._write([Paragraph(text)], "comment", comment(author, "", day))


def _lines(paragraph: Paragraph, place: Place, lead: str) -> list[Part]:
    """A paragraph as parts that hold no line break."""
    parts: list[Part] = [(lead, None)] if lead else []
    for n, line in enumerate(paragraph.text.split("\n")):
        parts += [("\n", None), (line, place)] if n else [(line, place)]
    return parts


def _row(cells: list[str]) -> str:
    """Cells with borders between them, none after the last that holds text."""
    filled = len(cells)
    while filled and not cells[filled - 1]:
        filled -= 1
    return CELL.join(cells[:filled]).lstrip(" ")
