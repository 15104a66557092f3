"""What lies below a folder of the index, seen without following anything: listed, opened, copied, removed.

An index may come from anywhere and bring links, pipes, devices or second names of files elsewhere. Those
are "odd": they are listed, and never opened, written or copied.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

_BLOCK = 1 << 20
_LEAVING = ".atomicwrite"  # where the engine writes a small file before it renames it; a kill leaves it
_NO_FOLLOW = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | _NO_FOLLOW


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing below a folder: its path from there, what it is, and of a file size and time."""

    name: str
    kind: Literal["file", "folder", "odd"]
    size: int = 0
    mtime_ns: int = 0


def entry_of(name: str, found: os.stat_result) -> Entry:
    """What `lstat` says of a thing. A file of two names is odd: what is written to one is in both."""
    if stat.S_ISDIR(found.st_mode):
        return Entry(name, "folder")
    if stat.S_ISREG(found.st_mode) and found.st_nlink <= 1:
        return Entry(name, "file", found.st_size, found.st_mtime_ns)
    return Entry(name, "odd")


def beneath(root: Path) -> Iterator[Entry]:
    """All that lies below `root`, each folder before what is in it; nothing when it is no folder.

    The engine's own leavings are left out: every reader makes some for a moment.
    """
    try:
        handle = os.open(root, _FOLDER)
    except OSError:
        return
    try:
        yield from _beneath(handle, "")
    finally:
        os.close(handle)


def _beneath(handle: int, prefix: str) -> Iterator[Entry]:
    for name in sorted(os.listdir(handle)):
        try:
            entry = entry_of(prefix + name, os.lstat(name, dir_fd=handle))
        except FileNotFoundError:
            continue
        if entry.kind == "folder" and name.startswith(_LEAVING):
            continue
        yield entry
        if entry.kind == "folder":
            inner = os.open(name, _FOLDER, dir_fd=handle)
            try:
                yield from _beneath(inner, f"{prefix}{name}/")
            finally:
                os.close(inner)


def open_beneath(root: Path, name: str) -> int:
    """A handle for reading the regular file `name` below `root`; no part of its path may be a link."""
    *folders, last = name.split("/")
    handle = os.open(root, _FOLDER)
    try:
        for folder in folders:
            inner = os.open(folder, _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = inner
        opened = os.open(last, os.O_RDONLY | _NO_FOLLOW, dir_fd=handle)
    finally:
        os.close(handle)
    if entry_of(name, os.fstat(opened)).kind != "file":
        os.close(opened)
        raise OSError(errno.EINVAL, "not a regular file of one name")
    return opened


def allocated(root: Path) -> int:
    """Bytes on disk below `root`, without the holes of files."""
    return sum((root / entry.name).lstat().st_blocks * 512 for entry in beneath(root))


def copy(source: Path, target: Path) -> None:
    """Copies all below `source` into the new folder `target`, with times and holes; 0700 and 0600.

    Raises `OSError` for what is odd, and if `target` exists.
    """
    target.mkdir(mode=0o700)
    for entry in beneath(source):
        if entry.kind == "odd":
            raise OSError(errno.EINVAL, "not a regular file of one name", str(source / entry.name))
        if entry.kind == "folder":
            (target / entry.name).mkdir(mode=0o700)
        else:
            _copy_file(open_beneath(source, entry.name), target / entry.name)


def _copy_file(source: int, target: Path) -> None:
    """Copies an open file, which it closes, hole by hole."""
    try:
        written = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            _copy_data(source, written)
            found = os.fstat(source)
            os.ftruncate(written, found.st_size)
            os.utime(written, ns=(found.st_atime_ns, found.st_mtime_ns))
        finally:
            os.close(written)
    finally:
        os.close(source)


def _copy_data(source: int, target: int) -> None:
    at = 0
    while True:
        try:
            at = os.lseek(source, at, os.SEEK_DATA)
            end = os.lseek(source, at, os.SEEK_HOLE)
        except OSError as error:
            if error.errno == errno.ENXIO:  # nothing but a hole from here on
                return
            raise
        while at < end:
            block = os.pread(source, min(_BLOCK, end - at), at)
            if not block:
                return
            at += os.pwrite(target, block, at)


def remove(path: Path) -> None:
    """Removes a folder with all below it, or whatever lies there; links are removed, not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
