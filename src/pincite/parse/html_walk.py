"""Tags to blocks: what each element does to the text around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.parse.html_blocks import Blocks, clean
from pincite.parse.html_tokens import Tag, Text
from pincite.types import BlockKind, Span


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


_VOID = _names("area base br col embed hr img input link meta param source track wbr")
_SKIPPED = _names("template noscript svg object audio video canvas datalist")
_HEADINGS = _names("h1 h2 h3 h4 h5 h6")
_LISTS = _names("ul ol menu dir")
_BLOCKS = _LISTS | _names(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main nav option optgroup p "
    "pre search section select summary table tbody td textarea tfoot th thead tr"
)
_TABLE_PARTS = frozenset(("table", "tr", "caption", "thead", "tbody", "tfoot", "colgroup"))
_APART = frozenset(("a", "button", "label", "input"))  # two of these side by side are never welded
# A start tag ends an element still open, unless one of the bounds stands between.
_ENDED_BY: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset(("li",)), _LISTS | {"table"}),
    "dt": (frozenset(("dt", "dd")), frozenset(("dl", "table"))),
    "dd": (frozenset(("dt", "dd")), frozenset(("dl", "table"))),
    "td": (frozenset(("td", "th")), frozenset(("tr", "table"))),
    "th": (frozenset(("td", "th")), frozenset(("tr", "table"))),
    "tr": (frozenset(("tr", "caption", "colgroup")), frozenset(("table",))),
    "thead": (frozenset(("thead", "tbody", "tfoot", "caption", "colgroup")), frozenset(("table",))),
    "tbody": (frozenset(("thead", "tbody", "tfoot", "caption", "colgroup")), frozenset(("table",))),
    "tfoot": (frozenset(("thead", "tbody", "tfoot", "caption", "colgroup")), frozenset(("table",))),
    "option": (frozenset(("option",)), frozenset(("select",))),
    "body": (frozenset(("head",)), frozenset()),
}
_HIDING = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0+)?(?:[;!%]|$)|font-size:0(?:[a-z%]{1,4})?(?:[;!]|$)"
)
_REACH = 200  # open elements looked through for one that a start tag ends


@dataclass(slots=True)
class _Table:
    """A data table being read: caption and header rows so far, and whether a data row was seen."""

    text: str = ""
    span: Span | None = None
    has_data: bool = False
    cells: int = 0
    all_th: bool = True


def walk(tokens: Sequence[Tag | Text], blocks: Blocks, *, keep_hidden: bool) -> None:
    """Writes the tokens' text into `blocks`."""
    state = _Walk(blocks, _layout_tables(tokens), keep_hidden)
    for i, token in enumerate(tokens):
        if isinstance(token, Text):
            state.text(token)
        elif token.opens:
            state.start(token, i)
        else:
            state.end(token.name)
    while state.stack:
        state.pop()


def _layout_tables(tokens: Sequence[Tag | Text]) -> frozenset[int]:
    """The indexes of `<table>` tags that hold a heading, a table or preformatted text."""
    layout: set[int] = set()
    open_: list[int] = []
    for i, token in enumerate(tokens):
        if not isinstance(token, Tag):
            continue
        if token.opens and (token.name in _HEADINGS or token.name in ("table", "pre")):
            layout.update(open_[-1:])
        if token.name == "table" and token.opens:
            open_.append(i)
        elif token.name == "table" and open_:
            open_.pop()
    return frozenset(layout)


