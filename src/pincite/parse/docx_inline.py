"""The text inside one paragraph of a Word file: runs, changes, fields, symbols, notes and boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pincite.parse.docx_styles import Style, Styles, W, is_on, value
from pincite.parse.omml import M, equation
from pincite.parse.symbols import plain_symbols, symbol
from pincite.parse.writer import Part
from pincite.types import Place

if TYPE_CHECKING:
    from lxml import etree

MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_VML, _OLE = "{urn:schemas-microsoft-com:vml}", "{urn:schemas-microsoft-com:office:office}"
_IMAGE_FILE = (".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".bmp", ".tif", ".tiff", ".svg")

Change = Literal["", "inserted", "deleted"]
Piece = tuple[str, Place | None, Change]
CHANGES: dict[str, Change] = {
    f"{W}ins": "inserted",
    f"{W}moveTo": "inserted",
    f"{W}del": "deleted",
    f"{W}moveFrom": "deleted",
}
CELL_CHANGES: dict[str, Change] = {f"{W}cellIns": "inserted", f"{W}cellDel": "deleted"}


@dataclass(slots=True)
class Noted:
    """What is noticed on the way: what is left behind, each with its place, and what the file says."""

    named: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    changed: bool = False  # whether any text was inserted, deleted or moved with the changes tracked
    title: str = ""  # the first paragraph in the style of a title

    def add(self, place: Place, what: str) -> None:
        """Notes that something at a place is not read; each once."""
        named = f"{place.part}: {what}"
        if not self.named or self.named[-1] != named:
            self.named.append(named)

    def losses(self) -> tuple[str, ...]:
        """Everything that is left behind, in the order of the file; pictures as one."""
        if not self.pictures:
            return tuple(self.named)
        count, places = len(self.pictures), list(dict.fromkeys(self.pictures))
        where = ", ".join(places[:5]) + (" …" if len(places) > 5 else "")
        what = "a picture" if count == 1 else f"{count} pictures"
        return (*self.named, f"{where}: {what} without a description")


@dataclass(slots=True)
class Aside:
    """What a paragraph refers to and stands after it: a note or comment by its id, or a text box."""

    kind: Literal["footnote", "endnote", "comment", "box", "diagram"]
    id: str = ""
    element: etree._Element | None = None


@dataclass(slots=True)
class Story:
    """The reading of one stretch of text (the body, a note): its place, its page, its open fields."""

    styles: Styles
    noted: Noted
    mode: str
    place: Place
    note_mark: Callable[[str, str], str]
    page: int = 1
    pieces: list[Piece] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)
    fields: list[bool] = field(default_factory=list)  # of each open field: whether its result has begun
    style: Style = field(default_factory=Style)

    def shows(self, change: Change) -> bool:
        """Whether text of this kind is in the text that is asked for; notes that there are changes."""
        if change:
            self.noted.changed = True
        return not change or self.mode == "all" or (change == "inserted") == (self.mode == "final")

    def here(self) -> Place:
        """The place of what is read now."""
        if self.place.page != self.page:
            self.place = replace(self.place, page=self.page)
        return self.place

    def put(self, text: str, change: Change) -> None:
        """Adds text, unless it is a field's code."""
        if text and all(self.fields):
            self.pieces.append((text, self.here(), change))


def read_inline(paragraph: etree._Element, story: Story, style: Style, change: Change) -> None:
    """Adds the pieces and asides of a paragraph to the story."""
    story.style = style
    _walk(paragraph, story, change)
    story.fields = [True] * len(story.fields)  # a code never runs on over the paragraph's end


def marked(pieces: list[Piece], mode: str) -> list[Part]:
    """The pieces as parts; where all changes are asked for, neighbours of a kind are marked as one."""
    if mode != "all":
        return [(text, place) for text, place, _ in pieces]
    parts: list[Part] = []
    open_: Change = ""
    for text, place, change in (*pieces, ("", None, "")):
        if change != open_:
            if open_:
                parts.append(("]", None))
            if change:
                parts.append((f"[{change}: ", None))
            open_ = change
        parts.append((text, place))
    return parts


def chosen(element: etree._Element) -> etree._Element | None:
    """The one alternative that is read: the first choice, the fallback if there is none or it is empty."""
    first = next((one for one in element.iterfind(f"{MC}Choice") if len(one)), None)
    return first if first is not None else element.find(f"{MC}Fallback")


