"""Where a text may be cut without parting what is one character to its reader."""

from __future__ import annotations

import unicodedata

_JOINERS = "\u200d\ufe0e\ufe0f\u0e33\u0eb3"  # with the am of Thai and Lao, a letter that no line begins with
_LOOK_BACK = 64


def safe_cut(text: str, start: int, end: int) -> int:
    """`end`, or the nearest place before it (after `start`) that parts no grapheme and no CR LF."""
    for at in range(end, max(start, end - _LOOK_BACK), -1):
        if at >= len(text) or not are_joined(text[at - 1], text[at]):
            return at
    return end + 1 if end < len(text) and text[end - 1] == "\r" and text[end] == "\n" else end


def are_joined(before: str, after: str) -> bool:
    """Whether two neighbouring characters belong together."""
    if after < "\u0300":
        return before == "\r" and after == "\n"
    return (
        after in _JOINERS
        or before == "\u200d"
        or "\u1160" <= after <= "\u11ff"  # vowels and final consonants of Hangul
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
        or ("\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff")
        or unicodedata.category(after) in ("Mn", "Me", "Mc")
    )
