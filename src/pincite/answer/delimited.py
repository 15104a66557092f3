"""Rows in a plain text: a table saved as `.txt`, with the same mark between the cells of every line."""

from __future__ import annotations

import re

from pincite.types import Evidence, Span

_MARKS = (("\t", 1, re.compile("\t")), (";", 1, re.compile(";")), (",", 2, re.compile(r",(?! )")))
LEAST_LINES = 3
MOST_LINES = 100
"""Lines that are looked at."""


def is_delimited(evidence: Evidence) -> bool:
    """Whether every line of a plain text holds as many tabs, semicolons or commas (two, no space after)."""
    if evidence.type != "text":
        return False
    lines = [line for line in evidence.text.splitlines()[:MOST_LINES] if line.strip()]
    if len(lines) < LEAST_LINES:
        return False
    for mark, least, between in _MARKS:
        count = len(between.findall(lines[0]))
        if count >= least and all(line.count(mark) == count for line in lines):
            return True
    return False


def header_row(evidence: Evidence) -> list[Span]:
    """Where the column names of such a text stand: its first line, without figures and empty cells."""
    text = evidence.text
    if evidence.span.start or not is_delimited(evidence):
        return []
    line = text.lstrip().partition("\n")[0].rstrip()
    at = text.find(line)
    cells = re.split("[\t;,]", line)
    named = all(any(map(str.isalpha, cell)) and not any(map(str.isdigit, cell)) for cell in cells)
    return [Span(at, at + len(line))] if named else []
