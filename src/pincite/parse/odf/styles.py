"""What the styles of an OpenDocument file say: names, hidden text, raised text, lists and their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.parse.odf.package import PRESENTATION, STYLE, TEXT, OdfPackage
from pincite.parse.office.symbols import bullet

if TYPE_CHECKING:
    from lxml import etree

_FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_LONGEST = 100  # characters of a label's text


@dataclass(frozen=True, slots=True)
class OdfStyle:
    """A style with what it inherits; `names` are its own and those it is based on, lower case.

    `list_name` is the list it numbers with: None unsaid, "" for none.
    """

    names: tuple[str, ...] = ()
    hidden: bool = False
    raised: bool = False
    list_name: str | None = None

    def is_a(self, *names: str) -> bool:
        """Whether it is, or is based on, one of some named styles."""
        return any(name in self.names for name in names)


@dataclass(frozen=True, slots=True)
class ListLevel:
    """How one level of a list is shown: a bullet, or a number with what stands around it."""

    format: str = ""
    before: str = ""
    after: str = ""
    shown: int = 1  # how many levels' numbers stand in the label
    start: int = 1
    bullet: str = ""


class OdfStyles:
    """The styles of a file by family and name, and its lists by name."""

    def __init__(self, package: OdfPackage) -> None:
        self._given: dict[tuple[str, str], etree._Element] = {}
        self._known: dict[tuple[str, str], OdfStyle] = {}
        self.lists: dict[str, dict[int, ListLevel]] = {}
        self.outline: dict[int, ListLevel] = {}
        for element in _style_elements(package):
            if element.tag == f"{STYLE}style":
                key = (element.get(f"{STYLE}family", ""), element.get(f"{STYLE}name", ""))
                self._given.setdefault(key, element)
            elif element.tag == f"{TEXT}list-style":
                self.lists.setdefault(element.get(f"{STYLE}name", ""), _levels(element))
            elif element.tag == f"{TEXT}outline-style":
                self.outline = _levels(element)

    def get(self, family: str, name: str | None) -> OdfStyle:
        """A style; for a name that is not defined, one that has only the name."""
        chain: dict[tuple[str, str], None] = {}
        at = (family, name or "")
        while at in self._given and at not in self._known and at not in chain:
            chain[at] = None
            at = (family, self._given[at].get(f"{STYLE}parent-style-name", ""))
        style = self._known.get(at, OdfStyle((_readable(at[1]),) if at[1] else ()))
        for key in reversed(chain):
            style = self._known[key] = _derived(style, key[1], self._given[key])
        return style

    def hidden_slide(self, name: str | None) -> bool:
        """Whether the style of a slide hides it."""
        element = self._given.get(("drawing-page", name or ""))
        found = element.find(f"{STYLE}drawing-page-properties") if element is not None else None
        return found is not None and found.get(f"{PRESENTATION}visibility") == "hidden"


def _style_elements(package: OdfPackage) -> Iterator[etree._Element]:
    """The elements in which styles are defined; those of the content count before the common ones."""
    for root in (package.content, package.styles):
        for group in root if root is not None else ():
            if isinstance(group.tag, str) and group.tag.endswith(("}automatic-styles", "}styles")):
                yield from group


def _derived(base: OdfStyle, name: str, element: etree._Element) -> OdfStyle:
    style = replace(base, names=(_readable(element.get(f"{STYLE}display-name", name)), *base.names))
    list_name = element.get(f"{STYLE}list-style-name")
    if list_name is not None:
        style = replace(style, list_name=list_name)
    text = element.find(f"{STYLE}text-properties")
    if text is None:
        return style
    display, position = text.get(f"{TEXT}display"), text.get(f"{STYLE}text-position", "")
    if display is not None:
        style = replace(style, hidden=display == "none")
    up = position.startswith("super") or (position[:1].isdigit() and not position.startswith("0"))
    return replace(style, raised=up) if position else style


def _readable(name: str) -> str:
    """A style's name as shown: `_20_` stands for a space."""
    return name.replace("_20_", " ").lower()


def _levels(element: etree._Element) -> dict[int, ListLevel]:
    """The levels of a list from 1."""
    found: dict[int, ListLevel] = {}
    for child in element:
        level = child.get(f"{TEXT}level", "")
        if level.isdecimal() and isinstance(child.tag, str):
            found[int(level[:3])] = _level(child)
    return found


def _level(element: etree._Element) -> ListLevel:
    if element.tag.endswith("-image"):
        return ListLevel(bullet="•")
    before = element.get(f"{STYLE}num-prefix", "")[:_LONGEST]
    after = element.get(f"{STYLE}num-suffix", "")[:_LONGEST]
    if element.tag.endswith("-bullet"):
        fonts = element.find(f"{STYLE}text-properties")
        font = (fonts.get(f"{STYLE}font-name") if fonts is not None else None) or "Symbol"
        return ListLevel("", before, after, bullet=bullet(element.get(f"{TEXT}bullet-char", "•")[:8], font))
    shown, start = element.get(f"{TEXT}display-levels", "1"), element.get(f"{TEXT}start-value", "1")
    return ListLevel(
        _FORMATS.get(element.get(f"{STYLE}num-format", ""), element.get(f"{STYLE}num-format", "")),
        before,
        after,
        int(shown[:2]) if shown.isdecimal() else 1,
        int(start[:9]) if start.isdecimal() else 1,
    )
