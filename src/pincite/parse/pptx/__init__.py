"""PPTX: a section per slide with its title, its body in reading order, tables, charts, notes and comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pincite.parse.html.blocks import CELL
from pincite.parse.office.alt_text import alt_text
from pincite.parse.office.chart import read_chart
from pincite.parse.office.drawingml import body_text, diagram_nodes
from pincite.parse.office.opc import Package
from pincite.parse.pptx.shapes import Shape, Shapes, slide_shapes
from pincite.parse.pptx.text import Paragraph, paragraphs, shape_styles, table_rows
from pincite.parse.sheets.sheet import comment, header_text
from pincite.parse.writer import Part, Writer
from pincite.protocols import Source
from pincite.types import BlockKind, Document, Losses, Place, Span

if TYPE_CHECKING:
    from lxml import etree

MAX_SLIDES = 5_000
HIDDEN_SLIDE = "[hidden slide] "
_REF = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_NO_TITLES = frozenset(
    {"presentation", "powerpoint presentation", "powerpoint-präsentation", "présentation powerpoint"}
)


def parse_pptx(source: Source) -> Document:
    """The document of a presentation; slides under the title slide, if it begins with one."""
    package = Package(source.data, source.uri)
    main = package.main("ppt/presentation.xml")
    deck = _Deck(package, main)
    slides = list(_slides(package, main))
    for number, part in enumerate(slides[:MAX_SLIDES], start=1):
        deck.add(number, part)
    if len(slides) > MAX_SLIDES:
        deck.dropped.append(f"slides {MAX_SLIDES + 1}-{len(slides)} (beyond the limit of {MAX_SLIDES:,})")
    if not deck.writer.at:
        package.refuse_unread()
    title, meta, language = package.properties()
    losses = Losses(dropped=(*deck.dropped, *package.macros(main), *package.damaged))
    title = "" if title.casefold() in _NO_TITLES else title
    return deck.writer.finish(source, "pptx", title=title, meta=meta, language=language, losses=losses)


def _slides(package: Package, main: str) -> Iterator[str]:
    """The parts of the slides in the order they are shown."""
    references = package.relationships(main)
    for element in package.xml(main).iterfind("{*}sldIdLst/{*}sldId"):
        slide = references.get(element.get(f"{_REF}id", ""))
        yield slide.target if slide and not slide.external else ""


class _Deck:
    """The slides on their way into the writer."""

    def __init__(self, package: Package, main: str) -> None:
        self.package, self.writer = package, Writer()
        self.dropped: list[str] = []
        self.authors = dict(_authors(package, main))
        self.footers: set[str] = set()  # texts at the edge of slides, each of which is listed once
        self.level = 1
        self._known: dict[str, tuple[list[etree._Element], etree._Element | None]] = {}  # by layout

    def add(self, number: int, part: str) -> None:
        """Adds a slide: its heading, body, notes and comments."""
        if part not in self.package:
            self.dropped.append(f"slide {number}: its part is missing in the file")
            return
        root = self.package.optional(part)
        if root is None:
            return  # the package names it as damaged
        tree = root.find("{*}cSld/{*}spTree")
        bases, style = self._bases(part)
        if tree is None:
            return
        shapes = slide_shapes(tree, bases)
        if shapes.more:
            self.dropped.append(f"slide {number}: {shapes.more:,} shapes (beyond the limit)")
        slide = _Slide(self, part, number, style)
        slide.head(shapes.shown, hidden=root.get("show") in ("0", "false"))
        for shape in shapes.shown:
            if not (shape.is_title and shape is slide.title):
                slide.add(shape)
        slide.leave(shapes)
        slide.finish()

    def _bases(self, part: str) -> tuple[list[etree._Element], etree._Element | None]:
        """The shape trees of a slide's layout and master, and the master's style of body text."""
        layout = next(iter(self.package.related(part, "slideLayout")), "")
        if layout not in self._known:
            self._known[layout] = self._read_bases(layout) if layout else ([], None)
        return self._known[layout]

    def _read_bases(self, layout: str) -> tuple[list[etree._Element], etree._Element | None]:
        masters = self.package.related(layout, "slideMaster")[:1]
        roots = [self.package.optional(name) for name in (layout, *masters)]
        trees = [root.find("{*}cSld/{*}spTree") for root in roots if root is not None]
        master = roots[-1] if masters else None
        style = master.find("{*}txStyles/{*}bodyStyle") if master is not None else None
        return [tree for tree in trees if tree is not None], style


class _Slide:
    """One slide on its way into the writer."""

    def __init__(self, deck: _Deck, part: str, number: int, style: etree._Element | None) -> None:
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
        found = self.package.relationships(self.part).get(element.get(_REF + attribute, ""))
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


def _authors(package: Package, main: str) -> Iterator[tuple[str, str]]:
    """Names of those who commented, by their id."""
    for kind in ("commentAuthors", "authors"):
        for name in package.related(main, kind):
            for element in package.items(name):
                yield element.get("id", ""), " ".join(element.get("name", "").split())
