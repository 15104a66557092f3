"""Kills: of a sync, a search or a question, at random moments and at each call that changes a file.

After each kill nobody helps: search, ask and sync must end with 0, the documents that did not change are
still found, and after the sync the results are those of a fresh index.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hostile import commands, folders
from hostile.commands import Commands, Outcome
from hostile.record import Record, skipped

SYNC, ASK = ("sync", "--quiet"), ("ask", folders.QUESTION)
METHODS = ("random", "shim", "strace")
EVERY = ("search", "--regex", "(?s).", "--json", "--k", "1000")
GOOD = frozenset({0})
Chunk = tuple[str, str]  # file and text
GROWTH = 3  # times the space of a fresh index that leavings may take
CALLS = (
    *("write", "pwrite64", "rename", "renameat2", "unlink", "unlinkat"),
    *("mkdir", "rmdir", "ftruncate", "fallocate", "fsync", "fdatasync", "msync"),
)


@dataclass
class Scene:
    """A folder before and after a change, both synced, and what is right afterwards."""

    name: str
    before: Path
    after: Path
    right: list[Any]
    killed: tuple[str, ...]
    known: frozenset[Chunk]
    lasting: frozenset[Chunk]
    """Chunks of both, which must be found at any time."""
    bytes: int
    """What the index afterwards takes on disk."""


FIRST = dict.fromkeys(range(folders.NOTES), 1)
FEW = dict.fromkeys(range(folders.NOTES // 2), 1)
CHANGES: dict[str, tuple[dict[int, int], dict[int, int]]] = {
    "fresh": ({}, FIRST),
    "edit": (FIRST, {n: 1 + n % 2 for n in FIRST}),
    "delete": (FIRST, FEW),
    "add": (FEW, FIRST),
}


def scenes(work: Path, runner: Commands, only: Sequence[str]) -> list[Scene]:
    found = []
    for name, (old, new) in CHANGES.items():
        if only and name not in only:
            continue
        before, after = work / name / "before", work / name / "after"
        folders.write_notes(before, old)
        folders.write_notes(after, new)
        found.append(scene(name, before, after, runner, SYNC))
    if only:
        return found
    before, after = work / "rename" / "before", work / "rename" / "after"
    folders.write_notes(before, FIRST)
    folders.copy(before, after)
    for file in sorted(after.glob("n*[0-4].md")):
        file.rename(after / f"moved-{file.name}")
    found.append(scene("rename", before, after, runner, SYNC))
    whole, pending = found[1], found[3]
    found.append(scene("search", whole.before, whole.before, runner, folders.searches()[0]))
    found.append(scene("ask", pending.before, pending.before, runner, ASK))
    first = scene("search unsynced", found[0].before, found[0].after, runner, folders.searches()[0])
    return [*found, first]


def scene(name: str, before: Path, after: Path, runner: Commands, killed: tuple[str, ...]) -> Scene:
    old: set[Chunk] = set()
    if any(before.glob("*.md")):
        folders.fresh(runner, before)
        old = set(chunks(runner.run(before, EVERY)))
    right = folders.fresh(runner, after)
    new = set(chunks(runner.run(after, EVERY)))
    size = folders.used_bytes(after / folders.INDEX)
    return Scene(name, before, after, right, killed, frozenset(old | new), frozenset(old & new), size)


def chunks(outcome: Outcome) -> Iterator[Chunk]:
    for found in folders.answers(outcome):
        yield from ((hit["uri"], hit["text"]) for hit in found or [])


def run(seed: int, n: int, *, methods: Sequence[str] = METHODS, only: Sequence[str] = ()) -> dict[str, Any]:
    """n kills, by turns of each method that works here, in all scenes or only some changes."""
    if sys.platform != "linux":
        return skipped("needs Linux")
    usable = {"random": True, "shim": commands.shim() is not None, "strace": commands.can_trace()}
    ways = [way for way in methods if usable[way]]
    record, kills = Record("kills", seed), dict.fromkeys(methods, 0)
    with folders.scratch("kills") as folder, Commands() as runner:
        stage = scenes(Path(folder), runner, only)
        work = Path(folder) / "work"
        limits = {one.name: measure(runner, one, work, ways) for one in stage}
        for number in record.numbers(3 * n):
            if sum(kills.values()) >= n:
                break
            one, way = stage[number % len(stage)], ways[number // len(stage) % len(ways)]
            rng = random.Random(f"{seed}/{number}")
            attempt(record, runner, one, way, rng, number, work, limits[one.name], kills)
    lost, unusable = record.failed["lost"], record.failed["unusable"]
    unused = [way for way in methods if way not in ways]
    return record.figures(
        kills=sum(kills.values()), by_method=kills, lost=lost, unusable=unusable, skipped_methods=unused
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """A command that nobody kills: seconds, calls on the index, system calls that change files."""

    seconds: float
    calls: int
    system: list[tuple[str, int]]


def measure(runner: Commands, one: Scene, work: Path, ways: Sequence[str]) -> Limits:
    prepare(one, work)
    plan = commands.arm(work / folders.INDEX, 0) if "shim" in ways else None
    done = runner.run(work, one.killed, arm=plan)
    if problem := done.problem(GOOD):
        raise RuntimeError(f"{one.name}: fails without a kill: {problem}")
    prepare(one, work)
    with tempfile.TemporaryDirectory() as home:
        system = commands.system_calls(Path(home), work, one.killed, CALLS) if "strace" in ways else []
    return Limits(done.seconds, done.calls, system)


def prepare(one: Scene, work: Path) -> None:
    """The folder before the change with its index, then its documents as after it."""
    folders.renew(one.before, work)
    folders.bring_to(work, one.after)


def attempt(
    record: Record,
    runner: Commands,
    one: Scene,
    way: str,
    rng: random.Random,
    number: int,
    work: Path,
    limits: Limits,
    kills: dict[str, int],
) -> None:
    """One to six kills, and the look at what they left."""
    record.attempt(f"{one.name}: {way}")
    prepare(one, work)
    where = []
    for _ in range(rng.choice((1, 2, 3, 4, 6))):
        place = kill(runner, one, way, rng, work, limits)
        kills[way] += bool(place)
        where.append(place)
    for kind, message in wrong(runner, one, work):
        record.fail(kind, one.name, number, message, method=way, killed=where, command=" ".join(one.killed))


def kill(runner: Commands, one: Scene, way: str, rng: random.Random, work: Path, limits: Limits) -> str:
    """Kills the command once; where, or nothing if it ended before."""
    if way == "random":
        moment, group = rng.uniform(0, limits.seconds), rng.random() < 0.5
        done = runner.run(work, one.killed, kill_after=moment, whole_group=group)
        return f"after {moment:.4f} s" if commands.killed(done) else ""
    if way == "shim":
        plan = commands.arm(work / folders.INDEX, rng.randint(1, max(1, limits.calls)))
        done = runner.run(work, one.killed, arm=plan)
        return f"call {plan['at']}: {done.struck}" if commands.killed(done) else ""
    if not limits.system:
        return ""
    name, nth = rng.choice(limits.system)
    with tempfile.TemporaryDirectory() as home:
        return f"{name} {nth}" if commands.kill_at(Path(home), work, one.killed, name, nth) else ""


def wrong(runner: Commands, one: Scene, work: Path) -> list[tuple[str, str]]:
    """What is not as it must be after the kill."""
    first = runner.run(work, folders.searches()[0], EVERY, ASK, timeout=30)
    found = [("unusable", problem)] if (problem := first.problem(GOOD)) else lost(one, first)
    then = runner.run(work, SYNC, *folders.searches())
    if problem := then.problem(GOOD):
        return [*found, ("unusable", problem)]
    if difference := folders.first_difference(folders.answers(then), one.right):
        found.append(("lost", f"after sync: {difference}"))
    if (now := folders.used_bytes(work / folders.INDEX)) > GROWTH * one.bytes:
        found.append(("leavings", f"the index takes {now} bytes, a fresh one {one.bytes}"))
    return found


def lost(one: Scene, first: Outcome) -> list[tuple[str, str]]:
    """A hit that no version of a document holds, and a chunk that did not change and is not found."""
    found = set(chunks(first))
    if strange := sorted(found - one.known):
        return [("lost", f"{len(strange)} hits of no version: {strange[0]}")]
    missing = sorted(one.lasting - found)
    return [("lost", f"{len(missing)} not found before the sync: {missing[0]}")] if missing else []
