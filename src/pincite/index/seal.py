"""Seals: a list of files with sizes, times and hashes, so that damage is seen before it is trusted.

A seal is written after the files are complete and removed before they are changed. Opening compares
size and time; only files that differ are hashed again, so an untouched index costs a few `stat`s.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pincite.errors import StoreError
from pincite.folder.regular import read_regular, why, write_anew

_BLOCK = 1 << 16
_MOST_BYTES = 16_000_000  # of a seal

State = Literal["sealed", "open", "damaged"]


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a seal says of its files: `state`, the `label` it was written with, the first bad `path`."""

    state: State
    label: str = ""
    path: str = ""


def write_seal(seal: Path, root: Path, files: Iterable[Path], label: str) -> None:
    """Seals `files` (below `root`) under `label`; files that were not touched are not hashed again."""
    old = _entries(seal)
    entries = {}
    for file in sorted(files):
        name = file.relative_to(root).as_posix()
        now, known = _stat(file), old.get(name)
        digest = known[2] if known and known[:2] == now else _digest(file)
        entries[name] = [*now, digest]
    _write(seal, {"label": label, "sealed": True, "files": entries})


def break_seal(seal: Path) -> None:
    """Marks the files as being changed, keeping the hashes so that the next seal is cheap."""
    content = _read(seal)
    if content is None or not content.get("sealed"):
        return
    _write(seal, {**content, "sealed": False})


def check_seal(seal: Path, root: Path, files: Iterable[Path]) -> Sealed:
    """Whether `files` are as they were sealed: "sealed", "open" (no seal, or broken) or "damaged"."""
    content = _read(seal)
    if content is None or not content.get("sealed"):
        return Sealed("open")
    entries, label = _entries(seal), str(content.get("label", ""))
    present = {file.relative_to(root).as_posix(): file for file in files}
    for name in sorted(entries.keys() | present.keys()):
        if name not in present or name not in entries:
            return Sealed("damaged", label, name)
        size, mtime, digest = entries[name]
        now = _stat(present[name])
        if not now:
            return Sealed("damaged", label, name)
        if now[0] != size or (now[1] != mtime and _digest(present[name]) != digest):
            return Sealed("damaged", label, name)
    return Sealed("sealed", label)


def files_below(root: Path) -> list[Path]:
    """All regular files below `root`, sorted; empty when it does not exist."""
    found: list[Path] = []
    for folder, _, names in os.walk(root):
        found.extend(Path(folder, name) for name in names)
    return sorted(found)


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


def _entries(seal: Path) -> dict[str, list[object]]:
    content = _read(seal) or {}
    files = content.get("files")
    if not isinstance(files, dict):
        return {}
    return {name: entry for name, entry in files.items() if isinstance(entry, list) and len(entry) == 3}


def _stat(file: Path) -> list[int]:
    """Size and time; nothing for what is no regular file, which the engine would wait for."""
    found = file.lstat()
    return [found.st_size, found.st_mtime_ns] if stat.S_ISREG(found.st_mode) else []


def _digest(file: Path) -> str:
    """A hash of the bytes that are not zero, with their places: holes of sparse files cost nothing."""
    digest = hashlib.blake2b(digest_size=16)
    with file.open("rb") as handle:
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
