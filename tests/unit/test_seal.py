"""Seals: any change of a sealed file is seen, and an untouched one costs no reading."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pincite.index.seal import Sealed, break_seal, check_seal, files_below, write_seal


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
    write_seal(tmp_path / "seal", folder, files_below(folder), "label-1")
    return folder


def check(folder: Path) -> Sealed:
    return check_seal(folder.parent / "seal", folder, files_below(folder))


def test_untouched(folder: Path) -> None:
    assert check(folder) == Sealed("sealed", "label-1")


def test_a_new_time_is_looked_into(folder: Path) -> None:
    os.utime(folder / "a", ns=(1, 1))
    assert check(folder) == Sealed("sealed", "label-1")


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


def test_broken_and_sealed_again(folder: Path) -> None:
    seal = folder.parent / "seal"
    break_seal(seal)
    assert check(folder).state == "open"
    (folder / "a").write_bytes(b"two")
    write_seal(seal, folder, files_below(folder), "label-2")
    assert check(folder) == Sealed("sealed", "label-2")


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", '{"sealed": true}', '{"sealed": true, "files": []}']
)
def test_a_damaged_seal_trusts_nothing(folder: Path, content: str) -> None:
    seal = folder.parent / "seal"
    seal.write_text(content)
    assert check(folder).state != "sealed"
    break_seal(seal)
    write_seal(seal, folder, files_below(folder), "label-3")
    assert check(folder) == Sealed("sealed", "label-3")


def test_a_false_hash_in_the_seal(folder: Path) -> None:
    seal = folder.parent / "seal"
    content = json.loads(seal.read_text())
    content["files"]["a"] = [3, 1, "0" * 32]
    seal.write_text(json.dumps(content))
    assert check(folder).path == "a"
