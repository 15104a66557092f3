"""What blocks are: headings with their level, and footnotes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pincite.parse.pdf.blocks import Block, all_lines
from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.tables import has_leaders

_NUMBERED = re.compile(
    r"(?:chapter |section |appendix |part )?((?:\d{1,3}|[A-Z])(?:\.\d{1,3})*)[.:)]? +\S", re.I
)
_SUBSECTION = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.? +[^\W\d_a-z][^.;:!?]{2,80}$")
_NOTE = re.compile(r"(?:\(?\d{1,3}\)?|[*†‡§¶∗]|[a-z]\))[ .:]?\s*\S")
_LONGEST_HEADING = 160

Telling = tuple[bool, bool]
"""Whether bold type, and italic type, set a line apart in this document."""


def body_size(lines: Iterable[Line]) -> float:
    """The type size most of the text is set in."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size * 2) / 2] += len(line.text)
    return min(sizes, key=lambda size: (-sizes[size], size)) if sizes else 10.0


def mark_footnotes(blocks: Sequence[Block], body: float, height: float) -> list[Block]:
    """The blocks of one column, those in small type at its foot marked as footnotes."""
    marked = list(blocks)
    for i in range(len(marked) - 1, -1, -1):
        block = marked[i]
        small = all(line.size <= 0.93 * body for line in block.lines)
        if not small or block.role not in ("paragraph", "list") or block.lines[0].top < 0.5 * height:
            break
        if _NOTE.match(block.text) or (i + 1 < len(marked) and marked[i + 1].role == "footnote"):
            marked[i] = replace(block, role="footnote")
    return marked


def mark_headings(
    blocks: Sequence[Block], body: float, outline: Mapping[int, Mapping[str, int]]
) -> list[Block]:
    """The blocks with headings marked: by the outline, by size, by weight; levels count from 1."""
    sizes = _heading_sizes(blocks, body)
    telling = _telling_styles(blocks)
    depths: dict[int, int] = {}
    marked = []
    for i, block in enumerate(blocks):
        level = _outlined(block, outline) or _level(block, body, sizes, telling, blocks[i + 1 : i + 2])
        if level:
            level = _numbered_level(block.text, level, depths)
        marked.append(replace(block, role="heading", level=min(level, 9)) if level else block)
    return marked


def _heading_sizes(blocks: Sequence[Block], body: float) -> list[float]:
    """The sizes of headings larger than the text, largest first; sizes within 5 % are one."""
    sizes = sorted(
        {b.lines[0].size for b in blocks if _may_be_heading(b) and _is_large(b, body)}, reverse=True
    )
    distinct: list[float] = []
    for size in sizes:
        if not distinct or size < 0.95 * distinct[-1]:
            distinct.append(size)
    return distinct


def _is_large(block: Block, body: float) -> bool:
    return min(line.size for line in block.lines) >= 1.09 * body + 0.2


def _telling_styles(blocks: Sequence[Block]) -> Telling:
    """Whether bold and italic type set lines apart: they do not where much of the text is set in them."""
    lines = list(all_lines(blocks))
    whole = sum(len(line.text) for line in lines)
    bold = sum(len(line.text) for line in lines if line.bold)
    italic = sum(len(line.text) for line in lines if line.italic)
    return bold < 0.4 * whole, italic < 0.1 * whole


def _may_be_heading(block: Block) -> bool:
    if block.role not in ("paragraph", "list") or len(block.lines) > 4 or len(block.text) > _LONGEST_HEADING:
        return False
    if has_leaders(block.text):
        return False
    letters = sum(char.isalpha() for char in block.text)
    return letters >= 2 and letters > 0.4 * len(block.text.replace(" ", ""))


def _level(
    block: Block, body: float, sizes: Sequence[float], telling: Telling, following: Sequence[Block]
) -> int:
    """The level of a heading by its type; 0 for text."""
    if not _may_be_heading(block):
        return 0
    text = block.text
    if block.role == "list" and not _NUMBERED.match(text):
        return 0
    if _is_large(block, body) and not (text.endswith((".", ",", ";")) and len(text) > 60):
        size = block.lines[0].size
        return next((i + 1 for i, one in enumerate(sizes) if size >= 0.95 * one), len(sizes))
    bold = all(line.bold for line in block.lines)
    short = len(block.lines) <= 2 and len(text) <= 120
    if short and following and not text.endswith((".", ",", ";", ":")):
        if bold and telling[0]:
            return len(sizes) + 1
        if telling[1] and _is_italic_heading(block, following[0]):
            return len(sizes) + 2
        if _SUBSECTION.match(text) and len(block.lines) == 1:
            return len(sizes) + 1
    return 0


def _is_italic_heading(block: Block, following: Block) -> bool:
    """Whether a block is one short italic line above text that is not italic."""
    below = following.lines[0]
    alone = len(block.lines) == 1 and block.lines[0].italic and len(block.text) <= 60
    return alone and following.role == "paragraph" and not below.italic and below.text[:1].isupper()


def _numbered_level(text: str, level: int, depths: dict[int, int]) -> int:
    """The level of a numbered heading: below the last one with a shorter number. Updates `depths`."""
    numbered = _NUMBERED.match(text)
    if not numbered:
        return level
    depth = numbered[1].count(".") + 1
    above = [depths[shorter] for shorter in range(1, depth) if shorter in depths]
    level = max([level, *(one + 1 for one in above)])
    depths[depth] = level
    for deeper in [one for one in depths if one > depth]:
        del depths[deeper]
    return level


def heading_key(text: str) -> str:
    """A heading's text without its number, spaces, punctuation and case: what equals its bookmark's."""
    text = re.sub(
        r"^(?:chapter |section |appendix |part )?(?:\d{1,3}|[A-Z])(?:\.\d{1,3})*[.:)]? +",
        "",
        text,
        flags=re.I,
    )
    return "".join(char for char in text.casefold() if char.isalnum())


def _outlined(block: Block, outline: Mapping[int, Mapping[str, int]]) -> int:
    """The level of the bookmark that has this block's text and leads to its page; 0 if there is none."""
    if not outline or block.role not in ("paragraph", "list") or len(block.text) > 300:
        return 0
    return outline.get(block.page, {}).get(heading_key(block.text), 0)
