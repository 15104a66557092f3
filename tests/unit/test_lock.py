"""Locks between processes: one writer or many readers, and who holds it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from failing_models import start
from pincite.errors import IndexStaleError
from pincite.index.lock import hold

HOLD = """
from pincite.index.lock import hold
with hold(Path(values[0]), exclusive=values[1] == "x", wait=0):
    ready()
"""


def is_held(path: Path, *, exclusive: bool) -> bool:
    """Whether the lock cannot be had now."""
    try:
        with hold(path, exclusive=exclusive, wait=0):
            return False
    except IndexStaleError:
        return True


def test_readers_share_and_a_writer_waits(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with hold(path, exclusive=False, wait=0), hold(path, exclusive=False, wait=0):
        assert is_held(path, exclusive=True)
    with hold(path, exclusive=True, wait=0):
        assert is_held(path, exclusive=False)
    assert not is_held(path, exclusive=True)


def test_the_holder_is_named_after_the_wait(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with start(HOLD, path, "x") as child:
        assert child.stdout and child.stdout.readline() == "ready\n"
        began = time.monotonic()
        with pytest.raises(IndexStaleError) as caught, hold(path, exclusive=True, wait=0.15):
            pass
        assert time.monotonic() - began >= 0.15
        assert f"held by process {child.pid} (" in caught.value.message
        assert str(path) in caught.value.message and "waited 0.15 s" in caught.value.message
        assert caught.value.exit_code == 5 and caught.value.hint
        child.communicate("\n")
    with hold(path, exclusive=True, wait=0):
        pass


def test_a_killed_holder_frees_it(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with start(HOLD, path, "x") as child:
        assert child.stdout and child.stdout.readline() == "ready\n"
        child.kill()
        child.wait()
    with hold(path, exclusive=True, wait=1):
        pass


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"nonsense", b"\xff\xfe", b'{"pid": "x"}', b'{"pid": -1}', b'{"pid": true}'],
)
def test_a_damaged_lock_file_names_nobody(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.lock"
    with hold(path, exclusive=False, wait=0):
        path.write_bytes(content)
        with pytest.raises(IndexStaleError) as caught, hold(path, exclusive=True, wait=0):
            pass
        assert "held by another process" in caught.value.message


def test_readers_that_hold_it_are_not_named_as_the_last_writer(tmp_path: Path) -> None:
    """The last writer signed the file; a reader holds it now, and only "another process" is true."""
    path = tmp_path / "a.lock"
    with start(HOLD, path, "x") as writer:
        assert writer.stdout and writer.stdout.readline() == "ready\n"
        writer.communicate("\n")
    with start(HOLD, path, "s") as reader:
        assert reader.stdout and reader.stdout.readline() == "ready\n"
        with pytest.raises(IndexStaleError) as caught, hold(path, exclusive=True, wait=0):
            pass
        assert "another process" in caught.value.message and str(writer.pid) not in caught.value.message
        reader.communicate("\n")


def test_the_lock_of_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    from pincite.errors import StoreError

    with (
        pytest.raises(StoreError, match=r"absent/a\.lock cannot be written"),
        hold(tmp_path / "absent" / "a.lock", exclusive=True, wait=0),
    ):
        pass
