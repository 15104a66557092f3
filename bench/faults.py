"""Does the localiser name what was broken? One fault at a time is put into questions that pass.

    python bench/faults.py [--size 12] [--draw WORD] [--corpus NAME] [--code CODE] [--save FILE]
                           [--export FILE.jsonl]

Corpora: the sample library (English and Chinese, every format) and, where the public collections are, the
first documents of XQuAD in Chinese and in English. Index, catalog, files and bundled models are real;
reranking and generation, which no bundled model does, are obedient fakes behind their protocols. A case is
taken only if its fault has its effect, seen from ranks and spans alone.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from common import data_folder, machine
from injected import answers, context, files, index, legs
from injected.cases import FAULTS, Outcome, matrix, matrix_text, right, run, shares
from injected.corpora import Corpus, collection, sample, working_folder
from injected.export import Cases, lines

from pincite.evaluate.diagnose import CODES

assert files and index and legs and context and answers  # they enter their faults in the table
DOCUMENTS = 100
EXPECTED = 0.95, 0.90


def corpora(work: Path, only: str) -> Iterator[Corpus]:
    if only in ("", "sample"):
        yield sample(work)
    data = data_folder()
    for name, other in (("xquad_zh", "xquad_en"), ("xquad_en", "xquad_zh")):
        if data is None:
            print(f"{name}: left out, no public collections (PINCITE_DATA)", file=sys.stderr)
        elif only in ("", name):
            yield collection(data / name, work, documents=DOCUMENTS, other=data / other)


def report(outcomes: Sequence[Outcome]) -> dict[str, object]:
    """The matrices by corpus and in all, and each case that was named otherwise."""
    names = list(dict.fromkeys(one.corpus for one in outcomes))
    total = matrix(outcomes)
    good, cases = right(total)
    return {
        "right": round(good / max(1, cases), 4),
        "cases": cases,
        "matrix": total,
        "shares": shares(total),
        "by_corpus": {name: matrix(one for one in outcomes if one.corpus == name) for name in names},
        "faults": _by_fault(outcomes),
        "wrong": [_wrong(one) for one in outcomes if not one.right],
    }


def _by_fault(outcomes: Sequence[Outcome]) -> dict[str, str]:
    keys = [f"{one.code}: {one.fault}" for one in outcomes]
    good = [key for key, one in zip(keys, outcomes, strict=True) if one.right]
    return {key: f"{good.count(key)}/{keys.count(key)}" for key in dict.fromkeys(keys)}


def _wrong(one: Outcome) -> dict[str, object]:
    found = one.finding
    return {
        "corpus": one.corpus,
        "fault": one.fault,
        "expected": one.code,
        "named": found.code,
        "question": f"{found.question_id}: {found.question}",
        "ranks": dict(found.ranks),
        "proof": found.proof,
    }


def main() -> int:
    options = argparse.ArgumentParser(description="The localiser against injected faults.")
    options.add_argument("--size", type=int, default=12, help="cases of a code in each corpus, about")
    options.add_argument("--corpus", default="", help="only this corpus")
    options.add_argument("--code", default="", help="only faults of this code")
    options.add_argument("--draw", default="", help="any word: another choice of questions")
    options.add_argument("--save", type=Path, help="write the tables as JSON")
    options.add_argument("--export", type=Path, help="write the cases as JSON lines, for other localisers")
    given = options.parse_args()
    faults = [one for one in FAULTS if given.code in ("", one.code)]
    faults.sort(key=lambda one: list(CODES).index(one.code))
    work, started = working_folder(), time.monotonic()
    outcomes: list[Outcome] = []
    exported: list[str] = []
    try:
        for corpus in corpora(work, given.corpus):
            cases = Cases(corpus) if given.export else None
            watched = replace(corpus, draw=given.draw, watch=cases.watch if cases else None)
            mine = list(run(watched, faults, given.size))
            exported += lines(cases, mine) if cases else []
            outcomes += mine
            took = time.monotonic() - started
            print(f"\n{corpus.name} ({len(corpus.passing)} passing questions, {took:.0f} s so far)")
            print(matrix_text(matrix(mine)))
    finally:
        shutil.rmtree(work)
    if given.export:
        given.export.write_text("".join(exported), "utf-8")
    found = report(outcomes)
    for wrong in found["wrong"]:  # type: ignore[attr-defined]
        print(json.dumps(wrong, ensure_ascii=False), file=sys.stderr)
    print("\nall corpora")
    print(matrix_text(matrix(outcomes)))
    if given.save:
        seconds = round(time.monotonic() - started)
        row = {"size": given.size, "draw": given.draw, "seconds": seconds, "machine": machine(), **found}
        given.save.write_text(json.dumps(row, indent=1, ensure_ascii=False) + "\n", "utf-8")
    low = [share for share in found["shares"].values() if share < EXPECTED[1]]  # type: ignore[attr-defined]
    return int(bool(low) or float(str(found["right"])) < EXPECTED[0])


if __name__ == "__main__":
    sys.exit(main())
