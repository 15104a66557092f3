"""What is known while a Word file is read: its place, the changes asked for, what was left behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pincite.parse.docx.styles import Style, Styles, W
from pincite.parse.office.story import Change, Noted, Piece
from pincite.types import Place

if TYPE_CHECKING:
    from lxml import etree

CHANGES: dict[str, Change] = {
    f"{W}ins": "inserted",
    f"{W}moveTo": "inserted",
    f"{W}del": "deleted",
    f"{W}moveFrom": "deleted",
}
CELL_CHANGES: dict[str, Change] = {f"{W}cellIns": "inserted", f"{W}cellDel": "deleted"}


@dataclass(slots=True)
class Aside:
    """What a paragraph refers to and stands after it.

    A note, comment, diagram or chart by its id, a text box by its element, a picture by its description.
    `mark` is that of a note which the author typed; such a note is not counted.
    """

    kind: Literal["footnote", "endnote", "comment", "box", "diagram", "chart", "picture"]
    id: str = ""
    element: etree._Element | None = None
    mark: str = ""


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
    fields: list[bool] = field(default_factory=list)  # of each open field: whether its code is still read
    codes: int = 0  # how many of them are
    held: list[Piece] = field(default_factory=list)
    style: Style = field(default_factory=Style)

    def shows(self, change: Change) -> bool:
        """Whether text of this kind is in the text that is asked for; notes that there are changes."""
        return self.noted.shows(change, self.mode)

    def here(self) -> Place:
        """The place of what is read now."""
        if self.place.page != self.page:
            self.place = replace(self.place, page=self.page)
        return self.place

    def put(self, text: str, change: Change) -> None:
        """Adds text; that of a field's code is held back until the field turns out to have none."""
        if text:
            (self.held if self.codes else self.pieces).append((text, self.here(), change))
