"""What blocks are: headings with their level, footnotes; and the lines that stand on page after page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.parse.pdf.blocks import Block, all_lines
from pincite.parse.pdf.columns import make_rows
from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.tables import has_leaders

HEADER, FOOTER, NUMBER = "running header", "running footer", "page number"

_ZONE = 0.14  # of the page's height, at the top and at the bottom
_EDGE_ROWS = 4
_DIGITS = re.compile(r"\d+")
_PAGE = re.compile(
    r"[-–—|\s]*(?:page|seite|p\.|pg\.?|página|第)?\s*#\s*(?:(?:/|of|von|de|sur)\s*#)?\s*页?[-–—|.\s]*$", re.I
)
_ROMAN = re.compile(r"[ivxlc]{1,6}$")
_NUMBERED = re.compile(
    r"(?:chapter |section |appendix |part )?((?:\d{1,3}|[A-Z])(?:\.\d{1,3})*)[.:)]? +\S", re.I
)
_SUBSECTION = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.? +[^\W\d_a-z][^.;:!?]{2,80}$")
_NOTE = re.compile(r"(?:\(?\d{1,3}\)?|[*†‡§¶∗]|[a-z]\))[ .:]?\s*\S")
_LONGEST_HEADING = 160


Telling = tuple[bool, bool]
"""Whether bold type, and italic type, set a line apart in this document."""

Number = tuple[int, bool, int]
"""How far a number is from the number of its page, whether it is at the top, and its height on the page."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A row at the top or bottom of a page: what may be a running header, with its text less all numbers."""

    page: int
    lines: tuple[Line, ...]
    text: str
    shape: str
    top: bool
    outermost: bool


def find_running(
    pages: Mapping[int, Sequence[Line]], heights: Mapping[int, float]
) -> dict[int, dict[int, str]]:
    """For each page the running lines by `id`, with the reason: running header or footer, page number."""
    edges = [edge for page, lines in pages.items() for edge in _edges(page, lines, heights[page])]
    repeated = _repetitions(edges)
    counting = Counter(number for edge in edges for number in _numbers(edge))
    least = 1 if len(pages) < 2 else 2 if len(pages) < 6 else 3
    found: dict[int, dict[int, str]] = defaultdict(dict)
    for edge, times in zip(edges, repeated, strict=True):
        counted = max((counting[number] for number in _numbers(edge)), default=0)
        if reason := _reason(edge, times, counted, least):
            found[edge.page].update({id(line): reason for line in edge.lines})
    return {page: _unless_all(pages[page], of_page) for page, of_page in found.items()}


def _unless_all(lines: Sequence[Line], running: dict[int, str]) -> dict[int, str]:
    """The running lines of a page; page numbers alone if nothing else would stand on it."""
    if any(id(line) not in running for line in lines):
        return running
    return {line: reason for line, reason in running.items() if reason == NUMBER}


def _edges(page: int, lines: Sequence[Line], height: float) -> list[Edge]:
    """The rows in the top and bottom zones of a page, the outermost few of each."""
    edges = []
    for top in (True, False):
        zone = [
            line
            for line in lines
            if line.turn == 0 and (line.bottom < _ZONE * height if top else line.top > (1 - _ZONE) * height)
        ]
        rows = make_rows(zone)
        for n, row in enumerate(rows[:_EDGE_ROWS] if top else rows[: -_EDGE_ROWS - 1 : -1]):
            text = " ".join(line.text for line in row)
            shape = _DIGITS.sub("#", text).replace(" ", "").casefold()
            edges.append(Edge(page, tuple(row), text, shape, top, n == 0))
    return edges


def _numbers(edge: Edge) -> set[Number]:
    """The numbers at the row's ends that may count pages."""
    words = edge.text.split()
    ends = {words[0].strip(".|-–—"), words[-1].strip(".|-–—")} if len(edge.text) < 120 else set()
    found = [int(word) for word in ends if word.isdecimal() and len(word) < 5]
    return {(number - edge.page, edge.top, round(edge.lines[0].bottom / 4)) for number in found}


def _repetitions(edges: Sequence[Edge]) -> list[int]:
    """For each row, on how many pages one like it stands at its height, no two pages skipped between."""
    same: dict[tuple[str, bool, int], list[int]] = defaultdict(list)
    for i, edge in enumerate(edges):
        same[edge.shape, edge.top, round(edge.lines[0].bottom / 4)].append(i)
    times = [0] * len(edges)
    for rows in same.values():
        chain: list[int] = []
        for i in rows:
            if chain and edges[i].page - edges[chain[-1]].page > 2:
                chain = []
            chain.append(i)
            times[chain[0]] = len(chain)
        _spread(times, rows, edges)
    return times


def _spread(times: list[int], rows: Sequence[int], edges: Sequence[Edge]) -> None:
    """Gives each row of a chain the count that stands at the chain's first row."""
    for before, i in pairwise(rows):
        if edges[i].page - edges[before].page <= 2:
            times[i] = times[before]


def _reason(edge: Edge, times: int, counted: int, least: int) -> str:
    """Why a row at a page's edge is no text of the document, or "".

    `times` is on how many pages in a row it stands, `counted` how many pages its number counts rightly, and
    `least` how many make a running line.
    """
    worded = any(char.isalpha() for char in edge.text)
    side = HEADER if edge.top else FOOTER
    if _PAGE.match(_DIGITS.sub("#", edge.text)):
        own = any(offset == 0 for offset, _, _ in _numbers(edge))
        return NUMBER if counted >= least or worded or own or (edge.outermost and least == 1) else ""
    if not edge.top and edge.outermost and len(edge.text) < 7 and _ROMAN.match(edge.text):
        return NUMBER
    if worded and (times >= max(least, 2) or counted >= 3):
        return side
    return side if worded and least == 1 and edge.outermost and _has_folio(edge) else ""


def _has_folio(edge: Edge) -> bool:
    """Whether a row holds a number set apart at one of its ends, as running lines do."""
    ends = (edge.lines[0].text, edge.lines[-1].text)
    return len(edge.lines) > 1 and len(edge.text) < 120 and any(end.isdecimal() for end in ends)


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
