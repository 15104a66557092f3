"""Regions to blocks: paragraphs, list items, captions and tables, their headings not known yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from pincite.parse.pdf.grid import Row, Rule
from pincite.parse.pdf.lines import HYPHEN, INITIAL, Line, is_rtl
from pincite.parse.pdf.lists import with_bullets
from pincite.parse.pdf.paragraphs import ITEM, caption, split_paragraphs
from pincite.parse.pdf.rows import make_rows
from pincite.parse.pdf.tables import Table, find_tables, has_leaders
from pincite.types import Box

Role = Literal["paragraph", "list", "heading", "caption", "footnote", "code", "table"]


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


@dataclass(frozen=True, slots=True)
class Piece:
    """A block in its place; with `left_out`, the reason why it is in no chunk."""

    block: Block
    left_out: str = ""


def make_blocks(region: Sequence[Line], rules: Sequence[Rule] = (), *, code: bool = True) -> list[Block]:
    """The blocks of one column, from top to bottom; with `code`, lines of fixed width stay as they are."""
    rows = [tuple(join_row(tuple(part)) for part in with_bullets(row)) for row in make_rows(region)]
    blocks: list[Block] = []
    running: list[Line] = []
    for found in find_tables(rows, rules):
        if isinstance(found, Table):
            blocks.extend(_as_block(lines, code) for lines in split_paragraphs(running, code=code))
            running = []
            blocks.append(Block("table", tuple(found.lines), table=found))
        else:
            running.append(join_row(found))
    return blocks + [_as_block(lines, code) for lines in split_paragraphs(running, code=code)]


def join_row(row: Row) -> Line:
    """The segments of a row as one line, in the order they are read."""
    if len(row) == 1:
        return row[0]
    rtl = is_rtl(row)
    ordered = sorted(row, key=lambda line: -line.right) if rtl else list(row)
    longest = max(ordered, key=lambda line: len(line.text))
    level = [line for line in row if line.height < INITIAL * longest.height]
    text = ordered[0].text
    for before, line in pairwise(ordered):
        text += line.text if _is_close(before, line) else " " + line.text
    return replace(
        longest,
        text=text.replace(f"{HYPHEN} ", "- "),
        left=min(line.left for line in level),
        top=min(line.top for line in level),
        right=max(line.right for line in level),
        bottom=max(line.bottom for line in level),
        bold=all(line.bold for line in row),
        fixed=all(line.fixed for line in row),
        italic=all(line.italic for line in row),
        rtl=rtl,
        box=union([line.box for line in row]),
    )


def _is_close(before: Line, line: Line) -> bool:
    """Whether no space stands between two segments of a row: they touch, or a word starts with an initial."""
    if before.rtl != line.rtl:
        return False
    size = min(before.size, line.size)
    gap = max(line.left - before.right, before.left - line.right)
    word = line.text.partition(" ")[0]
    if before.size > INITIAL * line.size and len(before.text) == 1 and word.isalpha() and gap < size:
        return before.text not in "AI" or len(word) < 3
    return -0.5 * size < gap < 0.08 * size


def union(boxes: Sequence[Box]) -> Box:
    """The box around boxes of one page."""
    return Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
        boxes[0].page,
    )


def _as_block(lines: list[Line], code: bool) -> Block:
    """A paragraph, list item, caption or piece of code."""
    text = lines[0].text
    if caption().match(text):
        return Block("caption", tuple(lines))
    if code and len(lines) > 1 and all(line.fixed for line in lines):
        return Block("code", tuple(lines))
    is_item = ITEM.match(text) or has_leaders(lines[-1].text)
    return Block("list" if is_item else "paragraph", tuple(lines))


def all_lines(blocks: Iterable[Block]) -> Iterator[Line]:
    """The lines of blocks, in order."""
    for block in blocks:
        yield from block.lines
