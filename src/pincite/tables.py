"""Tables of data beside the code: rows of tab-separated values, with comments."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@cache
def rows_of(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a file of the package, named by its path below it; lines that begin with `# ` are none."""
    text = (_HERE / name).read_text("utf-8")
    lines = (line for line in text.splitlines() if line and not line.startswith("# "))
    return tuple(tuple(line.split("\t")) for line in lines)
