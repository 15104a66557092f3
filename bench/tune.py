"""Tuning on public collections: what is recommended, against each leg alone, and how long it takes.

    python bench/tune.py [--only scifact] [--space quick] [--fit-fusion] [--save bench/results/tune.json]

SciFact's training claims tune and its test claims are held out; of the other sets half of the questions tune.
Corpora are written and indexed in the user's data directory, once.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from common import data_folder, data_hash, machine, peak_mb

from pincite import library as front
from pincite.config.load import load_config
from pincite.evaluate.collection import write_collection
from pincite.evaluate.questions import read_questions
from pincite.evaluate.tuning.split import Split, given_split, split
from pincite.evaluate.tuning.tuned import ALPHA, Tuned, tuned_json
from pincite.types import Progress, QuestionSet

SETS = ("scifact", "cranfield", "xquad_zh")
MOST_MINUTES = 10


def parts_of(collection: Path, placed: Callable[[QuestionSet], QuestionSet]) -> Split:
    """The questions that tune and those held out."""
    questions = placed(read_questions(collection))
    train = collection / "queries_train.jsonl"
    if not train.is_file():
        return split(questions)
    return given_split(placed(read_questions(train, collection / "qrels_train.tsv")), questions)


def told(step: Progress) -> None:
    """One line for each change."""
    if step.stage in ("tune", "verdict"):
        print(f"  {time.strftime('%H:%M:%S')} {step.stage} {step.done}/{step.total} {step.uri}", flush=True)


def measure(collection: Path, options: argparse.Namespace) -> dict[str, object]:
    """One collection tuned."""
    written = write_collection(collection)
    with front.open(written.root, config=load_config(written.root)) as library:
        started = time.monotonic()
        chunks = library.sync().chunks
        indexed = time.monotonic() - started
        parts = parts_of(collection, written.placed)
        before = os.getloadavg()[0]
        found = library.tune(parts, space=options.space, fit_fusion=options.fit_fusion, progress=told)
        load = [round(one, 1) for one in (before, os.getloadavg()[0])]
    return {
        **tuned_json(found),
        "chunks": chunks,
        "sync_seconds": round(indexed, 1),
        "minutes": round(found.seconds / 60, 1),
        "load": load,
        "peak_mb": round(peak_mb()),
        "never_below_a_leg": not below(found),
        "in_time": found.seconds <= 60 * MOST_MINUTES,
        "data": data_hash(collection),
    }


def below(found: Tuned) -> list[str]:
    """The legs that alone are better than what is recommended, by more than chance, on held-out questions."""
    return [leg for leg, one in found.verdict.legs.items() if one.difference < 0 and one.p < ALPHA]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append")
    parser.add_argument("--space", default="default")
    parser.add_argument("--fit-fusion", action="store_true")
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    data = data_folder()
    if data is None:
        raise SystemExit("the public collections are not here: set PINCITE_DATA")
    results: dict[str, object] = {}
    if options.save and options.save.exists():
        results = json.loads(options.save.read_text())["sets"]
    for name in options.only or SETS:
        key = f"{name} weights" if options.fit_fusion else name
        results[key] = result = measure(data / name, options)
        verdict = result["verdict"]
        print(f"{key}: {verdict['text']}; base {verdict['base']:.4f}, {json.dumps(verdict['comparison'])}")
        print(f"  legs {json.dumps({leg: one['before'] for leg, one in verdict['legs'].items()})}")
        print(f"  {result['minutes']} minutes, load {result['load']}, never below a leg: ", end="")
        print(f"{result['never_below_a_leg']}, in time: {result['in_time']}", flush=True)
        if options.save:
            options.save.write_text(json.dumps({"machine": machine(), "sets": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
