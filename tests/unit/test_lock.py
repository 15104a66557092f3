"""Locks between processes: one writer at a time, and who it is."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from pathlib import Path

import pytest

from failing_models import start
from pincite.errors import IndexStaleError, StoreError
from pincite.index.lock import hold, holder, is_held

HOLD = """
from pincite.index.lock import hold
with hold(Path(values[0]), wait=0):
    ready()
"""


def test_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with hold(path, wait=0):
        assert is_held(path)
        with pytest.raises(IndexStaleError, match=rf"this process \({os.getpid()}\)"), hold(path, wait=0):
            pass
    assert not is_held(path) and holder(path) == ""


def test_the_holder_is_named_after_the_wait(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with start(HOLD, path) as child:
        assert child.stdout and child.stdout.readline() == "ready\n"
        began = time.monotonic()
        with pytest.raises(IndexStaleError) as caught, hold(path, wait=0.15):
            pass
        assert time.monotonic() - began >= 0.15
        assert f"held by process {child.pid} (" in caught.value.message
        assert str(path) in caught.value.message and "waited 0.15 s" in caught.value.message
        assert caught.value.exit_code == 5 and caught.value.hint
        child.communicate("\n")
    with hold(path, wait=0):
        pass


def test_a_killed_holder_frees_it(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with start(HOLD, path) as child:
        assert child.stdout and child.stdout.readline() == "ready\n"
        child.kill()
        child.wait()
    with hold(path, wait=1):
        pass


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"nonsense", b"\xff\xfe", b'{"pid": "x"}', b'{"pid": -1}', b'{"pid": true}'],
)
def test_a_damaged_lock_file_names_nobody(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.lock"
    with hold(path, wait=0):
        path.write_bytes(content)
        with pytest.raises(IndexStaleError) as caught, hold(path, wait=0):
            pass
        assert "held by another process" in caught.value.message


@pytest.mark.parametrize("code", ["ENOLCK", "EOPNOTSUPP", "ENOSYS"])
def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Readers go on without; nothing is written where two writers could not be kept apart."""

    def refuse(handle: int, mode: int) -> None:
        raise OSError(getattr(errno, code), "no locks here")

    path = tmp_path / "a.lock"
    path.touch()
    monkeypatch.setattr(fcntl, "flock", refuse)
    assert not is_held(path) and holder(path) == ""
    with pytest.raises(StoreError, match="has no locks") as caught, hold(path, wait=0):
        pass
    assert "--index DIR" in caught.value.hint


def test_the_lock_of_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match=r"absent/a\.lock cannot be written"),
        hold(tmp_path / "absent" / "a.lock", wait=0),
    ):
        pass
