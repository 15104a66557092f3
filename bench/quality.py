"""Retrieval quality on public collections: nDCG@10 of each leg and of the hybrid default.

    python bench/quality.py [--only scifact] [--work DIR] [--save bench/results/quality.json]

Each document is a Markdown file; documents are ranked by their best chunk.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from common import data_folder, data_hash, machine, mean, ndcg, qrels, rows, write_corpus

import pincite

SETS = {"scifact": (0.73, None), "cranfield": (0.565, None), "xquad_zh": (0.975, 300)}
MODES = {
    "lexical": {"legs": ("lexical",)},
    "dense": {"legs": ("dense",)},
    "rrf": {"fusion": "rrf"},
    "hybrid": {},
}


def measure(name: str, collection: Path, work: Path, first: int | None) -> dict[str, object]:
    folder = work / name
    ids = write_corpus(collection, folder)
    judged = qrels(collection)
    queries = [q for q in rows(collection / "queries.jsonl") if q["_id"] in judged][:first]
    with pincite.open(folder) as library:
        started = time.monotonic()
        report = library.sync()
        seconds = time.monotonic() - started
        found: dict[str, object] = {}
        for mode, options in MODES.items():
            scores = []
            for query in queries:
                result = library.search(str(query["text"]), k=10, per_document=True, **options)
                ranked = [ids[hit.stored.uri] for hit in result.hits]
                scores.append(ndcg(ranked, judged[str(query["_id"])]))
            found[mode] = round(mean(scores), 4)
    return {
        "nDCG@10": found,
        "queries": len(queries),
        "documents": len(ids),
        "chunks": report.chunks,
        "model": report.model,
        "index_seconds": round(seconds, 1),
        "data": data_hash(collection),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    data = data_folder()
    if data is None:
        raise SystemExit("the public collections are not here: set PINCITE_DATA")
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        results = {}
        for name, (wanted, first) in SETS.items():
            if options.only and name not in options.only:
                continue
            results[name] = measure(name, data / name, work, first)
            got = results[name]["nDCG@10"]["hybrid"]
            verdict = "meets" if got >= wanted else "MISSES"
            print(f"{name}: hybrid {got:.4f} {verdict} {wanted}  {json.dumps(results[name])}", flush=True)
    if options.save:
        options.save.write_text(json.dumps({"machine": machine(), "sets": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
