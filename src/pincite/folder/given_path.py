"""Which file of a library a path means that a person gave."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from itertools import islice
from pathlib import Path, PurePosixPath

from pincite.errors import InputError
from pincite.folder.read import is_gone, look, name_in_uri, on_disk, resolve
from pincite.folder.walk import FoundFile

_MOST_COMPARED = 5_000  # uris looked through for one that may be meant


def uri_of(root: Path, given: str, known: Callable[[], Iterable[str]]) -> str:
    """The uri of the file that `given` names: relative to the library, else to the current folder.

    Raises `InputError` when it leads out of the library, and when there is no such file: then with the
    nearest of the uris `known` gives.
    """
    found = library_uri(root, given) or uri_from_here(root, given)
    if found is None:
        _refuse_unreadable(root, given)
        raise no_such_file(root, given, known)
    return found


def _refuse_unreadable(root: Path, given: str) -> None:
    """Raises for a path that leads out of the library, and for one that cannot be looked at."""
    try:
        look(root, given)
    except InputError as error:
        if error.__cause__ is None or not is_gone(error):
            raise


def named_file(root: Path, path: Path, known: Callable[[], Iterable[str]]) -> FoundFile:
    """The file that `path` names, in the library or outside it; nothing more is looked up of it.

    Raises `InputError` when there is none.
    """
    if uri := library_uri(root, str(path)) or uri_from_here(root, str(path)):
        return FoundFile(uri, resolve(root, uri), 0, 0, 0, 0, root=root)
    if not os.path.lexists(path):
        raise no_such_file(root, str(path), known)
    return FoundFile(name_in_uri(path.name), path, 0, 0, 0, 0)


def library_uri(root: Path, given: str) -> str | None:
    """`given` as uri, if something of this name is in the library; None otherwise."""
    try:
        there = os.path.lexists(resolve(root, given))
    except (InputError, OSError, ValueError):
        return None
    return name_in_uri(PurePosixPath(given).as_posix()) if there else None


def uri_from_here(root: Path, given: str) -> str | None:
    """The uri of what `given` names from the current folder; None if that is not there or not inside."""
    try:
        path = on_disk(Path.cwd(), given)
        real = path.parent.resolve() / path.name  # the last part may be a link: those are not followed
        if path.name in ("", "..") or not os.path.lexists(real):
            return None
        below = real.relative_to(root.resolve()).as_posix()
    except (OSError, RuntimeError, ValueError):  # a circle of links, or not below the library
        return None
    return name_in_uri(below)


def no_such_file(root: Path, given: str, known: Callable[[], Iterable[str]]) -> InputError:
    """The error that says what a path is relative to, and names the file that may be meant."""
    near = nearest(given, [*islice(known(), _MOST_COMPARED), *_siblings(root, given)])
    hint = "paths are relative to the library's folder, else to the current folder"
    meant = f"; did you mean {near}?" if near else ""
    return InputError(f"{given[:200]}: there is no such file", stage="read", hint=hint + meant, uri=given)


def nearest(given: str, uris: Iterable[str]) -> str:
    """The uri most like `given`: one of the same name first; "" when none is near."""
    known = sorted(set(uris))
    name = PurePosixPath(given).name.casefold()
    same = [uri for uri in known if PurePosixPath(uri).name.casefold() == name]
    found = get_close_matches(given[:200], same or known, n=1, cutoff=0.0 if same else 0.6)
    return found[0] if found else ""


def _siblings(root: Path, given: str) -> list[str]:
    """The uris of the files in the folder that `given` names a file of."""
    above = PurePosixPath(given).parent
    try:
        files = (path for path in resolve(root, above.as_posix()).iterdir() if path.is_file())
        return [name_in_uri((above / path.name).as_posix()) for path in islice(files, _MOST_COMPARED)]
    except (InputError, OSError, ValueError):
        return []
