"""What stands on a page beside its text: stamps up the margin, watermarks, and what no viewer shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pincite.parse.pdf.chars import SLANTED
from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.pages import Page

MARGIN, WATERMARK, OUTSIDE = "text in the margin", "watermark", "text outside the page"

_OUTER = 0.09  # of the page: text that runs up or down this far outside is a stamp, not a part of the text
_SLANTED_SIZE, _LEVEL_SIZE = 1.8, 2.5  # times as large as the text: so large a watermark is
_COVERED = 3  # lines of text that a level watermark is printed over
_MOST_LARGE = 50  # lines of a page that are so large; with more, it is a poster


def find_beside(page: Page, body: float) -> dict[int, str]:
    """By `id` of the line why it is no part of the page's text; `body` is the size of most text."""
    main = main_turn(page.segments)
    apart = {id(line): MARGIN for line in page.segments if _is_stamp(line, page, main)}
    apart |= {id(line): WATERMARK for line in _watermarks(page.segments, body)}
    return apart | {id(line): OUTSIDE for line in page.segments if _is_outside(line, page)}


def main_turn(lines: Sequence[Line]) -> int:
    """The direction most of the text runs in."""
    turns: Counter[int] = Counter()
    for line in lines:
        turns[line.turn] += len(line.text)
    return min(turns, key=lambda turn: (-turns[turn], turn)) if turns else 0


def _is_stamp(line: Line, page: Page, main: int) -> bool:
    """Whether a line runs up or down in the outer margin of a page whose text does not."""
    outer = line.box.right < _OUTER * page.width or line.box.left > (1 - _OUTER) * page.width
    return line.turn in (1, 3) and outer and main != line.turn


def _watermarks(lines: Sequence[Line], body: float) -> list[Line]:
    """Large lines printed askew, or over the text."""
    slanted = [line for line in lines if line.turn == SLANTED and line.size > _SLANTED_SIZE * body]
    level = [line for line in lines if line.turn != SLANTED and line.size > _LEVEL_SIZE * body]
    if len(level) > _MOST_LARGE:
        return slanted
    text = [line for line in lines if line.size <= _LEVEL_SIZE * body]
    return slanted + [line for line in level if sum(_overlap(line, one) for one in text) >= _COVERED]


def _overlap(one: Line, other: Line) -> bool:
    a, b = one.box, other.box
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom


def _is_outside(line: Line, page: Page) -> bool:
    """Whether no part of a line is on what is shown of the page."""
    box = line.box
    return box.right < 0 or box.bottom < 0 or box.left > page.width or box.top > page.height
