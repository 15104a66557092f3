"""Characters as PDFium hands them out to characters as they are read: what it gets wrong, put right."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pincite.parse.pdf.chars import Chars, Floats, Ints
from pincite.parse.writer import RAISED

_NUMBER = re.compile(r"[-+\u2212\u2013]?\d+(?:[,\u2013-]\d+)*")
_AFTER = tuple('.,;:!?)]"”’»')  # a number raised after these is that of a note, or a power
_LEAST_DOWN = 3  # steps down: two or three characters below one another may be cells
_LONGEST_NUMBER = 12  # characters


def is_printed(codes: Ints) -> NDArray[np.bool_]:
    """Which characters are no white space and no control characters; hyphens of line ends are printed."""
    blank = (codes <= 32) & (codes != 2) | ((codes >= 0x7F) & (codes <= 0xA0)) | (codes == 0x3000)
    kept: NDArray[np.bool_] = ~(blank | ((codes >= 0x2000) & (codes <= 0x200F)) | (codes == 0xFEFF))
    return kept


def runs_left(codes: Ints) -> NDArray[np.bool_]:
    """Which characters are letters of a script that runs from right to left."""
    main = (codes >= 0x590) & (codes < 0x900)
    return main | ((codes >= 0xFB1D) & (codes <= 0xFDFF)) | ((codes >= 0xFE70) & (codes <= 0xFEFC))


def with_columns_down(codes: Ints, boxes: Floats, sizes: Floats, turns: Ints) -> Ints:
    """The directions of characters, that of Chinese and Japanese ones set below one another turned down.

    Read so, the lines of such a page are what lines of text turned by a quarter are: they run down and
    follow one another from right to left.
    """
    wide = (codes >= 0x2E80) & (turns == 0)
    if not wide.any():
        return turns
    right, down = np.diff((boxes[:, :2] + boxes[:, 2:]) / 2, axis=0).T
    size = sizes[1:]
    below = wide[1:] & wide[:-1] & (np.abs(right) < 0.3 * size) & (down > 0.5 * size) & (down < 1.8 * size)
    steps = np.flatnonzero(np.diff(np.concatenate(([False], below, [False])).astype(np.int8)))
    turned = turns.copy()
    for first, last in steps.reshape(-1, 2).tolist():
        if last - first >= _LEAST_DOWN:
            turned[first : last + 1] = 1
    return turned


def gaps(boxes: Floats) -> Floats:
    """float64[n − 1]: the distance between neighbours' boxes across the page; negative where they overlap."""
    left, right = boxes[:, 0], boxes[:, 2]
    return np.maximum(left[1:] - right[:-1], left[:-1] - right[1:])


def ligatures_in_order(chars: Chars) -> Chars:
    """The characters with the letters of each ligature of a script from right to left in their order.

    PDFium turns a line of such a script round after it has taken ligatures apart: their letters share a box.
    """
    rtl = runs_left(chars.codes)
    if not rtl.any():
        return chars
    same = (chars.boxes[1:] == chars.boxes[:-1]).all(axis=1) & rtl[1:] & rtl[:-1]
    order = np.arange(len(chars.codes))
    for first in np.flatnonzero(same & ~np.append(np.array([False]), same[:-1])).tolist():
        last = first + 1
        while last < len(same) and same[last]:
            last += 1
        order[first : last + 1] = order[first : last + 1][::-1]
    text = "".join(chars.text[i] for i in order.tolist())
    return replace(chars, text=text, codes=chars.codes[order])


def mended_letters(chars: Chars, printed: Ints) -> list[str]:
    """What each character is written as: itself, nothing for a false space, a space before a raised number.

    `printed` are the indices of the characters that are no white space.
    """
    letters = list(chars.text)
    if len(printed) < 3:
        return letters
    sizes = np.array([style.size for style in chars.styles])[chars.style[printed]]
    for i in _false_spaces(chars, printed, sizes).tolist():
        letters[i] = ""
    for run in _raised(chars, printed, sizes):
        before, raised = "".join(letters[max(0, run[0] - 3) : run[0]]), "".join(letters[i] for i in run)
        if _NUMBER.fullmatch(raised) and (before[-1:].isdecimal() or before.endswith(_AFTER)):
            letters[run[0] : run[-1] + 1] = raised.translate(RAISED)
        elif raised[0].isdigit() and before.isalpha() and len(before) == 3:
            letters[run[0]] = " " + raised[0]
    for i in _before_notes(chars, printed, sizes).tolist():
        if letters[i].isdigit() and letters[i + 1].isalpha():
            letters[i] += " "
    return letters


def _false_spaces(chars: Chars, printed: Ints, sizes: Floats) -> Ints:
    """The spaces PDFium puts where a gap is no wider than that between two letters.

    It does so in text set wide whose words come in several pieces; such a space has no width.
    """
    made_up = (chars.codes == 32) & (chars.boxes[:, 2] - chars.boxes[:, 0] < 0.01)
    gap, step = gaps(chars.boxes[printed]), np.diff(printed)
    spaced = (step[1:] == 2) & made_up[printed[1:-1] + 1] & (step[:-1] == 1)
    wide = (gap[:-1] > 0.08 * sizes[1:-1]) & (gap[1:] < 1.15 * gap[:-1] + 0.02 * sizes[1:-1])
    false: Ints = (printed[1:-1] + 1)[spaced & wide]
    return false


def _before_notes(chars: Chars, printed: Ints, sizes: Floats) -> Ints:
    """The small raised characters a line starts with, as the number of a footnote does; the last of each."""
    bottom = chars.boxes[printed, 3]
    next_to = np.diff(printed) == 1
    smaller = sizes[:-1] < 0.93 * sizes[1:]
    last = next_to & smaller & (bottom[:-1] < bottom[1:] - 0.05 * sizes[1:])
    starts = np.append(np.array([True]), ~next_to | (np.abs(np.diff(bottom)) > sizes[1:]))[:-1]
    one = last & starts
    two = last[1:] & starts[:-1] & next_to[:-1] & (sizes[:-2] == sizes[1:-1])
    found: Ints = printed[:-1][one | np.append(np.array([False]), two)]
    return found


def _raised(chars: Chars, printed: Ints, sizes: Floats) -> list[list[int]]:
    """Runs of characters that are small and raised after another one: powers, numbers of footnotes."""
    bottom = chars.boxes[printed, 3]
    next_to = np.diff(printed) == 1
    small = sizes[1:] < 0.85 * sizes[:-1]
    first = small & (bottom[1:] < bottom[:-1] - 0.1 * sizes[:-1]) & next_to
    same = next_to & (sizes[1:] == sizes[:-1]) & (np.abs(np.diff(bottom)) < 0.1 * sizes[1:])
    runs = []
    for start in (np.flatnonzero(first) + 1).tolist():
        end = start + 1
        while end < len(printed) and same[end - 1] and end - start < _LONGEST_NUMBER:
            end += 1
        runs.append(printed[start:end].tolist())
    return runs
