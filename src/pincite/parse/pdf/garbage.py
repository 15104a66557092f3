"""Whether text means anything: glyphs that are not explained, letters in shares that no text has."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from pincite.parse.pdf.chars import Chars, Ints
from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.unmapped import UNKNOWN, everyday

_RARE = 0.55  # of the syllables or ideographs are everyday ones
_JUDGED = 40  # of them, at least
_UNCLEAR = 0.3  # of a line
_WORD = re.compile(r"[a-z]+")


def is_garbage(chars: Chars) -> bool:
    """Whether the characters are no text: glyphs whose meaning the file does not tell, or tells wrongly."""
    codes = chars.codes[chars.codes > 32]
    if len(codes) < 20:
        return False
    private = (codes >= 0xE000) & (codes <= 0xF8FF) | (codes >= 0xF0000)
    broken = private | (codes == 0xFFFD) | ((codes >= 0x7F) & (codes < 0xA0))
    return bool(broken.mean() > 0.3) or _is_soup(chars.text, codes) or _is_drawn_by_lot(codes)


def _is_soup(text: str, codes: Ints) -> bool:
    """Whether Latin letters come in shares that no language has: hardly a vowel, or hardly anything else.

    Each word counts once as well: markup and tables of signs repeat a few words that say nothing of that.
    """
    small = codes | 0x20
    letters = small[(small >= ord("a")) & (small <= ord("z")) & (codes < 128)]
    if len(letters) < 200 or len(letters) < 0.3 * len(codes) or _may_be_text(_vowels(letters)):
        return False
    distinct = "".join(sorted(set(_WORD.findall(text.lower()))))
    return len(distinct) >= 50 and not _may_be_text(_vowels(np.frombuffer(distinct.encode(), np.uint8)))


def _vowels(letters: NDArray[np.integer]) -> float:
    return float(np.isin(letters, [ord(vowel) for vowel in "aeiouy"]).mean())


def _may_be_text(vowels: float) -> bool:
    return 0.21 <= vowels <= 0.75


def _is_drawn_by_lot(codes: Ints) -> bool:
    """Whether most Hangul syllables, or most ideographs, are such as hardly any text has."""
    hangul = codes[(codes >= 0xAC00) & (codes <= 0xD7A3)]
    han = codes[(codes >= 0x3400) & (codes <= 0x9FFF)]
    return any(len(some) >= _JUDGED and everyday(some).mean() < _RARE for some in (hangul, han))


def is_unclear(line: Line) -> bool:
    """Whether so many characters of a line are unknown that its words are none."""
    return line.text.count(UNKNOWN) > _UNCLEAR * len(line.text.replace(" ", ""))