def _walk(node: etree._Element, story: Story, change: Change) -> None:
    """Reads the children of a paragraph or of what is wrapped around runs.

    Its depth is that of the XML, which the XML reader bounds.
    """
    for child in node:
        tag = child.tag
        if tag == f"{W}r":
            _run(child, story, change)
        elif tag in CHANGES:
            inner: Change = "deleted" if "deleted" in (change, CHANGES[tag]) else "inserted"
            if story.shows(CHANGES[tag]) and (not change or story.shows(change)):
                _walk(child, story, inner)
        elif tag == f"{MC}AlternateContent":
            inner_node = chosen(child)
            if inner_node is not None:
                _walk(inner_node, story, change)
        elif tag in (f"{M}oMath", f"{M}oMathPara"):
            story.put(equation(child), change)
        elif tag == f"{W}subDoc":
            story.noted.add(story.here(), "a part of another file")
        elif tag in _RUN:
            _RUN[tag](child, story, change)
        elif tag not in _SILENT:
            _walk(child, story, change)


_SILENT = frozenset(W + name for name in ("pPr", "rPr", "sdtPr", "sdtEndPr", "smartTagPr", "customXmlPr"))


def _run(run: etree._Element, story: Story, change: Change) -> None:
    """Reads one run; hidden text is left out and named."""
    properties = run.find(f"{W}rPr")
    if _is_hidden(properties, story):
        if any(text.text for text in run.iter(f"{W}t")) and all(story.fields):
            story.noted.add(story.here(), "hidden text")
        for mark in run.iter(f"{W}fldChar"):
            _field(mark, story, change)
        return
    fonts = properties.find(f"{W}rFonts") if properties is not None else None
    font = fonts.get(f"{W}ascii", "Symbol") if fonts is not None else "Symbol"
    for child in run:
        tag = child.tag
        if tag in (f"{W}t", f"{W}delText"):
            story.put(plain_symbols(child.text or "", font), change)
        elif tag in _RUN:
            _RUN[tag](child, story, change)
        elif tag == f"{MC}AlternateContent":
            inner = chosen(child)
            if inner is not None:
                _walk(inner, story, change)


def _is_hidden(properties: etree._Element | None, story: Story) -> bool:
    """Whether a run is hidden: by itself, by its character style, or by the paragraph's style."""
    if properties is not None:
        own = properties.find(f"{W}vanish")
        if own is not None:
            return is_on(own)
        by_style = story.styles[value(properties, "rStyle")].hidden
        if by_style is not None:
            return by_style
    return bool(story.style.hidden)


def _text(text: str) -> Callable[[etree._Element, Story, Change], None]:
    return lambda element, story, change: story.put(text, change)


def _break(element: etree._Element, story: Story, change: Change) -> None:
    story.put("\n", change)


def _new_page(element: etree._Element, story: Story, change: Change) -> None:
    story.page += 1


def _symbol(element: etree._Element, story: Story, change: Change) -> None:
    font, code = element.get(f"{W}font", ""), element.get(f"{W}char", "")
    try:
        shown = symbol(font, int(code, 16))
    except ValueError:
        shown = ""
    if shown:
        story.put(shown, change)
    else:
        story.noted.add(story.here(), f"the symbol {code[:8]} of the font {font[:40]}")


def _field(element: etree._Element, story: Story, change: Change) -> None:
    """Follows a field: its code is not shown, its result is."""
    kind = element.get(f"{W}fldCharType")
    if kind == "begin":
        _form_field(element, story, change)
        story.fields.append(False)
    elif kind == "separate" and story.fields:
        story.fields[-1] = True
    elif kind == "end" and story.fields:
        story.fields.pop()


def _form_field(element: etree._Element, story: Story, change: Change) -> None:
    """What a form's check box or list shows; it has no text of its own."""
    box = element.find(f"{W}ffData/{W}checkBox")
    if box is not None:
        given = box.find(f"{W}checked")
        given = given if given is not None else box.find(f"{W}default")
        story.put("☒" if given is not None and is_on(given) else "☐", change)
    choices = element.find(f"{W}ffData/{W}ddList")
    entries = choices.findall(f"{W}listEntry") if choices is not None else []
    if choices is not None and entries:
        at = value(choices, "result")[:4]
        picked = entries[int(at) if at.isdecimal() and int(at) < len(entries) else 0]
        story.put(picked.get(f"{W}val", ""), change)


