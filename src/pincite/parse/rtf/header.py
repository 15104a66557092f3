"""What an RTF file says before its text: fonts with their code pages, styles with their levels, metadata."""

from __future__ import annotations

import re
from datetime import date

from pincite.parse.office.heading_styles import heading_style
from pincite.parse.rtf.tokens import charset_codec, page_codec
from pincite.parse.writer import plain_text
from pincite.types import MetaValue

_INFO = {
    "title": "title",
    "author": "author",
    "subject": "subject",
    "keywords": "keywords",
    "doccomm": "description",
    "company": "company",
}
_TIMES = {"creatim": "date", "revtim": "modified_date"}
_MAX_STYLES = 10_000
_MAX_TEXT = 10_000


class Header:
    """Fonts, styles and metadata, as they are read."""

    def __init__(self) -> None:
        self.levels: dict[int, int] = {}  # the level of headings, by the number of their style
        self.meta: dict[str, MetaValue] = {}
        self.title = ""
        self._codecs: dict[int, str] = {}
        self._font = self._style = 0
        self._level: int | None = None
        self._texts: dict[str, str] = {}
        self._time: dict[str, int] = {}

    @staticmethod
    def takes(name: str) -> bool:
        """Whether a word starts a part of the header."""
        return name in ("fonttbl", "stylesheet", "info") or name in _INFO or name in _TIMES

    def codec(self, font: int) -> str:
        """The codec of a font's text; "" for that of the file."""
        return self._codecs.get(font, "")

    def word(self, goes: str, name: str, number: int | None, default: str) -> None:
        """Takes a word inside a part of the header."""
        value = number or 0
        if goes == "fonttbl" and name == "f":
            self._font = value
        elif goes == "fonttbl" and name == "fcharset" and len(self._codecs) < _MAX_STYLES:
            if value not in (0, 1):
                self._codecs[self._font] = charset_codec(value, default)
        elif goes == "fonttbl" and name == "cpg" and value and len(self._codecs) < _MAX_STYLES:
            self._codecs[self._font] = page_codec(value)
        elif goes == "stylesheet" and name == "s":
            self._style, self._level = value, None
        elif goes == "stylesheet" and name == "outlinelevel":
            self._level = value + 1 if 0 <= value < 9 else None
        elif goes in _TIMES and name in ("yr", "mo", "dy"):
            self._time[name] = value

    def text(self, goes: str, text: str) -> None:
        """Takes text inside a part of the header."""
        known = self._texts.get(goes, "")
        self._texts[goes] = (known + text)[-_MAX_TEXT:]
        if goes == "stylesheet" and ";" in text:
            name = self._texts.pop(goes).split(";")[0].strip()
            found = heading_style().match(name)
            level = int(found[1]) if found else 1 if name.lower() == "title" else self._level
            if level and len(self.levels) < _MAX_STYLES:
                self.levels[self._style] = level
            self._style, self._level = 0, None

    def end(self, goes: str) -> None:
        """Ends a part of the header."""
        text = " ".join(plain_text(self._texts.pop(goes, "")).split())
        if goes == "title":
            self.title = text
        elif goes in _INFO and text:
            given = tuple(word.strip() for word in re.split("[,;]", text) if word.strip())
            self.meta[_INFO[goes]] = given if goes == "keywords" and given else text
        elif goes in _TIMES and self._time:
            given_time, self._time = self._time, {}
            try:
                self.meta[_TIMES[goes]] = date(*(given_time.get(name, 1) for name in ("yr", "mo", "dy")))
            except (ValueError, OverflowError):
                return
