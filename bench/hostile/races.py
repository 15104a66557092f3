"""Races: folders and files swapped for links while they are read, and clocks that jump.

No text from outside the folder gets into an index, whatever is swapped when; and an edit is seen whatever its
time says, also one that leaves size and time as they were.
"""

from __future__ import annotations

import ctypes
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hostile import folders
from hostile.commands import Commands
from hostile.kills import EVERY, FIRST, GOOD, SYNC
from hostile.record import Record, skipped

SECRET = "quokka-4711"
SWAPPED_INDEX = "through a swapped index"
"""What SECURITY.md does not promise: the index folder itself exchanged for a link while it is written."""
TOGGLES = """
import ctypes, sys
swap = ctypes.CDLL(None).renameat2
pairs = [name.encode() for name in sys.argv[1:]]
print("ready", flush=True)
while True:
    for one, other in zip(pairs[::2], pairs[1::2]):
        swap(-100, one, -100, other, 2)
"""
"""Exchanges pairs of names, as fast as it can."""
LOOK = (("search", "--json", "passphrase vault"), EVERY, ("search", "--json", SECRET, "--legs", "lexical"))


def run(seed: int, n: int) -> dict[str, Any]:
    """n races: half with swaps, half with clocks."""
    if sys.platform != "linux" or not hasattr(ctypes.CDLL(None), "renameat2"):
        return skipped("needs Linux and renameat2")
    record = Record("races", seed)
    with folders.scratch("races") as folder, Commands() as runner:
        swaps, clocks = Swaps(Path(folder) / "swaps", runner), Path(folder) / "clocks"
        for number in record.numbers(n):
            rng = random.Random(f"{seed}/{number}")
            if number % 2:
                clock(record, runner, clocks, rng, number)
            else:
                swaps.attempt(record, number // 2, number)
    return record.figures(outside=record.failed["outside"], unseen=record.failed["unseen"])


class Swaps:
    """A library, its neighbour, and what can be put in the place of a folder or file of it."""

    def __init__(self, base: Path, runner: Commands) -> None:
        self.runner, self.root, self.outside, self.aside = (
            runner,
            base / "library",
            base / "outside",
            base / "aside",
        )
        vault = f"# Vault\n\nThe passphrase of the vault is {SECRET}.\n"
        self.neighbour = base / "neighbour"
        for name in [f"n{number:02}.md" for number in FIRST]:
            folders.place(self.neighbour / name, vault, folders.EPOCH)
        self.before = folders.tree(self.neighbour)
        self.kinds = (self.folder, self.upper, self.file, self.fifo, self.index, self.shard)

    def attempt(self, record: Record, turn: int, number: int) -> None:
        """A sync of changed files while something is swapped; then what can be found."""
        for place in (self.root, self.aside, self.outside):
            folders.remove(place)
        folders.copy(self.neighbour, self.outside)
        folders.write_notes(self.root / "a" / "sub", dict.fromkeys(FIRST, number))
        self.aside.mkdir()
        if turn % 3:
            self.runner.run(self.root, SYNC)
            folders.write_notes(self.root / "a" / "sub", dict.fromkeys(FIRST, number + 1))
        kind = self.kinds[turn % len(self.kinds)]
        record.attempt(f"swap: {kind.__name__}")
        with toggling(kind()):
            done = self.runner.run(self.root, SYNC)
        after = self.runner.run(self.root, *LOOK)
        if told := [
            one.command for one in (*done.ran, *after.ran) if f"vault is {SECRET}" in one.out + one.err
        ]:
            record.fail("outside", kind.__name__, number, f"{told[0]} shows what stands outside")
        if touched := folders.tree_difference(self.before, folders.tree(self.outside)):
            what = SWAPPED_INDEX if kind in (self.index, self.shard) else "outside"
            record.fail(what, kind.__name__, number, f"changed outside: {touched}")
        if problem := done.problem():
            record.fail("ugly", kind.__name__, number, problem)
        self.settle(record, kind.__name__, number)

    def settle(self, record: Record, kind: str, number: int) -> None:
        """With nothing swapped any more, a sync makes all good: over links too, which are not followed."""
        done = self.runner.run(self.root, ("sync", "--quiet", "--allow-empty"), *LOOK)
        if problem := done.problem():
            record.fail("ugly", kind, number, problem)

    def folder(self) -> list[Path]:
        return self._beside(self.root / "a" / "sub", self.outside)

    def upper(self) -> list[Path]:
        self.aside.joinpath("sub").symlink_to(self.outside)
        return [self.root / "a", self.aside]

    def file(self) -> list[Path]:
        names = [f"n{number:02}.md" for number in FIRST]
        return [
            path
            for name in names
            for path in self._beside(self.root / "a" / "sub" / name, self.outside / name)
        ]

    def fifo(self) -> list[Path]:
        os.mkfifo(self.aside / "fifo")
        return [self.root / "a" / "sub" / "n01.md", self.aside / "fifo"]

    def index(self) -> list[Path]:
        (self.root / folders.INDEX).mkdir(exist_ok=True)
        return self._beside(self.root / folders.INDEX, self.outside)

    def shard(self) -> list[Path]:
        (self.root / folders.INDEX / "search").mkdir(exist_ok=True, parents=True)
        return self._beside(self.root / folders.INDEX / "search", self.outside)

    def _beside(self, path: Path, target: Path) -> list[Path]:
        """A path and a link to what lies outside, to be exchanged."""
        link = self.aside / path.name
        link.symlink_to(target)
        return [path, link]


@contextmanager
def toggling(pairs: list[Path]) -> Iterator[None]:
    """Meanwhile another process exchanges these names; at the end each is one of the two."""
    words = [sys.executable, "-c", TOGGLES, *map(str, pairs)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


TIMES = (0, 1, 1_000_000_000, 4_000_000_000, 2**33, 253_402_300_799, 10**12, -1, -(10**9))


def clock(record: Record, runner: Commands, root: Path, rng: random.Random, number: int) -> None:
    """Edits whose times lie: the sync after them gives what a fresh index gives."""
    if number % 10 == 1 or not root.exists():
        folders.remove(root)
        folders.write_notes(root, FIRST)
        runner.run(root, SYNC)
    how = rng.choice(("restored", "jumps", "same size", "rename over", "all the same"))
    record.attempt(f"clock: {how}")
    for note in rng.sample(sorted(FIRST), 3):
        edit(root / f"n{note:02}.md", how, note, 10 + number % 80, rng)
    done = runner.run(root, SYNC, EVERY)
    if problem := done.problem(GOOD):
        record.fail("ugly", how, number, problem)
    found = {hit["uri"]: hit["text"] for hit in folders.answers(done)[0] or []}
    for file in sorted(root.glob("*.md")):
        text = file.read_text("utf-8").partition("---\n# ")[2].strip()
        if found.get(file.name, "").removeprefix("# ").strip() != text:
            record.fail("unseen", how, number, f"{file.name}: {found.get(file.name)!r} instead of {text!r}")


def edit(file: Path, how: str, note: int, version: int, rng: random.Random) -> None:
    """A new version of a note, with a time that says something else."""
    status, text = file.stat(), folders.note(note, version)
    if how == "rename over":
        other = file.with_suffix(".tmp")
        other.write_text(text, "utf-8")
        other.replace(file)
    else:
        file.write_text(text, "utf-8")
    if how in ("restored", "same size", "rename over"):
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    elif how == "jumps":
        when = rng.choice(TIMES)
        os.utime(file, (when, when))
    else:
        os.utime(file, (folders.EPOCH, folders.EPOCH))
