"""F16: a PDF that any viewer opens is read; one that needs a password is refused by name without it."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from libraries import DEFAULT, FAULTS, inputs, lexical, library
from pincite.config import ParseConfig
from pincite.errors import InputError, UsageError
from pincite.parse import parse
from pincite.protocols import Source

EXPECT = json.loads((FAULTS / "F16" / "expect.json").read_text("utf-8"))
FILES = inputs("F16", "locked.pdf", "owner_locked.pdf")


def locked(password_file: Path | str) -> str:
    source = Source("locked.pdf", FILES["locked.pdf"], "")
    return parse(source, ParseConfig(password_file=str(password_file))).text


def test_the_locked_one_is_named_and_the_other_is_read(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as lib:
        report = lib.sync()
        first, *_ = lexical(lib, "spare key safe")
    assert (first.stored.uri, first.stored.place.page) == ("owner_locked.pdf", 1)
    (failed,) = report.failed
    assert failed.uri == "locked.pdf" and "password" in failed.reason


def test_with_the_password_it_is_read(tmp_path: Path) -> None:
    passwords = tmp_path.with_suffix(".passwords")
    passwords.write_text(f"wrong\n{EXPECT['password']}\n")
    config = replace(DEFAULT, parse=ParseConfig(password_file=str(passwords)))
    with library(tmp_path, FILES, config=config) as lib:
        report = lib.sync()
        hits = lexical(lib, "spare key safe")
        stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not report.failed
    assert {hit.stored.uri for hit in hits} == {"locked.pdf", "owner_locked.pdf"}
    assert EXPECT["password"].encode() not in stored


def test_one_in_an_archive_is_read_once_its_password_is_given(tmp_path: Path) -> None:
    passwords, box = tmp_path.with_suffix(".passwords"), tmp_path / "box.zip"
    passwords.write_text(EXPECT["password"])
    with zipfile.ZipFile(box, "w") as file:
        file.writestr("locked.pdf", FILES["locked.pdf"])
    with library(tmp_path, {}) as lib:
        (failed,) = lib.sync().failed
        assert failed.uri == "box.zip/locked.pdf"
    config = replace(DEFAULT, parse=ParseConfig(password_file=str(passwords)))
    with library(tmp_path, {}, config=config) as lib:
        report = lib.sync()
        assert (report.added, report.changed, report.failed) == (("box.zip/locked.pdf",), ("box.zip",), ())
        assert lib.sync().unchanged == 2


@pytest.mark.parametrize("lines", [b"", b"\n", b"wrong\r\n"])
def test_without_the_right_one_it_is_refused_by_name(tmp_path: Path, lines: bytes) -> None:
    passwords = tmp_path / "passwords"
    passwords.write_bytes(lines)
    with pytest.raises(
        InputError, match=r"locked\.pdf: .* locked with a password \(no line of the password file opens it\)"
    ):
        locked(passwords)
    with pytest.raises(InputError, match=r"locked\.pdf: .* locked with a password .*--password-file"):
        locked("")


def test_a_password_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.txt: cannot be read"):
        locked(tmp_path / "none.txt")


@pytest.mark.parametrize("needed", [True, False])
def test_what_is_no_file_of_passwords_is_refused_by_name(tmp_path: Path, needed: bool) -> None:
    """Whether or not something is locked, and before anything is read of a device without an end."""
    root = tmp_path / "docs"
    root.mkdir()
    files = FILES if needed else {"a.md": b"# Note\n\nlapis\n"}
    large = tmp_path / "large.txt"
    large.write_bytes(b"x\n" * 500_001)
    none = "not a regular file"
    for path, reason in (("/dev/zero", none), (tmp_path, none), (large, "larger than 1 MB")):
        config = replace(DEFAULT, parse=ParseConfig(password_file=str(path)))
        with library(root, files, config=config) as lib, pytest.raises(UsageError) as raised:
            lib.sync()
        assert raised.value.message == f"password file {path}: cannot be read ({reason})"
