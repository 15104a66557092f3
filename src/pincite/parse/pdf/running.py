"""The lines that stand on page after page: running headers and footers, and page numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from pincite.lexicon import any_of
from pincite.parse.pdf.lines import Line
from pincite.parse.pdf.paragraphs import caption
from pincite.parse.pdf.rows import make_rows

HEADER, FOOTER, NUMBER = "running header", "running footer", "page number"

_ZONE = 0.14  # of the page's height, at the top and at the bottom
_EDGE_ROWS = 4
_DIGITS = re.compile(r"\d+")
_ROMAN = re.compile(r"(?=.)c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$")
_SKIPPED = 2  # pages: a line on every other page is a running line as well
_WORDED = 12  # characters without spaces
_CELL = 40  # characters: what is longer is a line of text, not a cell below a column's name

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
    return {
        page: _unless_all(pages[page], _without_column_names(pages[page], of_page, heights[page]))
        for page, of_page in found.items()
    }


def _unless_all(lines: Sequence[Line], running: dict[int, str]) -> dict[int, str]:
    """The running lines of a page; page numbers alone if nothing else would stand on it."""
    if any(id(line) not in running for line in lines):
        return running
    return {line: reason for line, reason in running.items() if reason == NUMBER}


def _without_column_names(lines: Sequence[Line], running: dict[int, str], height: float) -> dict[int, str]:
    """The running lines without a row that names the columns of a table, as it does on each of its pages."""
    upper = [line for line in lines if line.turn == 0 and line.top < 2 * _ZONE * height]
    names: set[int] = set()
    for row, below in pairwise(make_rows(upper)):
        if id(row[0]) in running and id(below[0]) not in running and _names_columns(row, below):
            names |= {id(line) for line in row}
    return {line: reason for line, reason in running.items() if line not in names}


def _names_columns(row: Sequence[Line], below: Sequence[Line]) -> bool:
    """Whether a row stands close above another, cell above cell."""
    if len(row) < 2 or len(row) != len(below) or below[0].top - row[0].bottom > 0.9 * row[0].height:
        return False
    return all(
        a.left < b.right and b.left < a.right and len(b.text) <= _CELL
        for a, b in zip(row, below, strict=True)
    )


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
    for alike in same.values():
        for chain in _chains(edges, alike):
            for i in chain:
                times[i] = len(chain)
    return times


def _chains(edges: Sequence[Edge], alike: Sequence[int]) -> Iterator[list[int]]:
    """Rows of one shape in chains that no two pages interrupt, and no number that does not count them."""
    chain = [alike[0]]
    for i in alike[1:]:
        if not _follows(edges[chain[-1]], edges[i]):
            yield chain
            chain = []
        chain.append(i)
    yield chain


def _follows(before: Edge, edge: Edge) -> bool:
    """Whether a row of the same shape may be the same running line: its numbers stay, or count the pages.

    Where pages were taken out, the number at an end of a line of some words rises by more.
    """
    pages = edge.page - before.page
    if pages > _SKIPPED or before.text == edge.text:
        return pages <= _SKIPPED
    if caption().match(f"{edge.text}:"):
        return False
    steps = [
        int(b[-9:]) - int(a[-9:])
        for a, b in zip(_DIGITS.findall(before.text), _DIGITS.findall(edge.text), strict=True)
    ]
    if all(step in (0, pages) for step in steps):
        return True
    folio = steps.pop(0 if edge.text[0].isdecimal() else -1)
    worded = len(edge.shape) > _WORDED and (edge.text[0].isdecimal() or edge.text[-1].isdecimal())
    return worded and folio > 0 and not any(steps)


def _reason(edge: Edge, times: int, counted: int, least: int) -> str:
    """Why a row at a page's edge is no text of the document, or "".

    `times` is on how many pages in a row it stands, `counted` how many pages its number counts rightly, and
    `least` how many make a running line.
    """
    worded = any(char.isalpha() for char in edge.text)
    side = HEADER if edge.top else FOOTER
    if _page().match(_DIGITS.sub("#", edge.text)):
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


@cache
def _page() -> re.Pattern[str]:
    """A page number with its words, its figures as `#`: `- # -`, `page # of #`, `第 # 页`."""
    before, of, behind = any_of("pages.page"), any_of("pages.of"), any_of("pages.behind")
    edge = r"[-–—|\s]*"
    return re.compile(rf"{edge}{before}?\s*#\s*(?:(?:/|{of})\s*#)?\s*{behind}?[-–—|.\s]*$", re.I)
