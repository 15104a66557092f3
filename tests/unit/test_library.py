"""The front door: looks that write nothing, threads that share one library, and fields as they are now."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from time import sleep

import pytest

import pincite
from libraries import library, uris, write
from pincite.config import Config
from pincite.errors import IndexStaleError, PinciteError, StoreError, UsageError
from pincite.library import Library
from pincite.types import And, Match, Or

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


def test_a_library_syncs_while_its_own_threads_search(tmp_path: Path) -> None:
    """A sync waits for no one but the questions that run, and they go on between its turns."""
    texts = {f"{n:02}.md": f"# Part {n}\n\nword{n} and common words.\n" for n in range(20)}
    with library(tmp_path, texts, config=Config(lock_wait=0.5)) as opened:
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
                for turn in range(5):
                    write(tmp_path, {"new.md": f"# New\n\nfresh{turn} common words.\n"})
                    opened.sync()
                    assert uris(opened.search(f"fresh{turn}"))[:1] == ["new.md"]
            finally:
                done.set()
            assert min(one.result() for one in asking) >= 3


def test_two_threads_that_sync_one_library_take_turns(tmp_path: Path) -> None:
    with library(tmp_path, FILES, config=Config(lock_wait=0.5)) as opened, ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda n: opened.sync(), range(4)))
        assert sorted(len(report.added) for report in reports) == [0, 0, 0, 2]


def test_threads_that_search_a_new_library_read_it_once(tmp_path: Path) -> None:
    with library(tmp_path, FILES, config=Config(lock_wait=0.5)) as opened, ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: uris(opened.search("oil", legs=("lexical",))), range(4)))
        assert found == [["a.md"]] * 4


def test_closing_waits_for_the_questions_that_run_and_a_later_one_opens_again(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as opened:
        opened.sync()
        done = Event()

        def ask() -> int:
            asked = 0
            while not done.is_set():
                assert uris(opened.search("oil", legs=("lexical",))) == ["a.md"]
                asked += 1
            return asked

        with ThreadPoolExecutor(3) as pool:
            asking = [pool.submit(ask) for _ in range(3)]
            try:
                for _ in range(10):
                    sleep(0.02)
                    opened.close()
            finally:
                done.set()
            assert all(one.result() for one in asking)


def test_what_a_sync_calls_can_ask_but_not_close_its_library(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as opened:
        opened.sync()
        found: list[str] = []
        write(tmp_path, {"a.md": "# Pump\n\nOil it weekly.\n"})
        opened.sync(progress=lambda _: found.extend(uris(opened.search("oil"))))
        assert "a.md" in found
        write(tmp_path, {"a.md": "# Pump\n\nOil it daily.\n"})
        with pytest.raises(UsageError, match="while this thread"):
            opened.sync(progress=lambda _: opened.close())
        opened.sync()
        assert opened.search("oil").hits


def test_a_forked_process_opens_the_library_anew(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as opened:
        opened.sync()
        opened.search("oil")
        child = os.fork()
        if not child:
            os._exit(0 if uris(opened.search("test", legs=("lexical",))) == ["b.md"] else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert opened.search("oil").hits


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda lib: lib.search(5), "text: expected text, got 5"),
        (lambda lib: lib.ask(None), "text: expected text, got None"),
        (lambda lib: lib.search("oil", k="3"), "k: expected a whole number from 1"),
        (lambda lib: lib.search("oil", k=None), "k: expected a whole number"),
        (lambda lib: lib.search("oil", k=1.5), "k: expected a whole number"),
        (lambda lib: lib.search("oil", k=True), "k: expected a whole number"),
        (lambda lib: lib.ask("oil", k=2**63), "k: expected a whole number"),
        (lambda lib: lib.ask("oil", k=10**5000), "k: expected a whole number"),
        (lambda lib: lib.search("oil", filter=[5]), "filter: expected text"),
        (lambda lib: lib.search("oil", filter=b"type=markdown"), "filter: expected"),
        (lambda lib: lib.search("oil", filter=5), "filter: expected"),
        (lambda lib: lib.search("oil", filter=Match("type", 5)), "filter: field 'type': expected a list"),  # type: ignore[arg-type]
        (lambda lib: lib.search("oil", filter=Match("type", "markdown")), "expected a list"),  # type: ignore[arg-type]
        (lambda lib: lib.search("oil", filter=And(5)), "filter: And: expected a list"),  # type: ignore[arg-type]
        (lambda lib: lib.search("oil", filter=Or((5,))), "filter: expected a Filter"),  # type: ignore[arg-type]
        (lambda lib: lib.search("oil", legs="lexical"), "legs: expected a list of texts"),
        (lambda lib: lib.search("oil", legs=5), "legs: expected a list of texts"),
        (lambda lib: lib.search("oil", fusion=5), "fusion: expected text"),
        (lambda lib: lib.parse("x\0"), "path: expected a path"),
        (lambda lib: lib.parse(5), "path: expected a path"),
        (lambda lib: lib.show(None), "location: expected text"),
        (lambda lib: lib.show("a.md", context=-1), "context: expected a whole number"),
        (lambda lib: lib.sync(meta={5: 1}), "meta: expected a dictionary with texts as keys"),
        (lambda lib: lib.sync(meta=[1]), "meta: expected a dictionary"),
        (lambda lib: lib.evaluate(5), "questions: expected a path"),
        (lambda lib: pincite.open(5), "path: expected a path"),
        (lambda lib: pincite.open("x\0y"), "path: expected a path"),
        (lambda lib: pincite.open(lib.root, index=5), "index: expected a path"),
    ],
)
def test_an_argument_of_another_kind_is_named(
    tmp_path: Path, call: Callable[[Library], object], words: str
) -> None:
    with library(tmp_path, FILES) as opened:
        opened.sync()
        with pytest.raises(UsageError) as caught:
            call(opened)
    assert words in caught.value.message


def dated(year: str) -> str:
    return f"---\nyear: {year}\n---\n# Pump\n\nOil it.\n"


def test_a_field_gets_its_type_back_when_its_odd_value_is_mended(tmp_path: Path) -> None:
    with library(
        tmp_path, {"a.md": dated("unknown"), "b.md": dated("2021"), "c.md": dated("2001")}
    ) as opened:
        opened.sync()
        assert opened.status().fields["year"] == "number or string"
        assert uris(opened.search("oil", filter="year>=2020")) == ["b.md"]
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
