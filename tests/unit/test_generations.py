"""Generations of the search index: a writer makes the next one, and readers never wait for it nor stop it."""

from __future__ import annotations

import errno
import os
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from failing_models import anyones_folder, go, library, not_root, start, synced, uris
from index_files import check, current, files_below
from pincite import query
from pincite.config import Config
from pincite.errors import PinciteError, StoreError
from pincite.index import search_index, tree
from pincite.index.generations import Generations, held
from pincite.index.lock import hold
from pincite.index.seal import label_of, write_seal
from pincite.index.trial import withstands


def notes(folder: Path) -> Path:
    """A synced folder of five notes."""
    folder.mkdir(exist_ok=True)
    for number in range(5):
        (folder / f"n{number}.md").write_text(f"# Note {number}\n\nitem-{number} is quartz.\n")
    synced(folder)
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synced folder; tests change only copies."""
    return notes(tmp_path_factory.mktemp("generations"))


@pytest.fixture
def docs(whole: Path, tmp_path: Path) -> Path:
    tree.copy(whole, tmp_path / "docs")
    return tmp_path / "docs"


READER = """
with library(Path(values[0])) as opened:
    opened.search("quartz")
    ready()
    found = opened.search(values[1]).hits
    print(found[0].stored.chunk.text.split()[-1])
"""


def test_an_idle_reader_stops_no_sync_and_moves_on_at_its_next_question(docs: Path) -> None:
    with start(READER, docs, "item-3") as reader:
        assert reader.stdout and reader.stdout.readline() == "ready\n"
        (docs / "n3.md").write_text("# Note 3\n\nitem-3 is opal.\n")
        with library(docs, config=Config(lock_wait=0.5)) as opened:
            assert opened.sync().changed == ("n3.md",)
        said, problem = reader.communicate("\n")
    assert (said, problem) == ("opal.\n", "")


def test_what_is_read_stays_until_nobody_reads_it(docs: Path) -> None:
    shards = Generations(docs / ".pincite" / "search")
    with library(docs) as opened:
        opened.search("quartz")
        first = current(docs / ".pincite")
        (docs / "n3.md").write_text("# Note 3\n\nitem-3 is opal.\n")
        synced(docs)
        assert first.folder.is_dir() and len(shards.sealed()) == 2
        assert "opal" in opened.search("item-3").hits[0].stored.chunk.text
    (docs / "n3.md").write_text("# Note 3\n\nitem-3 is jade.\n")
    synced(docs)
    assert not first.folder.exists() and len(shards.sealed()) == 1


def test_a_generation_that_was_removed_is_not_held(docs: Path) -> None:
    generation = current(docs / ".pincite")
    with held(generation) as kept:
        assert kept
        Generations(docs / ".pincite" / "search").clean(keep=None)
        assert generation.folder.is_dir() and generation.seal.is_file()
    Generations(docs / ".pincite" / "search").clean(keep=None)
    with held(generation) as kept:
        assert not kept
    assert list((docs / ".pincite" / "search").iterdir()) == []


def test_readers_of_many_processes_beside_a_writer(docs: Path) -> None:
    """No opening fails, no answer is wrong, and the writer gets through."""
    code = """
from pincite.index import search_index
search_index._PATIENCE = 60.0  # other work may hold up the writer
ready()
for turn in range(6):
    with library(Path(values[0])) as opened:
        for number in (1, 3):
            result = opened.search(f"item-{number}")
            texts = [hit.stored.chunk.text for hit in result.hits]
            assert sum(f"item-{number} " in text for text in texts) == 1 or result.notices, texts
print("well")
"""
    readers = [start(code, docs) for _ in range(4)]
    try:
        for reader in readers:
            go(reader)
        while any(reader.poll() is None for reader in readers):
            (docs / "n3.md").write_text(f"# Note 3\n\nitem-3 is opal {time.monotonic_ns()}.\n")
            synced(docs)
        assert [reader.communicate() for reader in readers] == [("well\n", "")] * 4
    finally:
        for reader in readers:
            reader.kill()


def test_a_question_waits_a_moment_for_texts_that_are_being_published(docs: Path) -> None:
    """Longer than that it does not: it says who is at it."""
    holding = """
