"""The text inside one paragraph of a Word file: runs, changes, fields, symbols, notes and boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Literal

from pincite.parse.docx.drawings import read_drawing
from pincite.parse.docx.story import CHANGES, Aside, Story
from pincite.parse.docx.styles import Style, W, is_on, value
from pincite.parse.office.drawingml import MC, chosen
from pincite.parse.office.omml import M, equation
from pincite.parse.office.story import Change, raised
from pincite.parse.office.symbols import plain_symbols, symbol

if TYPE_CHECKING:
    from lxml import etree


def read_inline(paragraph: etree._Element, story: Story, style: Style, change: Change) -> None:
    """Adds the pieces and asides of a paragraph to the story."""
    story.style = style
    _walk(paragraph, story, change)
    if story.codes:  # a field that is never closed: what looked like its code is text
        story.pieces += story.held
    story.fields, story.codes, story.held = [], 0, []  # a code never runs on over the paragraph's end


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
        elif tag in MATH:
            before = child.getprevious()
            story.put(" " if before is not None and before.tag in MATH else "", change)
            story.put(equation(child), change)
        elif tag == f"{W}subDoc":
            story.noted.add(story.here(), "a part of another file")
        elif tag in _RUN:
            _RUN[tag](child, story, change)
        elif tag not in _SILENT:
            _walk(child, story, change)


_HIDEABLE = (f"{W}t", f"{W}footnoteReference", f"{W}endnoteReference")
MATH = frozenset([f"{M}oMath", f"{M}oMathPara"])
_SILENT = frozenset(W + name for name in ("pPr", "rPr", "sdtPr", "sdtEndPr", "smartTagPr", "customXmlPr"))


def _run(run: etree._Element, story: Story, change: Change) -> None:
    """Reads one run; hidden text is left out and named."""
    properties = run.find(f"{W}rPr")
    if _is_hidden(properties, story):
        if any(one.text or one.tag != f"{W}t" for one in run.iter(*_HIDEABLE)) and not story.codes:
            story.noted.add(story.here(), "hidden text")
        for mark in run.iter(f"{W}fldChar"):
            _field(mark, story, change)
        return
    fonts = properties.find(f"{W}rFonts") if properties is not None else None
    font = fonts.get(f"{W}ascii", "Symbol") if fonts is not None else "Symbol"
    is_raised = properties is not None and value(properties, "vertAlign") == "superscript"
    for child in _alternatives_chosen(run):
        tag = child.tag
        if tag in (f"{W}t", f"{W}delText"):
            text = plain_symbols((child.text or "").replace("\n", " "), font)  # Word breaks lines by elements
            story.put(raised(text, story.pieces) if is_raised else text, change)
        elif tag in _RUN:
            _RUN[tag](child, story, change)


def _alternatives_chosen(run: etree._Element) -> Iterator[etree._Element]:
    """The children of a run, of alternatives those of one."""
    todo = list(reversed(run))
    while todo:
        child = todo.pop()
        if child.tag == f"{MC}AlternateContent":
            inner = chosen(child)
            todo.extend(reversed(inner) if inner is not None else ())
        else:
            yield child


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
    space = element.tag.rpartition("}")[0] + "}"
    font, code = element.get(f"{space}font", ""), element.get(f"{space}char", "")
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
        story.fields.append(True)
        story.codes += 1
    elif kind == "separate" and story.fields:
        story.codes -= story.fields[-1]
        story.fields[-1] = False
    elif kind == "end" and story.fields:
        story.codes -= story.fields.pop()
    if not story.codes:
        story.held = []


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
    id_, run = element.get(f"{W}id", ""), element.getparent()
    marks = run.iter(f"{W}t") if run is not None and is_on(element, "customMarkFollows") else ()
    typed = "".join(mark.text or "" for mark in marks).strip()
    if not typed:
        story.put(story.note_mark(kind, id_), change)
    story.asides.append(Aside(kind, id_, mark=typed))


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


_RUN: dict[object, Callable[[etree._Element, Story, Change], None]] = {
    f"{W}tab": _text("\t"),
    f"{W}ptab": _text("\t"),
    f"{W}br": _break,
    f"{W}cr": _break,
    f"{W}noBreakHyphen": _text("-"),
    f"{W}sym": _symbol,
    "{http://schemas.microsoft.com/office/word/2015/wordml/symex}symEx": _symbol,  # beyond 16 bits: emoji
    f"{W}fldChar": _field,
    f"{W}footnoteReference": _note,
    f"{W}endnoteReference": _note,
    f"{W}commentReference": _comment,
    f"{W}lastRenderedPageBreak": _new_page,
    f"{W}ruby": _ruby,
    f"{W}drawing": read_drawing,
    f"{W}pict": read_drawing,
    f"{W}object": read_drawing,
}
