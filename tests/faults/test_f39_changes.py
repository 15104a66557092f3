"""F39: content decides whether a file changed; times, sizes and inodes only say what need not be read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from failing_models import HashedWords, library, synced
from index_files import files_below
from pincite.library import Library

HERE = Path(__file__).parent / "F39"
BEFORE, AFTER = (HERE / "before.md").read_bytes(), (HERE / "after.md").read_bytes()


def set_time(path: Path, ns: int) -> None:
    os.utime(path, ns=(path.stat().st_atime_ns, ns))


def holds(opened: Library, word: str) -> bool:
    """Whether a hit's text has the word."""
    return any(word in hit.stored.chunk.text for hit in opened.search(word).hits)


def test_the_four_steps(tmp_path: Path) -> None:
    file, model = tmp_path / "code.md", HashedWords()
    assert len(BEFORE) == len(AFTER)
    with library(tmp_path, model) as opened:
        file.write_bytes(BEFORE)
        opened.sync()
        time = file.stat().st_mtime_ns
        # 1. other content of the same size, put in the file's place with its old time
        file.write_bytes(AFTER)
        set_time(file, time)
        assert opened.sync().changed == ("code.md",)
        assert holds(opened, "7791") and not holds(opened, "7719")
        # 2. a new time, the same content
        model.seen.clear()
        set_time(file, time + 5_000_000_000)
        report = opened.sync()
        assert (report.changed, report.unchanged, report.embedded, model.seen) == ((), 1, 0, [])
        # 3. an earlier time with other content
        file.write_bytes(BEFORE)
        set_time(file, time - 3_600_000_000_000)
        assert opened.sync().changed == ("code.md",)
        assert holds(opened, "7719") and not holds(opened, "7791")
        # 4. two writes within a second, a sync between them
        for content in (AFTER, BEFORE.replace(b"7719", b"7720")):
            file.write_bytes(content)
            opened.sync()
        assert holds(opened, "7720") and not holds(opened, "7791")


def test_a_replaced_file_with_equal_size_and_times(tmp_path: Path) -> None:
    """A restore by rename keeps size and time; inode and ctime tell."""
    file = tmp_path / "code.md"
    file.write_bytes(BEFORE)
    with library(tmp_path) as opened:
        opened.sync()
        other = tmp_path / "other.tmp"
        other.write_bytes(AFTER)
        shutil.copystat(file, other)
        other.replace(file)
        assert opened.sync().changed == ("code.md",)


def test_nothing_changed_writes_nothing(tmp_path: Path) -> None:
    """Beside the time of the last sync: no vector, no segment, no page of text."""
    model = HashedWords()
    for number in range(5):
        (tmp_path / f"{number}.md").write_text(f"# Note {number}\n\nwords of {number}\n")
    synced(tmp_path, model)
    with library(tmp_path, model) as opened:
        opened.sync()
    index = tmp_path / ".pincite"
    before = {path: path.stat().st_mtime_ns for path in files_below(index)}
    catalog = (index / "catalog.db").read_bytes()
    model.seen.clear()
    with library(tmp_path, model) as opened:
        report = opened.sync()
    assert (report.embedded, report.unchanged, model.seen) == (0, 5, [])
    after = {path: path.stat().st_mtime_ns for path in files_below(index)}
    touched = {path.name for path in after if after[path] != before.get(path)}
    assert touched <= {"catalog.db", "catalog.stamp", "sync.lock", "search.lock"}
    now = (index / "catalog.db").read_bytes()
    pages = [at for at in range(0, len(now), 4096) if now[at : at + 4096] != catalog[at : at + 4096]]
    assert len(now) == len(catalog) and len(pages) <= 3


def test_an_edit_while_the_folder_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was stored is what was read: an edit between the walk and the reading is seen by the next sync."""
    from pincite.sync.plan import plan as whole

    file = tmp_path / "code.md"
    file.write_bytes(BEFORE)

    def plan(*args: object, **more: object) -> object:
        file.write_bytes(AFTER)
        return whole(*args, **more)  # type: ignore[arg-type]

    with library(tmp_path) as opened:
        with monkeypatch.context() as patch:
            patch.setattr("pincite.sync.plan.plan", plan)
            opened.sync()
        assert holds(opened, "7791") or opened.sync().changed == ("code.md",)
        opened.sync()
        assert holds(opened, "7791") and not holds(opened, "7719")
