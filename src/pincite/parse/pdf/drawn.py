"""What is drawn on a page besides its text: the rules of tables, and pictures."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np

from pincite.parse.pdf.chars import Floats, page_frame
from pincite.parse.pdf.library import address, fast

MAX_OBJECTS = 5_000  # of one page that are looked at
_MOST_RULES = 400
_THIN = 2.5  # points: what is no wider is a line
_TOUCHING = 2.0  # points
_PATH, _IMAGE = 2, 3
_BIG = 0.12  # of the page: a picture this large is named when it is left behind

_INT, _POINTER = ctypes.c_int, ctypes.c_void_p


@dataclass(frozen=True, slots=True)
class Drawn:
    """Rules on the page as shown, and how many large pictures there are.

    `upright` is float64[n, 3]: x, top, bottom; `level` is float64[n, 3]: y, left, right. A frame is four of
    them. `covered` is the share of the page that pictures cover.
    """

    upright: Floats
    level: Floats
    pictures: int
    covered: float = 0.0


def read_drawn(page: Any) -> Drawn:
    """The rules and large pictures of a page; of very many objects, the first ones."""
    import pypdfium2.raw as pdfium

    count = min(pdfium.FPDFPage_CountObjects(page), MAX_OBJECTS)
    none = np.zeros((0, 3))
    if count < 1:
        return Drawn(none, none, 0)
    get_object = fast("FPDFPage_GetObject", _POINTER, _POINTER, _INT)
    get_type = fast("FPDFPageObj_GetType", _INT, _POINTER)
    objects = list(map(get_object, repeat(address(page)), range(count)))
    types = np.array(list(map(get_type, objects)))
    paths = np.flatnonzero(types == _PATH).tolist()[: 4 * _MOST_RULES]
    images = np.flatnonzero(types == _IMAGE).tolist()
    frame = page_frame(page)
    width, height = frame.size
    areas = frame.shown(_bounds([objects[i] for i in images])).clip(0, (width, height, width, height))
    shares = (areas[:, 2] - areas[:, 0]) * (areas[:, 3] - areas[:, 1]) / max(width * height, 1.0)
    upright, level = _rules(frame.shown(_bounds([objects[i] for i in paths])))
    return Drawn(upright, level, int((shares > _BIG).sum()), float(shares.sum()))


def _bounds(objects: list[int]) -> Floats:
    """float64[n, 4]: left, bottom, right, top of page objects; zeros where there are none."""
    floats = np.zeros((len(objects), 4), np.float32)
    start = floats.ctypes.data
    get = fast("FPDFPageObj_GetBounds", _INT, _POINTER, *[_POINTER] * 4)
    for i, item in enumerate(objects):
        at = start + 16 * i
        get(item, at, at + 4, at + 8, at + 12)
    return np.nan_to_num(floats.astype(np.float64), posinf=0, neginf=0)


def _rules(boxes: Floats) -> tuple[Floats, Floats]:
    """Upright and level rules of drawn boxes: thin ones, and the edges of those as large as a cell."""
    left, top, right, bottom = boxes.T
    width, height = right - left, bottom - top
    is_frame = (width > 8) & (height > 6)
    is_upright = ((width <= _THIN) & (height > 6)) | is_frame
    is_level = ((height <= _THIN) & (width > 8)) | is_frame
    upright = [np.stack((x, top, bottom), 1)[is_upright] for x in (left, right)]
    level = [np.stack((y, left, right), 1)[is_level] for y in (top, bottom)]
    return _longest(_joined(np.concatenate(upright))), _longest(_joined(np.concatenate(level)))


def _joined(rules: Floats) -> list[list[float]]:
    """The rules in order, those that touch end to end as one: each cell of a table may have its own."""
    joined: list[list[float]] = []
    for at, start, end in np.unique(np.round(rules), axis=0).tolist():
        if joined and joined[-1][0] == at and start <= joined[-1][2] + _TOUCHING:
            joined[-1][2] = max(joined[-1][2], end)
        else:
            joined.append([at, start, end])
    return joined


def _longest(rules: list[list[float]]) -> Floats:
    """float64[n, 3]: the longest rules, at most `_MOST_RULES`, in order."""
    longest = sorted(rules, key=lambda rule: rule[1] - rule[2])[:_MOST_RULES]
    return np.array(sorted(longest), np.float64).reshape(-1, 3)
