"""Pages a second of born-digital PDF files, with layout and boxes, in one process on one core."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pincite.parse import parse
from pincite.protocols import Source

PAPERS = ("redp5110_sampled", "multi_page", "normal_4pages", "code_and_formula", "2305.03393v1-pg9")
_TIMES = 3


def measure_speed(data: Path) -> dict[str, Any]:
    """By file, by group and over all: pages, and the best of three times in seconds of the processor.

    `load_before` says how busy the machine was: over one, other work slows this down.
    """
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    load = os.getloadavg()[0]
    groups = {
        "northwind": sorted((data / "northwind" / "pdfs").glob("*.pdf")),
        "papers": [data / "awkward" / "docling" / "pdf" / f"{name}.pdf" for name in PAPERS],
    }
    _timed(groups["papers"][0])  # what is imported once is not counted
    files = {path.name: {"group": group, **_timed(path)} for group, paths in groups.items() for path in paths}
    rates = {group: _rate([one for one in files.values() if one["group"] == group]) for group in groups}
    return {
        "load_before": round(load, 2),
        "pages_a_second": {**rates, "all": _rate(files.values())},
        "files": files,
    }


def _timed(path: Path) -> dict[str, Any]:
    from pypdfium2 import PdfDocument

    source = Source(path.name, path.read_bytes(), "")
    times = []
    for _ in range(_TIMES):
        started = time.process_time()
        parse(source)
        times.append(time.process_time() - started)
    return {"pages": len(PdfDocument(source.data)), "seconds": round(min(times), 4)}


def _rate(files: Iterable[Mapping[str, Any]]) -> float:
    """Pages a second of files taken together."""
    held = list(files)
    return round(sum(one["pages"] for one in held) / sum(one["seconds"] for one in held), 1)


def speed_table(measured: Mapping[str, Any]) -> str:
    """Pages a second by file and group, in Markdown."""
    lines = ["| file | pages | pages a second |", "|---|---|---|"]
    for name, file in measured["files"].items():
        lines.append(f"| {name} | {file['pages']} | {_rate([file]):.0f} |")
    for group, rate in measured["pages_a_second"].items():
        lines.append(f"| **{group}** | | {rate:.0f} |")
    return "\n".join(lines) + f"\n\nLoad before: {measured['load_before']}."
