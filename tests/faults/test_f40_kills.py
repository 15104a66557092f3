"""F40: a sync killed at any moment, or on a full disk, leaves an index that answers and can be finished."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from failing_models import go, library, start, synced
from index_files import current, files_below
from pincite.errors import StoreError
from pincite.types import Everything

HERE = Path(__file__).parent / "F40"
FILES, KILLS = 30, 8


def write_notes(root: Path, version: int) -> None:
    """Notes that all change from one version to the next; each says which version it is."""
    for number in range(FILES):
        text = f"# Note {number}\n\nItem item-{number} is in state version-{version}.\n"
        (root / f"n{number}.md").write_text(text)


def counts(root: Path) -> tuple[int, int, int]:
    """Chunks in the catalog, points in the search index, and points with a vector."""
    with library(root) as opened:
        inside = opened._open()
        index, points = inside.index(), inside.catalog.point_ids(0, 10_000)
        return len(points), index.count(Everything()), len(index.vectors(points))


def leftovers(root: Path) -> list[str]:
    """Files in the index folder that a whole index does not have."""
    known = {".gitignore", "catalog.db", "catalog.stamp", "search.lock", "sync.lock"}
    index, generation = root / ".pincite", current(root / ".pincite")
    files = [file for file in files_below(index) if not file.is_relative_to(generation.folder)]
    return [file.name for file in files if file.name not in known | generation.names]


def test_killed_at_random_moments(tmp_path: Path) -> None:
    write_notes(tmp_path, 0)
    started = time.monotonic()
    synced(tmp_path)
    took = time.monotonic() - started
    assert leftovers(tmp_path) == []
    moments = random.Random(40)
    for version in range(1, KILLS + 1):
        write_notes(tmp_path, version)
        with start("ready(); library(Path(values[0])).sync()", tmp_path) as child:
            go(child)
            time.sleep(moments.uniform(0, took))
            child.kill()
        with library(tmp_path) as opened:
            for number in (3, 17):
                hits = opened.search(f"item-{number}").hits
                assert hits[0].stored.uri == f"n{number}.md"
                texts = [hit.stored.chunk.text for hit in hits if hit.stored.uri == f"n{number}.md"]
                assert len(texts) == 1 and any(f"version-{v}." in texts[0] for v in (version - 1, version))
        with library(tmp_path) as opened:
            report = opened.sync()
            assert (report.found, report.indexed, report.pending) == (FILES, FILES, ())
            hits = opened.search(f"version-{version - 1}", k=FILES).hits
            assert {hit.stored.chunk.text.split()[-1] for hit in hits} == {f"version-{version}."}
        assert counts(tmp_path) == (FILES, FILES, FILES)
        assert leftovers(tmp_path) == []


def test_disk_full(tmp_path: Path) -> None:
    """No file may grow past a limit: the sync says so, and the index before it still answers."""
    shutil.copytree(HERE / "docs", tmp_path, dirs_exist_ok=True)
    synced(tmp_path)
    for number in range(200):
        (tmp_path / f"more{number}.md").write_text(
            f"# More {number}\n\n" + f"the words of {number} and the rest of it " * 100
        )
    code = """
import resource
from pincite.errors import PinciteError
root = Path(values[0])
size = (root / ".pincite" / "catalog.db").stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 200_000, size + 200_000))
try:
    library(root).sync()
except PinciteError as error:
    print(f"{type(error).__name__}: {error.message} ({error.hint})")
"""
    with start(code, tmp_path) as child:
        said, problem = child.communicate()
    assert (child.returncode, problem) == (0, "")
    assert said.startswith("StoreError: /") and "disk space" in said
    with library(tmp_path) as opened:
        assert "garnet-1" in opened.search("garnet-1").hits[0].stored.chunk.text
    with library(tmp_path) as opened:
        assert opened.sync().indexed == 203


def test_too_little_room_is_seen_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shard writes through mapped files: on a full disk the system would end the process."""
    shutil.copytree(HERE / "docs", tmp_path, dirs_exist_ok=True)
    with library(tmp_path) as opened:
        opened.sync()
        (tmp_path / "a.md").unlink()
        (tmp_path / "new.md").write_text("# New\n\nopal-9\n")
        usage = shutil.disk_usage(tmp_path)
        monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=20_000_000))
        with pytest.raises(StoreError, match="disk is full: 20 MB free") as caught:
            opened.sync()
        assert caught.value.hint
        assert "garnet-1" in opened.search("garnet-1").hits[0].stored.chunk.text
        monkeypatch.undo()
        assert opened.sync().added == ("new.md",)
