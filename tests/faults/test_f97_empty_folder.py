"""F97: a folder that holds nothing all at once, as a share does that is not mounted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import Run, run
from libraries import library, write
from pincite.errors import InputError
from pincite.library import Library

__all__ = ["run"]

FILES = {
    "local/a.md": "# Local\n\nThe lamp is red.\n",
    **{f"share/in/c{number}.md": f"# Contract {number}\n\nContract {number} ends.\n" for number in range(5)},
}


@pytest.fixture
def lib(tmp_path: Path) -> Iterator[Library]:
    with library(tmp_path / "docs", FILES) as opened:
        opened.sync()
        yield opened


def away(lib: Library, name: str = "share") -> Path:
    """Takes what is in a folder of the library elsewhere, as unmounting does."""
    there = lib.root.parent / "away"
    (lib.root / name).rename(there)
    (lib.root / name).mkdir()
    return there


def back(lib: Library, there: Path) -> None:
    (lib.root / "share").rmdir()
    there.rename(lib.root / "share")


def test_f97_what_it_held_stays_and_is_told(lib: Library) -> None:
    there = away(lib)
    for _ in range(2):
        report = lib.sync()
        assert report.removed == ()
        assert [one.uri for one in report.failed] == [f"share/in/c{number}.md" for number in range(5)]
        assert {one.reason for one in report.failed} == {"share/ is empty now"}
        (told,) = report.warnings
        assert (
            told.startswith("share/ is empty now; 5 files of it stay in the index")
            and "--allow-empty" in told
        )
    status = lib.status()
    assert (status.removed, len(status.failed), status.warnings) == ((), 5, (told,))
    assert lib.search("contract 3", k=1).hits[0].stale == "gone"
    back(lib, there)
    report = lib.sync()
    assert (report.unchanged, report.embedded, report.failed, report.warnings) == (6, 0, (), ())


def test_f97_a_share_that_is_really_empty(lib: Library) -> None:
    away(lib)
    assert len(lib.sync(allow_empty=True).removed) == 5
    assert (lib.sync().failed, lib.status().warnings) == ((), ())


def test_f97_the_command_ends_with_8(tmp_path: Path, run: Run) -> None:
    docs = tmp_path / "docs"
    write(docs, FILES)
    assert run("sync", docs)[0] == 0
    (docs / "share" / "in").rename(tmp_path / "away")
    code, out, err = run("sync", docs)
    assert code == 8 and "share/ is empty now; 5 files" in err and "share/in/c1.md" in out
    assert run("sync", docs, "--allow-empty")[0] == 0


def test_f97_hidden_files_do_not_count(lib: Library) -> None:
    away(lib)
    (lib.root / "share" / ".mounted").touch()
    assert len(lib.sync().failed) == 5


def test_f97_one_file_that_is_deleted_leaves_the_index_and_is_told(lib: Library) -> None:
    (lib.root / "local" / "a.md").unlink()
    report = lib.sync()
    assert (report.removed, report.failed) == (("local/a.md",), ())
    assert report.warnings == ("local/ is empty now; 1 file of it left the index",)


def test_f97_folders_that_are_deleted_or_whose_files_move_are_no_shares(lib: Library) -> None:
    (lib.root / "share" / "in").rename(lib.root / "local" / "in")
    report = lib.sync()
    assert (len(report.moved), report.failed, report.warnings) == (5, (), ())
    shutil.rmtree(lib.root / "local" / "in")
    report = lib.sync()
    assert (len(report.removed), report.failed, report.warnings) == (5, (), ())


def test_f97_a_folder_that_keeps_one_file_is_no_share(lib: Library) -> None:
    for number in range(4):
        (lib.root / "share" / "in" / f"c{number}.md").unlink()
    assert (len((report := lib.sync()).removed), report.failed, report.warnings) == (4, (), ())


def test_f97_the_whole_folder_is_refused_as_before(lib: Library) -> None:
    away(lib)
    away_too = lib.root.parent / "away-too"
    (lib.root / "local").rename(away_too)
    with pytest.raises(InputError, match="nothing was removed"):
        lib.sync()
