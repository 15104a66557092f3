"""Characters to segments: the stretches of a line that no wide gap interrupts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pincite.parse.pdf.chars import SLANTED, Chars, Floats, Ints
from pincite.parse.pdf.gutters import NARROW, Gutter, find_gutters
from pincite.parse.pdf.repairs import (
    gaps,
    is_printed,
    ligatures_in_order,
    mended_letters,
    runs_left,
    with_columns_down,
)
from pincite.types import Box

HYPHEN = "\x02"  # where PDFium sees a hyphen at the end of a line
_MOSTLY = np.array([0.6, 0.999, 0.9])  # bold, fixed, italic: of the characters of a line
_LEADERS = re.compile(r"(?:\. ?){5,}")  # dots that lead to a page number
_MOST_PIECES = 4_000  # pieces of text of a page among which gutters are looked for
_BAND = 8  # points: lines printed over one another start in one such band of the page, or in the next
_NEAR = 50  # lines of a band that are compared
_GAP = 0.9  # of the type size: a wider gap may be one between columns or cells
_ROOM = 0.1  # of the type size: letters of a word are closer, whatever drawing lies behind them
INITIAL = 2.0  # times as large as the text after it: a letter a paragraph starts with
_FAR = 1.6  # type sizes from the middle of a character to that of the next in slanted text
_LIGATURES = {
    0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st",
    0xFFFE: HYPHEN, 0xAD: HYPHEN, 0: None,
    0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "➢", 0xF0FC: "✓",  # bullets of symbol fonts
    0xA0: " ", 0x2002: " ", 0x2003: " ", 0x2009: " ", 0x200A: " ",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, or the part of one in a column or cell.

    `left`, `top`, `right`, `bottom` are points in the direction of reading: for upright text those of the
    page as shown. `box` is where it stands on the page. `size` is the type size most of it is set in; `bold`
    holds if most of it is so, `italic` and `fixed` if all of it is. `turn` is as in `Style`; the edges
    of slanted text are those of its box. `rtl` if most of its letters run from right to left.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool
    fixed: bool
    turn: int
    rtl: bool
    box: Box
    italic: bool = False

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def width(self) -> float:
        return self.right - self.left


def find_segments(chars: Chars, page: int, upright: Floats) -> list[Line]:
    """The segments of a page in the order of the file, none blank; text printed twice comes once.

    `upright` is float64[n, 3], the rules between columns: x, top, bottom.
    """
    chars = ligatures_in_order(chars)
    printed = np.flatnonzero(is_printed(chars.codes))
    if not len(printed):
        return []
    turns = np.array([style.turn for style in chars.styles])[chars.style[printed]]
    sizes = np.array([style.size for style in chars.styles])[chars.style[printed]]
    boxes = chars.boxes[printed]
    turns = with_columns_down(chars.codes[printed], boxes, sizes, turns)
    reading = _in_reading_direction(boxes, turns, chars.width, chars.height)
    rtl = runs_left(chars.codes[printed])
    gutters = _gutters(reading, sizes, turns, rtl, upright)
    crossed = _crossed(boxes, sizes, upright) | _crossed(reading, sizes, np.array(gutters).reshape(-1, 3))
    starts = np.flatnonzero(_breaks(reading, sizes, turns, rtl, _GAP) | crossed)
    lines = _once(_lines(chars, printed, starts, reading, sizes, turns, rtl, page))
    return [_set_apart(line, gutters) for line in lines] if gutters else lines


def _in_reading_direction(boxes: Floats, turns: Ints, width: float, height: float) -> Floats:
    """The boxes with turned text turned upright, so that its lines run to the right."""
    if not turns.any():
        return boxes
    left, top, right, bottom = boxes.T
    turned = (
        boxes,
        np.stack((top, width - right, bottom, width - left), 1),
        np.stack((width - right, height - bottom, width - left, height - top), 1),
        np.stack((height - bottom, left, height - top, right), 1),
    )
    out = boxes.copy()
    for turn in (1, 2, 3):
        out[turns == turn] = turned[turn][turns == turn]
    return out


def _gutters(
    boxes: Floats, sizes: Floats, turns: Ints, rtl: NDArray[np.bool_], upright: Floats
) -> list[Gutter]:
    """The narrow gutters in the main direction of reading."""
    main = turns == np.argmax(np.bincount(turns))
    at, size = boxes[main], sizes[main]
    starts = np.flatnonzero(_breaks(at, size, turns[main], rtl[main], NARROW))
    if len(starts) > _MOST_PIECES:
        return []
    pieces = zip(_union(at, starts), size[starts].tolist(), strict=True)
    return find_gutters(((*box, each) for box, each in pieces), upright.tolist())


def _set_apart(line: Line, gutters: Sequence[Gutter]) -> Line:
    """The line with its right edge as far from a narrow gutter after it as those of columns commonly are."""
    for x, top, bottom in gutters:
        level = top <= (line.top + line.bottom) / 2 <= bottom
        if level and line.left < x - 2 * line.size and x - line.size < line.right <= x + 1:
            return replace(line, right=x - line.size)
    return line


def _breaks(
    boxes: Floats, sizes: Floats, turns: Ints, rtl: NDArray[np.bool_], widest: float
) -> NDArray[np.bool_]:
    """Whether a segment starts at each character: another line or direction, a wide gap, a step back."""
    left, top, _, bottom = boxes.T
    size = np.maximum(np.maximum(sizes[1:], sizes[:-1]), 1.0)
    gap = gaps(boxes)
    overlap = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
    heights = np.maximum(bottom - top, 0.1)
    low = overlap < 0.4 * np.minimum(heights[1:], heights[:-1])
    back = (left[1:] < left[:-1] - 0.5 * size) & ~rtl[1:] & ~rtl[:-1]
    broken = low | (gap > widest * size) | back | _after_initial(sizes)
    slanted = turns == SLANTED
    if slanted.any():
        far = np.hypot(*np.diff((boxes[:, :2] + boxes[:, 2:]) / 2, axis=0).T) > _FAR * size
        broken = np.where(slanted[1:], far, broken)
    broken = broken | (turns[1:] != turns[:-1])
    return np.append(np.array([True]), broken)


def _after_initial(sizes: Floats) -> NDArray[np.bool_]:
    """bool[n − 1]: whether a single large character stands before each one but the first."""
    large = sizes[:-1] > INITIAL * sizes[1:]
    alone: NDArray[np.bool_] = np.append(np.array([True]), sizes[1:-1] != sizes[:-2])
    return alone[: len(large)] & large


def _crossed(boxes: Floats, sizes: Floats, upright: Floats) -> NDArray[np.bool_]:
    """Whether a rule stands between each character and the one before it, where there is room for one."""
    crossed = np.zeros(len(boxes), np.bool_)
    low, high = np.minimum(boxes[:-1, 2], boxes[1:, 2]) - 1, np.maximum(boxes[:-1, 0], boxes[1:, 0]) + 1
    middle = (boxes[1:, 1] + boxes[1:, 3]) / 2
    for x, top, bottom in upright.tolist():
        crossed[1:] |= (low < x) & (x < high) & (top < middle) & (middle < bottom)
    crossed[1:] &= high - low - 2 > _ROOM * sizes[1:]
    return crossed


def _lines(
    chars: Chars,
    printed: Ints,
    starts: Ints,
    reading: Floats,
    sizes: Floats,
    turns: Ints,
    rtl: NDArray[np.bool_],
    page: int,
) -> list[Line]:
    ends = np.append(starts[1:], len(printed))
    at, shown = _union(reading, starts), _union(chars.boxes[printed], starts)
    kinds = np.array([(style.bold, style.fixed, style.italic) for style in chars.styles])
    shares = np.add.reduceat(kinds[chars.style[printed]].astype(np.float64), starts, axis=0)
    all_bold, all_fixed, all_italic = (shares / (ends - starts)[:, None] > _MOSTLY).T.tolist()
    smallest, largest = np.minimum.reduceat(sizes, starts), np.maximum.reduceat(sizes, starts)
    n_rtl = np.add.reduceat(rtl.astype(np.int64), starts)
    firsts, lasts = printed[starts].tolist(), (printed[ends - 1] + 1).tolist()
    bounds = list(zip(starts.tolist(), ends.tolist(), strict=True))
    letters = mended_letters(chars, printed)
    lines = []
    for i, (first, last) in enumerate(bounds):
        text = clean("".join(letters[firsts[i] : lasts[i]]))
        if not text:
            continue
        size = smallest[i] if smallest[i] == largest[i] else _main_size(sizes[first:last])
        turn = int(turns[first])
        box = make_box(shown[i], page)
        from_right = bool(2 * n_rtl[i] > last - first)
        left, top, right, bottom = at[i]
        style = float(size), all_bold[i], all_fixed[i]
        italic = all_italic[i]
        lines.append(Line(text, left, top, right, bottom, *style, turn, from_right, box, italic))
    return lines


def make_box(edges: Sequence[float], page: int) -> Box:
    """The box of these edges (left, top, right, bottom), to a tenth of a point."""
    left, top, right, bottom = (round(edge, 1) for edge in edges)
    return Box(left, top, right, bottom, page)


def _union(boxes: Floats, starts: Ints) -> list[list[float]]:
    """The box around each stretch of boxes."""
    low = np.minimum.reduceat(boxes[:, :2], starts, axis=0)
    high = np.maximum.reduceat(boxes[:, 2:], starts, axis=0)
    return [[*a, *b] for a, b in zip(low.tolist(), high.tolist(), strict=True)]


def _main_size(sizes: Floats) -> float:
    """The size most characters have; the smaller one of two."""
    values, counts = np.unique(sizes, return_counts=True)
    return float(values[np.argmax(counts)])


def clean(text: str) -> str:
    """The text with single spaces, ligatures as letters and short leaders; `HYPHEN` stays where it ends."""
    cleaned = " ".join(text.translate(_LIGATURES).split())
    if cleaned.startswith(HYPHEN):
        cleaned = "-" + cleaned[1:]
    return _LEADERS.sub("...", cleaned) if ". . ." in cleaned or "....." in cleaned else cleaned


def is_rtl(lines: Iterable[Line]) -> bool:
    """Whether most of the text of lines runs from right to left."""
    return sum(len(line.text) if line.rtl else -len(line.text) for line in lines) > 0


def _once(lines: list[Line]) -> list[Line]:
    """The lines without those printed again over themselves or others: to look bold, as a shadow."""
    printed: dict[int, list[Line]] = {}
    again: set[int] = set()
    for line in sorted(lines, key=lambda line: -len(line.text)):
        level = round(line.top / _BAND)
        near = [one for band in (level - 1, level, level + 1) for one in printed.get(band, ())[-_NEAR:]]
        if any(_covers(one, line) for one in near):
            again.add(id(line))
        else:
            printed.setdefault(level, []).append(line)
    return [line for line in lines if id(line) not in again]


def _covers(line: Line, part: Line) -> bool:
    """Whether a line already shows the text of another where that stands."""
    reach = 0.35 * part.size
    told = part.text == line.text or (len(part.text) > 2 and part.text in line.text)
    if not told or abs(line.top - part.top) > reach:
        return False
    return line.left - reach < part.left and part.right < line.right + reach
