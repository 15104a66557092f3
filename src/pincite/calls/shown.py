"""Lines of a source, for people and programs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """Lines of a file as they are on disk now; `stale` says how the file differs from the index.

    Of a file that has no lines of its own (a page of a PDF, cells of a sheet), the lines are those of its
    indexed text, `place` says where they stand, and the line numbers are 0.
    """

    uri: str
    line_start: int
    line_end: int
    lines: tuple[str, ...]
    stale: str | None = None
    place: str = ""
