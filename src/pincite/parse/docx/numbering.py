"""The numbers and bullets of a Word file's lists as they are shown: `2.3`, `b)`, `•`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.parse.docx.styles import MAX_LEVEL, Styles, W, is_on, value
from pincite.parse.office.numerals import numeral
from pincite.parse.office.symbols import bullet

if TYPE_CHECKING:
    from lxml import etree

_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is shown: `text` holds `%1` … `%9` for the numbers of the levels above it."""

    start: int = 1
    format: str = "decimal"
    text: str = ""
    gap: str = " "
    restart: int | None = None  # the level after which the count begins anew; 0: never; None: any above
    plain: bool = False  # whether all numbers are shown as decimal ones


@dataclass(slots=True)
class _Count:
    """The numbers an outline of levels stands at, and the lists whose own start was used."""

    at: dict[int, int] = field(default_factory=dict)
    started: set[tuple[str, int]] = field(default_factory=set)


class Numbering:
    """The lists of a file, counting as its paragraphs pass by in order."""

    def __init__(self, root: etree._Element | None, styles: Styles) -> None:
        found = root if root is not None else ()
        self._styles = styles
        self._outlines = {e.get(f"{W}abstractNumId", ""): e for e in found if e.tag == f"{W}abstractNum"}
        self._lists = {e.get(f"{W}numId", ""): e for e in found if e.tag == f"{W}num"}
        self._levels: dict[str, dict[int, Level]] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._of_styles: dict[str, dict[str, int]] = {}
        self._counts: dict[str, _Count] = {}

    def __contains__(self, list_id: object) -> bool:
        return list_id in self._lists

    def level_of(self, list_id: str, style_id: str) -> int:
        """The level of a list that belongs to a paragraph style; 0 if none does."""
        if list_id not in self._of_styles:
            outline = self._outlines.get(self._outline(list_id))
            found = list(outline.iterfind(f"{W}lvl")) if outline is not None else []
            self._of_styles[list_id] = {value(one, "pStyle"): _level_number(one) for one in reversed(found)}
        return self._of_styles[list_id].get(style_id, 0) if style_id else 0

    def label(self, list_id: str, level: int) -> str:
        """What stands before the next paragraph of a list, with its gap; "" for nothing. Counts it."""
        levels = self._levels_of(list_id)
        shown = levels.get(level)
        if shown is None:
            return ""
        count = self._counts.setdefault(self._outline(list_id), _Count())
        start = self._starts[list_id].get(level)
        if start is not None and (list_id, level) not in count.started:
            count.started.add((list_id, level))
            count.at[level] = start
        else:
            count.at[level] = count.at.get(level, shown.start - 1) + 1
        self._restart_below(levels, count, level)
        text = shown.text if shown.format == "bullet" else _number(levels, count, shown)
        return text + shown.gap if text else ""

    def _restart_below(self, levels: dict[int, Level], count: _Count, level: int) -> None:
        """Forgets the numbers of the levels below, where they begin anew."""
        for below in [one for one in count.at if one > level]:
            restart = levels[below].restart if below in levels else None
            if restart is None or (restart and level < restart):
                del count.at[below]

    def _outline(self, list_id: str) -> str:
        """The id of the outline that a list counts in; a list may name a style that has it."""
        for _ in range(4):
            element = self._lists.get(list_id)
            outline = value(element, "abstractNumId") if element is not None else ""
            linked = self._outlines.get(outline)
            style = value(linked, "numStyleLink") if linked is not None else ""
            if not style or linked is None or linked.find(f"{W}lvl") is not None:
                return outline
            list_id = self._styles.list_of(style)
        return outline

    def _levels_of(self, list_id: str) -> dict[int, Level]:
        """The levels of a list: those of its outline, with what the list itself changes."""
        if list_id not in self._levels:
            outline = self._outlines.get(self._outline(list_id))
            found = outline.iterfind(f"{W}lvl") if outline is not None else ()
            levels = {_level_number(element): _level(element) for element in found}
            starts: dict[int, int] = {}
            given = self._lists.get(list_id)
            for change in given.iterfind(f"{W}lvlOverride") if given is not None else ():
                at = _level_number(change)
                own = change.find(f"{W}lvl")
                if own is not None:
                    levels[at] = _level(own)
                if value(change, "startOverride").isdecimal():
                    starts[at] = int(value(change, "startOverride")[:9])
            self._levels[list_id], self._starts[list_id] = levels, starts
        return self._levels[list_id]


def _level_number(element: etree._Element) -> int:
    given = element.get(f"{W}ilvl", "0")
    return min(int(given[:3]), MAX_LEVEL - 1) if given.isdecimal() else 0


def _level(element: etree._Element) -> Level:
    start, restart = value(element, "start"), value(element, "lvlRestart")
    plain = element.find(f"{W}isLgl")
    # a format of newer versions is wrapped together with what older ones show
    format_ = value(element, "numFmt") or next((e.get(f"{W}val", "") for e in element.iter(f"{W}numFmt")), "")
    fonts = element.find(f"{W}rPr/{W}rFonts")
    font = fonts.get(f"{W}ascii", "") if fonts is not None else ""
    text = value(element, "lvlText")[:100]
    return Level(
        start=int(start[:9]) if start.isdecimal() else 0 if not start else 1,
        format=format_ or "decimal",
        text=bullet(text, font or "Symbol") if format_ == "bullet" else text,
        gap="" if value(element, "suff") == "nothing" else " ",
        restart=int(restart[:3]) if restart.isdecimal() else None,
        plain=plain is not None and is_on(plain),
    )


def _number(levels: dict[int, Level], count: _Count, shown: Level) -> str:
    """The text of a level with the numbers it refers to."""

    def one(match: re.Match[str]) -> str:
        at = int(match[1]) - 1
        level = levels.get(at, Level())
        style = "decimal" if shown.plain and level.format != "none" else level.format
        return numeral(count.at.get(at, level.start), style)

    return _PLACE.sub(one, shown.text) if shown.format != "none" or "%" not in shown.text else ""
