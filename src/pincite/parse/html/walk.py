"""Tags to blocks: what each element does to the text around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pincite.parse.html.blocks import SPACE, Blocks, clean
from pincite.parse.html.nesting import BLOCKS, HEADINGS, LISTS, SKIPPED, VOID, End, Event
from pincite.parse.html.numbers import ListNumbers
from pincite.parse.html.table import Table
from pincite.parse.html.tokens import Tag, Text
from pincite.types import BlockKind, Span

_TABLE_PARTS = frozenset(("table", "tr", "caption", "thead", "tbody", "tfoot", "colgroup"))
_APART = frozenset(("a", "button", "label", "input"))  # two of these side by side are never welded
_SHOWN = frozenset(("svg", "object", "audio", "video", "canvas"))  # pictures and players in the text
_ALT = re.compile(r"alt\s*=\s*[\"']?", re.I)
_HIDING = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0+)?(?:[;!%]|$)|font-size:0(?:[a-z%]{1,4})?(?:[;!]|$)"
)


def walk(
    events: Sequence[Event], blocks: Blocks, *, keep_hidden: bool, outside: frozenset[int] = frozenset()
) -> None:
    """Writes the text of a page into `blocks`.

    `outside` are the offsets of texts that are left out as not part of the main content.
    """
    state = _Walk(blocks, _layout_tables(events, outside), keep_hidden, outside)
    for event in events:
        if isinstance(event, Text):
            state.text(event)
        elif isinstance(event, Tag):
            state.start(event)
        elif not event.stray:
            state.end()
        elif not (state.hidden or state.skipped):
            blocks.soften(" ")  # a stray end tag separates words, no more


def _layout_tables(events: Sequence[Event], outside: frozenset[int]) -> frozenset[int]:
    """The offsets of `<table>` tags that hold a heading, a table or preformatted text.

    So do those in which main content stands beside other text.
    """
    layout: set[int] = set()
    open_: list[tuple[int, set[bool]]] = []
    for event in events:
        if isinstance(event, Text):
            for _, sides in open_[-1:] if outside else ():
                sides.add(event.start in outside)
        elif isinstance(event, End):
            if event.name == "table" and not event.stray:
                at, sides = open_.pop()
                layout.update([at] if len(sides) > 1 else [])
        elif event.name in HEADINGS or event.name in ("table", "pre"):
            layout.update(at for at, _ in open_[-1:])
            open_ += [(event.at, set())] if event.name == "table" else []
    return frozenset(layout)


class _Walk:
    """The open elements and what they mean for the next text."""

    def __init__(
        self, blocks: Blocks, layout: frozenset[int], keep_hidden: bool, outside: frozenset[int]
    ) -> None:
        self.blocks, self.layout, self.keep_hidden, self.outside = blocks, layout, keep_hidden, outside
        # Name, and whether the element hides its content, and whether it is navigation.
        self.stack: list[tuple[str, bool, bool]] = []
        self.open: Counter[str] = Counter()
        self.hidden = self.skipped = 0  # open elements that hide, or whose content is never read
        self.tables: list[Table | None] = []  # None for layout
        self.numbers = ListNumbers()
        self.caption: tuple[str, Span, int] | None = None  # of a figure: text, span, and where it ended
        self.fresh_pre = self.after_apart = False

    # ── text ──────────────────────────────────────────────────────────────────────────────────
    def text(self, token: Text) -> None:
        start, end = token.start, token.end
        if self.skipped:
            return
        if self.open["title"]:
            raw = self.blocks.source[start:end]
            self.blocks.title = self.blocks.title or " ".join(clean(raw).split())
        elif self.hidden:
            self._hide(start, end)
        else:
            self._to_side(start, end)
            if (self.open["pre"] or self.open["textarea"]) and not self._table():
                self._verbatim(start, end)
            elif not (self.open["sup"] and self.blocks.power(start, end)):
                self.blocks.words(start, end)
        self.fresh_pre = self.after_apart = False

    def _to_side(self, start: int, end: int) -> None:
        """Ends the open block where main content begins or ends; a table's cells and a heading stay whole."""
        outside = start in self.outside
        if outside == self.blocks.outside or self.blocks.source[start:end].isspace():
            return
        if self.blocks.is_open:
            if self._table() or self._in_heading(""):
                return
            self._close("", None)
        self.blocks.outside = outside

    def _verbatim(self, start: int, end: int) -> None:
        if self.fresh_pre:  # the line break right after <pre> is not part of it
            lead = self.blocks.source[start : min(start + 2, end)]
            start += 2 if lead == "\r\n" else lead.startswith("\n")
        if start < end:
            self.blocks.verbatim(start, end)

    def _hide(self, start: int, end: int) -> None:
        if self.keep_hidden:
            first = self.blocks.line_of(start)
            for i, raw in enumerate(self.blocks.source[start:end].split("\n")):
                if raw.strip():
                    self.blocks.aside.append((clean(raw), first + i))

    # ── tags ──────────────────────────────────────────────────────────────────────────────────
    def start(self, tag: Tag) -> None:
        name = tag.name
        if name in VOID:
            self._anchor(tag)
            self._void(tag)
            return
        hides, guides = is_hidden(tag), False
        if self.hidden or self.skipped:
            self.tables += [None] if name == "table" else []
        else:
            guides = self._enter_navigation(tag)
            self._enter(tag)
            self._anchor(tag)
        self.stack.append((name, hides, guides))
        self.open[name] += 1
        self.hidden += hides
        self.skipped += name in SKIPPED
        self.fresh_pre = name == "pre"

    def _anchor(self, tag: Tag) -> None:
        """Notes the name by which a link reaches what follows."""
        given = tag.attributes.get("id") or (tag.attributes.get("name") if tag.name == "a" else "")
        if given:
            self.blocks.anchors.append((self.blocks.at, given, tag.name))

    def _enter_navigation(self, tag: Tag) -> bool:
        """Whether the element is navigation, whose blocks are left out; not so in a cell or a heading."""
        if not _is_navigation(tag) or self._table() or self._in_heading(tag.name):
            return False
        self._close("", None)
        self.blocks.guiding += 1
        return True

    def _enter(self, tag: Tag) -> None:
        name = tag.name
        if name in BLOCKS:
            self._boundary(name)
        elif name in _APART and self.after_apart:
            self.blocks.soften(" ")
        elif name in _SHOWN:
            self.blocks.soften(SPACE)
        self._number(tag)
        if name == "table":
            self.tables.append(None if tag.at in self.layout else self._captioned(Table()))
        elif name in ("td", "th") and (table := self._table()):
            table.start_cell(tag, self.blocks)

    def _void(self, tag: Tag) -> None:
        if self.hidden or self.skipped:
            return
        if tag.name == "br":
            self.blocks.soften(" " if self._table() else "\n")
        elif tag.name == "hr":
            self._boundary("hr")
        elif tag.name == "img" and not is_hidden(tag):
            self._alternative(tag)
            self.blocks.soften(SPACE)  # what stands around a picture is apart
        elif tag.name in _APART:
            self.blocks.soften(" ")

    def _alternative(self, tag: Tag) -> None:
        """Adds an image's `alt`, from the lines where it stands in the tag."""
        alt = tag.attributes.get("alt", "")
        for found in _ALT.finditer(self.blocks.source, tag.at) if alt else ():
            if self.blocks.source.startswith(alt, found.end()):
                self.blocks.soften(SPACE)
                self.blocks.words(found.end(), found.end() + len(alt))
                return

    def end(self) -> None:
        """Ends the innermost open element."""
        name, hides, guides = self.stack.pop()
        if guides:
            self._close("", None)
            self.blocks.guiding -= 1
        if not self.hidden and not self.skipped:
            if name in ("td", "th") and (table := self._table()) and table.cells:
                table.end_cell(self.blocks)
            self.after_apart = name in _APART or (self.after_apart and name not in BLOCKS)
            if name in BLOCKS:
                self._boundary(name, ends=True)
        self.hidden -= hides
        self.skipped -= name in SKIPPED
        self.open[name] -= 1
        if name in LISTS and not (self.hidden or self.skipped):
            self.numbers.end()
        elif name == "li":
            self.blocks.mark = ""
        if name == "table":
            self.tables.pop()
            self.blocks.tight = False
        if self.blocks.aside and not (self.blocks.is_open or self.hidden or self._table()):
            self.blocks.close()

    # ── blocks ────────────────────────────────────────────────────────────────────────────────
    def _table(self) -> Table | None:
        return self.tables[-1] if self.tables else None

    def _boundary(self, name: str, *, ends: bool = False) -> None:
        """Ends the open block, or only its line where the block goes on: in cells, items and headings."""
        table = self._table()
        if (table and name not in _TABLE_PARTS) or self._in_heading(name):
            self.blocks.soften(" ")
        elif not table and self._goes_on(name, ends):
            self.blocks.soften("\n")
        else:
            self._close(name if ends else "", table)

    def _in_heading(self, name: str) -> bool:
        return name not in HEADINGS and any(self.open[heading] for heading in HEADINGS)

    def _goes_on(self, name: str, ends: bool) -> bool:
        """Whether the open block goes on over this boundary: in a list item or a definition."""
        if name in HEADINGS or name in ("pre", "table", "blockquote", "textarea"):
            return False
        if name == "dt":
            return ends
        if name == "dd" and not ends:
            return self.blocks.is_open
        inside = self.open["li"] + self.open["dd"]
        return inside > (ends and name in ("li", "dd"))

    def _close(self, ended: str, table: Table | None) -> None:
        """Ends the open block as what the open elements make it; `ended` is the element that ends."""
        if table and ended == "caption":
            self._close_caption(table)
        elif table and table.cells:
            self._close_row(table)
        elif ended == "figcaption" and (piece := self.blocks.close()):
            self.caption = (self.blocks.closed_text, piece.span, self.blocks.at)
        elif ended in HEADINGS:
            self.blocks.close("heading", level=int(ended[1]))
        else:
            self.blocks.close(self._kind())

    def _number(self, tag: Tag) -> None:
        """Opens a list, or puts the number of an item before its text."""
        if tag.name in LISTS:
            self.numbers.start(tag)
        elif tag.name == "li" and not is_hidden(tag):
            self.blocks.mark = self.numbers.item(tag)

    def _captioned(self, table: Table) -> Table:
        """The table, with the caption of its figure if that stands right before it."""
        if self.caption and self.caption[2] == self.blocks.at and self.open["figure"]:
            table.text, table.span, _ = self.caption
            self.blocks.tight = True
        return table

    def _close_caption(self, table: Table) -> None:
        """Ends a caption; the header rows follow on the next line."""
        if piece := self.blocks.close():
            table.text, table.span = self.blocks.closed_text, piece.span
            self.blocks.tight = True

    def _kind(self) -> BlockKind:
        if self.open["pre"] or self.open["textarea"]:
            return "code"
        if self.open["li"] or self.open["dt"] or self.open["dd"]:
            return "list"
        return "quote" if self.open["blockquote"] else "paragraph"

    def _close_row(self, table: Table) -> None:
        """Ends a row: as a header row in `<thead>` or if all its cells are `<th>` before any data."""
        is_header = bool(self.open["thead"]) or (table.all_th and not table.has_data)
        table.end_row(self.blocks)
        if not is_header:
            table.has_data = True
            self.blocks.close("row", header=table.text, header_span=table.span)
        elif piece := self.blocks.close("table"):
            table.text = f"{table.text}\n{self.blocks.closed_text}".lstrip("\n")
            table.span = Span(table.span.start if table.span else piece.span.start, piece.span.end)


def _is_navigation(tag: Tag) -> bool:
    return tag.name == "nav" or tag.attributes.get("role", "").strip().lower() == "navigation"


def is_hidden(tag: Tag) -> bool:
    """Whether the element is hidden by an attribute or its own style."""
    given = tag.attributes
    if tag.name in ("html", "body"):  # pages that fade in by script
        return False
    if "hidden" in given or given.get("aria-hidden", "").strip().lower() == "true":
        return True
    style = given.get("style", "")
    return bool(style) and bool(_HIDING.search(re.sub(r"\s+", "", clean(style).lower())))
