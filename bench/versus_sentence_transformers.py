"""Chunks a second of the bundled English model against sentence-transformers with the same weights.

    pip install sentence-transformers && python bench/versus_sentence_transformers.py FOLDER

FOLDER holds all-MiniLM-L6-v2 in the sentence-transformers layout. Both encode the same SciFact chunks in
turn, on all cores, several times; the ratio is that of the medians.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from common import data_folder, machine, rows

from pincite.config import ChunkConfig, ModelConfig
from pincite.models import load_embedder
from pincite.parse import parse
from pincite.protocols import Source
from pincite.sync.ingest import Cutters


def chunks(data: Path, count: int) -> list[str]:
    """Dense texts of the first SciFact documents."""
    from pincite.config import Config

    cutters = Cutters.of(Config(chunk=ChunkConfig()), load_embedder(ModelConfig(), name="english"))
    found: list[str] = []
    for row in rows(data / "scifact" / "corpus.jsonl"):
        text = f"# {row['title']}\n\n{row['text']}\n".encode()
        document = parse(Source("d.md", text, ""))
        found.extend(chunk.dense_text for chunk in cutters.cut(document).chunks)
        if len(found) >= count:
            break
    return found[:count]


def rate(encode: Callable[[Sequence[str]], np.ndarray], texts: Sequence[str]) -> float:
    started = time.perf_counter()
    encode(texts)
    return len(texts) / (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    data = data_folder()
    if data is None:
        raise SystemExit("the public collections are not here: set PINCITE_DATA")
    from sentence_transformers import SentenceTransformer

    texts = chunks(data, options.count)
    ours = load_embedder(ModelConfig(), name="english")
    theirs = SentenceTransformer(str(options.folder), device="cpu")
    same = np.sum(ours.embed_documents(texts[:50]) * theirs.encode(texts[:50], normalize_embeddings=True), 1)
    mine, other = [], []
    for _ in range(options.rounds):
        mine.append(rate(ours.embed_documents, texts))
        other.append(rate(lambda t: theirs.encode(list(t), batch_size=32), texts))
    result = {
        "chunks": len(texts),
        "pincite_chunks_per_second": round(statistics.median(mine), 1),
        "sentence_transformers_chunks_per_second": round(statistics.median(other), 1),
        "ratio": round(statistics.median(mine) / statistics.median(other), 2),
        "cosine_min": round(float(same.min()), 4),
        "cosine_mean": round(float(same.mean()), 4),
        "target": "ratio >= 2",
    }
    print(json.dumps(result))
    if options.save:
        options.save.write_text(json.dumps({"machine": machine(), "result": result}, indent=1) + "\n")


if __name__ == "__main__":
    main()
