"""The shards of one index folder: each change makes a new one beside the old one, which readers keep.

`search/generation-7/` is a shard and `search/generation-7.seal` says that it is complete; it never changes
after that. The newest one that fits the catalog is the one to search. `search/generation-7.here` notes that
it was made or tried on this machine.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pincite.folder.regular import read_regular, write_anew
from pincite.index import tree
from pincite.index.lock import NO_LOCKS, share
from pincite.index.seal import write_seal

_NAME = re.compile(r"generation-([1-9][0-9]{0,17})")
_STAMP_BYTES = 100
_OF_FORMAT_3 = ("edge_config.json", "segments", "temp_segments", "wal")


@dataclass(frozen=True, slots=True)
class Generation:
    """One shard: its number, which grows by one, and where it lies."""

    number: int
    folder: Path
    seal: Path

    @property
    def _here(self) -> Path:
        return self.seal.with_suffix(".here")

    @property
    def names(self) -> set[str]:
        """The names of all that belongs to it."""
        return {self.folder.name, self.seal.name, self._here.name}

    def is_from_here(self) -> bool:
        """Whether it was made or tried here: what came with a copy of the index has a seal of another time.

        Nobody sets that time (`ctime`), nor knows it before.
        """
        try:
            return read_regular(self._here, limit=_STAMP_BYTES) == self._stamp().encode()
        except OSError:
            return False

    def note_here(self) -> None:
        """Notes that it may be trusted; where that cannot be written, or another does it, it is tried."""
        with suppress(OSError):
            write_anew(self._here, self._stamp())

    def _stamp(self) -> str:
        return f"{self.seal.lstat().st_ctime_ns}\n"


def belongs(name: str) -> bool:
    """Whether Pincite may have made something of this name in `search/`."""
    stem = name.removesuffix(".seal").removesuffix(".here").removesuffix(".tmp")
    return bool(_NAME.fullmatch(stem)) or name.startswith(".atomicwrite") or name in _OF_FORMAT_3


class Generations:
    """The generations in `folder`, which may be missing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def sealed(self) -> list[Generation]:
        """Those with a seal, the newest first."""
        names = [name.removesuffix(".seal") for name in self._names() if name.endswith(".seal")]
        return [self._of(number) for number in sorted(filter(None, map(_number, names)), reverse=True)]

    def new(self) -> Generation:
        """The next one; nothing of it is there yet. The caller holds the writers' lock."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        return self._of(max(map(_number, self._names()), default=0) + 1)

    def publish(self, made: Generation, label: str, *, before: Generation | None) -> None:
        """Seals a complete generation, so that readers find it, and removes what nobody reads any more."""
        write_seal(made.seal, made.folder, label, known=before.seal if before else None)
        made.note_here()
        self.clean(keep=made)

    def clean(self, *, keep: Generation | None) -> None:
        """Removes all generations but `keep`, and leavings; those that a reader holds stay until later.

        The caller holds the writers' lock.
        """
        kept = set() if keep is None else keep.names
        held: set[str] = set()
        for generation in self.sealed():
            if generation.seal.name not in kept and not _let_go(generation.seal):
                held |= generation.names
        for name in self._names():
            if belongs(name) and name not in held and name not in kept:
                tree.remove(self.folder / name)

    def _of(self, number: int) -> Generation:
        folder = self.folder / f"generation-{number}"
        return Generation(number, folder, folder.with_name(f"{folder.name}.seal"))

    def _names(self) -> list[str]:
        try:
            return sorted(path.name for path in self.folder.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []


@contextmanager
def held(generation: Generation) -> Iterator[bool]:
    """Keeps a generation from being removed inside the block; false if it is gone already.

    The lock is on the seal itself: nothing is written, and a read-only disk will do.
    """
    try:
        handle = os.open(generation.seal, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        yield False
        return
    try:
        yield share(handle) and os.fstat(handle).st_nlink > 0
    finally:
        os.close(handle)


def _let_go(seal: Path) -> bool:
    """Takes the seal from a generation, unless somebody reads it now."""
    try:
        handle = os.open(seal, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        tree.remove(seal)  # a link or the like: no reader has it
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        tree.remove(seal)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
        return False
    finally:
        os.close(handle)
    return True


def _number(name: str) -> int:
    match = _NAME.fullmatch(name)
    return int(match[1]) if match else 0
