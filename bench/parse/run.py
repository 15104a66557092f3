"""How every format is parsed: outcomes, words against what is expected, origins, pages found, speed.

    python bench/parse/run.py [--peers VENV] [--only quality …] [--work DIR] [--worst FILE] [--save FILE]

The tables are printed in Markdown.

The files are those of the collections `awkward` and `northwind`. Other parsers run in the same run if
`--peers` names the environment that `peers.py` tells how to make; `--work` keeps their outputs, and takes
them from there. Parts: `quality` (with outcomes), `origins` (places read again with other libraries:
`pip install pdfplumber python-calamine python-pptx python-docx`), `pages`, `speed`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1]))

from boxes import boxes_table, measure_boxes
from common import data_folder, machine
from expected import files
from fidelity import (
    ALL,
    OURS,
    WHOLE,
    all_expectations,
    files_of,
    means,
    quality_table,
    run_peer,
    scores,
    worst,
)
from outcomes import measure_files, origins_table, outcome_table, refusals
from pages import measure_pages, pages_table
from peers import TOOLS
from rates import measure_speed, speed_table
from reread import measure_places, places_table
from words import Score

import pincite

PARTS = ("quality", "origins", "pages", "speed")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peers", type=Path, metavar="VENV")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--set", action="append", help="of the collection, for a look: docling, pandoc …")
    parser.add_argument("--format", action="append", help="the endings of the files to look at")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--worst", type=Path, metavar="FILE")
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    data = data_folder()
    if data is None:
        raise SystemExit("the public collections are not here: set PINCITE_DATA")
    with tempfile.TemporaryDirectory() as scratch:
        results = measure(options, data, options.work or Path(scratch))
    if options.save:
        keep(options.save, {"command": command(options), **results})


def measure(options: argparse.Namespace, data: Path, work: Path) -> dict[str, Any]:
    """The results of each part; tables in Markdown are printed as soon as they are there."""
    parts = options.only or PARTS
    work.mkdir(parents=True, exist_ok=True)
    results: dict[str, Any] = {"version": pincite.__version__, "machine": machine()}
    if "quality" in parts:
        results |= measure_quality(options, data / "awkward", work)
    if "origins" in parts:
        results["places"] = measure_places(files(data / "awkward"))
        results["boxes"] = measure_boxes(data)
        tell(
            "Words at the places cited for them, read again with other libraries",
            places_table(results["places"]),
        )
        tell(
            "Words of PDF files in the boxes cited for them, read again with pdfplumber",
            boxes_table(results["boxes"]),
        )
    if "pages" in parts:
        results["pages"] = measure_pages(data / "northwind", work)
        tell("Pages found", pages_table(results["pages"]))
    if "speed" in parts:
        results["speed"] = measure_speed(data)
        tell("Speed of PDF", speed_table(results["speed"]))
    return results


def tell(title: str, *text: str) -> None:
    print(f"\n## {title}\n", *text, sep="\n", flush=True)


def measure_quality(options: argparse.Namespace, folder: Path, work: Path) -> dict[str, Any]:
    chosen = [
        file
        for file in files(folder)
        if (not options.set or file.set in options.set) and (not options.format or file.ext in options.format)
    ]
    read, whole = measure_files(chosen)
    tell("Outcomes", outcome_table(chosen, read))
    tell("Not read, or without text", *refusals(chosen, read))
    tell("Slices and places of chunks", origins_table(chosen, read))
    outputs, versions = {}, {}
    for tool in TOOLS if options.peers else ():
        given = files_of(tool, files(folder))
        versions[tool], outputs[tool] = run_peer(
            tool, options.peers / "bin" / "python", given, work / f"{tool}.jsonl"
        )
        print(f"{tool} {versions[tool]}: {len(given)} files", file=sys.stderr, flush=True)
    texts = {OURS: {name: one.text for name, one in read.items()}}
    texts[ALL] = {name: one.all_text for name, one in read.items()}
    if whole:
        texts[WHOLE] = {name: one.text for name, one in whole.items()}
    for tool, rows in outputs.items():
        texts[tool] = {name: row["text"] if row["state"] == "done" else "" for name, row in rows.items()}
    wanted = all_expectations(chosen, outputs)
    scored = scores(wanted, texts)
    table = means(chosen, scored)
    tell("Words in order, against what is expected", quality_table(table))
    if options.worst:
        reasons = {name: one.reason for name, one in read.items()}
        options.worst.write_text(
            "\n".join(worst(chosen, scored, wanted, texts[OURS], reasons)) + "\n", encoding="utf-8"
        )
    return {
        "peers": versions,
        "outcomes": {name: [one.outcome, round(one.seconds, 2), one.reason] for name, one in read.items()},
        "losses": {name: one.facts["losses"] for name, one in read.items() if one.facts.get("losses")},
        "quality": table,
        "files": {name: {tool: told(tool, one) for tool, one in by.items()} for name, by in scored.items()},
    }


def told(tool: str, one: Score) -> list[float] | float:
    """Recall, precision and F1 of Pincite, F1 of others."""
    each = [round(one.recall, 4), round(one.precision, 4), round(one.f1, 4)]
    return each if tool == OURS else each[-1]


def command(options: argparse.Namespace) -> str:
    """The command without the paths of this machine."""
    parts = "".join(f" --only {part}" for part in options.only or ())
    return f"python bench/parse/run.py{' --peers VENV' * bool(options.peers)}{parts} --save FILE"


def keep(path: Path, results: dict[str, Any]) -> None:
    """Writes the results, one line for each entry of a table."""
    parts = []
    for key, value in results.items():
        if isinstance(value, dict) and len(value) > 3:
            rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in value.items())
            parts.append(f" {json.dumps(key)}: {{\n{rows}\n }}")
        else:
            parts.append(f" {json.dumps(key)}: {json.dumps(value)}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
