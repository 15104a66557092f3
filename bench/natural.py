"""The localiser on failures that nobody made: its codes against those given by reading.

    python bench/natural.py [--save bench/results/natural.json]

`natural.tsv` holds 40 failing questions of SciFact, Cranfield and the sample library with the stage that lost
them and the reason in words. The codes were given with the legs' own rankings in view, since where a document
stands in a ranking cannot be read off its text; what a person adds is whether the label is sound, and why.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from common import data_folder, machine

import pincite
from pincite.evaluate.collection import write_collection
from pincite.evaluate.questions import question_set, read_questions
from pincite.library import Library
from pincite.types import QuestionSet

HERE = Path(__file__).resolve().parent
SAMPLE = HERE.parent / "examples"

Row = tuple[str, str, int, str, str]  # set, question id, k, code, reason


def labelled() -> list[Row]:
    """The failures as labelled by hand."""
    lines = (HERE / "natural.tsv").read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(name, question_id, int(k), code, reason) for name, question_id, k, code, reason in cells]


@contextmanager
def opened(name: str, data: Path) -> Iterator[tuple[Library, QuestionSet]]:
    """The synced library of a set, and its questions."""
    if name == "sample":
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "sample"
            shutil.copytree(SAMPLE / "sample", folder, ignore=shutil.ignore_patterns(".pincite"))
            with pincite.open(folder) as library:
                library.sync()
                yield library, read_questions(SAMPLE / "sample_questions.tsv")
        return
    collection = write_collection(data / name)
    with pincite.open(collection.root) as library:
        library.sync()
        yield library, collection.placed(read_questions(data / name))


def named(rows: list[Row], name: str, data: Path) -> dict[str, tuple[str, str]]:
    """Question id → the localiser's code and proof, for the failures of one set."""
    wanted = {question_id: k for of, question_id, k, _, _ in rows if of == name}
    with opened(name, data) as (library, questions):
        chosen = [one for one in questions.questions if one.id in wanted]
        k = next(iter(wanted.values()))
        found = library.why(question_set(name, chosen), k=k)
        return {finding.question_id: (finding.code, finding.proof) for finding in found.findings}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    data = data_folder()
    if data is None:
        raise SystemExit("the public collections are not here: set PINCITE_DATA")
    rows, cases = labelled(), []
    for name in dict.fromkeys(row[0] for row in rows):
        codes = named(rows, name, data)
        for _, question_id, _, code, reason in (row for row in rows if row[0] == name):
            said, proof = codes[question_id]
            cases.append(
                {"set": name, "question": question_id, "by_hand": code, "named": said, "reason": reason}
            )
            if said != code:
                print(f"{name} {question_id}: by hand {code}, named {said}\n    {reason}\n    {proof[:300]}")
    agreed = sum(case["by_hand"] == case["named"] for case in cases)
    result = {"cases": len(cases), "agreed": agreed, "agreement": round(agreed / len(cases), 3)}
    print(json.dumps({**result, "target": "agreement >= 0.85"}))
    if options.save:
        options.save.write_text(json.dumps({"machine": machine(), **result, "each": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main()
