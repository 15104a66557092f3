"""F77: time, memory and writes grow with the files, not faster; opening does not grow with them.

Ratios of processor time between two sizes, each measured in a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from failing_models import library, start, synced
from index_files import files_below
from pincite.types import Progress

HERE = Path(__file__).parent / "F77"
EXPECT = json.loads((HERE / "expect.json").read_text())
SMALL, LARGE = 250, 1000

# A small library is used first, so that what is loaded once does not count.
CODE = """
import json, resource, time
root = Path(values[0])
warm = root.parent / "warm"
warm.mkdir()
(warm / "a.md").write_text("# A\\n\\nwords\\n")
with library(warm) as opened:
    opened.sync()
    opened.search("words")

def written():
    counters = Path("/proc/self/io")
    return int(counters.read_text().split("write_bytes:")[1].split()[0]) if counters.exists() else 0

before, times = written(), [time.process_time()]
with library(root) as opened:
    report = opened.sync()
times.append(time.process_time())
with library(root) as opened:
    assert opened.sync().unchanged == report.indexed
times.append(time.process_time())
with library(root) as opened:
    assert opened.search("shelf 7").hits
times.append(time.process_time())
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([report.chunks, *(b - a for a, b in zip(times, times[1:])), peak, written() - before]))
"""


@dataclass(frozen=True)
class Run:
    """Processor seconds of a first sync, a second one, and opening with one search; bytes."""

    chunks: int
    first: float
    second: float
    search: float
    peak: float
    written: int
    index: int


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Run]:
    """The measures of both sizes."""
    return {size: measure(tmp_path_factory.mktemp("f77"), size) for size in (SMALL, LARGE)}


def measure(folder: Path, size: int) -> Run:
    root = folder / "docs"
    subprocess.run([sys.executable, HERE / "make_corpus.py", root, str(size)], check=True)
    with start(CODE, root) as child:
        out, problem = child.communicate()
    assert problem == ""
    index = sum(file.stat().st_blocks * 512 for file in files_below(root / ".pincite"))
    return Run(*json.loads(out), index=index)


def test_time_and_memory(runs: dict[int, Run]) -> None:
    small, large = runs[SMALL], runs[LARGE]
    assert (small.chunks, large.chunks) == (SMALL, LARGE)
    assert large.first <= EXPECT["time_ratio_4000_1000_max"] * small.first
    assert large.second <= large.first / 10
    assert large.peak <= EXPECT["memory_ratio_max"] * small.peak
    assert large.search <= 2 * small.search


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="only Linux counts written bytes")
def test_bytes_written(runs: dict[int, Run]) -> None:
    for run in runs.values():
        assert run.written <= EXPECT["written_to_index_ratio_max"] * run.index


def test_one_large_file(tmp_path: Path) -> None:
    """Time grows with the size; memory stays below a multiple of it; line numbers are right to the end."""
    seconds = {}
    for mib in (1, 3):
        root = tmp_path / str(mib)
        root.mkdir()
        subprocess.run([sys.executable, HERE / "make_big.py", root / "big.txt", str(mib)], check=True)
        seen: list[Progress] = []
        with library(root) as opened:
            began = time.process_time()
            opened.sync(progress=seen.append)
            seconds[mib] = time.process_time() - began
            last = (root / "big.txt").read_text().count("\n")
            hit = opened.search(f"Line {last}: the reading", legs=("lexical",), k=1).hits[0]
            assert hit.stored.place.line_end == last
        assert len([step for step in seen if step.stage == "embed"]) >= 3
        assert seen[-1].done == seen[-1].total
    assert seconds[3] <= 1.5 * 3 * seconds[1]


def test_a_file_over_the_limit_is_refused_by_name(tmp_path: Path) -> None:
    with (tmp_path / "big.txt").open("wb") as stream:
        stream.truncate(65 * 2**20)
    (tmp_path / "a.md").write_text("# A\n")
    report = synced(tmp_path)
    assert [(one.uri, one.reason) for one in report.skipped] == [
        ("big.txt", "68 MB is over the limit of 64 MB (sync.max_file_mb)")
    ]
