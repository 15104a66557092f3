"""The files of an index folder, for tests that damage or count them."""

from __future__ import annotations

from pathlib import Path

from pincite.index.generations import Generation, Generations
from pincite.index.seal import Sealed, check_seal


def files_below(root: Path) -> list[Path]:
    """All files below a folder, sorted."""
    return sorted(path for path in root.rglob("*") if path.is_file())


def current(index: Path) -> Generation:
    """The newest sealed generation of the search index in an index folder."""
    return Generations(index / "search").sealed()[0]


def check(generation: Generation) -> Sealed:
    """What its seal says of it."""
    return check_seal(generation.seal, generation.folder)
