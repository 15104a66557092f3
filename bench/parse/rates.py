"""Pages a second of born-digital PDF files, with layout and boxes, in one process on one core."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite.parse import parse
from pincite.protocols import Source

PAPERS = ("redp5110_sampled", "multi_page", "normal_4pages", "code_and_formula", "2305.03393v1-pg9")
_TIMES = 3


def measure_speed(data: Path) -> dict[str, Any]:
    """By file and over all: pages, the best of three times, and the machine's load before."""
    from pypdfium2 import PdfDocument

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    load = os.getloadavg()[0]
    paths = [*sorted((data / "northwind" / "pdfs").glob("*.pdf"))]
    paths += [data / "awkward" / "docling" / "pdf" / f"{name}.pdf" for name in PAPERS]
    parse(Source(paths[0].name, paths[0].read_bytes(), ""))  # what is imported once is not counted
    files = {}
    for path in paths:
        source = Source(path.name, path.read_bytes(), "")
        files[path.name] = {
            "pages": len(PdfDocument(source.data)),
            "seconds": round(min(map(_timed, [source] * _TIMES)), 4),
        }
    pages, seconds = (sum(file[key] for file in files.values()) for key in ("pages", "seconds"))
    return {
        "load_before": round(load, 2),
        "pages": pages,
        "pages_a_second": round(pages / seconds, 1),
        "files": files,
    }


def _timed(source: Source) -> float:
    started = time.perf_counter()
    parse(source)
    return time.perf_counter() - started


def speed_table(measured: Mapping[str, Any]) -> str:
    lines = ["| file | pages | pages a second |", "|---|---|---|"]
    for name, file in measured["files"].items():
        lines.append(f"| {name} | {file['pages']} | {file['pages'] / file['seconds']:.0f} |")
    lines.append(f"| all | {measured['pages']} | {measured['pages_a_second']:.0f} |")
    return "\n".join(lines) + f"\n\nLoad before: {measured['load_before']}."
