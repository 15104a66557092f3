"""Ligatures that a font shows under the code of another character (`di!cult`), put back as letters.

Some fonts have their ligatures where `!`, `"` or `#` should be and do not say so. A sign in the middle of
words is taken as a ligature if that makes common words of several of them; nothing is changed otherwise.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.pages import Page

_INSIDE = re.compile(r"(?<=[a-z])[!\"#$%&*+](?=[a-z])")
_WORD = re.compile(r"[A-Za-z]*[!\"#$%&*+][a-z]+")
_SIGN = re.compile(r"[!\"#$%&*+]")
_STEMS = {  # starts of common words, with @ for the ligature
    "fi": r"@eld @gur @lenames?\b @les?\b @ll(?:ed|s|ing)?\b @lter @nal @nd @rst @xed @t(?:s|ted|ting)?\b "
    "arti@c bene@ classi@ con@ de@n identi@ modi@ pro@ re@n scienti@ signi@ speci@",
    "ff": "a@ect bu@er di@er e@ect e@ort o@er sta@ su@er tra@",
    "fl": r"@exib @oat @oor @ow(?:s|ing)?\b con@ict in@ re@",
    "ffi": "a@l coe@c di@c e@c o@c su@c tra@c",
    "ffl": "a@u ba@ mu@ o@in sha@ shu@ wa@",
}
_COMMON = {letters: re.compile(stems.replace(" ", "|")) for letters, stems in _STEMS.items()}
_LEAST = 3  # words that speak for the surest sign


def mend_ligatures(pages: Sequence[Page]) -> list[Page]:
    """The pages with the ligatures in their lines as letters."""
    usual = _usual(line.text for page in pages for line in page.segments)
    if not usual:
        return list(pages)
    return [replace(page, segments=tuple(_mended(line, usual) for line in page.segments)) for page in pages]


def _usual(texts: Iterable[str]) -> dict[str, str]:
    """The signs that stand for ligatures in a document, with the letters each stands for most often."""
    hits: dict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        if _INSIDE.search(text):
            for word in _WORD.findall(text):
                if letters := _known(word):
                    hits[_SIGN.findall(word)[0]][letters] += 1
    if max((count.total() for count in hits.values()), default=0) < _LEAST:
        return {}
    return {sign: min(count, key=lambda letters: (-count[letters], letters)) for sign, count in hits.items()}


def _known(word: str) -> str:
    """The letters that make a common word of one with a sign in it; "" if none do."""
    shape = _SIGN.sub("@", word.lower())
    return next((letters for letters, common in _COMMON.items() if common.match(shape)), "")


def _mended(line: Line, usual: Mapping[str, str]) -> Line:
    """The line with letters for signs: in a word that is common then, and in the middle of any word."""
    if not any(sign in line.text for sign in usual):
        return line
    text = _WORD.sub(lambda word: _word(word[0], usual), line.text)
    return line if text == line.text else replace(line, text=text)


def _word(word: str, usual: Mapping[str, str]) -> str:
    sign = _SIGN.findall(word)[0]
    letters = _known(word) or ("" if word.startswith(sign) else usual.get(sign, ""))
    return word.replace(sign, letters) if letters and sign in usual else word
