"""Speed and size: each figure against its target, ratios measured in one run.

    python bench/speed.py [--part index|resync|search|cold|first|memory ...] [--save bench/results/speed.json]

Run it on an idle machine. `index` needs about five minutes. `search` builds an index of 100,000 chunks: each
is five sentences of SciFact, its vector the mean of their real ones, so that near chunks are near in meaning.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from common import data_folder, machine, percentile, rows, write_corpus

import pincite
from pincite.config import Config, ModelConfig
from pincite.library import Library
from pincite.models import load_embedder
from pincite.types import Span

Found = dict[str, object]


def python(code: str, *arguments: str, env: dict[str, str] | None = None) -> tuple[float, str]:
    """Seconds and output of a new process."""
    started = time.perf_counter()
    command = [sys.executable, "-c", code, *arguments]
    run = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, **(env or {})}
    )
    return time.perf_counter() - started, run.stdout


def pincite_command(*arguments: str) -> float:
    """Seconds a `pincite` command takes as a whole process."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "pincite", *arguments], capture_output=True, check=True)
    return time.perf_counter() - started


# ── indexing ──────────────────────────────────────────────────────────────────────────────────
def index(work: Path, data: Path) -> Found:
    """Indexing SciFact against the model's own time on the same texts, in the same run."""
    folder = work / "scifact-index"
    write_corpus(data / "scifact", folder)
    with pincite.open(folder) as library:
        started = time.perf_counter()
        report = library.sync()
        total = time.perf_counter() - started
        texts = [text for _, text, _ in all_texts(library)]
    embedder = load_embedder(ModelConfig(), name="english")
    texts.sort(key=len)
    started = time.perf_counter()
    for at in range(0, len(texts), 256):
        embedder.embed_documents(texts[at : at + 256])
    model = time.perf_counter() - started
    return {
        "documents": report.indexed,
        "chunks": report.chunks,
        "total_seconds": round(total, 1),
        "model_seconds": round(model, 1),
        "total_over_model": round(total / model, 3),
        "chunks_per_second": round(len(texts) / model, 1),
        "target": "total_over_model <= 1.15",
    }


def all_texts(library: Library) -> list[tuple[int, str, str]]:
    """(point id, dense text, chunk id) of every chunk."""
    catalog = library._open().catalog
    stored = catalog.stored(catalog.point_ids(0, 10**9))
    return [(point, s.chunk.dense_text, s.chunk.id) for point, s in sorted(stored.items())]


MEMORY = """
import sys, pincite
with pincite.open(sys.argv[1]) as library:
    library.sync()
"""


def memory(work: Path, data: Path) -> Found:
    """Peak memory while SciFact is indexed: of the process alone, and with its workers at one moment."""
    folder = work / "scifact-memory"
    write_corpus(data / "scifact", folder)
    alone, together = 0.0, 0.0
    with subprocess.Popen([sys.executable, "-c", MEMORY, str(folder)]) as process:
        while process.poll() is None:
            own, workers = resident(process.pid), sum(map(resident, children(process.pid)))
            alone, together = max(alone, own), max(together, own + workers)
            time.sleep(0.1)
    return {"process_mb": round(alone, 1), "peak_mb": round(together, 1), "target": "peak_mb <= 700"}


def resident(pid: int) -> float:
    """Megabytes of memory a process has now; 0 when it has ended."""
    try:
        fields = Path(f"/proc/{pid}/status").read_text().split("VmRSS:")
    except OSError:
        return 0.0
    return int(fields[1].split()[0]) / 1000 if len(fields) > 1 else 0.0


