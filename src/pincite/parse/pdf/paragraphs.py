"""Lines of one column to paragraphs: where one ends and the next begins."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from pincite.lexicon import any_of
from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.tables import has_leaders

ITEM = re.compile(
    r"(?:[•●○▪■◦‣∙·►➢✓❖]|[–—*-](?= ))\s*\S"
    r"|(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivx]{1,5}\)) +\S"
)
_END = tuple(".!?:;。！？：；”\"')")


@cache
def caption() -> re.Pattern[str]:
    """What the caption of a figure or table begins with: its word and its number."""
    number = r"\s*(?:\d+(?:[.-]\d+)*|[A-Z]\.?\d+|[IVX]+)\s*(?:[:.|–—-]|(?=[A-Z]))"
    return re.compile(rf"(?i:{any_of('captions.numbered')}){number}|{any_of('captions.before_digits')}\s*\d+")


@dataclass(frozen=True, slots=True)
class Column:
    """What is usual in a column: its edges, the distance of lines in type sizes, the size of most text.

    With `code`, type of one width says that lines are code.
    """

    left: float
    right: float
    pitch: float
    size: float
    code: bool


def split_paragraphs(lines: Sequence[Line], *, code: bool) -> Iterator[list[Line]]:
    """The lines of a column as paragraphs, list items, captions, titles and pieces of code."""
    if not lines:
        return
    column = _measure(lines, code)
    paragraph: list[Line] = [lines[0]]
    for line in lines[1:]:
        if _starts_anew(paragraph, line, column):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    yield paragraph


def _measure(lines: Sequence[Line], code: bool) -> Column:
    pitches = sorted(
        (b.top - a.top) / b.size
        for a, b in pairwise(lines)
        if abs(a.size - b.size) < 0.3 and 0 < b.top - a.top < 3 * b.size
    )
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return Column(
        left=min(line.left for line in lines),
        right=max(line.right for line in lines),
        pitch=pitches[len(pitches) // 3] if pitches else 1.2,
        size=min(sizes, key=lambda size: (-sizes[size], size)),
        code=code,
    )


def _starts_anew(paragraph: list[Line], line: Line, column: Column) -> bool:
    """Whether a line starts a paragraph rather than going on with the one above."""
    above = paragraph[-1]
    size = max(above.size, line.size, 1.0)
    if _is_far(above, line, column) or has_leaders(above.text):
        return True
    if abs(above.size - line.size) > 0.1 * size and not _is_small_part(above, line):
        return True
    if (
        above.bold != line.bold
        and not _is_title(above, line, column)
        and min(len(above.text), len(line.text)) > 2
    ):
        return above.bold or not _goes_on(above, line)
    if column.code and above.fixed != line.fixed:
        return not _goes_on(above, line)
    if above.italic and not line.italic and len(paragraph) == 1 and column.right - above.right > 4 * size:
        return not _goes_on(above, line)
    if ITEM.match(line.text) and _may_be_item(paragraph, line, column):
        return True
    if caption().match(line.text) and above.text.endswith(_END):
        return True
    if (column.code and line.fixed) or _is_title(above, line, column):
        return False
    return _is_indented(paragraph, line, column)


def _is_far(above: Line, line: Line, column: Column) -> bool:
    """Whether a line is farther from the one above than lines of a paragraph are, or stands above it."""
    pitch = (line.bottom - above.bottom) / max(above.size, line.size, 1.0)
    usual = max(column.pitch, 1.3) if _is_title(above, line, column) else column.pitch
    return pitch > usual * 1.25 + 0.12 or pitch < -1


def _is_title(above: Line, line: Line, column: Column) -> bool:
    """Whether two lines are set as one large title is, in the middle as it may be."""
    return above.size == line.size > 1.15 * column.size and not above.text.endswith(_END)


def _is_small_part(above: Line, line: Line) -> bool:
    """Whether one of two lines is so short that its size says nothing (an index, a sum sign)."""
    return min(len(above.text), len(line.text)) < 4 and not above.bold


def _goes_on(above: Line, line: Line) -> bool:
    return line.text[:1].islower() and not above.text.endswith(_END)


def _may_be_item(paragraph: list[Line], line: Line, column: Column) -> bool:
    """Whether a line with a mark in front is an item, not the middle of a sentence that looks so."""
    if not line.text[0].isalnum() and line.text[0] not in "(-–—*":
        return True
    above = paragraph[-1]
    if above.text.endswith(_END) or ITEM.match(paragraph[0].text):
        return True
    return column.right - above.right > 0.15 * (column.right - above.left)


def _is_indented(paragraph: list[Line], line: Line, column: Column) -> bool:
    """Whether the line's first word is set in, or the line above ended early, as at a paragraph's end."""
    above, size = paragraph[-1], line.size
    if line.rtl:
        shift, short = above.right - line.right, above.left - column.left
    else:
        shift, short = line.left - above.left, column.right - above.right
    ended = above.text.endswith(_END)
    hanging = ITEM.match(paragraph[0].text) is not None
    if 0.7 * size < shift < 5 * size and not (hanging and len(paragraph) == 1):
        return ended or short > 2 * size
    if hanging and len(paragraph) > 1 and shift < -0.7 * size:
        return True
    return ended and short > 0.3 * (column.right - column.left) and not line.text[:1].islower()
