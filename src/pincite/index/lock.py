"""Locks between processes: one writer, many readers, and a name to show when somebody else holds it."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pincite.errors import IndexStaleError, StoreError

_POLL_SECONDS = 0.05


@contextmanager
def hold(path: Path, *, exclusive: bool, wait: float) -> Iterator[None]:
    """Holds the lock file `path` inside the block.

    Waits up to `wait` seconds, then raises `IndexStaleError` naming the process that has it. The
    operating system frees the lock when a process ends, however it ends.
    """
    handle = _open(path)
    try:
        _acquire(handle, path, exclusive=exclusive, wait=wait)
        if not exclusive:
            yield
            return
        _sign(handle)
        try:
            yield
        finally:
            os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock file `path` for writing now."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def _open(path: Path) -> int:
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        if stat.S_ISREG(os.fstat(handle).st_mode):
            return handle
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file")
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written: {(error.strerror or str(error)).lower()}",
            stage="open",
            hint="put the index elsewhere with --index DIR",
        ) from error


def _acquire(handle: int, path: Path, *, exclusive: bool, wait: float) -> None:
    mode = (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB
    deadline = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(handle, mode)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise _held(handle, path, wait) from None
            time.sleep(_POLL_SECONDS)


def _sign(handle: int) -> None:
    """Writes who holds the lock, for the message another process shows."""
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps({"pid": os.getpid(), "command": " ".join(sys.argv)[:200]}).encode(), 0)


def _held(handle: int, path: Path, wait: float) -> IndexStaleError:
    holder = "another process, or another open library of this one"
    try:
        signed = json.loads(os.pread(handle, 4096, 0) or b"{}")
        if isinstance(signed, dict) and _alive(signed.get("pid")):
            holder = f"process {signed['pid']} ({signed.get('command', '')})"
    except (ValueError, OSError):
        holder = "another process, or another open library of this one"
    return IndexStaleError(
        f"the index is in use: {path} is held by {holder}; waited {wait:g} s",
        stage="open",
        hint="wait for it to end, or use another index with --index DIR",
    )


def _alive(pid: object) -> bool:
    if type(pid) is not int or pid <= 0 or pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
