"""Patterns of paths as git writes them: those of settings, of `.gitignore` files, and of a repository.

They may come with the documents. A pattern is turned into a regular expression that goes back over a name
for each wildcard, so the wildcards of one pattern are limited.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import pathspec

from pincite.errors import UsageError
from pincite.folder.git_excludes import exclude_files
from pincite.folder.regular import read_regular, why

Globs = pathspec.GitIgnoreSpec
Ignores = list[tuple[Path, Globs]]

_FILE_BYTES = 256_000
_MOST_STARS = 3  # in one part of a path
_MOST_DOUBLE_STARS = 4


@lru_cache(256)
def globs(setting: str, patterns: tuple[str, ...]) -> Globs | None:
    """The patterns of a setting, None for none. Raises `UsageError` naming the setting and the pattern."""
    for pattern in patterns:
        if problem := _problem(pattern):
            raise UsageError(
                f"{setting}: {pattern[:100]!r} is not a pattern of paths: {problem}", stage="config"
            )
    return _compiled(patterns) if patterns else None


def is_ignored(path: Path, folder: bool, ignores: Ignores) -> bool:
    """Whether .gitignore files leave a path out; the innermost one that names it decides."""
    for base, spec in reversed(ignores):
        below = path.relative_to(base).as_posix()
        if (decided := spec.check_file(f"{below}/" if folder else below).include) is not None:
            return decided
    return False


def outer_ignores(root: Path, warned: list[str]) -> Ignores:
    """The patterns of the folders above, as far up as its git repository goes."""
    above = [root, *root.parents]
    top = next((n for n, folder in enumerate(above) if os.path.lexists(folder / ".git")), 0)
    outer = reversed(above[1 : top + 1])
    return [pair for folder in outer for pair in folder_ignores(folder, str(folder), warned)]


def folder_ignores(folder: Path, name: str, warned: list[str], *, root: Path | None = None) -> Ignores:
    """What git leaves out below a folder: of a repository, what it has besides; then its .gitignore.

    Like git, without lines that are no pattern (a lone `!`). What cannot be read, or would take too long to
    match, is told in `warned`; `name` is the folder's there. With `root` the folder is opened beneath it.
    """
    found = []
    for path, beneath in exclude_files(folder, warned.append):
        found += _ignores(folder, path, str(path), warned, beneath)
    shown = f"{name}/.gitignore" if name else ".gitignore"
    return found + _ignores(folder, folder / ".gitignore", shown, warned, root)


def _ignores(folder: Path, path: Path, shown: str, warned: list[str], root: Path | None) -> Ignores:
    """The patterns of one file, which count below `folder`; none if there is no such file."""
    try:
        lines = read_regular(path, limit=_FILE_BYTES, root=root).decode("utf-8-sig", "replace").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        warned.append(f"{shown} was not read: {why(error)}")
        return []
    if costly := [number for number, line in enumerate(lines, 1) if _is_costly(line)]:
        warned.append(f"{shown}:{costly[0]} was not used: {_TOO_MANY}")
    return [(folder, _lenient([line for line in lines if not _is_costly(line)]))]


_TOO_MANY = "it has too many wildcards"


def _is_costly(pattern: str) -> bool:
    parts = pattern.split("/")
    stars = max(part.count("*") for part in parts)  # each of a run is one of the regular expression
    return stars > _MOST_STARS or parts.count("**") > _MOST_DOUBLE_STARS


def _lenient(lines: Sequence[str]) -> Globs:
    try:
        return _compiled(lines)
    except (ValueError, re.error):
        return _compiled([line for line in lines if not _problem(line)])


def _problem(pattern: str) -> str:
    """Why a pattern cannot be used; "" if it can."""
    if _is_costly(pattern):
        return _TOO_MANY
    try:
        _compiled([pattern])
    except re.error as error:
        return error.msg
    except ValueError:
        return "it names nothing"
    return ""


def _compiled(patterns: Iterable[str]) -> Globs:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # `[[`, which a later Python may read otherwise
        return pathspec.GitIgnoreSpec.from_lines(patterns)
