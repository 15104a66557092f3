"""The bytes of one file below the folder, and what tells that it was not touched.

Nothing outside the folder is ever read: a file is opened name by name beneath it, and no link is followed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import unicodedata
from pathlib import Path, PurePosixPath

from pincite.errors import InputError
from pincite.folder.beneath import stat_beneath
from pincite.folder.regular import Seen, read_regular, why
from pincite.protocols import Source

_NO_UTF8 = re.compile("[\udc80-\udcff]")  # what stands for a byte of a name that is not UTF-8
# A link, a pipe and a name that no file can have are no files of the library either.
_NOT_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EINVAL, errno.ENXIO, errno.ENAMETOOLONG)

Identity = tuple[int, int, int, int]  # size, mtime_ns, ctime_ns, inode


def identity_of(status: os.stat_result) -> Identity:
    """Size, times and inode, each within the 64 bits that are stored.

    Times before 1677 and after 2262 count as the first and last that fit; an inode keeps its bits.
    """
    first, last = -(2**63), 2**63 - 1
    mtime_ns, ctime_ns = (max(first, min(ns, last)) for ns in (status.st_mtime_ns, status.st_ctime_ns))
    return status.st_size, mtime_ns, ctime_ns, (status.st_ino - first) % 2**64 + first


def read(
    file: Path, uri: str, *, root: Path | None, seen: Seen | None = None, limit: int = 1 << 32
) -> Source:
    """The file's bytes. Raises `InputError` when it cannot be read or is larger than `limit` bytes.

    Waits on no pipe and follows no link, nor one at any folder below `root`; without a root, the file is one
    that a person named outside the library. With `seen`, a file that took another's place is not read.
    """
    try:
        data = read_regular(file, limit=limit, root=root, seen=seen)
    except OSError as error:
        raise InputError(f"{uri}: {why(error)}", uri=uri, stage="read") from error
    return Source(uri, data, hashlib.sha256(data).hexdigest())


def read_uri(root: Path, uri: str, *, limit: int = 1 << 32) -> Source:
    """The bytes of the file a uri names. Raises `InputError` as `resolve` and `read` do."""
    return read(resolve(root, uri), uri, root=root, limit=limit)


def look(root: Path, uri: str) -> os.stat_result:
    """What `lstat` says of the file a uri names. Raises `InputError` when it cannot be looked at."""
    path = resolve(root, uri)
    try:
        return stat_beneath(root, path)
    except OSError as error:
        raise InputError(f"{uri}: {why(error)}", uri=uri, stage="read") from error


def is_gone(error: InputError) -> bool:
    """Whether a file could not be read because there is none; else nobody can tell what is there."""
    return not isinstance(error.__cause__, OSError) or error.__cause__.errno in _NOT_THERE


def resolve(root: Path, given: str) -> Path:
    """The file below `root` that a uri names. Raises `InputError` when it would leave the folder."""
    given = given.replace("\\", "/") if os.sep == "\\" else given
    pure = PurePosixPath(given)
    if given and "\0" not in given and not pure.is_absolute() and ".." not in pure.parts:
        try:
            path = on_disk(root, given)
            if path.resolve().is_relative_to(root.resolve()):
                return path
        except (OSError, RuntimeError):
            pass  # a name that is too long, or a circle of links
    raise InputError(f"{given[:200]!r} is not a path inside the library", stage="read", uri=given)


def on_disk(root: Path, uri: str) -> Path:
    """The path on disk whose parts have these names in a uri: the disk may have them in another form."""
    path = root
    for part in PurePosixPath(uri).parts:
        path = path / _name_on_disk(path, part)
    return path


def _name_on_disk(folder: Path, part: str) -> str:
    """The name in a folder that is `part` in a uri; `part` itself when there is none to be seen."""
    try:
        if os.path.lexists(folder / part):
            return part
        names = sorted(path.name for path in folder.iterdir())
    except OSError:
        return part  # whoever opens it is told why
    wanted = name_in_uri(part)
    return next((name for name in names if name_in_uri(name) == wanted), part)


def name_in_uri(name: str) -> str:
    """The name of a file or folder as uris have it: valid text, its accents composed.

    A byte that is not UTF-8 stands as `%E9`.
    """
    return _NO_UTF8.sub(lambda found: f"%{ord(found[0]) - 0xDC00:02X}", unicodedata.normalize("NFC", name))
