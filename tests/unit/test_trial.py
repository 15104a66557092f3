"""A shard that came with a folder is tried in a process of its own before the engine opens it in this one."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from failing_models import library, synced, uris
from index_files import current, files_below
from pincite.index import generations, search_index, tree
from pincite.index.lock import hold
from pincite.index.seal import label_of, write_seal
from pincite.index.trial import withstands

NAMES = {"terms": "terms", "dense": "dense"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trial")
    for number in range(5):
        (folder / f"n{number}.md").write_text(f"# Note {number}\n\nitem-{number} is quartz.\n")
    synced(folder)
    return folder


@pytest.fixture
def docs(whole: Path, tmp_path: Path) -> Path:
    """A copy of a synced folder, as if it had come from elsewhere."""
    tree.copy(whole, tmp_path / "docs")
    return tmp_path / "docs"


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The ends of all trials."""
    ends: list[bool] = []

    def tried(shard: Path, **names: str) -> bool:
        ends.append(withstands(shard, **names))
        return ends[-1]

    monkeypatch.setattr(search_index, "withstands", tried)
    return ends


def found(docs: Path) -> list[str]:
    with library(docs) as opened:
        return sorted(uris(opened, "quartz"))


ALL = [f"n{number}.md" for number in range(5)]


def test_one_that_was_made_here_is_not_tried(tmp_path: Path, trials: list[bool]) -> None:
    for number in range(5):
        (tmp_path / f"n{number}.md").write_text(f"item-{number} is quartz.\n")
    synced(tmp_path)
    assert found(tmp_path) == ALL
    assert trials == []


def test_a_copy_is_tried_once(docs: Path, trials: list[bool]) -> None:
    assert found(docs) == ALL == found(docs)
    assert trials == [True]


def test_a_note_that_came_along_counts_for_nothing(docs: Path, trials: list[bool]) -> None:
    """Who packs a folder knows no time at which it will be unpacked."""
    found(docs)
    shutil.copytree(docs, docs.with_name("unpacked"))
    assert found(docs.with_name("unpacked")) == ALL
    assert trials == [True, True]


def test_readers_wait_for_the_note_of_a_writer(docs: Path, trials: list[bool]) -> None:
    """A writer seals a generation and then notes where it was made: nobody tries it in between."""
    found(docs)
    note = current(docs / ".pincite").seal.with_suffix(".here")
    content = note.read_text()
    note.unlink()
    with hold(docs / ".pincite" / "search.lock", wait=1), ThreadPoolExecutor(1) as readers:
        searching = readers.submit(found, docs)
        time.sleep(0.1)
        note.write_text(content)
        assert searching.result() == ALL
    assert trials == [True]


def test_two_that_note_at_once_do_not_stop_each_other(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generation = current(docs / ".pincite")
    monkeypatch.setattr(generations, "write_anew", write_after(generation.seal.with_suffix(".tmp")))
    generation.note_here()
    assert not generation.is_from_here()


def write_after(scratch: Path) -> Callable[[Path, str], None]:
    """Writing while another process has just made the scratch file."""

    def write(path: Path, text: str) -> None:
        raise FileExistsError(17, "File exists", str(scratch))

    return write


def flags(data: bytes) -> bytes:
    return (1 << 33).to_bytes(8, "little") + data[8:]


def places(data: bytes) -> bytes:
    """The first point stands at a place of the shard that is far away."""
    return data[:9] + (1 << 28).to_bytes(4, "little") + data[13:]


def ids(data: bytes) -> bytes:
    return data[:1] + b"\xff" * 8 + data[9:]


def no_vectors(data: bytes) -> bytes:
    return re.sub(rb'("\w*chunk_size_vectors":)\d+', rb"\g<1>0", data)


def cut(data: bytes) -> bytes:
    return data[:-1]


LIES: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("has_values/status.dat", flags),
    ("deleted/status.dat", flags),
    ("id_tracker.mappings", places),
    ("id_tracker.mappings", ids),
    ("vectors/config.json", no_vectors),
    ("segment.json", cut),
)


@pytest.mark.parametrize(("name", "lie"), LIES, ids=lambda one: getattr(one, "__name__", one))
def test_one_that_lies_is_made_anew(
    docs: Path, name: str, lie: Callable[[bytes], bytes], trials: list[bool]
) -> None:
    """What it says is sealed as if it were so; the engine would take all memory, fill the disk, or end."""
    generation = current(docs / ".pincite")
    file = next(one for one in files_below(generation.folder) if one.as_posix().endswith(name))
    before = file.read_bytes()
    file.write_bytes(lie(before))
    assert file.read_bytes() != before
    label = label_of(generation.seal)
    write_seal(generation.seal, generation.folder, label)
    assert found(docs) == ALL
    assert len(trials) == 1 and current(docs / ".pincite").number > generation.number
    assert sum(one.stat().st_size for one in files_below(docs / ".pincite")) < 1_000_000_000
    assert found(docs) == ALL
    assert len(trials) == 1


def test_a_process_that_cannot_start_trusts_nothing(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shard = current(docs / ".pincite").folder
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert not withstands(shard, **NAMES)
    monkeypatch.setattr("sys.executable", None)
    assert not withstands(shard, **NAMES)
