"""Eight readers beside a writer: no opening fails, no answer is wrong, searches wait little, every sync ends.

Four readers search by commands, each of which opens the index anew; four are processes with a library that
stays open: two ask all the time, two hardly ever, and one of the latter is killed now and then and replaced.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from common import percentile

from hostile import commands, folders
from hostile.commands import Commands
from hostile.kills import FIRST, GOOD, SYNC
from hostile.record import Record, skipped

BY_COMMAND, BUSY, IDLE = 4, 2, 2
MOST_SECONDS = 1.0  # a search may take beside a sync
BULK = 200  # files of the one large sync
BULK_SECONDS = 20.0  # that must be left for it
SYNC_SECONDS = 120.0
Search = dict[str, Any]


def run(seed: int, n: int) -> dict[str, Any]:
    """n seconds of it."""
    if sys.platform != "linux":
        return skipped("needs Linux")
    record = Record("readers", seed)
    with folders.scratch("readers") as folder, Commands(timeout=SYNC_SECONDS) as writer:
        stage = Stage(Path(folder))
        folders.fresh(writer, stage.root)
        with Crowd(stage) as crowd:
            crowd.warm()
            syncs = write(record, stage, writer, crowd, random.Random(seed), time.monotonic() + n)
        searches = crowd.searches
        judge(record, stage, searches)
    return record.figures(**timings(searches, syncs), kills=crowd.kills)


class Stage:
    """The folder, and the rounds that are written and synced, where every reader can see them."""

    def __init__(self, base: Path) -> None:
        self.root, self.rounds = base / "library", base / "rounds.json"
        folders.write_notes(self.root, FIRST)
        self.note(written=1, synced=1)

    def note(self, *, written: int, synced: int) -> None:
        new = self.rounds.with_suffix(".new")
        new.write_text(json.dumps({"written": written, "synced": synced}))
        new.rename(self.rounds)

    def known(self) -> dict[str, int]:
        return dict(json.loads(self.rounds.read_text()))


@dataclass
class Crowd:
    """The readers; use it with `with`."""

    stage: Stage
    searches: list[Search] = field(default_factory=list)
    kills: int = 0

    def __enter__(self) -> Crowd:
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._commands, args=(n,)) for n in range(BY_COMMAND)]
        self._open: list[subprocess.Popen[str]] = []
        for pause in (0.0,) * BUSY + (3.0,) * IDLE:
            self._start(pause)
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for process in self._open:
            assert process.stdin is not None
            process.stdin.close()
        for thread in self._threads:
            thread.join()
        for process in self._open:
            process.wait()

    def warm(self) -> None:
        """Waits until all have searched: how long the first import takes is not what is measured."""
        until = time.monotonic() + 60
        while len(self.searches) < 4 * (BY_COMMAND + BUSY) and time.monotonic() < until:
            time.sleep(0.1)
        self.searches.clear()

    def kill_one(self) -> None:
        """Kills the reader that was started last, and starts another."""
        self._open.pop().kill()
        self.kills += 1
        self._start(3.0)

    def _start(self, pause: float) -> None:
        words = [sys.executable, str(Path(__file__).with_name("reader.py")), str(self.stage.root), str(pause)]
        home = self.stage.root.with_name("home")
        made = subprocess.Popen(
            words, env=commands.environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._open.append(made)
        assert made.stdout is not None
        thread = threading.Thread(target=self._collect, args=(made.stdout, "open" if pause else "busy"))
        self._threads.append(thread)
        if len(self._threads) > BY_COMMAND + BUSY + IDLE:
            thread.start()

    def _collect(self, lines: TextIO, kind: str) -> None:
        with lines:
            for line in lines:
                if line.endswith("\n"):
                    self.searches.append({"kind": kind, **json.loads(line)})

    def _commands(self, number: int) -> None:
        with Commands(timeout=60) as runner:
            while not self._ended.is_set():
                number += 1
                self.searches.append(by_command(runner, self.stage, number % folders.NOTES))


def by_command(runner: Commands, stage: Stage, note: int) -> Search:
    before = stage.known()["synced"]
    done = runner.run(stage.root, ("search", f"item-{note}", "--legs", "lexical", "--json"))
    made: Search = {"kind": "command", "note": note, "before": before, "after": stage.known()["written"]}
    made["seconds"] = done.last.seconds or done.seconds
    if problem := done.problem(GOOD):
        return {**made, "error": problem}
    hits, made["told"] = folders.plain(done.last) or [], done.last.json().get("notices")
    return {**made, "texts": [hit["text"] for hit in hits if hit["uri"] == f"n{note:02}.md"]}


def write(
    record: Record, stage: Stage, writer: Commands, crowd: Crowd, rng: random.Random, until: float
) -> list[float]:
    """Edits and syncs until the time is over; once many files at a time. Seconds of each sync."""
    times: list[float] = []
    number = synced = 1
    while time.monotonic() < until:
        number += 1
        stage.note(written=number, synced=synced)
        folders.write_notes(stage.root, dict.fromkeys(FIRST, number))
        if number == 4 and until - time.monotonic() > BULK_SECONDS:
            for extra in range(BULK):
                folders.place(stage.root / f"bulk/b{extra}.md", f"# Bulk {extra}\n\nbulk{extra} words.\n", 1)
        record.attempt("sync")
        done = writer.run(stage.root, SYNC)
        times.append(done.seconds)
        if problem := done.problem(GOOD):
            record.fail("sync", "sync", number, problem)
        else:
            synced = number
            stage.note(written=number, synced=synced)
        if rng.random() < 0.3:
            crowd.kill_one()
    return times


def judge(record: Record, stage: Stage, searches: list[Search]) -> None:
    """Each search: no error, one text of each note, of a version that it can have, in time."""
    for number, one in enumerate(searches):
        record.attempt(f"search: {one['kind']}")
        if "error" in one:
            record.fail("refused", one["kind"], number, one["error"], seconds=round(one["seconds"], 2))
            continue
        if one.get("told"):
            record.attempt("told that it is not complete")
            continue
        versions = [int(found) for text in one["texts"] for found in re.findall(r"version-(\d+)", text)]
        first = max(1, one["before"])
        if len(versions) != 1 or not first <= versions[0] <= one["after"]:
            record.fail(
                "wrong",
                one["kind"],
                number,
                f"note {one['note']}: versions {versions} of {first} to {one['after']}",
            )
        if one["seconds"] > MOST_SECONDS:
            record.fail("slow", one["kind"], number, f"{one['seconds']:.2f} s")


def timings(searches: list[Search], syncs: list[float]) -> dict[str, Any]:
    """Median, 95 % and longest of searches by kind and of syncs, in seconds."""
    kinds = {
        kind: [one["seconds"] for one in searches if one["kind"] == kind]
        for kind in ("command", "busy", "open")
    }
    lists = {**{f"search: {kind}": values for kind, values in kinds.items()}, "sync": syncs}
    made = {
        name: {"p50": percentile(v, 0.5), "p95": percentile(v, 0.95), "max": max(v)}
        for name, v in lists.items()
        if v
    }
    rounded = {name: {key: round(value, 3) for key, value in one.items()} for name, one in made.items()}
    return {"seconds": rounded, "readers": BY_COMMAND + BUSY + IDLE, "cores": os.cpu_count()}
