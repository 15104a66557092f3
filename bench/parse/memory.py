"""Peak memory of a sync by the number of files, with its worker processes: it should not grow with them.

    python bench/parse/memory.py [--save bench/results/parse_memory.json]

The folders hold Markdown, Word and PDF files in turn, each with words of its own. Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve()
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parents[2] / "tests")]

from common import machine  # noqa: E402
from speed import children, resident  # noqa: E402

SYNC = """
import sys, pincite
with pincite.open(sys.argv[1]) as library:
    report = library.sync()
print(report.indexed)
"""
COUNTS = (1_000, 10_000)


def write_files(folder: Path, count: int) -> None:
    """Files of three formats in turn, none like another."""
    from pdf_files import at, pdf
    from word_files import p, word_file

    folder.mkdir()
    for n in range(count):
        text = f"Unit {n} was checked by team {n % 97} and runs at {n * 7 % 1013} bar."
        name = folder / f"f{n:05}"
        if n % 3 == 0:
            name.with_suffix(".md").write_text(f"# Unit {n}\n\n{text}\n")
        elif n % 3 == 1:
            name.with_suffix(".docx").write_bytes(word_file(p(f"Unit {n}") + p(text)))
        else:
            name.with_suffix(".pdf").write_bytes(pdf(at(72, 100, text)))


def peak(folder: Path) -> dict[str, float]:
    """Megabytes of the process and of it with its workers at one moment, at most, and the seconds it took."""
    alone = together = 0.0
    started = time.monotonic()
    command = [sys.executable, "-c", SYNC, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            own, workers = resident(process.pid), sum(map(resident, children(process.pid)))
            alone, together = max(alone, own), max(together, own + workers)
            time.sleep(0.1)
        indexed = int((process.stdout.read() if process.stdout else "") or 0)
    seconds = time.monotonic() - started
    return {
        "indexed": indexed,
        "process_mb": round(alone),
        "peak_mb": round(together),
        "seconds": round(seconds, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for count in COUNTS:
            write_files(Path(scratch) / str(count), count)
            found[str(count)] = peak(Path(scratch) / str(count))
            print(f"{count:,} files: {json.dumps(found[str(count)])}", flush=True)
    few, many = (found[str(count)]["peak_mb"] for count in COUNTS)
    result = {"by_files": found, "growth": round(many / few, 2), "target": "growth <= 1.5"}
    print(json.dumps(result["growth"]))
    if options.save:
        options.save.write_text(json.dumps({"machine": machine(), **result}, indent=1) + "\n")


if __name__ == "__main__":
    main()
