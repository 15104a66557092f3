"""A small part of `bench/hostile`, and that its judges see what they are there for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hostile import commands, crafted, folders, frames, kills, tenants
from hostile.commands import Outcome, Ran
from hostile.record import Record

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="forks, pidfd and preloading as Linux has them"
)


PARTS: dict[str, Callable[[], dict[str, Any]]] = {
    "kills": lambda: kills.run(1, 2, methods=("random", "shim"), only=("edit",)),
    "crafted": lambda: crafted.run(2, 2),
    "tenants": lambda: tenants.run(6, 50),
}


@pytest.mark.parametrize("part", PARTS)
def test_a_few_attempts_of_each_part(part: str) -> None:
    figures = PARTS[part]()
    assert figures["attempts"] > 0
    assert figures["failures"] == []


def test_frames() -> None:
    assert frames.run(7, 40)["escapes"] == 0


# ── the judges ────────────────────────────────────────────────────────────────────────────────
def ran(code: int, out: str = "", err: str = "", words: tuple[str, ...] = ("sync",)) -> Ran:
    return Ran(words, code, out, err, 0.1)


def test_ends_that_no_command_may_have_are_seen() -> None:
    assert ran(0, err="unexpected rain").ugly == ""  # of a command that ended well
    assert ran(7, err="pincite: damaged\n  run: pincite sync").ugly == ""
    assert ran(70, err="pincite: x").ugly == "exit 70"
    assert "Traceback" in ran(1, err="Traceback (most recent call last)").ugly
    killed = Outcome((ran(0), Ran(("ask",), None, "", "", None)), 11, False, 1.0, 1.0)
    assert "signal 11" in killed.problem()
    assert "exit 5" in Outcome((ran(5),), 0, False, 1.0, 1.0).problem(frozenset({0}))


def test_a_foreign_word_is_seen_and_an_own_one_is_not() -> None:
    record = Record("tenants", 0)
    call = tenants.Call("b", ["tenant=tenant-qx7b"], "gauge", 0)
    tenants.judge(record, call, "search", "qx7b-files/shared.md 7310021 2031-02-11 tenant-qx7", "gauge")
    assert not record.failures
    for text in ("also at qx7c-files/shared.md", "7310031", "2031-03-10", "all 30 chunks"):
        tenants.judge(record, call, "search", text, "gauge")
    assert record.failed == {"foreign": 3, "count": 1}


def test_what_changes_outside_is_seen(tmp_path: Path) -> None:
    folders.place(tmp_path / "box" / "kept.txt", "kept", folders.EPOCH)
    before = folders.tree(tmp_path)
    assert folders.tree_difference(before, folders.tree(tmp_path)) == ""
    folders.place(tmp_path / "box" / "kept.txt", "kepd", folders.EPOCH)
    assert "box/kept.txt" in folders.tree_difference(before, folders.tree(tmp_path))


@pytest.mark.skipif(commands.shim() is None, reason="no compiler for the shim")
def test_the_shim_counts_fails_and_kills(tmp_path: Path) -> None:
    folders.write_notes(tmp_path, {1: 1})
    with commands.Commands() as runner:
        counted = runner.run(tmp_path, ("sync", "--quiet"), arm=commands.arm(tmp_path, 0))
        assert counted.last.code == 0 and counted.calls > 20
        folders.remove(tmp_path / folders.INDEX)
        killed = runner.run(tmp_path, ("sync", "--quiet"), arm=commands.arm(tmp_path, 7))
        assert commands.killed(killed) and killed.calls == 7 and str(tmp_path) in killed.struck
        full = runner.run(tmp_path, ("sync", "--quiet"), arm=commands.arm(tmp_path, 9, errno=28, sticky=True))
        assert full.last.code == 7 and "space" in full.last.err
