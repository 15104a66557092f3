"""Which folder an index belongs to: no other folder is ever taken for it, wherever it lies."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from embedders import bag_of_words, maker
from libraries import DEFAULT, write
from pincite.cli import main
from pincite.errors import UsageError
from pincite.index.catalog import SqliteCatalog
from pincite.index.folder import recorded_home
from pincite.library import Library

FILES = {"notes/todo.txt": "Oil the pump.\n", "notes/done.txt": "Filled the tap.\n", "top.md": "# Seal\n"}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    write(tmp_path / "docs", FILES)
    write(tmp_path / "other", {"b.md": "Another text.\n"})
    return tmp_path / "docs"


def opened(root: Path, index: Path) -> Library:
    return Library(root, index, DEFAULT, make_embedder=maker(bag_of_words()))


def synced(root: Path, index: Path) -> list[str]:
    """Syncs; the uris that are indexed then."""
    with opened(root, index) as library:
        library.sync()
    catalog = SqliteCatalog(index / "catalog.db", read_only=True)
    try:
        return list(catalog.files())
    finally:
        catalog.close()


USES: dict[str, Callable[[Library], object]] = {
    "sync": lambda library: library.sync(),
    "sync of none": lambda library: library.sync(allow_empty=True),
    "search": lambda library: library.search("pump"),
    "ask": lambda library: library.ask("pump?"),
    "explain": lambda library: library.explain("pump?"),
    "status": lambda library: library.status(),
    "show": lambda library: library.show("b.md:1"),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
@pytest.mark.parametrize("other", ["docs/notes", "other", "."])
@pytest.mark.parametrize("index", ["index", "docs/.pincite"])
def test_an_index_made_for_another_folder_is_refused_and_left_as_it_is(
    docs: Path, use: Callable[[Library], object], other: str, index: str
) -> None:
    root, folder = docs.parent / other, docs.parent / index
    synced(docs, folder)
    with opened(root, folder) as library, pytest.raises(UsageError, match="was made for") as caught:
        use(library)
    assert str(docs) in caught.value.message and str(root) in caught.value.message
    assert f"--in {docs}" in caught.value.hint
    with opened(docs, folder) as library:
        assert library.sync().unchanged == 3


def test_another_name_of_the_same_folder_is_the_same(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs.parent / "link").symlink_to(docs)
    assert synced(docs, docs.parent / "index") == synced(docs.parent / "link", docs.parent / "index")
    monkeypatch.chdir(docs)
    assert len(synced(Path(), Path("../index"))) == 3


def test_an_index_in_its_folder_moves_with_it(docs: Path) -> None:
    synced(docs, docs / ".pincite")
    shutil.copytree(docs, docs.parent / "copy")
    docs.rename(docs.parent / "moved")
    docs.mkdir()  # what stands at the old place now is another folder
    for name in ("copy", "moved"):
        root = docs.parent / name
        assert recorded_home(root / ".pincite") == root
        with opened(root, root / ".pincite") as library:
            assert library.sync().unchanged + library.sync().unchanged == 6


def test_an_index_elsewhere_follows_a_folder_that_was_moved(docs: Path) -> None:
    index, moved = docs.parent / "index", docs.parent / "moved"
    synced(docs, index)
    docs.rename(moved)
    with opened(moved, index) as library:
        assert library.search("pump").hits[0].stale is None
        assert library.sync().unchanged == 3
    assert recorded_home(index) == moved


def test_a_sync_that_is_refused_records_nothing(docs: Path) -> None:
    index, empty = docs.parent / "index", docs.parent / "empty"
    synced(docs, index)
    docs.rename(docs.parent / "moved")
    empty.mkdir()
    with opened(empty, index) as library, pytest.raises(Exception, match="holds no documents now"):
        library.sync()
    assert recorded_home(index) is None


def test_an_index_elsewhere_put_below_another_folder_stays_its_own(docs: Path) -> None:
    other = docs.parent / "other"
    synced(docs, other / ".pincite")
    with opened(other, other / ".pincite") as library, pytest.raises(UsageError, match="was made for"):
        library.sync()


# ── the command line ──────────────────────────────────────────────────────────────────────────
def test_inside_its_folder_an_index_elsewhere_needs_no_in(
    docs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    index = docs.parent / "index"
    assert main(["sync", str(docs), "--index", str(index), "-q"]) == 0
    monkeypatch.chdir(docs / "notes")
    assert main(["sync", "--index", "../../index", "-q"]) == 0
    assert "0 added, 0 changed, 0 removed, 0 moved, 3 unchanged" in capsys.readouterr().out
    assert main(["search", "pump", "--index", "../../index", "--legs", "lexical", "-q"]) == 0
    assert "notes/todo.txt:1" in capsys.readouterr().out


def test_elsewhere_the_command_that_works_is_named(
    docs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sync", str(docs), "--index", str(docs.parent / "index"), "-q"]) == 0
    monkeypatch.chdir(docs.parent / "other")
    capsys.readouterr()
    assert main(["status", "--index", "../index"]) == UsageError.exit_code
    hint = capsys.readouterr().err.splitlines()[1]
    words = shlex.split(hint.partition("add:")[2].partition(";")[0])
    assert main(["status", *words]) == 0


def test_a_home_folder_is_not_taken_because_an_index_says_so(
    docs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    index = docs.parent / "index"
    synced(docs, index)
    monkeypatch.setenv("HOME", str(docs))
    monkeypatch.chdir(docs / "notes")
    assert main(["sync", "--index", str(index)]) == UsageError.exit_code
    assert "was made for" in capsys.readouterr().err
