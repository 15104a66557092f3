"""Document XML (JATS, DocBook, TEI, DITA, patents) to a `Document`, with the source line of every piece.

Entities are never expanded: those of HTML are read as their character, others are named as lost.
"""

from __future__ import annotations

import re
from collections import Counter
from html.entities import html5
from typing import TYPE_CHECKING

from pincite.parse import xml_vocabulary as words
from pincite.parse.epub.package import local_name
from pincite.parse.office.items import Cell, Item, joined_lines, table_items, trimmed, write_items
from pincite.parse.office.mathml import equation
from pincite.parse.writer import Part, Writer, raised
from pincite.parse.xbrl import xbrl_document
from pincite.parse.xml import parse_xml
from pincite.parse.xml_meta import read_meta
from pincite.parse.xml_table import cell_width, continued, is_head, outside_cells, whole_number
from pincite.protocols import Source
from pincite.types import BlockKind, Document, Losses, Place

if TYPE_CHECKING:
    from lxml import etree

_MAX_LEVEL, _MAX_COLUMNS, _MAX_LOSSES = 12, 1_000, 50
_FORMULA = re.compile(r"\\begin\{document\}(.*)\\end\{document\}", re.DOTALL)


def parse_xml_document(source: Source) -> Document:
    """The document of an XML file. Raises `InputError` if it is not well-formed."""
    root = parse_xml(words.without_subset(source.data), uri=source.uri)
    if local_name(root) == "xbrl":
        return xbrl_document(source, root)
    reader = _Reader(root)
    reader.read(root, "paragraph", 1)
    reader.flush("paragraph")
    if reader.line >= words.KNOWN_LINES and reader.line != source.data.rstrip().count(b"\n") + 1:
        reader.forget_far_lines()  # comments or tags over several lines, which were not counted
    writer = Writer()
    write_items(writer, reader.items, with_pages=True)
    title, language, meta = read_meta(root)
    lost = [f"{what} ({count})" if count > 1 else what for what, count in reader.lost.items()]
    if len(lost) > _MAX_LOSSES:
        lost[_MAX_LOSSES:] = [f"{len(lost) - _MAX_LOSSES:,} more entities"]
    return writer.finish(
        source, "xml", title=title, meta=meta, language=language, losses=Losses(dropped=tuple(lost)),
    )  # fmt: skip


