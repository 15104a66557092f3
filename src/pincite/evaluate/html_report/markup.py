"""HTML and SVG as text. Whatever is not markup already is escaped, so no document can write into a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from pincite.characters import shown, whole_characters

_EMPTY = frozenset({"meta", "link", "input", "rect", "circle", "line", "path"})
_NO_CHARACTERS = re.compile("[\ufffe\uffff]")
MOST = 600
"""The characters of one text that are shown."""


class Markup(str):
    """Text that is markup, and is not escaped again."""

    __slots__ = ()


Child = str | Iterable[str]
Value = str | int | float | None


def tag(name: str, *children: Child, **attributes: Value) -> Markup:
    """One element. `class_` and `data_v` stand for `class` and `data-v`; None is no attribute."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY:
        return Markup(f"<{name}{given}/>")
    return Markup(f"<{name}{given}>{join(children)}</{name}>")


def join(children: Iterable[Child]) -> Markup:
    """The children one after the other, those that are not markup escaped."""
    return Markup("".join(_inner(child) for child in children))


def _inner(child: Child) -> str:
    if isinstance(child, Markup):
        return str(child)
    return escape(clean(child), quote=False) if isinstance(child, str) else join(child)


def _attribute(value: Value) -> str:
    return number(value) if isinstance(value, float) else escape(clean(str(value)))


def clean(text: str) -> str:
    """The text with controls and what is not seen as `\\x1b`, and halves of characters as U+FFFD."""
    return shown(_NO_CHARACTERS.sub("\ufffd", whole_characters(text)).replace("\r\n", "\n"))


def clip(text: str, most: int = MOST) -> str:
    """The text on one line; of a longer one the beginning, and how much was left out."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most]}… ({len(line) - most:,} more characters)"


def number(value: float, digits: int = 1) -> str:
    """`12.5`, `12`: a coordinate without needless zeros."""
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(share: float) -> str:
    """`85 %`; one decimal where a whole number would say all or nothing."""
    text = f"{100 * share:.0f}"
    return f"{100 * share:.1f} %" if text in ("0", "100") and share not in (0, 1) else f"{text} %"


def signed(value: float, digits: int = 4) -> str:
    """`+0.0213`, `−0.0213`, `0.0000`."""
    text = f"{abs(value):.{digits}f}"
    return text if float(text) == 0 else f"{'−' if value < 0 else '+'}{text}"


def count(of: int, noun: str) -> str:
    """`1 question`, `1,200 questions`."""
    return f"{of:,} {noun}{'' if of == 1 else 's'}"
