"""Which script a character is of, and what follows: one table of Unicode's data, one answer a question.

- Which script is this character's? `script_of`.
- Is it an ideograph? `HAN`.
- Is its script written without spaces between words? `UNSPACED`; its digits and signs: `UNSPACED_SIGNS`.
- Is each character taken for a word, and found by pairs of them? `PAIRED`, `WORD`.
- Do lines meet here without a space? `are_close`, `CLOSE`.
- How many columns of a terminal does it take? `columns`.

The names in capitals go into the class of a pattern: `re.compile(f"[{HAN}]")`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from unicodedata import combining, east_asian_width

# ── ranges, by tools/make_scripts.py ──
_SCRIPTS = {
    "Han": ("3005-3007 3021-3029 3038-303C 3400-4DBF 4E00-9FFF F900-FAD9 16FE3 16FF0-16FF6 20000-3FFFF"),
    "Hiragana": ("3031-3035 3041-3096 309D-309F 30FC FF70 FF9E-FF9F 1B001-1B11F 1B123 1B132-1B152"),
    "Katakana": (
        "30A1-30FA 30FD-30FF 31F0-31FF FF66-FF6F FF71-FF9D 1AFF0-1B000 1B120-1B122 1B124-1B128 1B155-1B168"
    ),
    "Thai": ("E01-E3A E40-E4E"),
    "Lao": ("E81-ECE EDC-EDF"),
    "Khmer": ("1780-17D3 17D7 17DC-17DD"),
    "Myanmar": ("1000-103F 1050-108F 109A-109D A9E0-A9EF A9FA-A9FE AA60-AA76 AA7A-AA7F"),
    "Tibetan": ("F00 F18-F19 F35 F37 F39 F3E-F84 F86-FBC FC6"),
    "Bopomofo": ("3105-312F 31A0-31BF"),
    "Hangul": ("1100-11FF 302E-302F 3131-318E A960-A97C AC00-D7FB FFA0-FFDC"),
    "Latin": (
        "41-5A 61-7A AA BA C0-D6 D8-F6 F8-2B8 2E0-2E4 1D00-1D25 1D2C-1D5C 1D62-1D65 1D6B-1D77 "
        "1D79-1DBE 1E00-1EFF 2071 207F 2090-209F 212A-212B 2132 214E 2160-2188 2C60-2C7F A722-A787 "
        "A78B-A7FF AB30-AB5A AB5C-AB64 AB66-AB69 AB6C-AB6D FB00-FB06 FF21-FF3A FF41-FF5A 10780-107BF "
        "1DF00-1DFF2 1DFF5-1DFFF"
    ),
    "Greek": (
        "370-373 376-37D 37F 386 388-3E1 3F0-3F5 3F7-3FF 1D26-1D2A 1D5D-1D61 1D66-1D6A 1DBF 1F00-1FBC "
        "1FBE 1FC2-1FCC 1FD0-1FDB 1FE0-1FEC 1FF2-1FFC 2126 AB65 10140-10174 1D242-1D244 1DFF3-1DFF4"
    ),
    "Cyrillic": (
        "400-481 483-484 487-52F 1C80-1C8A 1D2B 1D78 2DE0-2DFF A640-A672 A674-A67D A67F-A69F "
        "FE2E-FE2F 1E030-1E08F"
    ),
    "Armenian": ("531-559 560-588 58B-58C FB13-FB17"),
    "Hebrew": ("591-5BD 5BF 5C1-5C2 5C4-5C5 5C7-5F2 FB1D-FB28 FB2A-FB4F"),
    "Arabic": (
        "610-61A 620-63F 641-64A 656-65F 66E-66F 671-6D3 6D5-6DC 6DF-6E8 6EA-6EF 6FA-6FC 6FF 750-77F "
        "870-887 889-88F 897-8E1 8E3-8FF FB50-FBB1 FBD3-FD3D FD50-FD8F FD92-FDC7 FDF0-FDFB FE70-FEFC "
        "10EC2-10EC7 10ECB-10ECF 10ED9-10EFF 1EE00-1EEBB"
    ),
    "Devanagari": ("900-950 955-963 971-97F A8E0-A8F7 A8FB A8FD-A8FF 11B0A"),
    "Bengali": ("980-9E3 9F0-9F1 9FC 9FE 11DF0-11DF1"),
    "Gurmukhi": ("A01-A5E A70-A75"),
    "Gujarati": ("A81-AE3 AF9-AFF"),
    "Oriya": ("B01-B63 B71"),
    "Tamil": ("B82-BD7"),
    "Telugu": ("C00-C63"),
    "Kannada": ("C80-C83 C85-CE3 CF1-CF3"),
    "Malayalam": ("D00-D4E D54-D57 D5F-D63 D7A-D7F"),
    "Sinhala": ("D81-DDF DF2-DF3"),
    "Georgian": ("10A0-10FA 10FC-10FF 1C90-1CBF 2D00-2D2D"),
    "Ethiopic": ("1200-135F 1380-138F 2D80-2DDE AB01-AB2E 1E7E0-1E7FE"),
}
_SIGNS = (
    "E4F-E5B ED0-ED9 F01-F17 F1A-F34 F36 F38 F3A-F3D F85 FBE-FC5 FC7-FD4 FD9-FDA 1040-104F 1090-1099 "
    "109E-109F 17D4-17D6 17D8-17DB 17E0-17F9 19E0-19FF A9F0-A9F9 AA77-AA79 116D0-116E3"
)
_CLOSE = (
    "20A9 2329-232A 2630-2637 268A-268F 2E80-302D 3031-303C 303E 3041-312F 3190-31FF 3220-3247 "
    "3250-325F 327F-3296 3298 329A-A4C6 F900-FAD9 FE10-FE19 FE30-FE6B FF01-FF9F FFE0-FFEE 16FE0-1B2FB "
    "1D300-1D376 1F1AE 1F200 1F210-1F219 1F21B-1F22E 1F230-1F231 1F23B-1F248 1F260-1F265 1F7DA "
    "20000-3FFFF"
)
# ── end of the ranges ──


def _bounds(ranges: str) -> list[tuple[int, int]]:
    """First and last code point of each range."""
    pairs = [word.partition("-") for word in ranges.split()]
    return [(int(first, 16), int(last or first, 16)) for first, _, last in pairs]


def _class(ranges: str) -> str:
    """The ranges as the inside of a pattern's class."""
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in _bounds(ranges))