from pincite.index.catalog import SqliteCatalog
from pincite.index.lock import hold
index = Path(values[0]) / ".pincite"
catalog = SqliteCatalog(index / "catalog.db")
with hold(index / "search.lock", wait=0):
    catalog.outbox.add([1], "delete")
    ready()
"""
    with start(holding, docs) as writer:
        assert writer.stdout and writer.stdout.readline() == "ready\n"
        began = time.monotonic()
        with library(docs) as opened:
            result = opened.search("item-3")
        assert time.monotonic() - began < 5 and result.hits[0].stored.uri == "n3.md"
        assert any(f"process {writer.pid} (" in notice for notice in result.notices)
        writer.communicate("\n")
    with library(docs) as opened:
        assert opened.search("item-3").notices == ()


def test_a_question_takes_what_another_publishes_while_it_waits(docs: Path) -> None:
    (seal,) = (docs / ".pincite" / "search").glob("*.seal")
    away = seal.with_suffix(".away")
    seal.rename(away)
    found: list[str] = []
    with hold(docs / ".pincite" / "search.lock", wait=1), library(docs) as reader:
        asking = threading.Thread(target=lambda: found.extend(uris(reader, "item-3")))
        asking.start()
        time.sleep(0.3)
        assert not found
        away.rename(seal)  # the writer goes on with something else, and keeps the lock
        asking.join(5)
        assert found


@pytest.mark.parametrize("harm", ["segment.json", "page_0.dat", "edge_config.json"])
def test_a_shard_that_is_sealed_and_yet_bad_is_made_anew(docs: Path, harm: str) -> None:
    """A crafted index may seal anything; what its engine cannot read, or lacks chunks, is not kept."""
    generation = current(docs / ".pincite")
    for file in files_below(generation.folder):
        if file.name == harm:
            file.write_bytes(b"\xff" * file.stat().st_size)
    write_seal(generation.seal, generation.folder, label_of(generation.seal))
    assert check(generation).state == "sealed"
    try:
        with library(docs) as opened:
            assert uris(opened, "item-3")[0] == "n3.md"
    except PinciteError as error:
        assert error.hint == "run: pincite sync"
    synced(docs)
    with library(docs) as opened:
        assert uris(opened, "item-3")[0] == "n3.md"


def test_a_shard_of_another_library_is_not_searched(
    docs: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "secret.md").write_text("# Secret\n\nitem-3 is garnet.\n")
    synced(other)
    mine, theirs = current(docs / ".pincite"), current(other / ".pincite")
    label = label_of(mine.seal)
    for path in (mine.folder, mine.seal):
        path.rename(path.with_name(f"{path.name}.gone"))
    theirs.folder.rename(mine.folder)
    write_seal(mine.seal, mine.folder, label)  # with the right label: it lacks chunks
    with library(docs) as opened:
        assert uris(opened, "item-3")[0] == "n3.md"


def test_a_question_that_a_sync_overtakes_is_asked_again(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sync ends between the look into the index and the look into the catalog."""
    (docs / "n3.md").write_text("# Note 3\n\nitem-3 is opal.\n")
    found = query.first_hits

    def overtaken(*what: object) -> object:
        if (docs / "n3.md").read_text() != "# Note 3\n\nitem-3 is jade.\n":
            (docs / "n3.md").write_text("# Note 3\n\nitem-3 is jade.\n")
            synced(docs)
        return found(*what)  # type: ignore[arg-type]

    with library(docs) as opened:
        opened.search("quartz")
        monkeypatch.setattr(query, "first_hits", overtaken)
        result = opened.search("item-3")
    assert result.hits[0].stored.chunk.text.endswith("item-3 is jade.") and result.notices == ()


@pytest.mark.parametrize("code", ["EIO", "ESTALE", "EMFILE"])
@pytest.mark.parametrize("where", ["listdir", "lstat", "pread"])
def test_a_disk_that_fails_is_told_with_the_file(
    docs: Path, monkeypatch: pytest.MonkeyPatch, where: str, code: str
) -> None:
    """Where damage can be told from it, the shard is made anew; else the error is one of ours."""

    def fail(*what: object, **more: object) -> None:
        raise OSError(getattr(errno, code), os.strerror(getattr(errno, code)), str(docs))

    (docs / "n3.md").write_text("# Note 3\n\nitem-3 is opal.\n")
    with library(docs) as opened:
        with monkeypatch.context() as broken:
            broken.setattr(f"pincite.index.tree.os.{where}", fail)
            for call in (lambda: opened.search("item-3"), opened.sync):
                with suppress(StoreError):
                    call()
        opened.sync()
        assert "opal" in opened.search("item-3").hits[0].stored.chunk.text


