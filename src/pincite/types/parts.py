"""Names of parts of a file that has no lines, and how several become one: cells, slides, paragraphs."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CELLS = re.compile(
    r"(?P<sheet>.*!)(?P<left>[A-Z]{1,3})(?P<top>\d{1,7})(?::(?P<right>[A-Z]{1,3})(?P<bottom>\d{1,7}))?"
)
_SHAPE = re.compile(r"(?P<slide>slide \d{1,9}), .*", re.DOTALL)
_TIMES = re.compile(r"(?P<first>\d{2,9}:\d\d:\d\d)(?:-(?P<last>\d{2,9}:\d\d:\d\d))?")
_NUMBERED = re.compile(r"(?P<what>.*\D)(?<!\d-)(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?")


def join_parts(parts: Sequence[str]) -> str:
    """One name for several parts, in their order: neighbours of a kind become a range.

    `A!B4:D4`, `A!B5:D5` are `A!B4:D5`, also after the sheet's name `A`; `slide 3, A`,
    `slide 3, B` are `slide 3`; `slide 3`, `slide 4` are `slide 3-4`;
    `00:00:01`, `00:01:02` are `00:00:01-00:01:02`; others are listed with commas.
    """
    joined: list[str] = []
    for part in dict.fromkeys(parts):
        merged = _merge(joined[-1], part) if joined else None
        if merged is None:
            joined.append(part)
        else:
            joined[-1] = merged
    return ", ".join(dict.fromkeys(joined))


def holds_part(wanted: str, part: str) -> bool:
    """Whether a part is the wanted one, one of those it lists, or in its range.

    Cells are in a range of their sheet and in the sheet, an anchor is in its chapter's file, a shape is on
    its slide; a sheet is not in its cells.
    """
    listed = dict.fromkeys((wanted, *wanted.split(", ")))
    return any(
        part.startswith((f"{one}!", f"{one}#"))
        or (join_parts([one, part]) == one and ("!" not in one or "!" in part))
        for one in listed
    )


def _merge(one: str, other: str) -> str | None:
    """The range that holds both, or None if they are not neighbours of a kind."""
    a, b = _CELLS.fullmatch(one), _CELLS.fullmatch(other)
    if a and b:
        return _merge_cells(a, b) if a["sheet"] == b["sheet"] else None
    e, f = _SHAPE.fullmatch(one), _SHAPE.fullmatch(other)
    if e or f:  # different shapes of a slide are the slide
        return _merge(e["slide"] if e else one, f["slide"] if f else other)
    if (b and b["sheet"] == f"{one}!") or (a and a["sheet"] == f"{other}!"):
        return other if b else one
    start_time, end_time = _TIMES.fullmatch(one), _TIMES.fullmatch(other)
    if start_time and end_time:
        return f"{start_time['first']}-{end_time['last'] or end_time['first']}"
    if start_time or end_time:
        return None
    if other.startswith(f"{one}, ") or one.startswith(f"{other}, "):  # the whole and a piece of it
        return min(one, other, key=len)
    c, d = _NUMBERED.fullmatch(one), _NUMBERED.fullmatch(other)
    if a or b or not c or not d or c["what"] != d["what"]:
        return None
    first, last = int(c["first"]), int(c["last"] or c["first"])
    start, end = int(d["first"]), int(d["last"] or d["first"])
    if not first - 1 <= start <= last + 1:
        return None
    low, high = min(first, start), max(last, end)
    return f"{c['what']}{low}" + (f"-{high}" if high > low else "")


def _merge_cells(a: re.Match[str], b: re.Match[str]) -> str:
    """The smallest range of cells that holds both."""
    columns = sorted({a["left"], b["left"], a["right"] or a["left"], b["right"] or b["left"]}, key=_column)
    rows = [int(row) for m in (a, b) for row in (m["top"], m["bottom"] or m["top"])]
    first, last = f"{columns[0]}{min(rows)}", f"{columns[-1]}{max(rows)}"
    return a["sheet"] + (first if first == last else f"{first}:{last}")


def _column(letters: str) -> tuple[int, str]:
    """The order of columns: A … Z, AA …"""
    return len(letters), letters
