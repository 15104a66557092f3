"""Calls that fail, full disks, signals: each a clear error with a known exit code, healed by a sync."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hostile import commands, folders
from hostile.commands import CHANGE, LOCK, READ, Commands, Outcome
from hostile.kills import ASK, EVERY, FEW, FIRST, GOOD, SYNC
from hostile.record import Record, skipped

ERRORS = {
    CHANGE: (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EINTR, errno.EROFS, errno.EDQUOT),
    READ: (errno.EIO, errno.EACCES, errno.EINTR, errno.EMFILE, errno.ESTALE),
    LOCK: (errno.ENOLCK, errno.EOPNOTSUPP, errno.EIO, errno.EINTR),
}
CLASS_NAMES = {CHANGE: "change", READ: "read", LOCK: "lock"}
SIGNALS = {
    signal.SIGINT: {0, 130},
    signal.SIGTERM: {0, 143},
    signal.SIGHUP: {0, 129},
    signal.SIGPIPE: {0, 141},
}
SCENES: dict[str, tuple[str, ...]] = {
    "fresh": SYNC,
    "edit": SYNC,
    "search": folders.searches()[0],
    "ask": ASK,
}
MEGABYTE = 1_000_000


def run(seed: int, n: int) -> dict[str, Any]:
    """n attempts: three quarters failing calls, the rest full disks and signals."""
    if sys.platform != "linux":
        return skipped("needs Linux")
    record = Record("io_errors", seed)
    with folders.scratch("io") as folder, Commands() as runner:
        stage = Stage(Path(folder), runner)
        for number in record.numbers(n):
            rng = random.Random(f"{seed}/{number}")
            way = (failing_call, failing_call, failing_call, full_disk, sent_signal, failing_call)[number % 6]
            way(record, stage, rng, number)
    return record.figures(shim=commands.shim() is not None, disks="tmpfs" if may_mount() else "RLIMIT_FSIZE")


class Stage:
    """The folder before and after an edit, the right answers, and how many calls each command makes."""

    def __init__(self, base: Path, runner: Commands) -> None:
        self.runner, self.work = runner, base / "work"
        self.empty, self.before, self.after = base / "empty", base / "before", base / "after"
        folders.write_notes(self.empty, {})
        folders.write_notes(self.before, FEW)
        folders.write_notes(self.after, {n: 1 + n % 2 for n in FIRST})
        self.old = folders.fresh(runner, self.before)
        self.right = folders.fresh(runner, self.after)
        self.calls: dict[tuple[str, int], int] = {}

    def prepare(self, scene: str) -> None:
        start = {"fresh": self.empty, "edit": self.before}.get(scene, self.after)
        folders.renew(start, self.work)
        folders.bring_to(self.work, self.after)

    def count(self, scene: str, classes: int) -> int:
        """Calls of a class on the folder by a command that nothing hinders."""
        if (scene, classes) not in self.calls:
            self.prepare(scene)
            done = self.runner.run(self.work, SCENES[scene], arm=commands.arm(self.work, 0, classes=classes))
            self.calls[scene, classes] = done.calls
        return self.calls[scene, classes]


def failing_call(record: Record, stage: Stage, rng: random.Random, number: int) -> None:
    """The Nth call fails: once, or it and all later ones."""
    if commands.shim() is None:
        return
    scene, classes = rng.choice(list(SCENES)), rng.choice((CHANGE, CHANGE, READ, LOCK))
    calls = stage.count(scene, classes)
    if not calls:
        return
    code, at, sticky = rng.choice(ERRORS[classes]), rng.randint(1, calls), rng.random() < 0.4
    sticky = sticky and code != errno.EINTR  # a call that is always interrupted would be tried for ever
    stage.prepare(scene)
    plan = commands.arm(stage.work, at, classes=classes, errno=code, sticky=sticky)
    done = stage.runner.run(stage.work, SCENES[scene], arm=plan)
    case = f"{scene}: {errno.errorcode[code]} of a {CLASS_NAMES[classes]}"
    record.attempt(case)
    judge(record, stage, case, number, done, {"call": f"{at} {done.struck}", "sticky": sticky})


def judge(record: Record, stage: Stage, case: str, number: int, done: Outcome, how: dict[str, Any]) -> None:
    """The command's end, and whether the next sync makes all good."""
    how = {**how, "command": done.last.command}
    if problem := done.problem():
        record.fail("ugly", case, number, problem, **how)
    elif done.last.code and not done.last.err.strip():
        record.fail("silent", case, number, f"exit {done.last.code} and nothing said", **how)
    elif done.last.code == 0 and done.last.words[0] == "search" and wrong_unsaid(stage, done):
        record.fail("wrong", case, number, wrong_unsaid(stage, done), **how)
    after = stage.runner.run(stage.work, SYNC, *folders.searches(), ASK, EVERY)
    if problem := after.problem(GOOD):
        record.fail("not healed", case, number, problem, after=done.last.said, **how)
    elif difference := folders.first_difference(folders.answers(after)[:-1], stage.right):
        record.fail("not healed", case, number, difference, after=done.last.said, **how)


