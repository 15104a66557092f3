"""What lies below a folder, opened one name at a time: no part of the way may be a link.

Between two looks at a path any folder on it may be swapped for a link that leads outside. A name that is
looked up in an open folder stays in that folder.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TO_PASS = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_CLOEXEC  # needs no right to list it
_TO_LIST = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def open_beneath(root: Path, path: Path, flags: int) -> int:
    """A handle of what lies at `path`, which is below `root`. Raises `OSError`, `ELOOP` for a link on it.

    The root itself may be reached by links.
    """
    *above, name = _parts(root, path)
    with _folder(root, above) as folder:
        return _open(name, flags, folder)


def stat_beneath(root: Path, path: Path) -> os.stat_result:
    """What `lstat` says of what lies at `path`, which is below `root`. Raises `OSError` as `open_beneath`."""
    *above, name = _parts(root, path)
    with _folder(root, above) as folder:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)


@contextmanager
def listed(root: Path, path: Path) -> Iterator[list[os.DirEntry[str]]]:
    """The entries of the folder at `path`, which is `root` or below it, in no order.

    They can be looked at as long as the block lasts; the `path` of each is its name alone.
    """
    folder = os.open(root, _TO_LIST) if path == root else open_beneath(root, path, _TO_LIST)
    try:
        with os.scandir(folder) as entries:
            found = list(entries)
        yield found
    finally:
        os.close(folder)


def _parts(root: Path, path: Path) -> tuple[str, ...]:
    parts = path.relative_to(root).parts
    if not parts or ".." in parts:
        raise OSError(errno.EINVAL, "not a path below the folder")
    return parts


@contextmanager
def _folder(root: Path, parts: list[str]) -> Iterator[int]:
    folder = os.open(root, _TO_PASS)
    try:
        for part in parts:
            inner = _open(part, _TO_PASS, folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _open(name: str, flags: int, folder: int) -> int:
    try:
        return os.open(name, flags | os.O_NOFOLLOW, dir_fd=folder)
    except NotADirectoryError:
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
        raise
