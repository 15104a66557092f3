"""The cells of a table's row and the names of its columns, as each format writes them in a text."""

from __future__ import annotations

import csv
import re

RULE = re.compile(r"[\s|:=+-]*[=-][\s|:=+-]*")
"""A line that is drawn above or below a row."""

_DELIMITED = frozenset({"csv", "tsv", "text"})
_CELL = re.compile(r"(?<!\\)\|")


def without_rules(header: str) -> str:
    """The lines of a header that say something: its caption, and the names of its columns."""
    return "\n".join(line for line in header.splitlines() if line.strip() and not RULE.fullmatch(line))


def names_and_cells(header: str, row: str, type: str) -> tuple[list[str], list[str]]:
    """The column names in the last line of a header, and the cells of a row, white space as single spaces.

    A row whose last cells are empty may end before them. There may be more or fewer names than cells, where
    the header is no more than a caption, or the row no record.
    """
    line = next(reversed(without_rules(header).splitlines()), "")
    if type in _DELIMITED:
        mark = max("\t,;|", key=(line or row).count)
        return _record(line, mark), _record(row, mark)
    names, cells = _between_pipes(line), _between_pipes(row)
    return names, cells + [""] * (len(names) - len(cells))


def _between_pipes(line: str) -> list[str]:
    bare = line.strip()
    bordered = bare.startswith("|") and bare.endswith("|")
    inside = bare.removeprefix("|").removesuffix("|") if bordered else bare
    return [" ".join(cell.split()) for cell in _CELL.split(inside)]


def _record(line: str, mark: str) -> list[str]:
    """The cells of one CSV record; a line that is no whole one is a single cell."""
    try:
        rows = list(csv.reader(line.splitlines(keepends=True), delimiter=mark, strict=True))
    except csv.Error:
        return [line]
    return [" ".join(cell.split()) for cell in rows[0]] if rows else []
