"""Paths that a person gives: relative to the library, else to the current folder; none is made up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from libraries import library, write
from pincite.cli import main
from pincite.errors import InputError, PinciteError
from pincite.folder.given_path import nearest
from pincite.library import Library

FILES = {
    "top.md": "# Top\n",
    "notes/todo.txt": "Oil the pump.\n",
    "notes/top.md": "# Below\n",
    "sub/x.md": "X\n",
}
LOOKS: list[Callable[[Library, str], object]] = [
    lambda opened, path: opened.show(f"{path}:1"),
    lambda opened, path: opened.show(path),
    lambda opened, path: opened.parse(path),
]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("indexed", [True, False])
@pytest.mark.parametrize("path", ["notes/tido.txt", "sub/../no.md", "no.md", "no/where/x.txt", "sub/x.md/y"])
def test_a_file_that_is_not_there_did_not_disappear(
    tmp_path: Path, look: Callable[[Library, str], object], indexed: bool, path: str
) -> None:
    with library(tmp_path, FILES) as opened:
        if indexed:
            opened.sync()
        with pytest.raises(InputError) as caught:
            look(opened, path)
    if ".." not in path:
        assert caught.value.message == f"{path}: there is no such file"
        hint = caught.value.hint
        assert "the library's folder" in hint and str(tmp_path) not in hint
    assert "disappeared" not in caught.value.message


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("todo.txt", "notes/todo.txt"),
        ("docs/notes/TODO.txt", "notes/todo.txt"),
        ("notes/tdo.txt", "notes/todo.txt"),
        ("quite/another.pdf", ""),
    ],
)
def test_the_nearest_file_is_named(tmp_path: Path, given: str, meant: str) -> None:
    assert nearest(given, FILES) == meant
    with library(tmp_path, FILES) as opened:
        opened.sync()
        with pytest.raises(InputError) as caught:
            opened.show(f"{given}:3")
    assert ("did you mean" in caught.value.hint) == bool(meant)
    assert meant in caught.value.hint


@pytest.mark.parametrize(
    ("here", "given", "uri"),
    [
        (".", "top.md", "top.md"),
        ("notes", "todo.txt", "notes/todo.txt"),
        ("notes", "top.md", "top.md"),  # the library's comes first
        ("notes", "./todo.txt", "notes/todo.txt"),
        ("notes", "../sub/x.md", "sub/x.md"),
        ("notes", "sub/x.md", "sub/x.md"),
    ],
)
def test_a_path_is_relative_to_the_library_else_to_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: str, given: str, uri: str
) -> None:
    with library(tmp_path, FILES) as opened:
        monkeypatch.chdir(tmp_path / here)
        assert opened.show(f"{given}:1").uri == opened.show(given).uri == uri
        assert opened.parse(given)[0].uri == uri
        assert opened.show(f"{tmp_path / uri}:1").uri == uri


@pytest.mark.parametrize("given", ["../out.md", "/etc/hostname", "link/out.md", "a\0b", "", "..", "."])
def test_nothing_outside_the_library_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    root = tmp_path / "lib"
    write(tmp_path, {"out.md": "secret\n", "lib/notes/x.md": "x\n"})
    (root / "link").symlink_to(tmp_path)
    monkeypatch.chdir(root / "notes")
    with library(root, {}) as opened, pytest.raises(PinciteError):
        opened.show(f"{given}:1")


def test_a_file_outside_the_library_can_be_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"out.md": "# Out\n"})
    with library(tmp_path / "lib", FILES) as opened:
        monkeypatch.chdir(tmp_path)
        assert opened.parse("out.md")[0].uri == "out.md"


@pytest.mark.parametrize("words", [["parse", "no.md"], ["parse", "no/where.md"], ["show", "no.md:1"]])
def test_the_command_line_says_so_and_speaks_of_no_flag(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == InputError.exit_code
    err = capsys.readouterr().err
    assert "there is no such file" in err and "--in" not in err


def test_parse_takes_the_file_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with library(tmp_path, FILES) as opened:
        opened.sync()
    monkeypatch.chdir(tmp_path / "notes")
    assert main(["parse", "top.md", "--map"]) == 0
    assert capsys.readouterr().out.startswith("notes/top.md:1")
    assert main(["parse", "sub/x.md", "--map"]) == 0
    assert capsys.readouterr().out.startswith("sub/x.md:1")
