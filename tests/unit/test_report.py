"""What a sync and a status say of files that were touched, and of files that are not what their name says."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from libraries import DEFAULT, library, write
from pincite.cli.report import status_text, sync_text
from pincite.cli.terminal import Terminal
from pincite.sync import report
from pincite.types import Status

FILES = {"a.md": "# Pump\n\nOil it.\n", "sub/b.txt": "Fill the tap.\n", "c.csv": "part,oil\npump,yes\n"}


def status_of(root: Path) -> Status:
    with library(root, {}) as opened:
        return opened.status()


def touched(root: Path) -> Path:
    for uri in FILES:
        os.utime(root / uri, ns=(1, 1))
    return root


def copied(root: Path) -> Path:
    return Path(shutil.copytree(root, root.parent / "copy", copy_function=shutil.copy))


def rewritten(root: Path) -> Path:
    for uri in FILES:
        data = (root / uri).read_bytes()
        (root / uri).unlink()
        (root / uri).write_bytes(data)
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    with library(tmp_path / "docs", FILES) as opened:
        opened.sync()
    return tmp_path / "docs"


@pytest.mark.parametrize("change", [touched, copied, rewritten])
def test_files_with_the_same_bytes_have_not_changed(root: Path, change: Callable[[Path], Path]) -> None:
    found = status_of(change(root))
    assert found.changed == found.maybe_changed == ()
    assert "brings the index up to date" not in status_text(found, term=Terminal())


def test_other_bytes_have_whatever_their_number(root: Path) -> None:
    write(root, {"a.md": "# Tap!\n\nOil it.\n", "c.csv": "part,oil\n"})
    found = status_of(touched(root))
    assert found.changed == ("a.md", "c.csv")


@pytest.mark.parametrize(
    ("one", "all_", "maybe"), [(15, 1000, ("c.csv",)), (1000, 20, ("c.csv", "sub/b.txt"))]
)
def test_what_is_too_large_to_be_read_may_have_changed(
    root: Path, monkeypatch: pytest.MonkeyPatch, one: int, all_: int, maybe: tuple[str, ...]
) -> None:
    assert {uri: len(text) for uri, text in FILES.items()} == {"a.md": 16, "sub/b.txt": 14, "c.csv": 18}
    monkeypatch.setattr(report, "_LOOKED_INTO", one)
    monkeypatch.setattr(report, "_LOOKED_INTO_ALL", all_)
    found = status_of(touched(root))
    assert found.changed == ()
    assert set(maybe) <= set(found.maybe_changed)
    text = status_text(found, term=Terminal())
    assert "Touched, too large to be compared" in text and "brings the index up to date" in text


# ── files that are not what their name says ───────────────────────────────────────────────────
@pytest.mark.parametrize("broken", ['{"a":', '{"pump": "oil it",}', "pump: oil it\n", '["pump"'])
def test_broken_json_is_indexed_as_text_and_told(tmp_path: Path, broken: str) -> None:
    files = {
        "good.json": '{"json": "invalid"}',
        "sub/bad.json": broken,
        "a.md": "---\njson: invalid\n---\n# T\n",
    }
    with library(tmp_path, files) as opened:
        synced, again = opened.sync(), opened.sync()
        assert synced.indexed == 3 and not synced.failed
        for said in (synced.warnings, again.warnings, opened.status().warnings):
            assert said == ("sub/bad.json: not valid JSON; it is indexed as plain text",)
        assert "1, named above" in sync_text(synced, term=Terminal())
        write(tmp_path, {"sub/bad.json": "{}"})
        assert opened.sync().warnings == ()


def test_a_sync_without_warnings_has_no_line_for_them(root: Path) -> None:
    with library(root, {}, config=DEFAULT) as opened:
        assert "Warnings" not in sync_text(opened.sync(), term=Terminal())
