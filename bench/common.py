"""What the benchmarks share: public collections as folders, and the machine they ran on."""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import resource
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def data_folder() -> Path | None:
    """Where the public collections are: $PINCITE_DATA, or ../shared/data beside the checkout."""
    named = os.environ.get("PINCITE_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None


def rows(path: Path) -> list[dict[str, object]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def write_corpus(collection: Path, folder: Path) -> dict[str, str]:
    """Writes each document of a collection as a Markdown file under its title; returns uri → document id."""
    folder.mkdir(parents=True, exist_ok=True)
    ids = {}
    for number, row in enumerate(rows(collection / "corpus.jsonl")):
        name = f"d{number:06d}.md"
        title = " ".join(str(row.get("title") or "").split())
        head = f"# {title}\n\n" if title else ""
        (folder / name).write_text(head + str(row["text"]) + "\n", encoding="utf-8")
        ids[name] = str(row["_id"])
    return ids


def qrels(collection: Path) -> dict[str, dict[str, int]]:
    """query id → document id → relevance."""
    found: dict[str, dict[str, int]] = {}
    for line in (collection / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        query, document, score = line.split("\t")
        found.setdefault(query, {})[document] = int(float(score))
    return found


def ndcg(ranked: Sequence[str], judged: Mapping[str, int], k: int = 10) -> float:
    """nDCG@k with linear gain, as trec_eval computes it; the ideal comes from the judgements."""
    gain = sum(judged.get(doc, 0) / math.log2(n + 2) for n, doc in enumerate(ranked[:k]))
    ideal = sorted((rel for rel in judged.values() if rel > 0), reverse=True)[:k]
    best = sum(rel / math.log2(n + 2) for n, rel in enumerate(ideal))
    return gain / best if best else 0.0


def mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def data_hash(collection: Path) -> str:
    """The first 12 digits of the sha256 of a collection's corpus, queries and judgements."""
    digest = hashlib.sha256()
    for name in ("corpus.jsonl", "queries.jsonl", "qrels.tsv"):
        digest.update((collection / name).read_bytes())
    return digest.hexdigest()[:12]


def machine() -> dict[str, object]:
    """Cores, processor family and versions; nothing that names a host."""
    import numpy
    import onnxruntime

    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    return {
        "cores": os.cpu_count(),
        "arch": platform.machine(),
        "avx512_vnni": "avx512_vnni" in flags,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "onnxruntime": onnxruntime.__version__,
    }


def peak_mb() -> float:
    """The largest memory this process has used, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
