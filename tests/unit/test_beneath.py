"""Folders and files that are swapped for links while a sync looks at them: nothing outside is ever read."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from failing_models import library
from pincite.config import Config, ModelConfig, SyncConfig
from pincite.errors import InputError
from pincite.folder import walk as walking
from pincite.folder.beneath import listed, open_beneath, stat_beneath
from pincite.folder.read import read_uri
from pincite.folder.walk import FoundFile, walk
from pincite.library import Library
from pincite.sync import apply
from pincite.sync.apply import MANY_FILES

SECRET = "opal-outside"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A library with `sub/deep/a.md`, and the same path outside it, with a secret of the same length."""
    for base, word in (("library", "opal-within."), ("outside", SECRET)):
        deep = tmp_path / base / "sub" / "deep"
        deep.mkdir(parents=True)
        (deep / "a.md").write_text(f"# Note\n\nThe word is {word}\n")
        (deep / "box.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    (tmp_path / "library" / "b.md").write_text("# Other\n\nA lamp.\n")
    return tmp_path / "library"


def swap(root: Path, path: str) -> None:
    """Puts a link to the same path outside in the place of a file or folder."""
    (root / path).rename(root.parent / "moved")
    (root / path).symlink_to(root.parent / "outside" / path)


def swap_for_a_folder(root: Path, path: str) -> None:
    """Puts the outside in the place itself, so that no part of the way is a link."""
    (root / path).rename(root.parent / "moved")
    (root.parent / "outside" / path).rename(root / path)


WAYS = [(swap, "sub/deep/a.md"), (swap, "sub/deep"), (swap, "sub"), (swap_for_a_folder, "sub/deep")]


@pytest.mark.parametrize(("how", "path"), WAYS)
@pytest.mark.parametrize("known", [False, True])
def test_what_is_swapped_between_listing_and_reading_is_not_indexed(
    root: Path, monkeypatch: pytest.MonkeyPatch, how: Callable[[Path, str], None], path: str, known: bool
) -> None:
    """Also of a file that is indexed: its old text stays, and the next sync says what is there by then."""
    with library(root) as opened:
        if known:
            opened.sync()
            (root / "sub" / "deep" / "a.md").write_text("# Note\n\nThe word is opal-newer.\n")
        read = FoundFile.read

        def swapped_first(file: FoundFile, **more: int) -> object:
            if file.uri.endswith("a.md") and not (root.parent / "moved").exists():
                how(root, path)
            return read(file, **more)

        with monkeypatch.context() as patch:
            patch.setattr(FoundFile, "read", swapped_first)
            report = opened.sync()
        assert "sub/deep/a.md" in {one.uri for one in report.failed} and report.removed == ()
        assert SECRET not in str([hit.stored.chunk.text for hit in opened.search("opal", k=50).hits])
        again = opened.sync()
        assert "sub/deep/a.md" not in {one.uri for one in again.failed}
        if how is swap:
            assert path in {one.uri for one in again.skipped}
            assert SECRET not in str([hit.stored.chunk.text for hit in opened.search("opal", k=50).hits])
        else:
            assert "sub/deep/a.md" in (*again.added, *again.changed)  # it stands in the folder now


@pytest.mark.parametrize("path", ["sub/deep", "sub"])
def test_workers_follow_no_link_either(root: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    for number in range(MANY_FILES):
        (root / f"n{number:03}.md").write_text(f"# Note {number}\n\nA lamp.\n")
    prepare_all = apply.prepare_all

    def swapped_first(*given: object, **more: object) -> Iterator[object]:
        swap(root, path)
        yield from prepare_all(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(apply, "prepare_all", swapped_first)
    with Library(root, root / ".pincite", Config(model=ModelConfig("english"))) as opened:
        report = opened.sync()
        assert {one.uri: one.reason for one in report.failed} == {
            f"sub/deep/{name}": "a link; links are not followed" for name in ("a.md", "box.zip")
        }
        assert opened.search("opal", regex=True).hits == ()


@pytest.mark.parametrize("path", ["sub/deep", "sub"])
def test_a_folder_that_is_swapped_before_it_is_listed(
    root: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Not even the names outside are seen, nor what an ignore file there says."""
    (root.parent / "outside" / "sub" / "deep" / "secret-name.md").touch()
    in_order = walking._in_order

    def swapped_after(entries: list[os.DirEntry[str]], prefix: str, found: walking.Walk) -> object:
        if prefix == str(Path(path).parent).removeprefix("."):
            swap(root, path)
        return in_order(entries, prefix, found)

    monkeypatch.setattr(walking, "_in_order", swapped_after)
    seen = walk(root, SyncConfig())
    assert [file.uri for file in seen.files] == ["b.md"]
    assert [(one.uri, one.reason) for one in seen.failed] == [(f"{path}/", "a link; links are not followed")]


@pytest.mark.parametrize("path", ["sub/deep/a.md", "sub/deep", "sub"])
def test_citations_and_shown_lines_come_from_within(root: Path, path: str) -> None:
    with library(root) as opened:
        opened.sync()
        (hit,) = opened.search("opal-within", k=1).hits
        swap(root, path)
        assert opened.search("opal-within", k=1).hits[0].stale == "gone"
        assert SECRET not in str(opened.ask("What is the word opal?"))
        with pytest.raises(InputError):
            opened.show("sub/deep/a.md:3")
        with pytest.raises(InputError):
            opened.parse("sub/deep/a.md")
        reopened = opened._open().reopener()("sub/deep/a.md", hit.stored.doc_sha256)
        assert (reopened.state, reopened.document) == ("gone", None)


def test_a_race_on_a_folder(root: Path) -> None:
    """A real one: the folder is a link half of the time, in no step with what is done."""
    sub, moved, link = root / "sub", root / "sub.moved", root.parent / "link"
    moved.parent.mkdir(exist_ok=True)
    link.symlink_to(root.parent / "outside" / "sub")
    done = threading.Event()

    def swapping() -> None:
        while not done.is_set():
            sub.rename(root.parent / "aside")
            link.rename(sub)
            sub.rename(link)
            (root.parent / "aside").rename(sub)

    thread = threading.Thread(target=swapping)
    thread.start()
    texts, read = set(), 0
    try:
        for _ in range(400):
            for file in walk(root, SyncConfig()).files:
                try:
                    texts.add(file.read().data)
                    read += file.uri != "b.md"
                except InputError:
                    continue
    finally:
        done.set()
        thread.join()
    assert read and not any(SECRET.encode() in text for text in texts)


# ── opening ───────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("path", ["..", "../outside/sub/deep/a.md", "sub/../../outside/sub/deep/a.md", "."])
def test_no_way_leads_up(root: Path, path: str) -> None:
    for opens in (
        lambda: open_beneath(root, root / path, os.O_RDONLY),
        lambda: stat_beneath(root, root / path),
    ):
        with pytest.raises(OSError, match="not a path below"):
            opens()


def test_the_root_itself_may_be_a_link(root: Path) -> None:
    linked = root.parent / "linked"
    linked.symlink_to(root)
    assert b"opal-within" in read_uri(linked, "sub/deep/a.md").data
    with listed(linked, linked) as entries:
        assert sorted(entry.name for entry in entries) == ["b.md", "sub"]


def test_no_handle_is_left_open(root: Path) -> None:
    before = len(os.listdir("/dev/fd"))  # noqa: PTH208
    for _ in range(5):
        walk(root, SyncConfig())
        read_uri(root, "sub/deep/a.md")
        for path in ("none.md", "sub/none/a.md", "b.md/a.md"):
            with pytest.raises(InputError):
                read_uri(root, path)
    assert len(os.listdir("/dev/fd")) == before  # noqa: PTH208


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="this system opens no folder it may not list")
def test_folders_that_may_be_entered_but_not_listed_are_passed(root: Path) -> None:
    (root / "sub").chmod(0o111)
    try:
        assert stat_beneath(root, root / "sub" / "deep" / "a.md").st_size
    finally:
        (root / "sub").chmod(0o755)
    shutil.rmtree(root)
