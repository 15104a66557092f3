"""Locks between processes: one writer at a time, and a name to show when somebody else holds it."""

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
NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL})
"""What a file system without locks answers."""


@contextmanager
def hold(path: Path, *, wait: float, waited: float = 0.0) -> Iterator[None]:
    """Holds the lock file `path` inside the block, alone.

    Waits up to `wait` seconds, after `waited` before, then raises `IndexStaleError` naming the process that
    has it. The operating system frees the lock when a process ends, however it ends.
    """
    handle = _open(path)
    try:
        _acquire(handle, path, wait=wait, waited=waited)
        _sign(handle)
        try:
            yield
        finally:
            os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def is_held(path: Path) -> bool:
    """Whether somebody holds the lock file `path` now."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not share(handle)
    finally:
        os.close(handle)


def share(handle: int) -> bool:
    """Takes a reader's lock on an open file; false if a writer has it now, true where there are no locks."""
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
    return True


def _open(path: Path) -> int:
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        if stat.S_ISREG(os.fstat(handle).st_mode):
            return handle
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file")
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"{path} cannot be written: {(error.strerror or str(error)).lower()}",
        stage="open",
        hint="put the index elsewhere with --index DIR",
    )


def _acquire(handle: int, path: Path, *, wait: float, waited: float) -> None:
    deadline = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise _held(handle, path, wait + waited) from None
            time.sleep(_POLL_SECONDS)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise _unusable(path, error) from error
            raise StoreError(
                f"{path}: its file system has no locks, so nothing may be written there",
                stage="open",
                hint="put the index on a local disk with --index DIR",
            ) from error


def _sign(handle: int) -> None:
    """Writes who holds the lock, for the message another process shows."""
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps({"pid": os.getpid(), "command": " ".join(sys.argv)[:200]}).encode(), 0)


def holder(path: Path) -> str:
    """Who holds the lock file `path`, as "process 12 (pincite sync)"; "" if nobody does, or nobody knows."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        return "" if share(handle) else _signed(handle)
    finally:
        os.close(handle)


def _held(handle: int, path: Path, wait: float) -> IndexStaleError:
    who = _signed(handle) or "another process"
    return IndexStaleError(
        f"the index is in use: {path} is held by {who}; waited {wait:g} s",
        stage="open",
        hint="wait for it to end, or use another index with --index DIR",
    )


def _signed(handle: int) -> str:
    """The process that signed a lock file, if it still runs."""
    try:
        signed = json.loads(os.pread(handle, 4096, 0) or b"{}")
    except (ValueError, OSError):
        return ""
    pid = signed.get("pid") if isinstance(signed, dict) else None
    if not _alive(pid):
        return ""
    if pid == os.getpid():
        return f"this process ({pid}), in another thread or another open library"
    return f"process {pid} ({signed.get('command', '')})"


def _alive(pid: object) -> bool:
    if type(pid) is not int or pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
