"""Regular files in places that are not ours: no link is followed, no pipe is waited for."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from pincite.folder.beneath import open_beneath

Seen = tuple[int, int]  # the device a file is on, and its inode there


def read_regular(path: Path, *, limit: int, root: Path | None = None, seen: Seen | None = None) -> bytes:
    """The file's bytes. Raises `OSError` for a link, for what is no regular file, and over `limit` bytes.

    With `root` no folder between it and the file may be a link either. With `seen`, a file that is not the
    one seen there before is refused (`ESTALE`).
    """
    handle = _open(path, root)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        if seen is not None and seen != (status.st_dev, status.st_ino):
            raise OSError(errno.ESTALE, "another file took its place while reading")
        with os.fdopen(handle, "rb", closefd=False) as stream:
            data = stream.read(min(status.st_size, limit) + 1)  # no more room is taken than it needs
            if len(data) > status.st_size:  # it grew meanwhile, or its size is not told
                data += stream.read(max(0, limit + 1 - len(data)))
    finally:
        os.close(handle)
    if len(data) > limit:
        size = f"{limit / 1e6:,.0f} MB" if limit >= 1_000_000 else f"{limit / 1e3:,.0f} kB"
        raise OSError(errno.EFBIG, f"larger than {size}")
    return data


def read_head(path: Path, size: int = 1024, *, root: Path | None = None) -> bytes:
    """The first bytes of a file; none if it cannot be read or is no regular file."""
    try:
        handle = _open(path, root)
    except OSError:
        return b""
    try:
        return os.read(handle, size) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(handle)


def _open(path: Path, root: Path | None) -> int:
    """A handle that waits for no pipe; a zero character in a name is a name there is not."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return os.open(path, flags) if root is None else open_beneath(root, path, flags)
    except ValueError as error:
        raise FileNotFoundError(errno.ENOENT, str(error)) from None


def write_anew(path: Path, text: str) -> None:
    """Puts a file with `text` in the place of whatever lies at `path`; readers see the old one or all of it.

    Raises `OSError` for a folder that is not empty.
    """
    scratch = path.with_suffix(".tmp")
    for there in (scratch, path):
        if os.path.isdir(there) and not there.is_symlink():  # noqa: PTH112
            there.rmdir()
    scratch.unlink(missing_ok=True)
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    scratch.replace(path)


def why(error: OSError) -> str:
    """The reason in words."""
    reasons = {
        errno.EACCES: "no permission to read it",
        errno.ENOENT: "it disappeared while reading",
        errno.ELOOP: "a link; links are not followed",
        errno.ENXIO: "not a regular file",  # a socket
        errno.EFBIG: error.strerror or "too large",
    }
    return reasons.get(error.errno or 0, (error.strerror or str(error)).lower())
