"""Characters that are not seen: text without them and back, and what is written in nothing else.

A tag's letters may have such characters between them, or be written with full-width or mathematical ones:
models read both as if they were plain.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from pincite.characters import UNSEEN, lowered
from pincite.types import Span

_UNSEEN = re.compile(f"[{UNSEEN}]+")
# Letters written as tags, and bytes written as variation selectors: each run is a text of its own.
_TAGS = re.compile("(\U0001f3f4?)([\U000e0000-\U000e007f]+)")
_BYTES = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{4,}")
_FLAG = 7  # tags of an emoji flag, with their end
_FORMS = (
    (0xFF01, 0xFF5F),
    (0xFE50, 0xFE6C),
    (0x1D400, 0x1D800),
    (0x2100, 0x2150),
    (0x2460, 0x24EA),
    (0x2070, 0x209D),
    (0xB2, 0xBA),
)


_FORM = re.compile(f"[{''.join(f'{chr(first)}-{chr(end - 1)}' for first, end in _FORMS)}]")


@cache
def _plain(char: str) -> str:
    """An ASCII character for its full-width, small, mathematical or circled form; others as they are."""
    form = unicodedata.normalize("NFKC", char)
    return form if len(form) == 1 and form.isascii() else char


@dataclass(frozen=True, slots=True)
class Folded:
    """A text without unseen characters and with plain forms, in lower case."""

    text: str
    _starts: tuple[int, ...]
    _gained: tuple[int, ...]

    def span(self, start: int, end: int) -> Span:
        """Where [start, end), not empty, stands in the text as it was."""
        return Span(self._back(start), self._back(end - 1) + 1)

    def _back(self, at: int) -> int:
        return at + self._gained[bisect_right(self._starts, at) - 1]


def seen(text: str) -> str:
    """The text without the characters that nobody sees."""
    return _UNSEEN.sub("", text)


def plain(text: str) -> str:
    """The text without unseen characters, full-width and mathematical forms as plain ones."""
    return _FORM.sub(lambda found: _plain(found[0]), seen(text))


def folded(text: str) -> Folded:
    """The text as a model may read it; time grows with its length."""
    parts, starts, gained, at, size = [], [0], [0], 0, 0
    for run in _UNSEEN.finditer(text):
        parts.append(text[at : run.start()])
        size += run.start() - at
        at = run.end()
        starts.append(size)
        gained.append(at - size)
    return Folded(lowered(plain("".join([*parts, text[at:]]))), tuple(starts), tuple(gained))


def written_unseen(text: str) -> Iterator[tuple[Span, str]]:
    """Where letters are written as tags, or bytes as variation selectors, and what they say; no flags."""
    if text.isascii():
        return
    for run in _TAGS.finditer(text):
        said = "".join(chr(ord(char) - 0xE0000) for char in run[2]).strip("\x00\x01\x7f")
        if not (run[1] and len(run[2]) <= _FLAG):
            yield Span(*run.span(2)), said
    for run in _BYTES.finditer(text):
        said = bytes(map(_byte, run[0])).decode("utf-8", "replace")
        if sum(map(str.isprintable, said)) > len(said) // 2:
            yield Span(*run.span()), said


def _byte(selector: str) -> int:
    code = ord(selector)
    return code - 0xFE00 if code < 0xFF00 else code - 0xE0100 + 16
