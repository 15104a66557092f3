"""Damage: flipped bits in every page of the catalog and over the rest of the index, cut and emptied files.

After each, every result is that of the undamaged index, or is marked, or is an error that names the file and
the command that mends; and that command mends.
"""

from __future__ import annotations

import os
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hostile import folders
from hostile.commands import Commands, Outcome, Ran
from hostile.kills import ASK, EVERY, FIRST, SYNC
from hostile.record import Record, skipped

PAGE = 4096
LOOK = (*folders.searches(), EVERY, ("status", "--json"), ASK)
AGAIN = (LOOK[0], EVERY)
CATALOG = "catalog.db"
HEADER = 100
Damage = Callable[[bytes, random.Random], bytes]


def run(seed: int, n: int) -> dict[str, Any]:
    """At least n damaged files; every page of the catalog is one of them at least once."""
    if sys.platform != "linux":
        return skipped("needs Linux")
    record = Record("flips", seed)
    with folders.scratch("flips") as folder, Commands() as runner:
        stage = Stage(Path(folder), runner)
        damages = plan(stage, random.Random(seed), n)
        for number in record.numbers(len(damages)):
            attempt(record, stage, *damages[number], random.Random(f"{seed}/{number}"), number)
    wrong = record.failed["wrong unflagged"]
    return record.figures(pages_of_catalog=stage.pages, files=len(stage.files), wrong_unflagged=wrong)


class Stage:
    """A folder with its whole index, and what is right."""

    def __init__(self, base: Path, runner: Commands) -> None:
        self.runner, self.whole, self.work = runner, base / "whole", base / "work"
        folders.write_notes(self.whole, FIRST)
        folders.fresh(runner, self.whole)
        self.right = runner.run(self.whole, *LOOK)
        index = self.whole / folders.INDEX
        self.files = [file.relative_to(index).as_posix() for file in folders.files_below(index)]
        self.pages = (index / CATALOG).stat().st_size // PAGE


