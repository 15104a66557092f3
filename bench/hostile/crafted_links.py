"""Index folders with links, at every depth, to what lies outside."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from hostile import folders

Craft = Callable[[Path, Path, random.Random], str | None]
"""Changes an index, given what lies outside; returns the place, None where it cannot be made here."""
EXTRA = (
    "catalog.db-journal",
    "catalog.db-wal",
    "catalog.db-shm",
    "queries.jsonl",
    "runs",
    "tune",
    "search.new",
)


def entries(index: Path, *, kind: str) -> list[Path]:
    """Files or folders of an index, at every depth."""
    found = sorted(path for path in index.rglob("*") if not path.is_symlink())
    return [path for path in found if (path.is_dir() if kind == "dir" else path.is_file())]


def any_file(index: Path, rng: random.Random) -> Path:
    """One of the files: small ones at the top as often as those of the shard."""
    found = entries(index, kind="file")
    top = [path for path in found if path.parent == index]
    return rng.choice(top if rng.random() < 0.5 else found)


def any_dir(index: Path, rng: random.Random) -> Path:
    """One of the folders; the upper ones more often."""
    found = entries(index, kind="dir")
    return min(rng.sample(found, min(2, len(found))), key=lambda path: len(path.parts))


def instead(path: Path, make: Callable[[Path], object], index: Path) -> str:
    """Puts something in the place of a file or folder."""
    folders.remove(path)
    make(path)
    return path.relative_to(index.parent).as_posix()


def link_dir(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_dir(index, rng), lambda path: path.symlink_to(outside / "box"), index)


def link_same_dir(index: Path, outside: Path, rng: random.Random) -> str:
    """A folder of the index as a link to the same folder of the other index."""
    chosen = any_dir(index, rng)
    other = counterpart(chosen, index, outside)
    return instead(chosen, lambda path: path.symlink_to(other), index)


def counterpart(path: Path, index: Path, outside: Path) -> Path:
    """What stands in the other index where `path` is in this one; segments have names of their own."""
    other = outside / "lib" / folders.INDEX
    for name in path.relative_to(index).parts:
        inside = sorted(other.iterdir()) if other.is_dir() else []
        other = other / name if (other / name).exists() or not inside else inside[0]
    return other


def moved_out(index: Path, outside: Path, rng: random.Random) -> str:
    """A folder moved outside, with a link to it in its place: all its bytes are right."""
    chosen = any_dir(index, rng)
    shutil.move(chosen, outside / "moved")
    return instead(chosen, lambda path: path.symlink_to(outside / "moved"), index)


def moved_file(index: Path, outside: Path, rng: random.Random) -> str:
    chosen = any_file(index, rng)
    shutil.move(chosen, outside / "moved")
    return instead(chosen, lambda path: path.symlink_to(outside / "moved"), index)


def hard_moved(index: Path, outside: Path, rng: random.Random) -> str:
    """A file that has a second name outside: writing it in place would change that."""
    chosen = any_file(index, rng)
    os.link(chosen, outside / "second-name")
    return chosen.relative_to(index.parent).as_posix()


def link_file(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_file(index, rng), lambda path: path.symlink_to(outside / "secret.md"), index)


def link_catalog(index: Path, outside: Path, rng: random.Random) -> str:
    other = outside / "lib" / folders.INDEX / "catalog.db"
    return instead(index / "catalog.db", lambda path: path.symlink_to(other), index)


def hard_catalog(index: Path, outside: Path, rng: random.Random) -> str:
    other = outside / "lib" / folders.INDEX / "catalog.db"
    return instead(index / "catalog.db", lambda path: path.hardlink_to(other), index)


def hard_file(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_file(index, rng), lambda path: path.hardlink_to(outside / "secret.md"), index)


def dangling(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_file(index, rng), lambda path: path.symlink_to(outside / "made"), index)


def dangling_dir(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_dir(index, rng), lambda path: path.symlink_to(outside / "made"), index)


def link_loop(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_file(index, rng), lambda path: path.symlink_to(path.name), index)


def link_up(index: Path, outside: Path, rng: random.Random) -> str:
    """A folder that is its own parent."""
    return instead(any_dir(index, rng), lambda path: path.symlink_to(".."), index)


def link_device(index: Path, outside: Path, rng: random.Random) -> str:
    device = rng.choice(("/dev/zero", "/dev/random", "/dev/full", "/dev/tty"))
    return instead(any_file(index, rng), lambda path: path.symlink_to(device), index)


def index_link(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(index, lambda path: path.symlink_to(outside / "lib" / folders.INDEX), index)


def index_link_box(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(index, lambda path: path.symlink_to(outside / "box"), index)


def index_dangling(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(index, lambda path: path.symlink_to(outside / "made"), index)


def index_file(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(index, lambda path: path.write_text("not a folder"), index)


def leavings_with_link(index: Path, outside: Path, rng: random.Random) -> str:
    """A folder as the engine leaves it when it is killed, with a link in it."""

    def make(path: Path) -> None:
        path.mkdir()
        (path / "tmpfile.tmp").symlink_to(outside / "secret.md")
        (path / "box").symlink_to(outside / "box")

    return instead(any_dir(index, rng) / ".atomicwriteAbCdEf", make, index)


def leavings_link(index: Path, outside: Path, rng: random.Random) -> str:
    name = any_dir(index, rng) / ".atomicwriteAbCdEf"
    return instead(name, lambda path: path.symlink_to(outside / "box"), index)


def extra_link(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_dir(index, rng) / "extra", lambda path: path.symlink_to(outside / "box"), index)


def extra_top_link(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(index / rng.choice(EXTRA), lambda path: path.symlink_to(outside / "box"), index)


KINDS: dict[str, Craft] = {
    made.__name__.replace("_", " "): made
    for made in (
        *(link_dir, link_same_dir, moved_out, moved_file, hard_moved, link_file, link_catalog, hard_catalog),
        *(hard_file, dangling, dangling_dir, link_loop, link_up, link_device, index_link, index_link_box),
        *(index_dangling, index_file, leavings_with_link, leavings_link, extra_link, extra_top_link),
    )
}
