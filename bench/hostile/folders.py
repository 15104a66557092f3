"""Folders of notes under attack: their versions, their indexes, and what a search of them must give."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hostile.commands import Commands, Outcome, Ran

NOTES = 8
EPOCH = 1_700_000_000
QUERIES: tuple[tuple[str, ...], ...] = (
    ("which gauge shows bar by item-3", "--k", "20"),
    ("item-7", "--legs", "lexical"),
    ("pressure of a boiler", "--legs", "dense", "--filter", "area=north"),
)
QUESTION = "How many bar does gauge 5 show?"
INDEX = ".pincite"
BLOCK = 4096


def scratch(name: str) -> tempfile.TemporaryDirectory[str]:
    """A folder to work in, in memory where that is possible: a disk makes all this ten times slower."""
    memory = Path("/dev/shm")
    inside = memory if os.access(memory, os.W_OK) and "TMPDIR" not in os.environ else None
    return tempfile.TemporaryDirectory(prefix=f"hostile-{name}-", dir=inside)


def note(number: int, version: int) -> str:
    area = ("north", "south")[number % 2]
    shows = f"gauge {number} shows {40 + number + version} bar in version-{version}"
    return (
        f"---\narea: {area}\n---\n# Note {number}\n\nThe item-{number} {shows}. It is on boiler {number}.\n"
    )


def write_notes(root: Path, versions: dict[int, int]) -> None:
    """Writes notes by number and version, each with a time of its own."""
    root.mkdir(parents=True, exist_ok=True)
    for number, version in versions.items():
        place(root / f"n{number:02}.md", note(number, version), EPOCH + 100 * number + version)


def place(path: Path, text: str, modified: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (modified, modified))


def searches() -> list[tuple[str, ...]]:
    return [("search", "--json", *query) for query in QUERIES]


def plain(ran: Ran) -> Any:
    """The hits of a search without what may differ between two equal indexes: scores' last digits, times."""
    hits = ran.json().get("hits")
    if hits is None:
        return None
    left_out = ("chunk_id", "score", "fused", "scores", "legs", "boxes")
    kept = [{key: value for key, value in hit.items() if key not in left_out} for hit in hits]
    for hit, one in zip(hits, kept, strict=True):
        one["scores"] = {leg: round(score, 3) for leg, score in hit["scores"].items()}
    return kept


def answers(outcome: Outcome) -> list[Any]:
    return [plain(one) for one in outcome.ran if one.words[0] == "search"]


def first_difference(got: list[Any], expected: list[Any]) -> str:
    """Where two lists of answers part, in a line; empty if nowhere."""
    for number, (mine, right) in enumerate(zip(got, expected, strict=False)):
        if mine != right:
            return f"query {number} {QUERIES[number % len(QUERIES)]}: {hit_difference(mine, right)}"
    return "" if len(got) == len(expected) else f"{len(got)} answers instead of {len(expected)}"


def hit_difference(got: Any, expected: Any) -> str:
    if got is None or expected is None:
        return "no result"
    if len(got) != len(expected):
        return f"{[hit['location'] for hit in got]} instead of {[hit['location'] for hit in expected]}"
    mine, right = next(pair for pair in zip(got, expected, strict=True) if pair[0] != pair[1])
    keys = [key for key in right if mine.get(key) != right[key]]
    return json.dumps({key: [mine.get(key), right[key]] for key in keys}, ensure_ascii=False)[:300]


def copy(source: Path, target: Path) -> None:
    """Copies a tree with times and links; blocks of zeros stay holes, for an index has large sparse files."""
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", "--sparse=always", str(source), str(target)], check=True)


def renew(source: Path, target: Path) -> Path:
    """`target` as a new copy of `source`."""
    remove(target)
    copy(source, target)
    return target


def remove(path: Path) -> None:
    """Removes whatever is there; what is neither file nor folder is not opened."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def bring_to(root: Path, wanted: Path) -> None:
    """Makes the documents of `root` those of `wanted`, with their times; the index stays."""
    for old in documents(root):
        if not (wanted / old).exists():
            (root / old).unlink()
    for name in documents(wanted):
        if not (root / name).exists() or (root / name).read_bytes() != (wanted / name).read_bytes():
            shutil.copy2(wanted / name, root / name)


def documents(root: Path) -> list[str]:
    files = [file for file in root.rglob("*") if file.is_file() and INDEX not in file.relative_to(root).parts]
    return sorted(file.relative_to(root).as_posix() for file in files)


def files_below(root: Path) -> list[Path]:
    """Regular files, sorted by path."""
    return sorted(file for file in root.rglob("*") if file.is_file() and not file.is_symlink())


def used_bytes(root: Path) -> int:
    """What a folder takes on disk: holes count nothing."""
    return sum(file.lstat().st_blocks * 512 for file in root.rglob("*"))


def fresh(commands: Commands, root: Path) -> list[Any]:
    """The right answers: those of a new index of these documents, which stays there. Raises if it fails."""
    remove(root / INDEX)
    made = commands.run(root, ("sync", "--quiet"), *searches())
    if problem := made.problem(frozenset({0})):
        raise RuntimeError(f"a fresh index fails: {problem}")
    return answers(made)


def tree(root: Path) -> dict[str, tuple[object, ...]]:
    """Everything a folder holds, to be compared: kind, mode, size, time, target or content by path."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(root.rglob("*")):
        status = path.lstat()
        content: object = str(path.readlink()) if path.is_symlink() else ""
        if path.is_file() and not path.is_symlink():
            content = path.read_bytes()
        name = path.relative_to(root).as_posix()
        found[name] = (status.st_mode, status.st_size, status.st_mtime_ns, content)
    return found


def tree_difference(before: dict[str, Any], after: dict[str, Any]) -> str:
    names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    return ", ".join(names[:5])


def shuffled(rng: random.Random, values: Iterable[Any]) -> list[Any]:
    found = list(values)
    rng.shuffle(found)
    return found


def follow(work: Path, told: str) -> bool:
    """Removes what an error tells to remove, and makes the copies it tells to, where that is in the index.

    Returns whether there was anything to do.
    """
    index, named = str(work / INDEX), list[Path]()
    parted = re.findall(r"cp -p (\S+) (\S+) && mv (\S+) (\S+)", told)
    for file, copy, moved, to in parted:
        if moved == copy and to == file and file.startswith(index + "/") and copy.startswith(index + "/"):
            shutil.copy2(file, copy)
            Path(copy).replace(file)
    for said in re.findall(r"(?:rm -rf?|rm -f|remove|delete) ([^;\n]+)", told):
        for word in said.split():
            path = word.strip("'\",.:")
            if path == index or path.startswith(index + "/"):
                named += Path(path).parent.glob(Path(path).name)
    if "remove the link" in told:
        words = [Path(word.strip("'\",.:")) for word in told.split() if index in word]
        named += [path for path in words if path.is_symlink()]
    for path in named:
        remove(path)
    return bool(named or parted)
