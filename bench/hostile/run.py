"""Hostile use, part by part: what was tried, what failed, and how to see each failure again.

    python bench/hostile/run.py [--seed N] [--small] [--part NAME …] [--minutes M]

Figures go to `bench/results/hostile.json`, those of the parts that ran; the others stay. A part that cannot
run here says why. Exit code 1 if anything failed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

BENCH = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(BENCH))

from common import machine  # noqa: E402  the folder above is not a package

from hostile.record import Deadline  # noqa: E402

PARTS: dict[str, tuple[int, int]] = {
    "kills": (500, 12),
    "io_errors": (220, 12),
    "flips": (300, 16),
    "crafted": (200, 24),
    "readers": (60, 4),
    "races": (60, 6),
    "tenants": (5000, 200),
    "replies": (1500, 100),
    "frames": (200, 40),
}
"""How many attempts, and how many with --small; of readers, seconds."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--part", action="append", choices=list(PARTS))
    parser.add_argument("-n", type=int, help="attempts of each part, instead of its own number")
    parser.add_argument("--minutes", type=float, help="begin no further attempt of a part after this time")
    parser.add_argument("--save", type=Path, default=BENCH / "results" / "hostile.json")
    options = parser.parse_args()
    failed = 0
    for name in options.part or PARTS:
        if options.minutes:
            Deadline.at = time.monotonic() + 60 * options.minutes
        figures = run_part(name, options.seed, options.n or PARTS[name][options.small])
        failed += faults(figures)
        print(line(name, figures), flush=True)
        keep(options.save, name, figures)
    return 1 if failed else 0


def run_part(name: str, seed: int, n: int) -> dict[str, Any]:
    if not (Path(__file__).parent / f"{name}.py").exists():
        return {"skipped": "not in this version"}
    started = time.monotonic()
    figures = dict(importlib.import_module(f"hostile.{name}").run(seed, n))
    return {**figures, "minutes": round((time.monotonic() - started) / 60, 1)}


def faults(figures: dict[str, Any]) -> int:
    """How much failed in a part."""
    return sum(figures.get("failed", {}).values()) or int(figures.get("escapes", 0))


def line(name: str, figures: dict[str, Any]) -> str:
    """The counts of a part in one line."""
    if "skipped" in figures:
        return f"{name}: skipped: {figures['skipped']}"
    kept = {key: value for key, value in figures.items() if key not in ("failures", "by_case")}
    return f"{name}: {json.dumps(kept, ensure_ascii=False)}"


def keep(file: Path, name: str, figures: dict[str, Any]) -> None:
    """Writes one part's figures beside those of the others."""
    held = json.loads(file.read_text("utf-8")) if file.exists() else {}
    parts = {**held.get("parts", {}), name: figures}
    ordered = {part: parts[part] for part in PARTS if part in parts}
    made = {"machine": machine(), "parts": ordered}
    file.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
