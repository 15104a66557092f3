"""F63: opening an index runs no code that stands in its files."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from failing_models import library, synced
from index_files import files_below
from pincite.errors import IndexStaleError, PinciteError
from pincite.index import schema

HERE = Path(__file__).parent / "F63"


@pytest.fixture(scope="module")
def canaries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`canary.bin` and `canary.zlib`; unpickled, either creates `PWNED` beside itself."""
    folder = tmp_path_factory.mktemp("canary")
    subprocess.run([sys.executable, HERE / "canary.py", folder], check=True)
    pickle.loads((folder / "canary.bin").read_bytes())
    pickle.loads(zlib.decompress((folder / "canary.zlib").read_bytes()))
    assert (folder / "PWNED").exists()
    (folder / "PWNED").unlink()
    return folder


def make(root: Path) -> Path:
    """A folder of one file with its index."""
    root.mkdir(parents=True)
    (root / "a.md").write_text("# A\n\ngarnet-1 is a stone\n")
    synced(root)
    return root / ".pincite"


def use(root: Path) -> list[str]:
    """Opens, searches, syncs and asks for the status; returns the messages of the errors."""
    messages = []
    for action in ("search", "sync", "status"):
        try:
            with library(root) as opened:
                if action == "search":
                    assert "garnet-1" in opened.search("garnet-1").hits[0].stored.chunk.text
                elif action == "sync":
                    assert opened.sync().chunks == 1
                else:
                    assert opened.status().documents == 1
        except PinciteError as error:
            messages.append(error.message)
    return messages


@pytest.mark.parametrize("canary", ["canary.bin", "canary.zlib"])
def test_files_beside_the_search_index(canaries: Path, tmp_path: Path, canary: str) -> None:
    index = make(tmp_path / "docs")
    for file in [path for path in files_below(index) if path.parent == index]:
        kept = file.read_bytes()
        shutil.copyfile(canaries / canary, file)
        messages = use(index.parent)
        assert all(str(file) in message for message in messages)
        assert bool(messages) is (file.name == "catalog.db")
        file.write_bytes(kept)
    assert not (canaries / "PWNED").exists()


@pytest.mark.parametrize("canary", ["canary.bin", "canary.zlib"])
def test_files_of_the_search_index(canaries: Path, tmp_path: Path, canary: str) -> None:
    index = make(tmp_path / "docs")
    for file in files_below(index / "search"):
        shutil.copyfile(canaries / canary, file)
    assert use(index.parent) == []
    assert not (canaries / "PWNED").exists()


@pytest.mark.parametrize("canary", ["canary.bin", "canary.zlib"])
def test_inside_the_catalog(canaries: Path, tmp_path: Path, canary: str) -> None:
    """In every column of every table that holds bytes or text."""
    import sqlite3

    index = make(tmp_path / "docs")
    data = (canaries / canary).read_bytes()
    whole = (index / "catalog.db").read_bytes()
    columns = [("documents", "body"), ("documents", "meta"), ("chunks", "text"), ("chunks", "place")]
    columns += [("vectors", "vector"), ("manifest", "value"), ("chunks", "heading"), ("chunks", "vector_key")]
    for table, column in columns:
        db = sqlite3.connect(index / "catalog.db")
        with db:
            db.execute(f"UPDATE {table} SET {column} = ?", [data])
        db.close()
        messages = use(index.parent)
        assert messages and all(str(index / "catalog.db") in message for message in messages), column
        (index / "catalog.db").write_bytes(whole)
    assert not (canaries / "PWNED").exists()


def test_an_unknown_format_is_refused_with_both_numbers(tmp_path: Path) -> None:
    index = make(tmp_path / "docs")
    with library(index.parent) as opened:
        opened._open().catalog.put(format=99)
    with pytest.raises(IndexStaleError, match=rf"format 99.*reads {schema.FORMAT}") as caught:
        library(index.parent).search("garnet-1")
    assert caught.value.exit_code == 5 and "sync" in caught.value.hint