# ── links ─────────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("where", ["segments", "segments/*", "segments/*/payload_index", "wal", "new/deep"])
@pytest.mark.parametrize("listed", [True, False])
def test_a_link_at_any_depth_is_not_followed(
    docs: Path, tmp_path_factory: pytest.TempPathFactory, where: str, listed: bool
) -> None:
    """Listed in a seal or not: nothing outside is read, written or removed, and the index heals."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "mine.txt").write_text("mine\n")
    generation = current(docs / ".pincite")
    found = sorted(generation.folder.glob(where)) or [generation.folder / where]
    for path in found[:1]:
        if path.exists():
            path.rename(outside / "moved")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(outside / "moved" if (outside / "moved").exists() else outside)
        if listed:
            seal = generation.seal.read_text().replace('"entries": {', f'"entries": {{"{path.name}": [], ', 1)
            generation.seal.write_text(seal)
    before = {path: path.read_bytes() for path in files_below(outside)}
    with library(docs) as opened:
        assert uris(opened, "item-3")[0] == "n3.md"
        assert opened.sync().unchanged == 5
    assert {path: path.read_bytes() for path in files_below(outside)} == before
    assert check(current(docs / ".pincite")).state == "sealed"


# ── rights ────────────────────────────────────────────────────────────────────────────────────
def test_all_is_for_its_owner_alone(tmp_path: Path) -> None:
    docs = notes(tmp_path)
    with library(docs) as opened:
        opened.search("quartz")
    index = docs / ".pincite"
    wide = [path for path in (index, *index.rglob("*")) if path.stat().st_mode & 0o077]
    assert wide == []
    index.chmod(0o755)
    (index / "catalog.db").chmod(0o644)
    synced(docs)
    assert index.stat().st_mode & 0o777 == 0o700 and (index / "catalog.db").stat().st_mode & 0o777 == 0o600


def test_an_index_that_cannot_be_written_can_be_searched(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its shard is copied, and tried each time: times on a read-only disk may have been made with it."""

    def tried(shard: Path, **names: str) -> bool:
        """As the user who may start the interpreter, where that is another one."""
        own = os.geteuid()
        os.seteuid(os.getuid())
        try:
            return withstands(shard, **names)
        finally:
            os.seteuid(own)

    monkeypatch.setattr(search_index, "withstands", tried)
    with library(docs) as opened:
        opened.ask("What is quartz?")  # loads all that is loaded on first use
    with anyones_folder() as folder, not_root():
        (folder / "a.md").write_text("# Pump\n\nThe pump is oiled weekly.\n")
        synced(folder)
        every = [folder, *folder.rglob("*")]
        for path in every:
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = {path: path.stat() for path in every}
        with library(folder) as opened:
            assert uris(opened, "pump") == ["a.md"]
            assert opened.status().documents == 1
            assert opened.ask("How often is the pump oiled?").claims
            with pytest.raises(StoreError, match="cannot be written"):
                opened.sync()
        now = {path: path.stat() for path in [folder, *folder.rglob("*")]}
        for path in every:
            path.chmod(0o755 if path.is_dir() else 0o644)
        assert {path: (one.st_mtime_ns, one.st_ino) for path, one in now.items()} == {
            path: (one.st_mtime_ns, one.st_ino) for path, one in before.items()
        }


# ── threads ───────────────────────────────────────────────────────────────────────────────────
def test_closing_from_two_threads_beside_calls(docs: Path) -> None:
    """A call beside a close ends well or opens the library anew; it never meets a closed file."""
    opened, problems, until = library(docs), [], time.monotonic() + 2

    def run(call: str) -> None:
        while time.monotonic() < until:
            try:
                if call == "search":
                    assert uris(opened, "item-3")[0] == "n3.md"
                elif call == "lines":
                    opened.line_numbers(opened.search("item-3").hits[0])
                elif call == "show":
                    opened.show("n3.md:1")
                else:
                    getattr(opened, call)()
            except Exception as error:
                problems.append(f"{call}: {error!r}")
                return

    calls = ("search", "search", "status", "show", "lines", "close", "close")
    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    opened.close()
    assert problems == []