def _scripts(names: str) -> str:
    return "".join(_class(_SCRIPTS[name]) for name in names.split())


HAN = _scripts("Han")
"""Ideographs of Chinese, Japanese and others, with those of all extensions and for compatibility."""
UNSPACED = _scripts("Han Hiragana Katakana Bopomofo Thai Lao Khmer Myanmar Tibetan")
"""Letters and marks of scripts that put no space between words."""
UNSPACED_SIGNS = _class(_SIGNS)
"""Digits and signs of Thai, Lao, Khmer, Myanmar and Tibetan; the East Asian ones are in `CLOSE`."""
PAIRED = _scripts("Han Hiragana Katakana Bopomofo Hangul Thai Lao Khmer Myanmar")
"""Letters and marks of which each counts as a word: of Hangul too, whose words take endings, not of Tibetan,
whose syllables have marks between them."""
CLOSE = _class(_CLOSE)
"""Between two of these a line end is no space: wide characters but emoji and Hangul (as in CSS Text 3)."""

WORD = re.compile(rf"[{PAIRED}]|[^\W_{PAIRED}]+")
"""A word, or one character of a script whose characters are counted as words."""

_IS_CLOSE = re.compile(f"[{CLOSE}]").match


def are_close(before: str, after: str) -> bool:
    """Whether no space belongs between two texts where a line end stood between them."""
    return bool(_IS_CLOSE(before[-1:]) and _IS_CLOSE(after))


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for a wide character, none for a mark upon another."""
    if text.isascii():
        return len(text)
    wide = sum(east_asian_width(char) in ("W", "F") for char in text)
    return len(text) + wide - sum(combining(char) != 0 for char in text)


def script_of(char: str) -> str:
    """Unicode's name of the script whose words are written with a character; "" for others and for signs.

    A letter that several scripts share (ー, 〆) is of the first of them in the table.
    """
    starts, ends, names = _table()
    at = bisect_right(starts, ord(char)) - 1
    return names[at] if at >= 0 and ord(char) <= ends[at] else ""


@cache
def _table() -> tuple[list[int], list[int], list[str]]:
    """The first code points of all ranges in order, the last ones, and their scripts."""
    rows = sorted((*bounds, name) for name, ranges in _SCRIPTS.items() for bounds in _bounds(ranges))
    return [first for first, _, _ in rows], [last for _, last, _ in rows], [name for _, _, name in rows]
