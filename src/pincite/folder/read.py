"""The bytes of one file below the folder, and what tells that it was not touched.

Nothing outside the folder is ever read: links are not followed, and a path is checked after resolving it.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from pathlib import Path, PurePosixPath

from pincite.errors import InputError
from pincite.folder.regular import read_regular, why
from pincite.protocols import Source

Identity = tuple[int, int, int, int]  # size, mtime_ns, ctime_ns, inode


def identity_of(status: os.stat_result) -> Identity:
    """Size, times and inode, each within the 64 bits that are stored.

    Times before 1677 and after 2262 count as the first and last that fit; an inode keeps its bits.
    """
    first, last = -(2**63), 2**63 - 1
    mtime_ns, ctime_ns = (max(first, min(ns, last)) for ns in (status.st_mtime_ns, status.st_ctime_ns))
    return status.st_size, mtime_ns, ctime_ns, (status.st_ino - first) % 2**64 + first


def read(file: Path, uri: str, *, limit: int = 1 << 32) -> Source:
    """The file's bytes. Raises `InputError` when it cannot be read or is larger than `limit` bytes.

    Waits on no pipe and follows no link.
    """
    try:
        data = read_regular(file, limit=limit)
    except OSError as error:
        raise InputError(f"{uri}: {why(error)}", uri=uri, stage="read") from error
    return Source(uri, data, hashlib.sha256(data).hexdigest())


def resolve(root: Path, given: str) -> Path:
    """The file below `root` that a uri names. Raises `InputError` when it would leave the folder."""
    given = given.replace("\\", "/") if os.sep == "\\" else given
    pure = PurePosixPath(given)
    if given and "\0" not in given and not pure.is_absolute() and ".." not in pure.parts:
        try:
            path = _by_normal_form(root, pure.parts)
            if path.resolve().is_relative_to(root.resolve()):
                return path
        except (OSError, RuntimeError):
            pass  # a name that is too long, or a circle of links
    raise InputError(f"{given[:200]!r} is not a path inside the library", stage="read", uri=given)


def _by_normal_form(root: Path, parts: tuple[str, ...]) -> Path:
    """The path on disk whose parts equal `parts` in NFC: some systems store names decomposed."""
    path = root
    for part in parts:
        name = part
        if not (path / part).exists() and path.is_dir():
            names = sorted(entry.name for entry in path.iterdir())
            name = next((n for n in names if nfc(n) == part), part)
        path = path / name
    return path


def nfc(name: str) -> str:
    """A name with its accents composed, as uris have them."""
    return unicodedata.normalize("NFC", name)
