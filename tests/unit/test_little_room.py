"""A disk with little room: what is done stays done, and what only makes it faster is left out and told."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from failing_models import library
from pincite.errors import StoreError
from pincite.index import search_index


def little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1_000_000))


def test_a_finished_sync_does_not_fail_for_want_of_room_to_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        (tmp_path / f"n{number}.md").write_text(f"# Note {number}\n\nThe lamp {number} is red.\n")
    time.sleep(0.05)  # a file read within a tick of its last change is read again, which needs room
    with library(tmp_path) as opened:
        assert opened.sync().warnings == ()
        monkeypatch.setattr(search_index, "_FEW_CHANGES", 1)
        with monkeypatch.context() as patch:
            little(patch)
            for _ in range(2):
                report = opened.sync()
                assert (report.unchanged, report.failed, report.pending) == (3, (), ())
                (told,) = report.warnings
                assert told.startswith("the search index was not packed") and "1 MB free" in told
            assert len(opened.search("lamp").hits) == 3
        assert opened.sync().warnings == ()
        assert not opened._open().search_index.worth_optimizing


def test_what_is_new_still_needs_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("# A\n\nThe lamp is red.\n")
    with library(tmp_path) as opened:
        opened.sync()
        (tmp_path / "a.md").write_text("# A\n\nThe lamp is green.\n")
        with monkeypatch.context() as patch:
            little(patch)
            with pytest.raises(StoreError, match="the disk is full: 1 MB free"):
                opened.sync()
            assert len(opened.search("red").hits) == 1
        assert opened.sync().changed == ("a.md",)
