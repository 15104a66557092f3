"""What is known while a Word file is read: its place, the changes asked for, what was left behind."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pincite.parse.docx_styles import Style, Styles, W
from pincite.parse.writer import Part
from pincite.types import Place

if TYPE_CHECKING:
    from lxml import etree

Change = Literal["", "inserted", "deleted"]
Piece = tuple[str, Place | None, Change]
CHANGES: dict[str, Change] = {
    f"{W}ins": "inserted",
    f"{W}moveTo": "inserted",
    f"{W}del": "deleted",
    f"{W}moveFrom": "deleted",
}
CELL_CHANGES: dict[str, Change] = {f"{W}cellIns": "inserted", f"{W}cellDel": "deleted"}


_POWER = re.compile(r"[+−–-]?[0-9]{1,6}")
_RAISED = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")


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
    """What a paragraph refers to and stands after it.

    A note, comment, diagram or chart by its id, a text box by its element, a picture by its description.
    """

    kind: Literal["footnote", "endnote", "comment", "box", "diagram", "chart", "picture"]
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

    def raised(self, text: str) -> str:
        """Text in superscript: a number right after a digit is a power or a note, never more digits."""
        last = self.pieces[-1][0][-1:] if self.pieces else ""
        return text.translate(_RAISED) if last.isdigit() and _POWER.fullmatch(text) else text

    def put(self, text: str, change: Change) -> None:
        """Adds text, unless it is a field's code."""
        if text and all(self.fields):
            self.pieces.append((text, self.here(), change))


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
