"""Regions to blocks: paragraphs, list items, captions and tables, their headings not known yet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from pincite.parse.pdf.columns import make_rows
from pincite.parse.pdf.lines import HYPHEN, Line, is_rtl
from pincite.parse.pdf.tables import LEADERS, Row, Rule, Table, find_tables
from pincite.types import Box

Role = Literal["paragraph", "list", "heading", "caption", "footnote", "code", "table"]

_ITEM = re.compile(
    r"(?:[•●○▪■◦‣∙·►➢✓❖]|[–—*-](?= ))\s*\S"
    r"|(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivx]{1,5}\)) +\S"
)
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|tab\.|listing|algorithm|chart|abbildung|tabelle|tableau)\s*"
    r"(?:\d+(?:[.-]\d+)*|[A-Z]\.?\d*|[IVX]+)\s*(?:[:.|–—-]|(?=[A-Z]))|[图表]\s*\d+",
    re.I,
)
_END = tuple(".!?:;。！？：；”\"')")


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together. `level` is that of a heading; `table` is set for tables."""

    role: Role
    lines: tuple[Line, ...]
    level: int = 0
    table: Table | None = None

    @property
    def page(self) -> int:
        return self.lines[0].box.page

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


def make_blocks(region: Sequence[Line], rules: Sequence[Rule] = (), *, code: bool = True) -> list[Block]:
    """The blocks of one column, from top to bottom; with `code`, lines of fixed width stay as they are."""
    rows = [tuple(row) for row in make_rows(region)]
    blocks: list[Block] = []
    running: list[Line] = []
    for found in find_tables(rows, rules):
        if isinstance(found, Table):
            blocks.extend(_paragraphs(running, code))
            running = []
            blocks.append(Block("table", tuple(found.lines), table=found))
        else:
            running.append(join_row(found))
    return blocks + list(_paragraphs(running, code))


def join_row(row: Row) -> Line:
    """The segments of a row as one line, in the order they are read."""
    if len(row) == 1:
        return row[0]
    rtl = is_rtl(row)
    ordered = sorted(row, key=lambda line: -line.right) if rtl else list(row)
    longest = max(ordered, key=lambda line: len(line.text))
    text = ordered[0].text
    for before, line in pairwise(ordered):
        gap = max(line.left - before.right, before.left - line.right)
        close = gap < 0.08 * line.size and line.rtl == before.rtl
        text += line.text if close else " " + line.text
    return replace(
        longest,
        text=text.replace(f"{HYPHEN} ", "- "),
        left=min(line.left for line in row),
        top=min(line.top for line in row),
        right=max(line.right for line in row),
        bottom=max(line.bottom for line in row),
        bold=all(line.bold for line in row),
        fixed=all(line.fixed for line in row),
        rtl=rtl,
        box=union([line.box for line in row]),
    )


def union(boxes: Sequence[Box]) -> Box:
    """The box around boxes of one page."""
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
        boxes[0].page,
    )


def _paragraphs(lines: Sequence[Line], code: bool) -> Iterator[Block]:
    """Paragraphs, list items and captions of lines in one column."""
    if not lines:
        return
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    usual = _usual_pitch(lines)
    paragraph: list[Line] = [lines[0]]
    for line in lines[1:]:
        if _starts_anew(paragraph, line, usual, left, right, code):
            yield _as_block(paragraph, code)
            paragraph = []
        paragraph.append(line)
    yield _as_block(paragraph, code)


def _usual_pitch(lines: Sequence[Line]) -> float:
    """The most usual distance from a line to the next of the same size, in type sizes; 1.2 without one."""
    pitches = sorted(
        (b.top - a.top) / b.size
        for a, b in pairwise(lines)
        if abs(a.size - b.size) < 0.3 and 0 < b.top - a.top < 3 * b.size
    )
    return pitches[len(pitches) // 3] if pitches else 1.2


def _starts_anew(
    paragraph: list[Line], line: Line, usual: float, left: float, right: float, code: bool
) -> bool:
    """Whether a line starts a paragraph rather than going on with the one above."""
    above = paragraph[-1]
    size = max(above.size, line.size, 1.0)
    pitch = (line.bottom - above.bottom) / size
    if pitch > usual * 1.25 + 0.12 or pitch < -1:
        return True
    if abs(above.size - line.size) > 0.1 * size and not _is_small_part(above, line):
        return True
    if above.bold != line.bold and min(len(above.text), len(line.text)) > 2:
        return not _goes_on(above, line) or above.bold
    if LEADERS.search(above.text):
        return True
    if _ITEM.match(line.text) and _may_be_item(paragraph, line, right):
        return True
    if _CAPTION.match(line.text) and above.text.endswith(_END):
        return True
    if code and above.fixed and line.fixed:
        return False
    return _is_indented(paragraph, line, left, right)


def _is_small_part(above: Line, line: Line) -> bool:
    """Whether one of two lines is so short that its size says nothing (an index, a sum sign)."""
    return min(len(above.text), len(line.text)) < 4 and not above.bold


def _goes_on(above: Line, line: Line) -> bool:
    return line.text[:1].islower() and not above.text.endswith(_END)


def _may_be_item(paragraph: list[Line], line: Line, right: float) -> bool:
    """Whether a line with a mark in front is an item, not the middle of a sentence that looks so."""
    if not line.text[0].isalnum() and line.text[0] not in "(-–—*":
        return True
    above = paragraph[-1]
    return (
        above.text.endswith(_END)
        or bool(_ITEM.match(paragraph[0].text))
        or right - above.right > 0.15 * (right - above.left)
    )


def _is_indented(paragraph: list[Line], line: Line, left: float, right: float) -> bool:
    """Whether the line's first word is set in, or the line above ended early, as at a paragraph's end."""
    above, size = paragraph[-1], line.size
    if line.rtl:
        shift, short = above.right - line.right, above.left - left
    else:
        shift, short = line.left - above.left, right - above.right
    ended = above.text.endswith(_END)
    hanging = _ITEM.match(paragraph[0].text) is not None
    if shift > 0.7 * size and shift < 5 * size and not (hanging and len(paragraph) == 1):
        return ended or short > 2 * size
    if hanging and len(paragraph) > 1 and shift < -0.7 * size:
        return True
    return ended and short > 0.3 * (right - left) and not line.text[:1].islower()


def _as_block(lines: list[Line], code: bool) -> Block:
    text = lines[0].text
    if _CAPTION.match(text):
        return Block("caption", tuple(lines))
    if code and len(lines) > 1 and all(line.fixed for line in lines):
        return Block("code", tuple(lines))
    is_item = _ITEM.match(text) or LEADERS.search(lines[-1].text)
    return Block("list" if is_item else "paragraph", tuple(lines))


def all_lines(blocks: Iterable[Block]) -> Iterator[Line]:
    """The lines of blocks, in order."""
    for block in blocks:
        yield from block.lines
