"""Segments of a page to regions in reading order: columns one after the other, not across the gap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.parse.pdf.lines import Line, is_rtl
from pincite.parse.pdf.prose import GUTTER, MOST_COLUMNS, Band, Gap, is_running_text
from pincite.parse.pdf.rows import position

MAX_SEGMENTS = 4_000  # of one page; one with more (a drawing made of letters) is read from top to bottom
_DEPTH = 6
_LONGEST = 400  # bands of one run
_TRIES = 6  # bands a gutter may start at, where it is none from the first on

Refused = tuple[int, int]
"""The band at which a run ended, and the middle of what was no gutter in it."""


def find_regions(lines: Sequence[Line]) -> list[list[Line]]:
    """The segments of one direction of reading as regions of one column each, in reading order."""
    rtl = is_rtl(lines)
    if len(lines) > MAX_SEGMENTS:
        return [sorted(lines, key=position)]
    return [region for region in _split(list(lines), _DEPTH, rtl) if region]


def _split(lines: list[Line], depth: int, rtl: bool) -> list[list[Line]]:
    """The regions of a part of a page: stripes from top to bottom, the columns of each beside one another."""
    if depth == 0 or len(lines) < 4:
        return [sorted(lines, key=position)]
    regions: list[list[Line]] = []
    plain: list[Line] = []
    for bands, gutter in _stripes(_bands(lines)):
        if gutter is None:
            plain.extend(line for band in bands for line in band.lines)
            continue
        regions.append(sorted(plain, key=position))
        plain = []
        middle = (gutter[0] + gutter[1]) / 2
        inside = [line for band in bands for line in band.lines]
        sides = [[line for line in inside if (line.left + line.right) / 2 < middle]]
        sides.append([line for line in inside if (line.left + line.right) / 2 >= middle])
        for side in reversed(sides) if rtl else sides:
            regions.extend(_split(side, depth - 1, rtl))
    regions.append(sorted(plain, key=position))
    return [region for region in regions if region]


def _bands(lines: list[Line]) -> list[Band]:
    """The stripes of the part that no blank stripe crosses, from top to bottom."""
    bands: list[Band] = []
    current: list[Line] = []
    bottom = float("-inf")
    for line in sorted(lines, key=position):
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
        if right > float("-inf") and line.left - right >= GUTTER * line.size:
            gaps.append((right, line.left))
        right = max(right, line.right)
    top, bottom = min(line.top for line in lines), max(line.bottom for line in lines)
    return Band(tuple(lines), top, bottom, tuple(gaps))


def _stripes(bands: list[Band]) -> Iterable[tuple[list[Band], Gap | None]]:
    """Runs of bands, each with the gutter that goes through all of it; None for text in one column."""
    at = 0
    single: list[Band] = []
    refused: dict[Refused, int] = {}
    while at < len(bands):
        run, gutter = _longest_run(bands, at, refused)
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


def _longest_run(bands: list[Band], at: int, refused: dict[Refused, int]) -> tuple[list[Band], Gap | None]:
    """The longest run of bands from `at` on that one gutter divides in two columns of running text.

    `refused` counts how often a gutter was none, by where it ends: after some tries it is none there.
    """
    best: tuple[list[Band], Gap | None] = ([bands[at]], None)
    for gap in _candidates(bands, at):
        if any(n > _TRIES and at < end and gap[0] < x < gap[1] for (end, x), n in refused.items()):
            continue
        run, gutter = _follow(bands, at, gap)
        if len(run) < len(best[0]):
            continue
        if is_running_text(run, gutter):
            best = (run, gutter)
        else:
            key = at + len(run), round((gutter[0] + gutter[1]) / 2)
            refused[key] = refused.get(key, 0) + 1
    return best


def _candidates(bands: list[Band], at: int) -> tuple[Gap, ...]:
    """The gaps a gutter may start from: those of the band, unless they are as many as in a table."""
    gaps = bands[at].gaps
    return gaps if len(gaps) <= MOST_COLUMNS else ()


def _follow(bands: list[Band], at: int, gap: Gap) -> tuple[list[Band], Gap]:
    """The bands from `at` on that the gap goes through, narrowed to what is blank in all of them."""
    left, right = gap
    two_sided = at  # the last band with text on both sides
    end = at
    narrowed = gap
    for i in range(at, min(len(bands), at + _LONGEST)):
        band = bands[i]
        least = GUTTER * max(min(line.size for line in band.lines), 1.0)
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