def children(pid: int) -> list[int]:
    """The processes a process started that still run."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


# ── syncing again ─────────────────────────────────────────────────────────────────────────────
def resync(work: Path, _: Path) -> Found:
    """A second sync of 10,000 small files with nothing changed, and one with one file changed."""
    folder = work / "many"
    folder.mkdir(exist_ok=True)
    for n in range(10_000):
        (folder / f"f{n:05d}.md").write_text(f"# Note {n}\n\nThe valve {n} was checked and is tight.\n")
    with made_up(folder) as library:
        first = timed(library.sync)
        again = statistics.median(timed(library.sync) for _ in range(3))
        (folder / "f00042.md").write_text("# Note 42\n\nThe valve 42 leaks and was replaced.\n")
        changed = library.sync()
    return {
        "first_seconds": round(first, 2),
        "unchanged_seconds": round(again, 3),
        "embedded_after_one_change": changed.embedded,
        "target": "unchanged_seconds <= 1, embedded_after_one_change == 1",
    }


def timed(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


class MadeUpVectors:
    """An embedder that costs nothing: unit vectors drawn from the text's own hash, one token per word."""

    name = fingerprint = "made-up"
    dimension, limit = 384, 254

    def count(self, texts: list[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def spans(self, text: str) -> list[Span]:
        found, at = [], 0
        for word in text.split():
            at = text.index(word, at)
            found.append(Span(at, at + len(word)))
            at += len(word)
        return found

    def embed_documents(self, texts: list[str]) -> np.ndarray:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> np.ndarray:
        seed = int.from_bytes(text.encode()[-8:], "little")
        vector = np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)
        return vector / np.linalg.norm(vector)

    def close(self) -> None:
        """Nothing to free."""


def made_up(folder: Path) -> Library:
    return Library(folder, folder / ".pincite", Config(), make_embedder=lambda config, name: MadeUpVectors())


# ── searching ─────────────────────────────────────────────────────────────────────────────────
def search(work: Path, data: Path) -> Found:
    """Warm searches over 5,000 and 100,000 chunks: everything besides the query's embedding."""
    embedder = SentenceMeans(work, data)
    small, large = (warm(work, data, embedder, n) for n in (5_000, 100_000))
    return {
        "5k": small,
        "100k": large,
        "growth": round(large["p50_ms"] / small["p50_ms"], 2),
        "target": "p50_ms <= 5 at both, growth < 3",
    }


class SentenceMeans(MadeUpVectors):
    """Vectors of texts made of known sentences: the mean of their real vectors. Queries have their own."""

    name = fingerprint = "sentence-means"

    def __init__(self, work: Path, data: Path) -> None:
        sentences = sorted(set(sentences_of(data)))
        file = work / "sentences.npy"
        if not file.exists():
            model = load_embedder(ModelConfig(), name="english")
            fits = [text if model.count([text])[0] <= model.limit else text[:500] for text in sentences]
            np.save(
                file,
                np.concatenate(
                    [model.embed_documents(fits[at : at + 512]) for at in range(0, len(fits), 512)]
                ),
            )
        self._vectors = dict(zip(sentences, np.load(file), strict=True))
        model = load_embedder(ModelConfig(), name="english")
        self._queries = {q: model.embed_query(q) for q in warm_queries(data)}

    def embed_documents(self, texts: list[str]) -> np.ndarray:
        return np.stack([self._mean(text) for text in texts])

    def _mean(self, text: str) -> np.ndarray:
        lines = (line.removesuffix(".") for line in text.split("\n"))
        known = [self._vectors[s] for line in lines for s in line.split(". ") if s in self._vectors]
        if not known:  # a part of one long sentence
            return super().embed_query(text)
        mean = np.mean(known, axis=0)
        return (mean / np.linalg.norm(mean)).astype(np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        return self._queries[text]


def sentences_of(data: Path) -> list[str]:
    texts = (str(row["text"]) for row in rows(data / "scifact" / "corpus.jsonl"))
    return [" ".join(s.split()) for text in texts for s in text.split(". ") if s.strip(" .")]


def warm_queries(data: Path) -> list[str]:
    return [str(q["text"]) for q in rows(data / "scifact" / "queries.jsonl")][:100]


def warm(work: Path, data: Path, embedder: SentenceMeans, chunks: int) -> dict[str, float]:
    folder, queries = work / f"warm-{chunks}", warm_queries(data)
    write_words(folder, data, chunks)
    with Library(
        folder, folder / ".pincite", Config(), make_embedder=lambda config, name: embedder
    ) as library:
        built = timed(library.sync)
        for query in queries[:20]:
            library.search(query)
        times = [timed(lambda q=q: library.search(q)) * 1000 for q in queries]
        count = library.status().chunks
    p50, p95 = percentile(times, 0.5), percentile(times, 0.95)
    return {
        "chunks": count,
        "p50_ms": round(p50, 2),
        "p95_ms": round(p95, 2),
        "built_seconds": round(built, 1),
    }


def write_words(folder: Path, data: Path, chunks: int) -> None:
    """A folder that becomes about `chunks` chunks: shuffled sentences of SciFact, five sections a file."""
    folder.mkdir(exist_ok=True)
    sentences = sentences_of(data)
    rng = random.Random(7)
    for n in range(chunks // 5):
        parts = [f"## Part {n}.{m}\n\n{'. '.join(rng.sample(sentences, 5))}.\n" for m in range(5)]
        (folder / f"w{n:05d}.md").write_text("\n".join(parts), encoding="utf-8")


# ── whole processes ───────────────────────────────────────────────────────────────────────────
def cold(work: Path, data: Path) -> Found:
    """`pincite search` as a new process over 5,000 chunks, and `import pincite`."""
    english = work / "cold-en"
    write_words(english, data, 5_000)
    with made_up_vectors_of(english, "english") as chunks:
        seconds = [pincite_command("search", "bone marrow cells", "--in", str(english)) for _ in range(7)]
    chinese = work / "cold-zh"
    write_words(chinese, data, 5_000)
    with made_up_vectors_of(chinese, "multilingual"):
        other = [pincite_command("search", "骨髓细胞", "--in", str(chinese)) for _ in range(7)]
    imports = [python("import pincite")[0] - python("pass")[0] for _ in range(7)]
    return {
        "chunks": chunks,
        "search_seconds": round(statistics.median(seconds), 3),
        "search_multilingual_seconds": round(statistics.median(other), 3),
        "import_seconds": round(statistics.median(imports), 3),
        "target": "search_seconds <= 0.8, search_multilingual_seconds <= 1.5, import_seconds <= 0.15",
    }


class made_up_vectors_of:  # noqa: N801
    """An index with random vectors under the name of a bundled model: it builds in seconds."""

    def __init__(self, folder: Path, model: str) -> None:
        self.folder, self.model = folder, model

    def __enter__(self) -> int:
        real = load_embedder(ModelConfig(), name=self.model)
        config = Config(model=ModelConfig(name=self.model))

        class Cheap(MadeUpVectors):
            name, fingerprint = real.name, real.fingerprint
            dimension, limit = real.dimension, real.limit
            count, spans = staticmethod(real.count), staticmethod(real.spans)

        library = Library(self.folder, self.folder / ".pincite", config, make_embedder=lambda c, n: Cheap())
        with library:
            return library.sync().chunks

    def __exit__(self, *_: object) -> None:
        return None


def first(work: Path, data: Path) -> Found:
    """From nothing to the first cited answer: `pincite ask` on SciFact as 5,183 files, never synced."""
    folder = work / "scifact-first"
    write_corpus(data / "scifact", folder)
    seconds = pincite_command("ask", "Do statins lower the risk of stroke?", "--in", str(folder))
    return {"seconds": round(seconds, 2), "target": "seconds <= 10"}


def size(work: Path, _: Path) -> Found:
    """Megabytes of a fresh install without extras and without pip itself."""
    venv = work / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    root = Path(__file__).resolve().parents[1]
    pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "-q", str(root)]
    subprocess.run(pip, check=True)
    subprocess.run([*pip[:3], "uninstall", "-q", "-y", "setuptools", "pip"], check=False)
    site = next((venv / "lib").glob("python*/site-packages"))
    total = sum(file.stat().st_blocks * 512 for file in site.rglob("*") if file.is_file())
    return {"install_mb": round(total / 1e6, 1), "target": "install_mb <= 430"}


PARTS = {f.__name__: f for f in (size, cold, first, resync, search, memory, index)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", action="append", choices=sorted(PARTS))
    parser.add_argument("--save", type=Path)
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    data = data_folder()
    if data is None:
        raise SystemExit("the public collections are not here: set PINCITE_DATA")
    results: dict[str, Found] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for name, part in PARTS.items():
            if not options.part or name in options.part:
                results[name] = part(options.work or Path(scratch), data)
                print(f"{name}: {json.dumps(results[name])}", flush=True)
    if options.save:
        options.save.write_text(json.dumps({"machine": machine(), "parts": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
