"""The folder on disk: what is found, what is left out, what is skipped, and odd names."""

from __future__ import annotations

import os
import socket
import sys
import unicodedata
from pathlib import Path

import pytest

from failing_models import library, uris
from libraries import write
from pincite.config import SyncConfig
from pincite.errors import InputError
from pincite.folder.read import read, resolve
from pincite.folder.walk import Walk, walk

MAC = sys.platform == "darwin"


def found(root: Path, **settings: object) -> list[str]:
    return [file.uri for file in walk(root, SyncConfig(**settings)).files]  # type: ignore[arg-type]


def reasons(seen: Walk) -> dict[str, str]:
    return {one.uri: one.reason for one in (*seen.skipped, *seen.failed)}


# ── what is left out ──────────────────────────────────────────────────────────────────────────
TREE = {
    "a.md": "a", "sub/b.md": "b", ".hidden.md": "h", ".config/c.md": "c", "node_modules/x/readme.md": "x",
    "env/pyvenv.cfg": "", "env/lib.py": "x", "package-lock.json": "{}", "app.min.js": "x", "uv.lock": "x",
    "~$report.docx": "x", "offers/~$Budget.xlsx": "x", "Thumbs.db": "x", "desktop.ini": "x",
    "build/out.md": "o", "sub/keep.log": "k", "sub/drop.log": "d", "old/index/catalog.db": "",
    "old/index/sync.lock": "", "old/index/x.md": "x", ".git/config": "x",
    ".gitignore": "build/\n*.log\n", "sub/.gitignore": "!keep.log\n",
}  # fmt: skip


def test_what_is_left_out_by_default(tmp_path: Path) -> None:
    write(tmp_path, TREE)
    assert found(tmp_path) == ["a.md", "sub/b.md", "sub/keep.log"]
    assert walk(tmp_path, SyncConfig()).excluded == 16  # .git is not counted


def test_settings_bring_files_back(tmp_path: Path) -> None:
    write(tmp_path, TREE)
    assert "build/out.md" in found(tmp_path, gitignore=False)
    assert {".hidden.md", ".config/c.md"} <= set(found(tmp_path, hidden=True))
    assert ".git/config" not in found(tmp_path, hidden=True)
    assert found(tmp_path, exclude=("sub/",)) == ["a.md"]
    included = found(tmp_path, include=("build/out.md", ".hidden.md", "node_modules/x/*.md"))
    assert {"build/out.md", ".hidden.md", "node_modules/x/readme.md"} <= set(included)


def test_ignore_files_above_the_folder_count_inside_one_repository(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "*.txt\n", "docs/a.txt": "a", "docs/b.md": "b"})
    assert found(tmp_path / "docs") == ["a.txt", "b.md"]
    (tmp_path / ".git").mkdir()
    assert found(tmp_path / "docs") == ["b.md"]


def test_order_does_not_depend_on_the_disk(tmp_path: Path) -> None:
    write(tmp_path, {name: name for name in ("b.md", "a/z.md", "a.md", "B.md", "a-b.md", "é.md")})
    assert found(tmp_path) == sorted(found(tmp_path)) and len(found(tmp_path)) == 6


# ── what cannot be read ───────────────────────────────────────────────────────────────────────
def test_things_that_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("a")
    os.mkfifo(tmp_path / "pipe.md")
    monkeypatch.chdir(tmp_path)  # the name of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.md")
        (tmp_path / "zero.md").symlink_to("/dev/zero")
        (tmp_path / "loop.md").symlink_to(tmp_path / "loop.md")
        (tmp_path / "loops").symlink_to(tmp_path)
        (tmp_path / "inside.md").symlink_to(tmp_path / "a.md")
        (tmp_path / "outside.md").symlink_to("/etc/hostname")
        seen = walk(tmp_path, SyncConfig())
    assert [file.uri for file in seen.files] == ["a.md"]
    assert reasons(seen) == {
        "pipe.md": "not a regular file (a named pipe)",
        "socket.md": "not a regular file (a socket)",
        "zero.md": "a link to a device",
        "loop.md": "a link that leads nowhere or in a circle",
        "loops": "a link; links are not followed",
        "inside.md": "a link; links are not followed",
        "outside.md": reasons(seen)["outside.md"],
    }
    assert reasons(seen)["outside.md"].startswith("a link")


def test_a_file_over_the_limit_is_named_with_the_setting(tmp_path: Path) -> None:
    with (tmp_path / "big.txt").open("wb") as stream:
        stream.truncate(2_000_001)
    seen = walk(tmp_path, SyncConfig(max_file_mb=2))
    assert reasons(seen) == {"big.txt": "2 MB is over the limit of 2 MB (sync.max_file_mb)"}
    assert found(tmp_path, max_file_mb=3) == ["big.txt"]


@pytest.mark.parametrize("include", [(), ("*.toml",)])
def test_the_settings_of_the_library_are_no_document(tmp_path: Path, include: tuple[str, ...]) -> None:
    write(
        tmp_path,
        {"pincite.toml": "[chunk]\nsize = 100\n", "sub/pincite.toml": "x = 1\n", "other.toml": "x = 1\n"},
    )
    seen = walk(tmp_path, SyncConfig(include=include))
    assert reasons(seen) == {"pincite.toml": "settings of this library"}
    assert [file.uri for file in seen.files] == ["other.toml", "sub/pincite.toml"]