def plan(stage: Stage, rng: random.Random, n: int) -> list[tuple[str, int, str]]:
    """File, place and way of each damage: catalog pages first, then the other files by turns."""
    places = [("rot", page * PAGE + rng.randrange(PAGE)) for page in range(stage.pages)]
    places += [
        ("rot", rng.randrange(HEADER)),
        ("flip", rng.randrange(HEADER)),
        ("rot", rng.randrange(HEADER, PAGE)),
    ]
    places += [("flip", page * PAGE + rng.randrange(PAGE)) for page in range(stage.pages)]
    catalog = [(CATALOG, at, how) for how, at in places]
    catalog += [(CATALOG, rng.randrange(stage.pages) * PAGE, how) for how in WHOLE_FILE]
    others = [name for name in stage.files if name != CATALOG]
    rest = [(name, -1, how) for name in others for how in ("flip", "rot", *WHOLE_FILE)]
    small = [one for one in rest if "/" not in one[0] or one[0].count("/") == 1]
    chosen = [*rng.sample(catalog, min(len(catalog), max(n // 2, min(n, stage.pages))))]
    chosen += folders.shuffled(rng, small)[: (n - len(chosen)) // 2]
    chosen += folders.shuffled(rng, rest)[: n - len(chosen)]
    while len(chosen) < n:
        chosen.append((CATALOG, rng.randrange(stage.pages * PAGE), rng.choice(("rot", "flip"))))
    return catalog[: stage.pages] + chosen if n > 2 * stage.pages else chosen


def flipped(data: bytes, at: int, rng: random.Random) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _zeroed(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(max(1, len(data) // PAGE)) * PAGE
    return data[:at] + bytes(min(PAGE, len(data) - at)) + data[at + PAGE :]


WHOLE_FILE: dict[str, Damage] = {
    "cut to half": lambda data, rng: data[: len(data) // 2],
    "cut by one": lambda data, rng: data[:-1],
    "empty": lambda data, rng: b"",
    "page of zeros": _zeroed,
    "noise": lambda data, rng: rng.randbytes(min(len(data), PAGE)),
    "longer": lambda data, rng: data + rng.randbytes(17),
}


def harm(file: Path, at: int, how: str, rng: random.Random) -> str:
    """Damages a file in place; as rot, its times stay. Returns what was done, empty if nothing changed."""
    before, status = file.read_bytes(), file.stat()
    if how in WHOLE_FILE:
        after = WHOLE_FILE[how](before, rng)
    elif before:
        at = at if at >= 0 else used_place(file, rng)
        after = flipped(before, at, rng)
    else:
        return ""
    if after == before:
        return ""
    write_changed(file, before, after)
    if how == "rot":
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    return f"{how} at byte {at} of {len(before)}"


def used_place(file: Path, rng: random.Random) -> int:
    """A random byte of the file, of its blocks that are not holes where there are some."""
    data = file.read_bytes()
    blocks = [
        at for at in range(0, len(data), PAGE) if data.count(0, at, at + PAGE) < min(PAGE, len(data) - at)
    ]
    first = rng.choice(blocks) if blocks and rng.random() < 0.8 else rng.randrange(0, len(data), PAGE)
    return first + rng.randrange(min(PAGE, len(data) - first))


def write_changed(file: Path, before: bytes, after: bytes) -> None:
    """Writes only the blocks that differ, so that holes stay."""
    with file.open("r+b") as stream:
        stream.truncate(len(after))
        for at in range(0, len(after), PAGE):
            if after[at : at + PAGE] != before[at : at + PAGE]:
                stream.seek(at)
                stream.write(after[at : at + PAGE])


def attempt(
    record: Record, stage: Stage, name: str, at: int, how: str, rng: random.Random, number: int
) -> None:
    folders.renew(stage.whole, stage.work)
    if how == "rot":  # the copy is looked at once, so that it is known to be whole
        stage.runner.run(stage.work, LOOK[0])
    file = stage.work / folders.INDEX / name
    done_to = harm(file, at, how, rng) if file.exists() else ""
    if not done_to:
        return
    kind = f"{kind_of(name)}: {how}"
    record.attempt(kind)
    done = stage.runner.run(stage.work, *LOOK, SYNC, *AGAIN, timeout=60)
    more = {"file": name, "damage": done_to}
    for what, message in [*seen(stage, done, name), *mended(stage, done)]:
        record.fail(what, kind, number, message, **more)


def kind_of(name: str) -> str:
    return "catalog" if name == CATALOG else "shard" if name.startswith("search/") else "small files"


def seen(stage: Stage, looked: Outcome, name: str) -> list[tuple[str, str]]:
    """What is wrong with what the commands said of a damaged index."""
    if problem := looked.problem():
        return [("ugly", problem)]
    found = []
    for got, right in zip(looked.ran, stage.right.ran, strict=False):
        if got.code == 0 and result(got) != result(right) and not flagged(got, right):
            found.append(("wrong unflagged", f"{got.command}: {difference(got, right)}"))
        elif got.code and not named(got, name):
            found.append(("unnamed", f"{got.command}: exit {got.code}: {got.said}"))
    return found[:1]


def result(ran: Ran) -> Any:
    """What a command found, to be compared."""
    if ran.words[0] == "search":
        return folders.plain(ran)
    if ran.words[0] == "status":
        return {key: value for key, value in ran.json().items() if key in ("documents", "chunks", "model")}
    return ran.out


def flagged(got: Ran, right: Ran) -> bool:
    """Whether the output itself says that something is amiss."""
    stale = any(hit.get("stale") for hit in got.json().get("hits", []))
    return stale or got.err != right.err or got.json().get("notices") != right.json().get("notices")


def difference(got: Ran, right: Ran) -> str:
    if got.words[0] == "search":
        return folders.hit_difference(folders.plain(got), folders.plain(right))
    return f"{str(result(got))[:150]} instead of {str(result(right))[:150]}"


def named(ran: Ran, name: str) -> bool:
    """Whether the error names the file or the part of the index it belongs to, and a command."""
    return bool(name.split("/")[0] in ran.err and re.search(r"pincite sync|remove |rm -", ran.err))


def mended(stage: Stage, done: Outcome) -> list[tuple[str, str]]:
    """What is not right after the sync, or after what its error tells to remove and another sync."""
    sync, after = done.ran[len(LOOK) :][:1], done.ran[len(LOOK) + 1 :]
    if not sync or sync[0].code:
        folders.follow(stage.work, done.last.err + (sync[0].err if sync else ""))
        after = stage.runner.run(stage.work, SYNC, *AGAIN).ran[1:]
    for got, words in zip(after, AGAIN, strict=False):
        right = stage.right.ran[LOOK.index(words)]
        if got.code or result(got) != result(right):
            what = difference(got, right) if not got.code else f"exit {got.code}: {got.said}"
            return [("not mended", f"{got.command}: {what}")]
    return [] if len(after) == len(AGAIN) else [("not mended", "the commands did not end")]