def _note(element: etree._Element, story: Story, change: Change) -> None:
    """A mark at the place of a footnote or endnote, which follows the paragraph."""
    kind: Literal["footnote", "endnote"] = "footnote" if element.tag == f"{W}footnoteReference" else "endnote"
    id_ = element.get(f"{W}id", "")
    story.put(story.note_mark(kind, id_), change)
    story.asides.append(Aside(kind, id_))


def _comment(element: etree._Element, story: Story, change: Change) -> None:
    story.asides.append(Aside("comment", element.get(f"{W}id", "")))


def _ruby(element: etree._Element, story: Story, change: Change) -> None:
    """A word with its reading behind it in brackets."""
    base, reading = element.find(f"{W}rubyBase"), element.find(f"{W}rt")
    if base is not None:
        _walk(base, story, change)
    if reading is not None and any(text.text for text in reading.iter(f"{W}t")):
        story.put("(", change)
        _walk(reading, story, change)
        story.put(")", change)


def _drawing(element: etree._Element, story: Story, change: Change) -> None:
    """What a drawing says: its description in place, its boxes after the paragraph; the rest is named."""
    has_text = False
    pictured = ""
    described = ""
    for one in _inside(element):
        tag = one.tag
        name = tag.rpartition("}")[2]
        if tag == f"{W}txbxContent":
            story.asides.append(Aside("box", element=one))
            has_text = True
        elif name == "docPr" or tag == f"{_VML}shape":
            described = described or _described(one)
        elif name == "textpath" and one.get("string"):
            story.put(one.get("string", ""), change)
            has_text = True
        elif name == "relIds":
            story.asides.append(Aside("diagram", next((v for k, v in one.items() if k.endswith("}dm")), "")))
            has_text = True
        elif name in ("blip", "imagedata"):
            pictured = pictured or "picture"
        elif name == "chart":
            pictured = "chart"
        elif tag == f"{_OLE}OLEObject":
            story.noted.add(story.here(), f"an embedded file ({one.get('ProgID', 'unknown')[:60]})")
            has_text = True
    _name_picture(story, change, pictured, described, has_text)


def _name_picture(story: Story, change: Change, what: str, described: str, has_text: bool) -> None:
    """Puts a picture's description in its place; names what has none."""
    if described and what:
        story.put(f"[{'image' if what == 'picture' else what}: {described}]", change)
    if what == "chart":
        story.noted.add(story.here(), "a chart")
    elif what and not described and not has_text:
        story.noted.pictures.append(story.here().part or "")


def _described(element: etree._Element) -> str:
    """A picture's description; none if it is only the name of a file or made by a machine's guess alone."""
    text = " ".join((element.get("descr") or element.get("alt") or "").split())
    for guess in ("Description automatically generated", "AI-generated content may be incorrect."):
        text = text.partition(guess)[0].strip()
    return "" if text.lower().endswith(_IMAGE_FILE) else text


def _inside(element: etree._Element) -> Iterator[etree._Element]:
    """All elements below, in order, of alternatives one only, and not what is in text boxes."""
    stack = list(reversed(element))
    while stack:
        one = stack.pop()
        if not isinstance(one.tag, str):
            continue
        if one.tag == f"{MC}AlternateContent":
            inner = chosen(one)
            if inner is not None:
                stack.append(inner)
            continue
        yield one
        if one.tag != f"{W}txbxContent":
            stack.extend(reversed(one))


_RUN: dict[object, Callable[[etree._Element, Story, Change], None]] = {
    f"{W}tab": _text("\t"),
    f"{W}ptab": _text("\t"),
    f"{W}br": _break,
    f"{W}cr": _break,
    f"{W}noBreakHyphen": _text("-"),
    f"{W}sym": _symbol,
    f"{W}fldChar": _field,
    f"{W}footnoteReference": _note,
    f"{W}endnoteReference": _note,
    f"{W}commentReference": _comment,
    f"{W}lastRenderedPageBreak": _new_page,
    f"{W}ruby": _ruby,
    f"{W}drawing": _drawing,
    f"{W}pict": _drawing,
    f"{W}object": _drawing,
}