@pytest.mark.parametrize("odd", ["!", "/", "a\0b", "!!", "[", "\\", "**", "***/", "   !"])
def test_a_pattern_that_is_none_costs_itself_only(tmp_path: Path, odd: str) -> None:
    write(tmp_path, {".gitignore": f"*.log\n{odd}\n*.tmp\n", "a.md": "a", "b.log": "b", "c.tmp": "c"})
    assert {"b.log", "c.tmp"}.isdisjoint(found(tmp_path))


@pytest.mark.parametrize("path", ["nowhere", "file.md"])
def test_a_root_that_is_no_folder(tmp_path: Path, path: str) -> None:
    (tmp_path / "file.md").write_text("x")
    with pytest.raises(InputError, match=path):
        walk(tmp_path / path, SyncConfig())


def test_reading_waits_for_nothing_and_follows_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/hostname")
    for name in ("pipe", "link", "absent"):
        with pytest.raises(InputError) as caught:
            read(tmp_path / name, f"docs/{name}", root=tmp_path)
        assert caught.value.message.startswith(f"docs/{name}: ")
        assert str(tmp_path) not in caught.value.message


def test_a_socket_is_no_regular_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s.md")
        with pytest.raises(InputError) as caught:
            read(tmp_path / "s.md", "s.md", root=tmp_path)
    assert caught.value.message == "s.md: not a regular file"


def test_a_deep_tree(tmp_path: Path) -> None:
    here, depth = tmp_path, 300
    for _ in range(depth):
        here = here / "d"
    try:
        here.mkdir(parents=True)
        (here / "a.md").write_text("x")
    except OSError:
        pytest.skip("this file system has shorter paths")
    assert found(tmp_path) == ["/".join(["d"] * depth) + "/a.md"]


# ── odd names ─────────────────────────────────────────────────────────────────────────────────
ODD = [
    "line\nbreak.md",
    'quote\'s "two".md',
    "tab\tand  blanks .md",
    "100% #?&=.md",
    "a:7.md",
    "back\\slash.md",
]


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_found_searched_and_shown(tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: "# Odd\n\nopal-1 is here\n"})
    with library(tmp_path) as opened:
        assert opened.sync().added == (name,)
        hit = opened.search("opal-1").hits[0]
        assert (hit.stored.uri, hit.stale) == (name, None)
        assert opened.show(hit.location).lines[-1] == "opal-1 is here"
        assert opened.sync().unchanged == 1


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_names_in_either_normal_form(tmp_path: Path, form: str) -> None:
    """Uris are NFC; the file is found again whatever form the disk holds."""
    name = unicodedata.normalize(form, "Überblick/Café.md")
    write(tmp_path, {name: "# Menu\n\nopal-1\n"})
    nfc = unicodedata.normalize("NFC", name)
    with library(tmp_path) as opened:
        assert opened.sync().added == (nfc,)
        hit = opened.search("opal-1").hits[0]
        assert (hit.stored.uri, hit.stale) == (nfc, None)
        assert opened.show(f"{nfc}:3").lines == ("opal-1",)
        assert opened.sync().unchanged == 1
        assert resolve(tmp_path, nfc).read_text() == "# Menu\n\nopal-1\n"


@pytest.mark.skipif(MAC, reason="the file system keeps one normal form")
def test_two_names_that_are_one_in_nfc(tmp_path: Path) -> None:
    """Both are named; one is indexed, the other is skipped with its reason."""
    nfc, nfd = (unicodedata.normalize(form, "Café.md") for form in ("NFC", "NFD"))
    write(tmp_path, {nfc: "# One\n\nopal-1\n", nfd: "# Two\n\nopal-2\n"})
    with library(tmp_path) as opened:
        report = opened.sync()
        assert (report.found, report.indexed, len(report.skipped)) == (2, 1, 1)
        assert "same name" in report.skipped[0].reason
        assert uris(opened, "opal-1") == [nfc]
        assert opened.search("opal-1").hits[0].stale is None
        assert opened.sync().unchanged == 1


# ── reopening ─────────────────────────────────────────────────────────────────────────────────
def test_reopened_files_say_how_they_differ(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "# A\n\nold\n", "b.md": "# B\n", "c.md": "# C\n"})
    with library(tmp_path) as opened:
        opened.sync()
        inside = opened._open()
        rows = inside.catalog.files()
        (tmp_path / "a.md").write_text("# A\n\nnew\n")
        (tmp_path / "b.md").unlink()
        reopen = inside.reopener()
        assert reopen.states([(uri, rows[uri].sha256) for uri in sorted(rows)]) == ["changed", "gone", None]
        changed, gone = reopen("a.md", rows["a.md"].sha256), reopen("b.md", rows["b.md"].sha256)
        assert changed.document is not None and "new" in changed.document.text
        assert (gone.document, gone.reason) == (None, "b.md: it disappeared while reading")
