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

NAMES, GROUP = list(samples()), 6
GROUPS = [NAMES[at : at + GROUP] for at in range(0, len(NAMES), GROUP)]
TESTS = Path(__file__).parents[1]
COUNT, FIRST = int(os.environ.get("FUZZ_INPUTS", "12")), int(os.environ.get("FUZZ_FIRST", "1"))


@pytest.mark.timeout(GROUP * (SECONDS + COUNT * 5))
@pytest.mark.parametrize("names", GROUPS, ids=" ".join)
def test_mutated_files(names: list[str], tmp_path: Path) -> None:
    command = [sys.executable, str(TESTS / "fuzzing.py"), str(FIRST), str(COUNT), *names]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=dict(os.environ))
    seeds = range(FIRST, FIRST + COUNT)
    expected = [line for name in names for line in (*(f"{name} {seed}" for seed in seeds), f"{name} ended 0")]
    assert ran.stdout.splitlines() == expected, ran.stderr[-3000:]
    assert ran.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_mutants_differ_and_are_the_same_each_time() -> None:
    sample = samples()["letter.docx"].data
    made = [mutant(sample, seed) for seed in range(30)]
    assert made == [mutant(sample, seed) for seed in range(30)]
    assert len(set(made)) == 30
