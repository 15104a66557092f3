"""Seals: any change of a sealed file is seen, and an untouched one costs no reading."""

from __future__ import annotations

import json
import os
from pathlib import Path
from socket import AF_UNIX, socket

import pytest

from pincite.errors import StoreError
from pincite.index.seal import Sealed, check_seal, label_of, write_seal
from pincite.index.tree import copy


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two small files, a large one with holes, and their seal beside the folder."""
    folder = tmp_path / "files"
    (folder / "sub").mkdir(parents=True)
    (folder / "a").write_bytes(b"one")
    (folder / "sub" / "b").write_bytes(b"")
    with (folder / "sparse").open("wb") as stream:
        stream.seek(200_000)
        stream.write(b"data")
        stream.truncate(5_000_000)
    write_seal(tmp_path / "seal", folder, "label-1")
    return folder


def check(folder: Path) -> Sealed:
    return check_seal(folder.parent / "seal", folder)


def test_untouched(folder: Path) -> None:
    assert check(folder) == Sealed("sealed", "label-1")


def test_a_new_time_is_looked_into(folder: Path) -> None:
    os.utime(folder / "a", ns=(1, 1))
    assert check(folder) == Sealed("sealed", "label-1")


def test_a_bit_of_a_small_file_that_kept_its_time(folder: Path) -> None:
    """A disk that rots changes no time, and a small file says how the large ones are read."""
    file = next(path for path in sorted(folder.rglob("*")) if path.is_file() and 0 < path.stat().st_size < 99)
    status, content = file.stat(), file.read_bytes()
    file.write_bytes(bytes([content[0] ^ 1]) + content[1:])
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert check(folder) == Sealed("damaged", "label-1", file.relative_to(folder).as_posix())


@pytest.mark.parametrize("at", [0, 199_999, 200_001, 4_999_999])
def test_a_byte_of_a_sparse_file(folder: Path, at: int) -> None:
    with (folder / "sparse").open("r+b") as stream:
        stream.seek(at)
        stream.write(b"x")
    assert check(folder) == Sealed("damaged", "label-1", "sparse")


def test_a_copy_without_holes_is_the_same(folder: Path) -> None:
    data = (folder / "sparse").read_bytes()
    (folder / "sparse").write_bytes(data)
    assert check(folder).state == "sealed"


def test_zeros_that_move_are_seen(folder: Path) -> None:
    data = (folder / "sparse").read_bytes()
    (folder / "sparse").write_bytes(data[100_000:] + bytes(100_000))
    assert check(folder).path == "sparse"


def test_size_alone(folder: Path) -> None:
    os.truncate(folder / "sparse", 4_999_999)
    assert check(folder).path == "sparse"
    os.truncate(folder / "sparse", 5_000_000)
    assert check(folder).state == "sealed"


def test_files_that_come_and_go(folder: Path) -> None:
    (folder / "new").write_bytes(b"")
    assert check(folder).path == "new"
    (folder / "new").unlink()
    (folder / "sub" / "b").unlink()
    assert check(folder).path == "sub/b"


def test_folders_that_come_and_go(folder: Path) -> None:
    (folder / "empty").mkdir()
    assert check(folder).path == "empty"
    (folder / "empty").rmdir()
    (folder / "sub" / "b").unlink()
    (folder / "sub").rmdir()
    assert check(folder).path == "sub"


@pytest.mark.parametrize("kind", ["link", "dangling", "folder link", "second name", "pipe", "socket"])
@pytest.mark.parametrize("place", ["new", "sub/b", "sub"])
def test_what_must_not_be_followed_is_damage(folder: Path, kind: str, place: str) -> None:
    """Listed by the seal or not, at any depth: also when it leads to the very same bytes."""
    path = folder / place
    if path.is_dir():
        path.rename(folder.parent / "moved")
    elif path.exists():
        path.unlink()
    (folder.parent / "elsewhere").write_bytes(b"")
    with socket(AF_UNIX) as listening:
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "socket":
            os.chdir(folder.parent)
            listening.bind(os.path.relpath(path))
        elif kind == "second name":
            path.hardlink_to(folder.parent / "elsewhere")
        else:
            targets = {"link": "elsewhere", "dangling": "nowhere", "folder link": "moved"}
            path.symlink_to(folder.parent / targets[kind])
        assert check(folder).path in (place, f"{place}/b")
        with pytest.raises(StoreError, match="not a regular file of one name"):
            write_seal(folder.parent / "seal", folder, "label-2")


def test_the_engines_own_leavings_do_not_count(folder: Path) -> None:
    for left in (folder / ".atomicwriteXyZ", folder / "sub" / ".atomicwriteXyZ"):
        left.mkdir()
        (left / "tmpfile.tmp").write_bytes(b"half")
    assert check(folder) == Sealed("sealed", "label-1")
    (folder / ".atomicwriteLink").symlink_to(folder.parent)
    assert check(folder).path == ".atomicwriteLink"


def test_a_copy_has_the_seal_of_what_it_was_made_of(folder: Path) -> None:
    """Times are copied: nothing is hashed again. Holes stay holes."""
    seal, copied = folder.parent / "seal", folder.parent / "copied"
    copy(folder, copied)
    assert check_seal(seal, copied) == Sealed("sealed", "label-1")
    assert (copied / "sparse").stat().st_blocks * 512 < 1_000_000
    assert (copied / "sparse").stat().st_mode & 0o777 == 0o600 and copied.stat().st_mode & 0o777 == 0o700
    (copied / "a").write_bytes(b"two")
    write_seal(folder.parent / "seal-2", copied, "label-2", known=seal)
    assert label_of(folder.parent / "seal-2") == "label-2"
    old, new = (json.loads(path.read_text())["entries"] for path in (seal, folder.parent / "seal-2"))
    assert [name for name in old if old[name] != new[name]] == ["a"]


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", '{"label": "label-1"}', '{"label": "label-1", "entries": []}']
)
def test_a_damaged_seal_trusts_nothing(folder: Path, content: str) -> None:
    seal = folder.parent / "seal"
    seal.write_text(content)
    assert check(folder).state != "sealed"
    write_seal(seal, folder, "label-3", known=seal)
    assert check(folder) == Sealed("sealed", "label-3")


def test_a_false_hash_in_the_seal(folder: Path) -> None:
    seal = folder.parent / "seal"
    content = json.loads(seal.read_text())
    content["entries"]["a"] = [3, 1, "0" * 32]
    seal.write_text(json.dumps(content))
    assert check(folder).path == "a"


def test_a_file_that_changed_and_kept_its_time_is_sealed_as_it_is(folder: Path, tmp_path: Path) -> None:
    """In memory (tmpfs) what is written through a mapping keeps its file's time."""
    times = (folder / "a").stat()
    (folder / "a").write_bytes(b"two")
    os.utime(folder / "a", ns=(times.st_atime_ns, times.st_mtime_ns))
    write_seal(tmp_path / "next", folder, "label-2", known=tmp_path / "seal")
    assert check_seal(tmp_path / "next", folder) == Sealed("sealed", "label-2")
