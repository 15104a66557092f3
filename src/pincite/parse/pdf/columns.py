"""Segments of a page to regions in reading order: columns one after the other, not across the gap."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.parse.pdf.lines import Line, is_rtl

MAX_SEGMENTS = 4_000  # of one page; one with more (a drawing made of letters) is read from top to bottom
_DEPTH = 6
_GUTTER = 0.8  # of the type size: the least width of the gap between two columns
_LONGEST = 400  # bands of one run
_MOST_COLUMNS = 5
_LEAST_LINES = 5  # of a paragraph beside a table
_JUDGED = 80  # bands by which a run is judged
_TALL = 2.0  # heights of a line: a row is no higher for an initial over several lines
_FULL = 0.55  # how much of its column a line of running text fills on average

Gap = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Band:
    """Segments between two blank stripes, and the blank gaps between them from left to right."""

    lines: tuple[Line, ...]
    top: float
    bottom: float
    gaps: tuple[Gap, ...]

    @property
    def left(self) -> float:
        return min(line.left for line in self.lines)

    @property
    def right(self) -> float:
        return max(line.right for line in self.lines)


def find_regions(lines: Sequence[Line]) -> list[list[Line]]:
    """The segments of one direction of reading as regions of one column each, in reading order."""
    rtl = is_rtl(lines)
    if len(lines) > MAX_SEGMENTS:
        return [sorted(lines, key=_position)]
    return [region for region in _split(list(lines), _DEPTH, rtl) if region]


def _split(lines: list[Line], depth: int, rtl: bool) -> list[list[Line]]:
    """The regions of a part of a page: stripes from top to bottom, the columns of each beside one another."""
    if depth == 0 or len(lines) < 4:
        return [sorted(lines, key=_position)]
    regions: list[list[Line]] = []
    plain: list[Line] = []
    for bands, gutter in _stripes(_bands(lines)):
        if gutter is None:
            plain.extend(line for band in bands for line in band.lines)
            continue
        regions.append(sorted(plain, key=_position))
        plain = []
        middle = (gutter[0] + gutter[1]) / 2
        inside = [line for band in bands for line in band.lines]
        sides = [[line for line in inside if (line.left + line.right) / 2 < middle]]
        sides.append([line for line in inside if (line.left + line.right) / 2 >= middle])
        for side in reversed(sides) if rtl else sides:
            regions.extend(_split(side, depth - 1, rtl))
    regions.append(sorted(plain, key=_position))
    return [region for region in regions if region]


def _position(line: Line) -> tuple[float, float]:
    return line.top, line.left


def _bands(lines: list[Line]) -> list[Band]:
    """The stripes of the part that no blank stripe crosses, from top to bottom."""
    bands: list[Band] = []
    current: list[Line] = []
    bottom = float("-inf")
    for line in sorted(lines, key=_position):
        inset = 0.2 * line.height  # boxes reach from the highest to the deepest stroke and overlap a little
        if current and line.top + inset >= bottom:
            bands.append(_band(current))
            current = []
        bottom = max(bottom, line.bottom - inset) if current else line.bottom - inset
        current.append(line)
    return [*bands, _band(current)] if current else bands


def _band(lines: list[Line]) -> Band:
    gaps = []
    right = float("-inf")
    for line in sorted(lines, key=lambda line: line.left):
        if right > float("-inf") and line.left - right >= _GUTTER * line.size:
            gaps.append((right, line.left))
        right = max(right, line.right)
    top, bottom = min(line.top for line in lines), max(line.bottom for line in lines)
    return Band(tuple(lines), top, bottom, tuple(gaps))


def _stripes(bands: list[Band]) -> Iterable[tuple[list[Band], Gap | None]]:
    """Runs of bands, each with the gutter that goes through all of it; None for text in one column."""
    at = 0
    single: list[Band] = []
    while at < len(bands):
        run, gutter = _longest_run(bands, at)
        if gutter is not None:
            end = at + len(run)
            start = _run_start(single, run[0], gutter)
            run, single = single[start:] + run, single[:start]
            if single:
                yield single, None
            single = []
            yield run, gutter
            at = end
        else:
            single.append(bands[at])
            at += 1
    if single:
        yield single, None


def _run_start(before: list[Band], first: Band, gutter: Gap) -> int:
    """From which of the bands before a run one column goes on above the other, without a break."""
    start = len(before)
    below = first
    while start and not _is_apart(before[start - 1], below) and _is_one_sided(before[start - 1], gutter):
        start -= 1
        below = before[start]
    return start


def _is_one_sided(band: Band, gutter: Gap) -> bool:
    return band.right <= gutter[0] + 2 or band.left >= gutter[1] - 2


def _longest_run(bands: list[Band], at: int) -> tuple[list[Band], Gap | None]:
    """The longest run of bands from `at` on that one gutter divides in two columns of running text."""
    best: tuple[list[Band], Gap | None] = ([bands[at]], None)
    for gap in _candidates(bands, at):
        run, gutter = _follow(bands, at, gap)
        if len(run) >= len(best[0]) and _is_running_text(run, gutter):
            best = (run, gutter)
    return best


def _candidates(bands: list[Band], at: int) -> tuple[Gap, ...]:
    """The gaps a gutter may start from: those of the band, unless they are as many as in a table."""
    gaps = bands[at].gaps
    return gaps if len(gaps) <= _MOST_COLUMNS else ()


def _follow(bands: list[Band], at: int, gap: Gap) -> tuple[list[Band], Gap]:
    """The bands from `at` on that the gap goes through, narrowed to what is blank in all of them."""
    left, right = gap
    two_sided = at  # the last band with text on both sides
    end = at
    narrowed = gap
    for i in range(at, min(len(bands), at + _LONGEST)):
        band = bands[i]
        least = _GUTTER * max(min(line.size for line in band.lines), 1.0)
        fitting = [(max(a, left), min(b, right)) for a, b in _openings(band)]
        a, b = max(fitting, key=lambda gap: gap[1] - gap[0])
        if b - a < least or (i > two_sided + 1 and _is_apart(bands[i - 1], band)):
            break
        left, right, end = a, b, i
        if any(line.right <= left + 0.1 for line in band.lines) and any(
            line.left >= right - 0.1 for line in band.lines
        ):
            two_sided, narrowed = i, (left, right)
    run = _without_last_line(bands[at : end + 1], two_sided - at)
    return run, narrowed if end == two_sided else (left, right)


def _openings(band: Band) -> list[Gap]:
    """Where a band is blank: left of it, between its parts, right of it."""
    return [(float("-inf"), band.left), *band.gaps, (band.right, float("inf"))]


def _without_last_line(run: list[Band], two_sided: int) -> list[Band]:
    """The run up to its last band with two sides, and what follows it closely or is a column's rest."""
    end = two_sided + 1
    if len(run) - end >= 3:
        return run
    pitch = _pitch(run[:end])
    while end < len(run) and run[end].top - run[end - 1].bottom < 0.35 * pitch:
        end += 1
    return run[:end]


