"""What office formats share while text is read: counts, tracked changes, and what was left behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pincite.parse import writer
from pincite.parse.writer import Part
from pincite.types import Place

Change = Literal["", "inserted", "deleted"]
Piece = tuple[str, Place | None, Change]


@dataclass(slots=True)
class Counts:
    """How many paragraphs and tables of the body have been read."""

    paragraphs: int = 0
    tables: int = 0


MAX_KINDS = 200  # of things left behind that are told apart
_PLACES = 5  # that are named of one kind


@dataclass(slots=True)
class Left:
    """Where things of one kind are left behind, and how many."""

    places: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, place: str) -> None:
        """Counts one at a place."""
        self.count += 1
        if len(self.places) <= _PLACES and place not in self.places:
            self.places.append(place)

    def where(self) -> str:
        """The first places."""
        return ", ".join(self.places[:_PLACES]) + (" …" if len(self.places) > _PLACES else "")

    def often(self) -> str:
        """How many there are, if more than one."""
        return f" ({self.count} times)" if self.count > 1 else ""


@dataclass(slots=True)
class Noted:
    """What is noticed on the way: what is left behind, each with its places, and what the file says."""

    left: dict[str, Left] = field(default_factory=dict)
    changed: bool = False  # whether any text was inserted, deleted or moved with the changes tracked
    comments: int = 0  # how many were read
    title: str = ""  # the first paragraph in the style of a title

    def add(self, place: Place, what: str) -> None:
        """Notes that something at a place is not read."""
        kind = what if what in self.left or len(self.left) < MAX_KINDS else "more of other kinds"
        self.left.setdefault(kind, Left()).add(place.part or "")

    def picture(self, place: Place) -> None:
        """Notes a picture that nothing describes."""
        self.add(place, "a picture without a description")

    def shows(self, change: Change, mode: str) -> bool:
        """Whether text of a kind is in the text that is asked for; notes that there are changes."""
        if change:
            self.changed = True
        return not change or mode == "all" or (change == "inserted") == (mode == "final")

    def losses(self) -> tuple[str, ...]:
        """Everything that is left behind, by kind in the order of the first of each."""
        return tuple(f"{left.where()}: {what}{left.often()}" for what, left in self.left.items())


def marked(pieces: Sequence[Piece], mode: str) -> list[Part]:
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


def raised(text: str, pieces: Sequence[Piece]) -> str:
    """Text in superscript: a number right after a digit is a power or a note, never more digits."""
    return writer.raised(pieces[-1][0] if pieces else "", text)