class _Walk:
    """The open elements and what they mean for the next text."""

    def __init__(self, blocks: Blocks, layout: frozenset[int], keep_hidden: bool) -> None:
        self.blocks, self.layout, self.keep_hidden = blocks, layout, keep_hidden
        # Name, and whether the element hides its content, and whether it is navigation.
        self.stack: list[tuple[str, bool, bool]] = []
        self.open: Counter[str] = Counter()
        self.hidden = self.skipped = 0  # open elements that hide, or whose content is never read
        self.tables: list[_Table | None] = []  # None for layout
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
        elif self.open["pre"] or self.open["textarea"]:
            self._verbatim(start, end)
        else:
            self.blocks.words(start, end)
        self.fresh_pre = self.after_apart = False

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
    def start(self, tag: Tag, index: int) -> None:
        name = tag.name
        self._end_implied(name)
        if name in _VOID:
            self._anchor(tag)
            self._void(tag)
            return
        hides, guides = _hides(tag), False
        if self.hidden or self.skipped:
            self.tables += [None] if name == "table" else []
        else:
            guides = self._enter_navigation(tag)
            self._enter(name, index)
            self._anchor(tag)
        self.stack.append((name, hides, guides))
        self.open[name] += 1
        self.hidden += hides
        self.skipped += name in _SKIPPED
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
        self.blocks.leaving += 1
        return True

    def _enter(self, name: str, index: int) -> None:
        if name in _BLOCKS:
            self._boundary(name)
        elif name in _APART and self.after_apart:
            self.blocks.soften(" ")
        if name == "table":
            self.tables.append(None if index in self.layout else _Table())
        elif name in ("td", "th") and (table := self._table()):
            self.blocks.next_cell() if table.cells else None
            table.cells += 1
            table.all_th = table.all_th and name == "th"

    def _void(self, tag: Tag) -> None:
        if self.hidden or self.skipped:
            return
        if tag.name == "br":
            self.blocks.soften(" " if self._table() else "\n")
        elif tag.name == "hr":
            self._boundary("hr")
        elif tag.name == "img" and not _hides(tag):
            alt = clean(tag.attributes.get("alt", ""))
            self.blocks.word_line(f" {alt} ", self.blocks.line_of(tag.at))
        elif tag.name in _APART:
            self.blocks.soften(" ")

    def _end_implied(self, name: str) -> None:
        """Ends the elements whose end tag may be left out before `name`."""
        if name in _BLOCKS and self.open["p"]:
            self._end_within(frozenset(("p",)), _BLOCKS - {"p"})
        if name in _BLOCKS and name != "div" and (name in _HEADINGS or self._in_heading(name)):
            self._end_within(_HEADINGS, frozenset(("table",)))
        if name in _ENDED_BY and any(self.open[other] for other in _ENDED_BY[name][0]):
            self._end_within(*_ENDED_BY[name])

    def _end_within(self, ended: frozenset[str], bounds: frozenset[str]) -> None:
        for depth, (name, *_) in enumerate(reversed(self.stack[-_REACH:])):
            if name in ended:
                for _ in range(depth + 1):
                    self.pop()
                return
            if name in bounds:
                return

    def end(self, name: str) -> None:
        """Ends the innermost open element of this name and all inside it."""
        if name in _BLOCKS and not self.open[name] and not self.hidden and not self.skipped:
            self.blocks.soften(" ")  # a stray end tag separates words, no more
        if name == "br":
            self._void(Tag("br", 0, True))
        while self.open[name]:
            if self.pop() == name:
                return

    def pop(self) -> str:
        """Ends the innermost open element and returns its name."""
        name, hides, guides = self.stack.pop()
        if guides:
            self._close("", None)
            self.blocks.leaving -= 1
        if not self.hidden and not self.skipped:
            self.after_apart = name in _APART or (self.after_apart and name not in _BLOCKS)
            if name in _BLOCKS:
                self._boundary(name, ends=True)
        self.hidden -= hides
        self.skipped -= name in _SKIPPED
        self.open[name] -= 1
        if name == "table":
            self.tables.pop()
            self.blocks.tight = False
        if self.blocks.aside and not (self.blocks.is_open or self.hidden or self._table()):
            self.blocks.close()
        return name

    # ── blocks ────────────────────────────────────────────────────────────────────────────────
    def _table(self) -> _Table | None:
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
        return name not in _HEADINGS and any(self.open[heading] for heading in _HEADINGS)

    def _goes_on(self, name: str, ends: bool) -> bool:
        """Whether the open block goes on over this boundary: in a list item or a definition."""
        if name in _HEADINGS or name in ("pre", "table", "blockquote", "textarea"):
            return False
        if name == "dt":
            return ends
        if name == "dd" and not ends:
            return self.blocks.is_open
        inside = self.open["li"] + self.open["dd"]
        return inside > (ends and name in ("li", "dd"))

    def _close(self, ended: str, table: _Table | None) -> None:
        """Ends the open block as what the open elements make it; `ended` is the element that ends."""
        if table and ended == "caption":
            self._close_caption(table)
        elif table and table.cells:
            self._close_row(table)
        elif ended in _HEADINGS:
            self.blocks.close("heading", level=int(ended[1]))
        else:
            self.blocks.close(self._kind())

    def _close_caption(self, table: _Table) -> None:
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

    def _close_row(self, table: _Table) -> None:
        """Ends a row: as a header row in `<thead>` or if all its cells are `<th>` before any data."""
        is_header = bool(self.open["thead"]) or (table.all_th and not table.has_data)
        table.cells, table.all_th = 0, True
        if not is_header:
            table.has_data = True
            self.blocks.close("row", header=table.text, header_span=table.span)
        elif piece := self.blocks.close("table"):
            table.text = f"{table.text}\n{self.blocks.closed_text}".lstrip("\n")
            table.span = Span(table.span.start if table.span else piece.span.start, piece.span.end)


def _is_navigation(tag: Tag) -> bool:
    return tag.name == "nav" or tag.attributes.get("role", "").strip().lower() == "navigation"


def _hides(tag: Tag) -> bool:
    """Whether the element is hidden by an attribute or its own style."""
    given = tag.attributes
    if tag.name in ("html", "body"):  # pages that fade in by script
        return False
    if "hidden" in given or given.get("aria-hidden", "").strip().lower() == "true":
        return True
    style = given.get("style", "")
    return bool(style) and bool(_HIDING.search(re.sub(r"\s+", "", clean(style).lower())))
