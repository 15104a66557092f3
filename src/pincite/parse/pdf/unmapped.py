"""Glyph numbers in place of characters: those of fonts that do not say what their glyphs mean."""

from __future__ import annotations

from functools import cache
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from pincite.parse.pdf.library import unmapped

UNKNOWN = "\ufffd"
_LEVELS = {  # what everyday texts are made of: two-byte sets, and the first bytes of their common characters
    "euc_kr": range(0xA1, 0xC9),
    "gb2312": range(0xA1, 0xD8),
    "big5": range(0xA1, 0xC7),
    "shift_jis": range(0x81, 0x99),
}
_TRUSTED = 0.75  # of the glyph numbers are everyday characters: then they are characters


def without_glyph_numbers(at: int, codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The codes of the text page at address `at`, U+FFFD for glyph numbers that a font does not explain.

    Without a map to Unicode, PDFium hands out the number of the glyph. Those of one byte mostly are ASCII;
    longer ones are characters only if nearly all are everyday ones, as some programs number them.
    """
    high = np.flatnonzero(codes > 0xFF)
    asked = np.array(list(map(unmapped(), repeat(at), high.tolist())), np.int64)
    found = high[asked == 1]
    if not len(found) or everyday(codes[found]).mean() > _TRUSTED:
        return codes
    mended = codes.copy()
    mended[found] = ord(UNKNOWN)
    return mended


def everyday(codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which codes are characters of everyday Chinese, Japanese, Korean, Greek or Cyrillic text.

    Of all syllables and ideographs these are a fifth and a third, of those in a text 99 in 100.
    """
    found: NDArray[np.bool_] = _everyday()[np.minimum(codes, 0xFFFF)]
    return found


@cache
def _everyday() -> NDArray[np.bool_]:
    known = np.zeros(0x10000, np.bool_)
    for charset, leads in _LEVELS.items():
        for lead in leads:
            row = b"".join(bytes((lead, trail)) for trail in range(0x40, 0xFF))
            for char in row.decode(charset, "ignore"):
                known[ord(char)] = True
    known[:0x100] = known[0xE000:0xF900] = False
    return known