def _pitch(run: list[Band]) -> float:
    """The usual height of a line in the run."""
    heights = sorted(line.height for band in run for line in band.lines)
    return heights[len(heights) // 2]


def _is_apart(above: Band, below: Band) -> bool:
    """Whether more than an empty line lies between two bands."""
    return below.top - above.bottom > 1.5 * max(line.height for line in below.lines)


def _is_running_text(run: list[Band], gutter: Gap) -> bool:
    """Whether both sides of the gutter are text to be read downwards, not cells of a table."""
    middle = (gutter[0] + gutter[1]) / 2
    inside = [line for band in run[:_JUDGED] for line in band.lines]
    left = _columns_of([line for line in inside if line.right <= middle])
    right = _columns_of([line for line in inside if line.left >= middle])
    sides = [*left, *right]
    if not left or not right or len(sides) > _MOST_COLUMNS or any(len(side) < 3 for side in sides):
        return _is_text_beside_cells(inside, middle)
    if not _is_level(left[-1], right[0]) and all(_is_worded(side) for side in sides):
        return True
    return all(_reads_down(side) for side in sides) or _is_text_beside_cells(inside, middle)


def _is_text_beside_cells(lines: list[Line], middle: float) -> bool:
    """Whether one side of a gutter is a paragraph that goes on from line to line, each beside some cell.

    A cell of several lines does so only where the cells beside it are as long.
    """
    left, right = ([line for line in lines if (line.right <= middle) == side] for side in (True, False))
    return _goes_on_beside(left, right) or _goes_on_beside(right, left)


def _goes_on_beside(side: list[Line], other: list[Line]) -> bool:
    rows = make_rows(side)
    beside = sorted((line.top + line.bottom) / 2 for line in other)
    if len(rows) < _LEAST_LINES or any(len(row) > 1 for row in rows) or not _is_worded(side):
        return False
    edge = 0.8 * max(line.right for line in side) + 0.2 * min(line.left for line in side)
    going_on = 0
    for (above,), (line,) in pairwise(rows):
        at = bisect_left(beside, line.top)
        level = at < len(beside) and beside[at] < line.bottom
        going_on += level and above.right > edge and line.text[:1].islower() and above.text[-1:] not in ".:;"
    return going_on > 0.5 * (len(rows) - 1)


def _columns_of(lines: list[Line]) -> list[list[Line]]:
    """The lines apart where a gutter goes through all of them, or all as one if a part is no column.

    A part is none if it is too narrow for running text, as the marks of a list and boxes to tick are.
    """
    columns: list[list[Line]] = []
    right = float("-inf")
    for line in sorted(lines, key=lambda line: line.left):
        if not columns or line.left - right >= _GUTTER * line.size:
            columns.append([])
        columns[-1].append(line)
        right = max(right, line.right)
    return columns if all(map(_may_be_column, columns)) else [lines]


def _may_be_column(lines: list[Line]) -> bool:
    width = max(line.right for line in lines) - min(line.left for line in lines)
    return len(lines) >= 3 and width > 8 * lines[0].size


def _is_level(left: list[Line], right: list[Line]) -> bool:
    """Whether most lines of the shorter side stand level with one of the other, as cells of a table do."""
    few, many = sorted((make_rows(left), make_rows(right)), key=len)
    bottoms = sorted(row[0].bottom for row in many)
    level = 0
    for row in few:
        at = bisect_left(bottoms, row[0].bottom - 1.2)
        level += at < len(bottoms) and bottoms[at] <= row[0].bottom + 1.2
    return level > 0.5 * len(few)


def _is_worded(side: list[Line]) -> bool:
    """Whether a side is made of lines of several words, most of it letters, seldom in cells."""
    printed = "".join(line.text for line in side).replace(" ", "")
    letters = sum(char.isalpha() for char in printed)
    weight = len(printed) + sum(
        char > "\u2e80" for char in printed
    )  # an ideograph says as much as two letters
    rows = make_rows(side)
    if len(rows) < 3 or letters < 0.6 * len(printed) or weight < 18 * len(rows):
        return False
    return sum(_has_cells(row) for row in rows) < 0.45 * len(rows)


def _reads_down(side: list[Line]) -> bool:
    """Whether a column's lines fill it, or go on from one to the next."""
    rows = make_rows(side)
    left, right = min(line.left for line in side), max(line.right for line in side)
    size = sorted(line.size for line in side)[len(side) // 2]
    printed = "".join(line.text for line in side).replace(" ", "")
    if right - left < 6 * size or len(rows) < 3 or sum(map(str.isalpha, printed)) < 0.6 * len(printed):
        return False
    if sum(_has_cells(row) for row in rows) > 0.45 * len(rows):
        return False
    covered = sum(line.width for line in side) / ((right - left) * len(rows))
    going_on = sum(row[0].text[:1].islower() for row in rows[1:]) / (len(rows) - 1)
    wide = right - left > 14 * size
    return (covered > _FULL and (wide or going_on > 0.3)) or going_on > 0.45


def _has_cells(row: list[Line]) -> bool:
    """Whether a gap in the row is wider than one between words of a line that is set to fill its column."""
    return any(b.left - a.right > 2 * b.size for a, b in pairwise(row))


def make_rows(lines: Iterable[Line]) -> list[list[Line]]:
    """Segments at the same height as rows from top to bottom, each from left to right."""
    rows: list[list[Line]] = []
    top = bottom = 0.0
    for line in sorted(lines, key=_position):
        overlap = min(bottom, line.bottom) - max(top, line.top)
        if rows and overlap > 0.5 * min(bottom - top, line.height):
            rows[-1].append(line)
            low, high = sorted((bottom - top, line.height))
            if (line.height == high) == (high < _TALL * low):
                top, bottom = line.top, line.bottom
        else:
            rows.append([line])
            top, bottom = line.top, line.bottom
    return [sorted(row, key=lambda line: line.left) for row in rows]
