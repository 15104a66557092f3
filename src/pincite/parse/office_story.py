"""What office formats share while text is read: tracked changes, and what was left behind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pincite.parse.writer import Part
from pincite.types import Place

Change = Literal["", "inserted", "deleted"]
Piece = tuple[str, Place | None, Change]
_POWER = re.compile(r"[+−–-]?[0-9]{1,6}")
_RAISED = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")


@dataclass(slots=True)
class Noted:
    """What is noticed on the way: what is left behind, each with its place, and what the file says."""

    named: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    changed: bool = False  # whether any text was inserted, deleted or moved with the changes tracked
    comments: int = 0  # how many were read
    title: str = ""  # the first paragraph in the style of a title

    def add(self, place: Place, what: str) -> None:
        """Notes that something at a place is not read; each once."""
        named = f"{place.part}: {what}"
        if not self.named or self.named[-1] != named:
            self.named.append(named)

    def shows(self, change: Change, mode: str) -> bool:
        """Whether text of a kind is in the text that is asked for; notes that there are changes."""
        if change:
            self.changed = True
        return not change or mode == "all" or (change == "inserted") == (mode == "final")

    def losses(self) -> tuple[str, ...]:
        """Everything that is left behind, in the order of the file; pictures as one."""
        if not self.pictures:
            return tuple(self.named)
        count, places = len(self.pictures), list(dict.fromkeys(self.pictures))
        where = ", ".join(places[:5]) + (" …" if len(places) > 5 else "")
        what = "a picture" if count == 1 else f"{count} pictures"
        return (*self.named, f"{where}: {what} without a description")


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
    last = pieces[-1][0][-1:] if pieces else ""
    return text.translate(_RAISED) if last.isdigit() and _POWER.fullmatch(text) else text