def wrong_unsaid(stage: Stage, done: Outcome) -> str:
    """What is wrong with a search that ended with 0 and said nothing.

    A file that could not be looked at is said to be "unreadable" with its hit.
    """
    if done.last.err.strip():
        return ""
    found = folders.answers(done)
    for hit in found[0] or []:
        hit["stale"] = None if hit["stale"] == "unreadable" else hit["stale"]
    return folders.first_difference(found, stage.right[:1])


def full_disk(record: Record, stage: Stage, rng: random.Random, number: int) -> None:
    """A sync on a disk with little room, or whose files may not grow beyond a size."""
    scene, size = rng.choice(("fresh", "edit")), rng.choice((1, 2, 4, 8, 16, 24, 32, 48))
    stage.prepare(scene)
    if may_mount() and number % 4 < 2:
        case = f"{scene}: full disk"
        with small_disk(stage.work, size) as fits:
            if not fits:
                return
            record.attempt(case)
            done = stage.runner.run(stage.work, SYNC)
        judge(record, stage, case, number, done, {"megabytes": size})
        return
    case = f"{scene}: file size"
    record.attempt(case)
    done = stage.runner.run(stage.work, SYNC, file_size=size * rng.choice((MEGABYTE // 50, MEGABYTE)))
    judge(record, stage, case, number, done, {"megabytes": size})


def may_mount() -> bool:
    return os.geteuid() == 0 and sys.platform == "linux" and os.access("/proc/filesystems", os.R_OK)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[bool]:
    """The folder on a disk of this size, and back where it was afterwards; False if it cannot be."""
    kept = folder.with_name("kept")
    folders.remove(kept)
    folder.rename(kept)
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        folder.rmdir()
        kept.rename(folder)
        yield False
        return
    inside = ["cp", "-a", "--sparse=always", f"{kept}/.", str(folder)]
    fits = subprocess.run(inside, capture_output=True, check=False).returncode == 0
    try:
        yield fits
    finally:
        if fits:
            folders.renew(folder, kept)
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()
        kept.rename(folder)


def sent_signal(record: Record, stage: Stage, rng: random.Random, number: int) -> None:
    """A signal at a random moment: the exit code that stands for it, or the signal's own end."""
    scene, which = rng.choice(list(SCENES)), rng.choice(list(SIGNALS))
    case = f"{scene}: {which.name}"
    record.attempt(case)
    stage.prepare(scene)
    moment = rng.uniform(0, 1.0)
    done = stage.runner.run(stage.work, SCENES[scene], kill_after=moment, signal=int(which))
    how = {"moment": round(moment, 4)}
    code = done.last.code
    if code is not None and code not in SIGNALS[which] and not (code == 0 or done.last.ugly):
        record.fail("exit code", case, number, f"exit {code}: {done.last.said}", **how)
    if done.signal == which:  # the default action of the signal, without a word
        done = Outcome(done.ran, 0, done.timed_out, done.seconds, done.rss_mb)
    judge(record, stage, case, number, done, how)
