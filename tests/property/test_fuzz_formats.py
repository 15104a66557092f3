"""Mutated files of every format are parsed or refused: no crash, no hang, nothing written, nobody called.

`FUZZ_INPUTS` is how many of each; `FUZZ_FIRST` the first seed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fuzzing import SECONDS, mutant
from samples import samples

TESTS = Path(__file__).parents[1]
COUNT, FIRST = int(os.environ.get("FUZZ_INPUTS", "12")), int(os.environ.get("FUZZ_FIRST", "1"))


@pytest.mark.timeout(SECONDS + COUNT * 5)
@pytest.mark.parametrize("name", samples())
def test_mutated_files(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(TESTS / "fuzzing.py"), name, str(FIRST), str(COUNT)]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=dict(os.environ))
    seeds = ran.stdout.split()
    seed = int(seeds[-1]) if seeds else -1
    assert ran.returncode == 0, f"seed {seed} of {name}: exit {ran.returncode}\n{ran.stderr[-3000:]}"
    assert len(seeds) == COUNT
    assert list(tmp_path.iterdir()) == []


def test_mutants_differ_and_are_the_same_each_time() -> None:
    sample = samples()["letter.docx"].data
    made = [mutant(sample, seed) for seed in range(30)]
    assert made == [mutant(sample, seed) for seed in range(30)]
    assert len(set(made)) == 30
