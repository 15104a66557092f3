"""F40: a damaged index gives right results or an error that names the file, never silence."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from failing_models import library
from index_files import check as sealed
from index_files import current, files_below
from pincite.errors import PinciteError, StoreError
from pincite.index.seal import label_of, write_seal

HERE = Path(__file__).parent / "F40"
QUERY = json.loads((HERE / "expect.json").read_text())["query"]
DAMAGE = json.loads((HERE / "plan.json").read_text())["damage"]
BLOCK = 4096


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with its complete index; tests change only copies."""
    root = tmp_path_factory.mktemp("f40")
    shutil.copytree(HERE / "docs", root, dirs_exist_ok=True)
    with library(root) as opened:
        assert opened.sync().dense_complete == 1
        assert opened.search(QUERY).hits
    return root


def copy(source: Path, target: Path) -> None:
    """Copies a tree; blocks of zeros stay holes, for the index has large sparse files."""
    for file in files_below(source):
        to = target / file.relative_to(source)
        to.parent.mkdir(parents=True, exist_ok=True)
        copy_file(file, to)


def copy_file(file: Path, to: Path) -> None:
    """Copies one file with its times and holes."""
    with file.open("rb") as old, to.open("wb") as new:
        new.truncate(file.stat().st_size)
        for at in data(old.fileno()):
            old.seek(at)
            new.seek(at)
            new.write(old.read(BLOCK))
    shutil.copystat(file, to)


def data(handle: int) -> Iterator[int]:
    """The places of blocks that hold data."""
    at = 0
    while True:
        try:
            at = os.lseek(handle, at, os.SEEK_DATA) // BLOCK * BLOCK
        except OSError:
            return
        yield at
        at += BLOCK


