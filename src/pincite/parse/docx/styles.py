"""What the styles of a Word file say about a paragraph: name, outline level, numbering, hidden text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.parse.office.heading_styles import heading_style

if TYPE_CHECKING:
    from lxml import etree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MAX_LEVEL = 9

_CONTENTS = re.compile(r"toc [1-9]")
_QUOTES = frozenset({"quote", "intense quote", "block text", "quotations", "block quote"})
_CODE = frozenset({"source code", "html preformatted", "macro", "macro text", "preformatted text", "code"})
_OFF = frozenset({"0", "false", "off", "none"})


@dataclass(frozen=True, slots=True)
class Numbered:
    """The list a paragraph is in, and its level there from 0; None where it is not said. List 0 is none."""

    list_id: str | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Style:
    """A style with what it inherits. `outline` is the heading level from 1, 0 for body text, None unsaid."""

    id: str = ""
    name: str = ""
    outline: int | None = None
    numbered: Numbered = Numbered()
    hidden: bool | None = None

    @property
    def level(self) -> int:
        """The heading level from 1; 0 for what is no heading."""
        if self.name == "title":
            return 1
        if self.outline is not None:
            return self.outline
        named = heading_style().fullmatch(self.name)
        return int(named[1]) if named else 0

    @property
    def is_quote(self) -> bool:
        return self.name in _QUOTES

    @property
    def is_code(self) -> bool:
        return self.name in _CODE

    @property
    def is_contents(self) -> bool:
        """Whether it is that of a table of contents' lines, whose built-in names are `toc 1` to `toc 9`."""
        return self.name == "table of figures" or bool(_CONTENTS.fullmatch(self.name))


class Styles:
    """The styles of a file by id."""

    def __init__(self, root: etree._Element | None) -> None:
        self._given: dict[str, etree._Element] = {}
        self._known: dict[str, Style] = {}
        self.default = ""
        for element in root.iterfind(f"{W}style") if root is not None else ():
            self._given.setdefault(element.get(f"{W}styleId", ""), element)
            if element.get(f"{W}type") == "paragraph" and is_on(element, "default"):
                self.default = self.default or element.get(f"{W}styleId", "")

    def __getitem__(self, style_id: str) -> Style:
        """The style of an id; for an id that is not defined, one that says nothing."""
        chain: dict[str, None] = {}
        at = style_id
        while at and at in self._given and at not in self._known and at not in chain:
            chain[at] = None
            at = value(self._given[at], "basedOn")
        style = self._known.get(at, Style())
        for one in reversed(chain):
            style = self._known[one] = _derived(style, one, self._given[one])
        return self._known.get(style_id, Style())

    def list_of(self, style_id: str) -> str:
        """The id of the list that a numbering style stands for; "" for none."""
        return self[style_id].numbered.list_id or ""


def _derived(base: Style, style_id: str, element: etree._Element) -> Style:
    """The style an element describes, with what it does not say taken from `base`."""
    properties = element.find(f"{W}pPr")
    hidden = element.find(f"{W}rPr/{W}vanish")
    name = value(element, "name").strip().lower()
    # a style based on one whose name tells what it is for is for the same, unless its own name tells
    style = replace(base, id=style_id)
    if _is_telling(Style(name=name)) or not _is_telling(base):
        style = replace(style, name=name)
    if hidden is not None:
        style = replace(style, hidden=is_on(hidden))
    if properties is None:
        return style
    return replace(
        style,
        outline=outline_of(properties) if outline_of(properties) is not None else style.outline,
        numbered=numbered_of(properties, style.numbered),
    )


def _is_telling(style: Style) -> bool:
    """Whether a style's name tells what its text is: a heading, contents, a caption, a quote, code."""
    known = style.is_quote or style.is_code or style.is_contents or style.name == "caption"
    return bool(known or Style(name=style.name).level)


def outline_of(properties: etree._Element) -> int | None:
    """The heading level from 1 that paragraph properties state, 0 for body text, None if they do not."""
    stated = value(properties, "outlineLvl")
    if not stated.isdecimal():
        return None
    return int(stated[:3]) + 1 if int(stated[:3]) < MAX_LEVEL else 0


def numbered_of(properties: etree._Element, base: Numbered) -> Numbered:
    """The list and level that paragraph properties state, with what they do not say taken from `base`."""
    given = properties.find(f"{W}numPr")
    if given is None:
        return base
    list_id, level = value(given, "numId"), value(given, "ilvl")
    known = min(int(level[:3]), MAX_LEVEL - 1) if level.isdecimal() else None
    return Numbered(list_id or base.list_id, known if known is not None else base.level)


def value(element: etree._Element, name: str) -> str:
    """The `val` of a child element; "" if there is none."""
    child = element.find(W + name)
    return child.get(f"{W}val", "") if child is not None else ""


def is_on(element: etree._Element, name: str = "val") -> bool:
    """Whether a switch is on; an element without a value is."""
    given = element.get(W + name)
    return (given is None and name == "val") or (given is not None and given.lower() not in _OFF)
