"""Which file the path in a label means: one rule, however the path is written."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote


class Paths:
    """The files a path may mean, by the ways in which one is written.

    In this order: as it is; with `\\`, `./`, `..` and `//` cleaned; from the `root` of the library where it
    is absolute; percent-decoded; each of these in another case. Always composed (NFC).
    """

    def __init__(self, uris: Iterable[str], root: Path | None = None) -> None:
        self._uris = frozenset(uris)
        self._root = root
        self._folded: dict[str, list[str]] = {}
        for uri in sorted(self._uris):
            self._folded.setdefault(_folded(uri), []).append(uri)

    def meant(self, given: str) -> tuple[str, ...]:
        """The uris that a path may mean, sorted: several only where they differ in case alone."""
        spellings = list(self._spellings(given))
        exact = next((one for one in spellings if one in self._uris), None)
        if exact is not None:
            return (exact,)
        return tuple(
            next((self._folded[key] for one in spellings if (key := _folded(one)) in self._folded), ())
        )

    def _spellings(self, given: str) -> Iterator[str]:
        for written in dict.fromkeys((given, unquote(given.removeprefix("file://")))):
            composed = unicodedata.normalize("NFC", written)
            yield composed
            clean = posixpath.normpath(composed.replace("\\", "/"))
            yield clean if self._root is None else below(self._root, clean)


def below(root: Path, path: str) -> str:
    """An absolute path as one from `root`, where it leads there, by whatever link; any other as it is."""
    given = Path(path)
    if not given.is_absolute():
        return path
    for one in (given, given.parent.resolve() / given.name):
        for top in (root.absolute(), root.resolve()):
            count = len(top.parts)
            if len(one.parts) > count and all(map(_alike, one.parts[:count], top.parts)):
                return PurePosixPath(*one.parts[count:]).as_posix()
    return path


def _alike(one: str, other: str) -> bool:
    return _folded(one) == _folded(other)


def _folded(path: str) -> str:
    composed = unicodedata.normalize("NFC", path)
    return unicodedata.normalize("NFC", composed.casefold())