def harm(file: Path, how: str) -> None:
    """Damages a file in one of the ways of the plan."""
    size = file.stat().st_size
    if how == "remove":
        file.unlink()
    elif how == "flip:middle":
        with file.open("r+b") as stream:
            stream.seek(size // 2)
            byte = stream.read(1)
            stream.seek(size // 2)
            stream.write(bytes([byte[0] ^ 0x55]) if byte else b"x")
    else:
        os.truncate(file, {"truncate:0": 0, "truncate:half": size // 2, "truncate:-1": max(size - 1, 0)}[how])


def names_of(index: Path) -> list[str]:
    """Files of an index by path, one segment's name left out, as it differs between runs."""
    return [file.relative_to(index).as_posix() for file in files_below(index)]


def total_size(index: Path) -> int:
    return sum(file.stat().st_size for file in files_below(index))


def check(root: Path, name: str, what: str) -> None:
    """Searches: the right chunk is first on each leg, or an error names the file."""
    texts = {path.name: path.read_text("utf-8") for path in root.glob("*.md")}
    for legs in (("lexical",), None):
        try:
            with library(root) as opened:
                hits = opened.search(QUERY, legs=legs).hits
        except PinciteError as error:
            assert name.split("/")[0] in error.message, what
            assert error.hint, what
            continue
        assert hits, what
        assert QUERY in hits[0].stored.chunk.text, what
        for hit in hits:
            assert hit.stored.chunk.text in texts[hit.stored.uri], what


@pytest.mark.parametrize("how", DAMAGE)
def test_files_beside_the_search_index(good: Path, tmp_path: Path, how: str) -> None:
    names = [name for name in names_of(good / ".pincite") if not name.startswith("search/")]
    assert {"catalog.db", "catalog.stamp", "search.lock", "sync.lock"} <= set(names)
    names.append(current(good / ".pincite").seal.relative_to(good / ".pincite").as_posix())
    for number, name in enumerate(names):
        root = tmp_path / str(number)
        copy(good, root)
        harm(root / ".pincite" / name, how)
        check(root, name, f"{name}: {how}")


@pytest.mark.parametrize("how", DAMAGE)
def test_files_of_the_search_index(good: Path, tmp_path: Path, how: str) -> None:
    """Each damage breaks the seal; a shard whose seal is broken is made again from the catalog."""
    copy(good, tmp_path)
    generation = current(tmp_path / ".pincite")
    shard, whole = generation.folder, current(good / ".pincite").folder
    files = [file for file in files_below(shard) if file.stat().st_size]
    assert len(files) > 20
    assert sealed(generation).state == "sealed"
    for file in files:
        name = file.relative_to(shard)
        harm(file, how)
        found = sealed(generation)
        assert (found.state, found.path) == ("damaged", name.as_posix())
        file.unlink(missing_ok=True)
        copy_file(whole / name, file)
    assert sealed(generation).state == "sealed"
    for file in files:
        harm(file, how)
    check(tmp_path, "search", f"all files: {how}")
    made = current(tmp_path / ".pincite")
    assert made.number > generation.number and sealed(made).state == "sealed"


def test_any_byte_of_the_catalog(good: Path, tmp_path: Path) -> None:
    copy(good, tmp_path)
    catalog = tmp_path / ".pincite" / "catalog.db"
    whole = catalog.read_bytes()
    noticed = 0
    for at in range(100, len(whole), len(whole) // 120):
        catalog.write_bytes(whole[:at] + bytes([whole[at] ^ 0x11]) + whole[at + 1 :])
        try:
            with library(tmp_path) as opened:
                found = opened._open().catalog
                stored = [s.chunk.text for s in found.stored(found.point_ids(0, 100)).values()]
        except PinciteError as error:
            assert str(catalog) in error.message
            noticed += 1
        else:
            texts = " ".join(path.read_text("utf-8") for path in sorted(tmp_path.glob("*.md")))
            assert all(text in texts for text in stored) and QUERY in " ".join(stored)
    assert noticed > 5  # most of a small catalog is unused space


@pytest.mark.parametrize("sealed_anew", [False, True], ids=["rot", "crafted"])
def test_a_false_length_is_not_made_room_for(good: Path, tmp_path: Path, sealed_anew: bool) -> None:
    """The engine fills a file of flags up to the length that its neighbour claims."""
    copy(good, tmp_path)
    generation = current(tmp_path / ".pincite")
    before = total_size(tmp_path / ".pincite")
    status = min(generation.folder.rglob("has_values/status.dat"))
    times, rest = status.stat(), status.read_bytes()[8:]
    status.write_bytes((1 << 30).to_bytes(8, "little") + rest)
    os.utime(status, ns=(times.st_atime_ns, times.st_mtime_ns))
    if sealed_anew:
        label = label_of(generation.seal)
        generation.seal.unlink()
        write_seal(generation.seal, generation.folder, label)
    with library(tmp_path) as opened:
        assert QUERY in opened.search(QUERY).hits[0].stored.chunk.text
        assert total_size(tmp_path / ".pincite") < before + 100_000_000


def test_damaged_and_missing_are_told_apart(good: Path, tmp_path: Path) -> None:
    copy(good, tmp_path)
    harm(tmp_path / ".pincite" / "catalog.db", "truncate:half")
    with pytest.raises(StoreError, match="is damaged"):
        library(tmp_path).search(QUERY)
    shutil.rmtree(tmp_path / ".pincite")
    with library(tmp_path) as opened:
        assert not opened._open().synced
        assert QUERY in opened.search(QUERY).hits[0].stored.chunk.text


def test_what_a_killed_packing_leaves_is_removed(good: Path, tmp_path: Path) -> None:
    """The engine packs into a folder of its own, which stays when it is killed meanwhile."""
    copy(good, tmp_path)
    generation = current(tmp_path / ".pincite")
    (generation.folder / "temp_segments" / "half").mkdir(parents=True)
    with library(tmp_path) as opened:
        assert QUERY in opened.search(QUERY).hits[0].stored.chunk.text
    assert not generation.folder.exists() and sealed(current(tmp_path / ".pincite")).state == "sealed"


@pytest.mark.parametrize("where", ["search", "search/generation-N", "search/generation-N/segments"])
def test_what_a_killed_engine_leaves_disturbs_nobody(good: Path, tmp_path: Path, where: str) -> None:
    """It writes small files in a folder of its own before it renames them; a kill leaves that folder."""
    copy(good, tmp_path)
    generation = current(tmp_path / ".pincite")
    left = tmp_path / ".pincite" / where.replace("generation-N", generation.folder.name) / ".atomicwriteAbC"
    left.mkdir()
    (left / "tmpfile.tmp").write_text("half")
    check(tmp_path, "search", where)
    assert sealed(generation).state == "sealed"
    (tmp_path / "new.md").write_text("# New\n\nopal\n")
    with library(tmp_path) as opened:
        assert opened.sync().added == ("new.md",)
    assert not left.exists()
