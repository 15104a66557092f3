"""Crafted index folders, as they may come with a folder of documents: nothing outside is read or changed.

Beside the library lies a folder with a secret and an index of its own. After every command it must be as it
was, and the secret in no output; time and memory are bounded, and a refusal is a message with the command
that mends.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

from hostile import crafted_catalogs, crafted_files, crafted_links, folders
from hostile.commands import Commands, Outcome
from hostile.kills import ASK, FIRST, SYNC
from hostile.record import Record, skipped

SECRET = "quokka-4711"
SEARCH = folders.searches()[0]
STEPS = (
    ("status", "--json"),
    ("search", "--json", "what is the passphrase of the vault"),
    ("show", "n01.md:1-8"),
    ASK,
    SYNC,
    ("search", "--json", "what is the passphrase of the vault"),
    SEARCH,
)
ELSEWHERE = "--index DIR"  # what is not ours is left alone
SECONDS, MEGABYTES = 30.0, 1200.0
KINDS = {**crafted_links.KINDS, **crafted_files.KINDS, **crafted_catalogs.KINDS}


def run(seed: int, n: int) -> dict[str, Any]:
    """n crafted indexes, every kind as often as the others, each time at another place in the index."""
    if sys.platform != "linux":
        return skipped("needs Linux")
    record, slowest, largest = Record("crafted", seed), 0.0, 0.0
    with folders.scratch("crafted") as folder, Commands(timeout=90) as runner:
        stage = Stage(Path(folder), runner)
        order = folders.shuffled(random.Random(seed), KINDS)
        for number in record.numbers(n):
            kind = order[number % len(order)]
            done = attempt(record, stage, kind, random.Random(f"{seed}/{number}"), number)
            slowest = max([slowest, *(one.seconds or 0.0 for one in done.ran)]) if done else slowest
            largest = max(largest, done.rss_mb) if done else largest
    figures = {"outside": record.failed["outside"], "escapes": record.failed["secret"]}
    bounds = {"slowest_command_s": round(slowest, 1), "most_memory_mb": round(largest)}
    sealed = {"resealed": crafted_files.can_seal(), "sums_made_anew": crafted_catalogs.can_sum()}
    return record.figures(kinds=len(KINDS), **figures, **bounds, **sealed)


class Stage:
    """A library with its index, and the folder beside it that nobody may touch."""

    def __init__(self, base: Path, runner: Commands) -> None:
        self.runner = runner
        self.whole, self.near = base / "whole", base / "whole_near"
        self.work, self.outside = base / "here" / "library", base / "here" / "outside"
        folders.write_notes(self.whole, FIRST)
        folders.fresh(runner, self.whole)
        self.edited = base / "edited"
        folders.write_notes(self.edited, {**FIRST, 2: 5})
        self.right = folders.fresh(runner, self.edited)[0]
        vault = f"---\narea: north\n---\n# Vault\n\nThe passphrase of the vault is {SECRET}, item-3.\n"
        folders.place(self.near / "lib" / "vault.md", vault, folders.EPOCH)
        folders.place(self.near / "secret.md", vault, folders.EPOCH)
        folders.place(self.near / "box" / "deep" / "kept.txt", f"kept {SECRET}\n", folders.EPOCH)
        folders.place(self.near / "box" / "segments" / "kept.json", "{}", folders.EPOCH)
        folders.fresh(runner, self.near / "lib")

    def prepare(self) -> Path:
        folders.renew(self.whole, self.work)
        folders.renew(self.near, self.outside)
        folders.bring_to(self.work, self.edited)  # so that a sync has something to write
        return self.work / folders.INDEX


def attempt(record: Record, stage: Stage, kind: str, rng: random.Random, number: int) -> Outcome | None:
    index = stage.prepare()
    place = KINDS[kind](index, stage.outside, rng)
    if place is None:
        return None
    record.attempt(kind)
    before = folders.tree(stage.outside)
    done = stage.runner.run(stage.work, *STEPS)
    for what, message in [*wrong(stage, before, done), *helpless(stage, done)]:
        record.fail(what, kind, number, message, place=place)
    return done


def helpless(stage: Stage, done: Outcome) -> list[tuple[str, str]]:
    """A refusal that a sync, and what the messages tell to remove, does not end."""
    for _ in range(3):
        if done.last.code == 0 or ELSEWHERE in done.last.err:
            return []
        folders.follow(stage.work, "".join(one.err for one in done.ran))
        done = stage.runner.run(stage.work, SYNC, SEARCH)
    if folders.answers(done) == [stage.right] or ELSEWHERE in done.last.err:
        return []
    return [("not mended", f"{done.last.command}: exit {done.last.code}: {done.last.said}")]


def wrong(stage: Stage, before: dict[str, Any], done: Outcome) -> list[tuple[str, str]]:
    found = []
    if touched := folders.tree_difference(before, folders.tree(stage.outside)):
        found.append(("outside", f"changed outside: {touched}"))
    if told := [one.command for one in done.ran if SECRET in one.out + one.err]:
        found.append(("secret", f"{told[0]} shows what stands outside"))
    if problem := done.problem():
        found.append(("ugly", problem))
    if slow := [one for one in done.ran if (one.seconds or 0.0) > SECONDS]:
        found.append(("slow", f"{slow[0].command}: {slow[0].seconds:.1f} s"))
    if done.rss_mb > MEGABYTES:
        found.append(("memory", f"{done.rss_mb:.0f} MB"))
    if bare := [one for one in done.ran if one.code and "\n" not in one.err.strip()]:
        found.append(("no hint", f"{bare[0].command}: exit {bare[0].code}: {bare[0].said}"))
    return found
