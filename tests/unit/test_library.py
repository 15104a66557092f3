"""The front door: looks that write nothing, threads that share one library, and fields as they are now."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event

import pytest

from libraries import library, uris, write
from pincite.config import Config
from pincite.errors import IndexStaleError, PinciteError, StoreError, UsageError
from pincite.library import Library

FILES = {"a.md": "# Pump\n\nOil it twice a year.\n", "b.md": "# Seal\n\nTest it once a year.\n"}


def listing(folder: Path) -> list[tuple[str, int, int]]:
    """Every path below a folder with size and time, folders too: a file that comes or goes changes one."""
    return sorted(
        (str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in (folder, *folder.rglob("*"))
    )


def looks(opened: Library) -> None:
    """Everything that only looks."""
    status = opened.status()
    assert status.unindexed == ("new.md",) and status.documents == 2
    assert opened.show("a.md:3").lines == ("Oil it twice a year.",)
    assert opened.show("a.md:3").stale is None
    document, chunked = opened.parse(opened.root / "b.md")
    assert document.title == "Seal" and chunked.chunks


def test_a_look_writes_nothing(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as opened:
        opened.sync()
    write(tmp_path, {"new.md": "# New\n\nText.\n"})
    (tmp_path / ".pincite" / "catalog.stamp").unlink()
    before = listing(tmp_path)
    with library(tmp_path, {}) as opened:
        looks(opened)
    assert listing(tmp_path) == before


def test_a_look_at_a_folder_that_was_never_synced_writes_nothing(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    before = listing(tmp_path)
    with library(tmp_path, {}) as opened:
        assert opened.status().unindexed == ("a.md", "b.md")
        assert opened.show("a.md:1").lines == ("# Pump",)
    assert listing(tmp_path) == before


def test_a_look_into_an_open_library_sees_what_it_holds(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as opened:
        opened.sync()
        write(tmp_path, {"new.md": "# New\n\nText.\n"})
        looks(opened)
        assert opened.search("oil").hits
    with library(tmp_path, {}) as other, library(tmp_path, {}) as opened:
        other.sync()
        assert opened.status().documents == 3  # another one has it open


READ_ONLY = """
import sys
from pathlib import Path
import pincite
with pincite.open(sys.argv[1]) as library:
    print(library.status().documents, library.show("a.md:3").lines)
    try:
        library.search("oil")
    except pincite.PinciteError as error:
        print(error.exit_code, "--index" in error.hint)
"""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_can_be_looked_at(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as opened:
        opened.sync()
    folders = [tmp_path, tmp_path / ".pincite"]
    for folder in folders:
        folder.chmod(0o555)
    try:
        shown = subprocess.run(
            [sys.executable, "-c", READ_ONLY, str(tmp_path)], capture_output=True, text=True, check=True
        )
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert shown.stdout.splitlines() == ["2 ('Oil it twice a year.',)", "7 True"]


def test_threads_search_an_incomplete_library(tmp_path: Path) -> None:
    """Each embeds on demand what the others may be embedding too."""
    texts = {f"{n:02}.md": f"# Part {n}\n\nword{n} and common words of part {n}.\n" for n in range(60)}
    with library(tmp_path, texts) as opened:
        opened.search("common")  # reads the folder, without vectors

        def ask(n: int) -> list[str]:
            return uris(opened.search(f"word{n} common", k=3))

        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(ask, range(60)))
        assert all(uri in hits for uri, hits in zip(sorted(texts), found, strict=True))
        assert opened.status().dense_complete > 0.5
    with library(tmp_path, {}) as opened:
        assert opened.sync().dense_complete == 1


def test_threads_search_while_another_library_syncs(tmp_path: Path) -> None:
    """The index is renewed between questions, never under one."""
    texts = {f"{n:02}.md": f"# Part {n}\n\nword{n} and common words.\n" for n in range(40)}
    with library(tmp_path, texts) as opened:
        opened.sync()
        done = Event()

        def ask(n: int) -> int:
            asked = 0
            while not done.is_set():
                assert opened.search(f"word{n} common", k=3).hits
                asked += 1
            return asked

        with ThreadPoolExecutor(4) as pool:
            asking = [pool.submit(ask, n) for n in range(4)]
            try:
                with library(tmp_path, {}, config=Config(lock_wait=0.2)) as other:
                    for turn in range(3):
                        with suppress(IndexStaleError):  # others hold the index; the catalog is written
                            other.sync(meta={"turn": turn})
                opened._open().release()  # waits for its turn, however many ask
            finally:
                done.set()
            assert all(one.result() for one in asking)
        opened.sync(meta={"turn": 9})
        assert len(opened.search("common", filter="turn=9", k=50).hits) == 40


def dated(year: str) -> str:
    return f"---\nyear: {year}\n---\n# Pump\n\nOil it.\n"


def test_a_field_gets_its_type_back_when_its_odd_value_is_mended(tmp_path: Path) -> None:
    with library(
        tmp_path, {"a.md": dated("unknown"), "b.md": dated("2021"), "c.md": dated("2001")}
    ) as opened:
        opened.sync()
        assert opened.status().fields["year"] == "string"
        with pytest.raises(UsageError, match="year"):
            opened.search("oil", filter="year>=2020")
        write(tmp_path, {"a.md": dated("2020")})
        opened.sync()
        assert opened.status().fields["year"] == "number"
        assert sorted(uris(opened.search("oil", filter="year>=2020"))) == ["a.md", "b.md"]
        assert "n.year" in opened._open().index()._shard.info().payload_schema  # type: ignore[attr-defined]


def test_a_field_no_document_has_any_more_is_unknown(tmp_path: Path) -> None:
    files = {"a.md": dated("2020"), "b.md": "# Pump\n\nOil it.\n"}
    with library(tmp_path, files) as opened:
        opened.sync(meta={"team": "red"})
        assert {"year", "team"} <= set(opened.status().fields)
        (tmp_path / "a.md").unlink()
        opened.sync(meta={"team": ""})
        assert not {"year", "team"} & set(opened.status().fields)
        with pytest.raises(UsageError, match="year"):
            opened.search("oil", filter="year=2020")


def test_an_index_folder_that_is_a_file(tmp_path: Path) -> None:
    write(tmp_path, {**FILES, ".pincite": "in the way"})
    with library(tmp_path, {}) as opened:
        assert opened.status().documents == 0
        with pytest.raises(StoreError, match="cannot be written") as caught:
            opened.search("oil")
        assert isinstance(caught.value, PinciteError) and "--index" in caught.value.hint
