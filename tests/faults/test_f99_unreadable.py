"""F99: a file or folder that cannot be read is not a deleted one, in whatever is said of it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from failing_models import anyones_folder, not_root
from libraries import library, write
from pincite.cli import main
from pincite.config import SyncConfig
from pincite.errors import InputError
from pincite.folder import beneath
from pincite.folder.walk import walk
from pincite.library import Library

FILES = {
    "locked/a.md": "# Pumps\n\nThe ruby pump stands in hall seven.\n",
    "open/b.md": "# Lamps\n\nThe lamp is green.\n",
}
BROKEN = [errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.EACCES, errno.EPERM, errno.ENOMEM]


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    with library(tmp_path, FILES) as opened:  # imports all there is to import
        opened.sync()
        opened.ask("Where does the ruby pump stand?")
    with anyones_folder() as folder, not_root():
        write(folder / "docs", FILES)
        yield folder / "docs"


LOCKS = [("locked", 0o000), ("locked", 0o444), ("locked/a.md", 0o000)]


@pytest.mark.parametrize(("path", "mode"), LOCKS)
def test_f99_no_permission(root: Path, path: str, mode: int) -> None:
    usual = (root / path).stat().st_mode
    with library(root, {}) as opened:
        opened.sync()
        (root / path).chmod(mode)
        try:
            report = opened.sync()
            assert report.removed == () and "locked/a.md" in {one.uri for one in report.failed}
            assert "permission" in str(report.failed)
            assert (opened.status().removed, opened.status().unindexed) == ((), ())
            _assert_told(opened)
            if path == "locked/a.md":
                assert opened.show("locked/a.md:3").stale == "unreadable"
            else:
                with pytest.raises(InputError, match="no permission"):
                    opened.show("locked/a.md:3")
        finally:
            (root / path).chmod(usual)
        assert opened.sync().failed == ()
        assert opened.search("ruby", k=1).hits[0].stale is None


def _assert_told(opened: Library) -> None:
    hit = opened.search("ruby pump", k=1).hits[0]
    assert (hit.stored.uri, hit.stale) == ("locked/a.md", "unreadable")
    answer = opened.ask("Where does the ruby pump stand?")
    assert answer.abstained and "locked/a.md cannot be read now" in answer.reason
    assert "gone" not in answer.reason and "pincite sync" not in answer.reason


@pytest.mark.parametrize("number", BROKEN)
@pytest.mark.parametrize("name", ["a.md", "locked"])
def test_f99_a_disk_or_share_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, name: str
) -> None:
    """Also where looking at it still works: the bytes that cannot be read may be others by now."""
    opens = beneath._open

    def failing(part: str, flags: int, folder: int) -> int:
        if part == name:
            raise OSError(number, os.strerror(number))
        return opens(part, flags, folder)

    with library(tmp_path, FILES) as opened:
        opened.sync()
        os.utime(tmp_path / "locked" / "a.md", ns=(1, 1))
        with monkeypatch.context() as patch:
            patch.setattr(beneath, "_open", failing)
            for _ in range(2):
                report = opened.sync()
                assert report.removed == ()
                assert "locked/a.md" in {one.uri for one in report.failed}
            _assert_told_in_words(opened)
        assert opened.sync().failed == ()
        assert opened.ask("Where does the ruby pump stand?").claims[0].citations[0].verified


def _assert_told_in_words(opened: Library) -> None:
    assert opened.search("ruby pump", k=1).hits[0].stale == "unreadable"
    answer = opened.ask("Where does the ruby pump stand?")
    assert answer.abstained and "locked/a.md cannot be read now" in answer.reason


def test_f99_what_is_printed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync", str(root), "--model", "english"]) == 0
    (root / "locked").chmod(0o000)
    try:
        assert main(["sync", str(root)]) == 8
        capsys.readouterr()
        assert main(["search", "ruby pump", "--in", str(root)]) == 0
        assert "file cannot be read now" in capsys.readouterr().out
        assert main(["search", "ruby pump", "--json", "--in", str(root)]) == 0
        assert '"stale": "unreadable"' in capsys.readouterr().out
        main(["ask", "Where does the ruby pump stand?", "--in", str(root)])
        told = "".join(capsys.readouterr())
        assert "cannot be read now" in told and "gone" not in told
    finally:
        (root / "locked").chmod(0o755)


def test_f99_the_folder_itself(root: Path) -> None:
    """What cannot be looked at may well exist."""
    root.parent.chmod(0o000)
    try:
        with pytest.raises(InputError, match="cannot be read: no permission"):
            walk(root, SyncConfig())
    finally:
        root.parent.chmod(0o755)
    assert len(walk(root, SyncConfig()).files) == 2
