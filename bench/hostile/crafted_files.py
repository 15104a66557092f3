"""Index folders whose files are not what they should be: FIFOs, devices, strangers, lying seals."""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import stat
from collections.abc import Callable
from pathlib import Path

from hostile import folders
from hostile.crafted_links import EXTRA, Craft, any_dir, any_file, entries, instead

GIGABYTE = 1 << 30


def can_seal() -> bool:
    try:
        from pincite.index.seal import label_of, write_seal
    except ImportError:
        return False
    return callable(write_seal) and callable(label_of)


def reseal(index: Path) -> None:
    """Makes the seals of a changed shard anew, with the program's own code, if it is where it was."""
    if not can_seal():
        return
    from pincite.index.seal import label_of, write_seal

    for seal in sorted(index.glob("**/*.seal")):
        if seal.is_file() and seal.with_suffix("").is_dir():
            label = label_of(seal)
            seal.unlink()
            write_seal(seal, seal.with_suffix(""), label)


def fifo(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_file(index, rng), os.mkfifo, index)


def fifo_extra(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(index / rng.choice(EXTRA), os.mkfifo, index)


def fifo_deep(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_dir(index, rng) / "extra.dat", os.mkfifo, index)


def bind(path: Path) -> None:
    """A socket by this name; bound under a short one, for paths of sockets are short."""
    here = os.open(path.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(f"/proc/self/fd/{here}/{path.name}")
    os.close(here)


def socket_file(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_file(index, rng), bind, index)


def device_file(index: Path, outside: Path, rng: random.Random) -> str | None:
    if os.geteuid():
        return None
    node = os.makedev(1, rng.choice((3, 5, 7)))  # null, zero, full
    return instead(any_file(index, rng), lambda path: os.mknod(path, 0o666 | stat.S_IFCHR, node), index)


def dir_for_file(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_file(index, rng), Path.mkdir, index)


def full_dir_for_file(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_file(index, rng), lambda path: shutil.copytree(outside / "box", path), index)


def false_length(index: Path, outside: Path, rng: random.Random) -> str | None:
    """More flags than there are: an engine that believes it makes room for them all."""
    lengths = [file for file in sorted(index.rglob("status.dat")) if file.stat().st_size == 16]
    if not lengths or not can_seal():
        return None
    file = rng.choice(lengths)
    file.write_bytes((1 << rng.randrange(30, 34)).to_bytes(8, "little") + file.read_bytes()[8:])
    reseal(index)
    return file.relative_to(index).as_posix()


def file_for_dir(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_dir(index, rng), lambda path: path.write_bytes(b"x"), index)


def extra_file(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(any_dir(index, rng) / "extra.dat", lambda path: path.write_bytes(b"x" * 99), index)


def extra_top(index: Path, outside: Path, rng: random.Random) -> str:
    name = rng.choice(("notes.txt", "search2", ".hidden", "catalog.db.old", "search.seal.tmp"))
    return instead(index / name, lambda path: path.write_text("mine"), index)


def extra_segment(index: Path, outside: Path, rng: random.Random) -> str:
    """A second copy of a folder of the shard, under another name."""
    chosen = any_dir(index, rng)
    return instead(chosen.with_name("00000000-0000-4000-8000-000000000000"), _copied(chosen), index)


def _copied(source: Path) -> Callable[[Path], object]:
    return lambda path: folders.copy(source, path)


def huge(index: Path, outside: Path, rng: random.Random) -> str:
    """A file of many gigabytes, all of it a hole."""
    chosen = any_file(index, rng)
    os.truncate(chosen, 40 * GIGABYTE)
    return chosen.relative_to(index.parent).as_posix()


def huge_seal(index: Path, outside: Path, rng: random.Random) -> str:
    def make(path: Path) -> None:
        path.write_text('{"sealed": true, "entries": {"' + "a" * 200_000_000 + '": [1, 2, "x"]}}')

    return instead(_seal(index, rng), make, index)


def deep_seal(index: Path, outside: Path, rng: random.Random) -> str:
    return instead(_seal(index, rng), lambda path: path.write_text("[" * 900_000), index)


def lying_seal(index: Path, outside: Path, rng: random.Random) -> str:
    """A seal that names files outside, by paths up, from the root, or through odd names."""
    seal = rng.choice([path for path in entries(index, kind="file") if path.suffix == ".seal"])
    told, content = str(outside / "secret.md"), json.loads(seal.read_text("utf-8"))
    names = ("../../../outside/secret.md", told, "../../outside/box/deep/kept.txt", "a\0b", "", ".", "..")
    content["entries"] = {**content.get("entries", {}), **{name: [1, 2, "0" * 32] for name in names}}
    seal.write_text(json.dumps(content))
    return seal.relative_to(index.parent).as_posix()


def odd_seal(index: Path, outside: Path, rng: random.Random) -> str:
    texts = (
        "null",
        "[]",
        '{"label": "x", "entries": 7}',
        '{"sealed": true}',
        '{"label": 1, "entries": {"x": null}}',
        "NaN",
    )
    return instead(_seal(index, rng), lambda path: path.write_text(rng.choice(texts)), index)


def _seal(index: Path, rng: random.Random) -> Path:
    """One of the small files that say what the others are."""
    found = [path for path in entries(index, kind="file") if path.suffix in (".seal", ".stamp", ".json")]
    top = [path for path in found if "segments" not in path.parts]
    return rng.choice(top or found)


def bad_shard(index: Path, outside: Path, rng: random.Random) -> str:
    """Noise in files of the shard, and a seal that says all is well."""
    chosen = rng.sample(shard_files(index), 3)
    for file in chosen:
        with file.open("r+b") as stream:
            stream.seek(rng.randrange(max(1, min(file.stat().st_size, 4096))))
            stream.write(rng.randbytes(64))
    reseal(index)
    return ", ".join(file.name for file in chosen)


def shard_files(index: Path) -> list[Path]:
    return [file for file in entries(index, kind="file") if "segments" in file.parts and file.stat().st_size]


def short_shard(index: Path, outside: Path, rng: random.Random) -> str:
    chosen = rng.choice(shard_files(index))
    os.truncate(chosen, rng.choice((0, 1, chosen.stat().st_size // 2)))
    reseal(index)
    return chosen.relative_to(index.parent).as_posix()


def bad_configs(index: Path, outside: Path, rng: random.Random) -> str:
    """The shard's own settings, made absurd, under a good seal."""
    found = [file for file in entries(index, kind="file") if file.suffix == ".json" and "search" in str(file)]
    chosen = rng.choice(found)
    text = chosen.read_text("utf-8")
    odd = rng.choice(
        (text.replace("384", "999999999"), "{}", "[" * 5000, text.replace("true", "false"), "null")
    )
    chosen.write_text(odd if odd != text else text[:-3])
    reseal(index)
    return chosen.relative_to(index.parent).as_posix()


def missing(index: Path, outside: Path, rng: random.Random) -> str:
    chosen = rng.choice(shard_files(index) + entries(index, kind="dir")[:2])
    folders.remove(chosen)
    reseal(index)
    return chosen.relative_to(index.parent).as_posix()


def foreign_shard(index: Path, outside: Path, rng: random.Random) -> str:
    """The other index's shard and seal as they are, copied."""
    for path in sorted(index.iterdir()):
        other = outside / "lib" / folders.INDEX / path.name
        if path.name.startswith("search") and other.exists():
            folders.renew(other, path)
    return "search"


def no_rights(index: Path, outside: Path, rng: random.Random) -> str:
    chosen = any_file(index, rng)
    chosen.chmod(0)
    return chosen.relative_to(index.parent).as_posix()


KINDS: dict[str, Craft] = {
    made.__name__.replace("_", " "): made
    for made in (
        *(
            fifo,
            fifo_extra,
            fifo_deep,
            socket_file,
            device_file,
            dir_for_file,
            full_dir_for_file,
            file_for_dir,
            false_length,
        ),
        *(extra_file, extra_top, extra_segment, huge, huge_seal, deep_seal, lying_seal, odd_seal, bad_shard),
        *(short_shard, bad_configs, missing, foreign_shard, no_rights),
    )
}
