"""The numbers that a browser shows before the items of ordered lists."""

from __future__ import annotations

from pincite.parse.html.tokens import Tag
from pincite.parse.office.numerals import numeral

_STYLES = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}


class ListNumbers:
    """The lists that are open, innermost last: the next number and its style, or None without numbers."""

    def __init__(self) -> None:
        self._open: list[list[int] | None] = []
        self._styles: list[str] = []

    def start(self, tag: Tag) -> None:
        """Opens a list."""
        self._open.append([_whole(tag, "start", 1)] if tag.name == "ol" else None)
        self._styles.append(_STYLES.get(tag.attributes.get("type", "").strip(), "decimal"))

    def end(self) -> None:
        """Ends the innermost list."""
        self._open.pop()
        self._styles.pop()

    def item(self, tag: Tag) -> str:
        """The mark of an item with the space behind it; empty in a list without numbers."""
        if not self._open or (numbers := self._open[-1]) is None:
            return ""
        number = _whole(tag, "value", numbers[0])
        numbers[0] = number + 1
        style = self._styles[-1] if number > 0 else "decimal"
        return f"{numeral(number, style)}. "


def _whole(tag: Tag, name: str, otherwise: int) -> int:
    given = tag.attributes.get(name, "").strip()
    digits = given.removeprefix("-")
    return int(given) if digits.isascii() and digits.isdigit() and len(digits) < 10 else otherwise
