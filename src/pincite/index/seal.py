"""Seals: a list of all that lies in a folder, so that damage is seen before it is trusted.

A seal is written when the folder is complete; nothing in it changes afterwards. Opening compares sizes and
times; only files that differ are hashed again, and small ones, whose every bit decides how the rest is read:
an untouched folder costs little more than a few `stat`s.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pincite.errors import StoreError
from pincite.folder.regular import read_regular, why, write_anew
from pincite.index.tree import Entry, beneath, open_beneath

_BLOCK = 1 << 16
_SMALL = 1 << 20  # bytes; a file up to this size is always hashed, as a disk's rot keeps times
_MOST_BYTES = 16_000_000  # of a seal

State = Literal["sealed", "open", "damaged"]


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a seal says of a folder: `state`, the `label` it was written with, the first bad `path`."""

    state: State
    label: str = ""
    path: str = ""


def write_seal(seal: Path, root: Path, label: str, *, known: Path | None = None) -> None:
    """Seals all below `root` under `label`.

    Large files that have size and time of those in the seal `known` are not hashed again: in memory (tmpfs) a
    file that is written through a mapping keeps its time.
    Raises `StoreError` for anything that is neither a folder nor a regular file of one name.
    """
    old = _entries(_read(known) if known else None)
    entries: dict[str, list[object]] = {}
    for entry in beneath(root):
        if entry.kind == "odd":
            raise StoreError(f"{root / entry.name}: not a regular file of one name", stage="search index")
        before = old.get(entry.name)
        if entry.kind == "folder":
            entries[entry.name] = []
        elif before and entry.size > _SMALL and before[:2] == [entry.size, entry.mtime_ns]:
            entries[entry.name] = before
        else:
            entries[entry.name] = [entry.size, entry.mtime_ns, _digest(root, entry.name)]
    _write(seal, {"label": label, "entries": entries})


def check_seal(seal: Path, root: Path) -> Sealed:
    """Whether all below `root` is as it was sealed: "sealed", "open" (no seal) or "damaged"."""
    content = _read(seal)
    if content is None:
        return Sealed("open")
    label, expected = str(content.get("label", "")), _entries(content)
    present = {entry.name: entry for entry in beneath(root)}
    for name in sorted(expected.keys() | present.keys()):
        if name not in present or name not in expected or not _same(root, present[name], expected[name]):
            return Sealed("damaged", label, name)
    return Sealed("sealed", label)


def label_of(seal: Path) -> str:
    """The label a seal was written with; "" if it cannot be read."""
    return str((_read(seal) or {}).get("label", ""))


def _same(root: Path, entry: Entry, expected: list[object]) -> bool:
    if entry.kind == "odd" or (entry.kind == "folder") != (not expected):
        return False
    if entry.kind == "folder":
        return True
    size, mtime, digest = expected
    if entry.size != size:
        return False
    try:
        untouched = entry.mtime_ns == mtime and entry.size > _SMALL
        return untouched or _digest(root, entry.name) == digest
    except OSError:  # it was replaced by something else meanwhile
        return False


def _write(seal: Path, content: dict[str, object]) -> None:
    try:
        write_anew(seal, json.dumps(content))
    except OSError as error:
        raise StoreError(
            f"{seal} cannot be written: {why(error)}",
            stage="search index",
            hint="see that the disk has room, and remove it if it is a folder; then run: pincite sync",
        ) from error


def _read(seal: Path) -> dict[str, object] | None:
    try:
        content = json.loads(read_regular(seal, limit=_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _entries(content: dict[str, object] | None) -> dict[str, list[object]]:
    entries = (content or {}).get("entries")
    if not isinstance(entries, dict):
        return {}
    return {name: one for name, one in entries.items() if isinstance(one, list) and len(one) in (0, 3)}


def _digest(root: Path, name: str) -> str:
    """A hash of the bytes that are not zero, with their places: holes of sparse files cost nothing."""
    digest = hashlib.blake2b(digest_size=16)
    with os.fdopen(open_beneath(root, name), "rb") as handle:
        at = 0
        while (at := _next_data(handle.fileno(), at)) >= 0:
            handle.seek(at)
            block = handle.read(_BLOCK)
            if block.count(0) < len(block):
                digest.update(at.to_bytes(8, "little") + block)
            at += _BLOCK
        digest.update(handle.seek(0, os.SEEK_END).to_bytes(8, "little"))
    return digest.hexdigest()


def _next_data(handle: int, at: int) -> int:
    """The start of the first block from `at` on that has data on disk; -1 at the end."""
    try:
        return os.lseek(handle, at, os.SEEK_DATA) // _BLOCK * _BLOCK
    except OSError as error:
        if error.errno == errno.ENXIO:
            return -1
        raise