class _Reader:
    """The blocks read so far, and the pieces of the one that is open.

    Depth is that of the XML, which its reader bounds. `lost` counts what is left behind.
    """

    def __init__(self, root: etree._Element) -> None:
        self.items: list[Item] = []
        self.lost: Counter[str] = Counter()
        self.parts: list[Part] = []
        self.line = 1
        self._space = False  # whether white space waits for the next text
        self._held = False  # whether the open block is a label that waits for its text
        self._notes: list[etree._Element] = []
        self._noted = 0
        self._numbers: dict[etree._Element, int] = {}  # of the last item, by ordered list
        self._around = _with_blocks(root)

    # ── text ──────────────────────────────────────────────────────────────────────────────────
    def text(self, text: str | None) -> None:
        """Adds words, each run with its line."""
        for n, piece in enumerate((text or "").split("\n")):
            if n:
                self.line += 1
                self._space = True
            if not piece:
                continue
            words_ = " ".join(piece.split())
            if words_:
                gap = " " if self.parts and (self._space or piece[0].isspace()) else ""
                self.parts.append((gap + words_, Place(self.line, self.line)))
                self._space = False
            self._space = self._space or piece[-1].isspace()

    def flush(self, kind: BlockKind, *, level: int = 0, caption: bool = False) -> None:
        """Ends the open block, and adds the notes it refers to."""
        parts, self.parts = trimmed(self.parts), []
        self._space = self._held = False
        if parts:
            level = level if len("".join(text for text, _ in parts)) <= 500 else 0
            self.items.append(Item("heading" if level else kind, parts, level=level, is_caption=caption))
        notes, self._notes = self._notes, []
        for note in notes:
            self._note(note)

    def _note(self, note: etree._Element) -> None:
        self._noted += 1
        line, self.line = self.line, note.sourceline or self.line
        self.parts = [(f"[footnote {self._noted}]", None)]
        self._held = self._space = True
        self._flow(note, "paragraph", 0)
        self.flush("paragraph")
        self.line = line

    def _end(self, kind: BlockKind) -> None:
        """Ends the open block where another begins, unless it is a label of that one."""
        if self._held:
            self._space = True
        else:
            self.flush(kind)

    # ── elements ──────────────────────────────────────────────────────────────────────────────
    def read(self, element: etree._Element, kind: BlockKind, depth: int) -> None:
        """Adds an element that is, or holds, blocks. `depth` is the level of its heading."""
        name = local_name(element)
        parent = element.getparent()
        above = local_name(parent) if parent is not None else ""
        if name in words.TITLES and above not in words.CAPTIONED and above not in words.PARAGRAPHS:
            self._end(kind)
            extra = whole_number(element, "level", 0)
            self._flow(element, "paragraph", depth)
            self.flush("paragraph", level=min(depth + extra, _MAX_LEVEL))
        elif name in words.TITLES:
            self._end(kind)
            self._flow(element, kind, depth)
            self._held = True
        elif name in words.CODE:
            self._code(element)
        elif name in words.TABLES and not self._is_captioned(element):
            self._table(element, depth)
        else:
            self._block(element, name, kind, depth, in_caption="caption" in (name, above))

    def _block(
        self, element: etree._Element, name: str, kind: BlockKind, depth: int, *, in_caption: bool
    ) -> None:
        """Adds a block and those in it, each of the kind that its own name gives them."""
        own: BlockKind = kind
        if name in words.ITEMS or name in ("claim", "CLM", "ref"):
            own = "list"
        elif name in words.QUOTES:
            own = "quote"
        self._end(kind)
        if name in words.ITEMS and not self.parts:
            self._number(element)
        deeper = depth + (name in words.SECTIONS and element.getparent() is not None)
        if depth == 1 and name in ("text", "body", "front", "description", "SDODE", "subdoc-description"):
            deeper = depth
        self._flow(element, own, deeper)
        self.flush(own, caption=in_caption)

    def _number(self, item: etree._Element) -> None:
        """The number that an item of an ordered list is shown with, if it has none of its own."""
        parent = item.getparent()
        if parent is None or any(local_name(child) == "label" for child in item):
            return
        is_ordered = local_name(parent) in words.ORDERED or parent.get("list-type") == "order"
        if is_ordered:
            self._numbers[parent] = self._numbers.get(parent, 0) + 1
            self.parts.append((f"{self._numbers[parent]}.", None))
            self._held = self._space = True

    def _flow(self, element: etree._Element, kind: BlockKind, depth: int) -> None:
        """Adds the text and children of an element to the open block; blocks in it end that block."""
        self._at(element)
        loose = not (element.text or "").strip() and not any((one.tail or "").strip() for one in element)
        self.text(element.text)
        before = ""
        for child in element:
            name = local_name(child)
            if loose and before not in words.FORMATTING and name not in words.FORMATTING:
                self._space = True
            before = name
            self._child(child, name, kind, depth)
            self.text(child.tail)

    def _child(self, child: etree._Element, name: str, kind: BlockKind, depth: int) -> None:
        if not name:
            self._entity(child)
        elif name == "contrib-group":
            self._people(child, depth)
        elif words.is_skipped(name, local_name(child.getparent())):
            self._pass(child)
        elif name in words.PICTURES and child not in self._around:
            self.lost["a picture"] += 1
            self._pass(child)
        elif name in ("math", "tex-math", "alternatives"):
            self._formula(child, name)
        elif name in words.NOTES or (name in ("note", "fn") and self.parts and not self._held):
            self.parts.append((f"[{self._noted + len(self._notes) + 1}]", None))
            self._notes.append(child)
            self._pass(child)
        elif name in words.RAISED:
            self._raised(child, kind, depth)
        elif name in words.BLOCKS or child in self._around:
            self.read(child, kind, depth)
        else:
            if name in words.LINES and self.parts and not self._held:
                self.parts.append(("\n", None))
                self._space = False
            self._flow(child, kind, depth)
            if name in words.LEADS:
                self._held, self._space = bool(self.parts), True

    def _people(self, group: etree._Element, depth: int) -> None:
        """Adds the names of contributors as one paragraph, given name first, and then their institutions."""
        self.flush("paragraph")
        others: list[etree._Element] = []
        people = [one for one in group if local_name(one) == "contrib"]
        for n, person in enumerate(people):
            self.parts += [(", ", None)] if n and self.parts else []
            self._space = False
            for name in sorted(
                (one for one in person.iter() if local_name(one) in words.NAMES),
                key=lambda one: local_name(one) in words.LAST_NAMES,
            ):
                self._flow(name, "paragraph", depth)
                self._space = True
            others += [one for one in person if local_name(one) in ("aff", "bio", "author-comment")]
        self.flush("paragraph")
        others += [one for one in group if local_name(one) in ("aff", "author-comment", "on-behalf-of")]
        for other in others:
            self.read(other, "paragraph", depth)
            self.flush("paragraph")
        self._pass(group)

    def _raised(self, element: etree._Element, kind: BlockKind, depth: int) -> None:
        """A number raised behind a digit stays raised: 10⁶ is not 106."""
        at = len(self.parts)
        self._flow(element, kind, depth)
        if 0 < at == len(self.parts) - 1:
            text, place = self.parts[at]
            self.parts[at] = (raised(self.parts[at - 1][0], text), place)

    def _entity(self, node: etree._Element) -> None:
        name = str(getattr(node, "name", "") or "")
        if not name:
            return
        found = html5.get(f"{name};") or words.GREEK.get(name, "")
        if found:
            gap = " " if self._space and self.parts else ""
            self.parts.append((gap + found, Place(self.line, self.line)))
            self._space = False
        else:
            self.lost[f"the entity &{name[:40]};"] += 1

    def _formula(self, element: etree._Element, name: str) -> None:
        """A formula as one line; of the forms it is given in, the first that is text."""
        if name == "alternatives":
            forms = {local_name(one): one for one in reversed(element)}
            shown = next((one for key in ("math", "tex-math") if (one := forms.get(key)) is not None), None)
            if shown is None:
                self._flow(element, "paragraph", 0)
                return
            self._formula(shown, local_name(shown))
            self._pass(element)
            return
        self._at(element)
        place = Place(self.line, self.line)
        raw = "".join(str(text) for text in element.itertext())
        inner = _FORMULA.search(raw)
        text = equation(element) if name == "math" else " ".join((inner.group(1) if inner else raw).split())
        if text:
            self.parts.append((" " + text if self._space and self.parts else text, place))
            self._space = False
        self._pass(element)

    def _code(self, element: etree._Element) -> None:
        """Code with its lines as they are."""
        self.flush("paragraph")
        self._at(element)
        parts: list[Part] = []
        for n, line in enumerate("".join(str(text) for text in element.itertext()).split("\n")):
            parts += [("\n", None)] if n else []
            parts.append((line, Place(self.line + n, self.line + n)))
        self.items.append(Item("code", [part for part in parts if part[0]]))
        self._pass(element)

    def _at(self, element: etree._Element) -> None:
        """The line on which an element's text begins, counted on where the XML reader does not know it."""
        line = element.sourceline or 0
        if 0 < line < words.KNOWN_LINES:
            self.line = line

    def _pass(self, element: etree._Element) -> None:
        """Counts the lines of an element that is not read, or was."""
        for node in element.iter():
            self._at(node)
            self.line += (node.text or "").count("\n") if local_name(node) else 0
            if node is not element:
                self.line += (node.tail or "").count("\n")

    def forget_far_lines(self) -> None:
        """Takes the lines away that were counted and may be wrong."""
        far = Place(part=words.FAR)
        for item in self.items:
            item.parts[:] = [
                (text, far if place and (place.line_start or 0) >= words.KNOWN_LINES else place)
                for text, place in item.parts
            ]

    # ── tables ────────────────────────────────────────────────────────────────────────────────
    def _is_captioned(self, table: etree._Element) -> bool:
        """Whether a table element only holds another: DocBook and patents nest them."""
        return any(local_name(one) in words.TABLES for one in table)

    def _table(self, table: etree._Element, depth: int) -> None:
        """Adds a caption, and the rows as a table."""
        self._end("paragraph")
        self.flush("paragraph", caption=True)
        rows: list[list[Cell]] = []
        places: list[Place] = []
        headers, below = 0, False
        spans: dict[int, int] = {}
        for element in outside_cells(table):
            name = local_name(element)
            if name in ("title", "caption", "head") and element.getparent() is table:
                self._flow(element, "paragraph", depth)
                self.flush("paragraph", caption=True)
            elif name in words.ROWS:
                self._at(element)
                places.append(Place(self.line, self.line))
                in_head = is_head(element)
                rows.append(self._row(element, spans))
                below = below or not in_head
                headers += in_head and not below
        self.items += table_items(rows, places, headers)

    def _row(self, row: etree._Element, spans: dict[int, int]) -> list[Cell]:
        """The cells of a row; `spans` are the rows that cells above still reach down, by column."""
        cells: list[Cell] = []
        column = 0
        for element in row:
            if local_name(element) not in words.CELLS:
                continue
            column = continued(cells, spans, column)
            reader_items, self.items = self.items, []
            self._flow(element, "paragraph", 0)
            self.flush("paragraph")
            parts = joined_lines((item.parts for item in self.items), " ")
            self.items = reader_items
            width = min(cell_width(element), _MAX_COLUMNS)
            cells.append(Cell(parts, width))
            down = whole_number(element, "rowspan", 1) - 1 or whole_number(element, "morerows", 0)
            if down > 0 and column < _MAX_COLUMNS:
                spans.update(dict.fromkeys(range(column, min(column + width, _MAX_COLUMNS)), down))
            column += width
        continued(cells, spans, column)
        return cells


def _with_blocks(root: etree._Element) -> set[etree._Element]:
    """The elements that hold blocks, however deep."""
    found: set[etree._Element] = set()
    for element in root.iter():
        if local_name(element) in words.BLOCKS:
            parent = element.getparent()
            while parent is not None and parent not in found:
                found.add(parent)
                parent = parent.getparent()
    return found
