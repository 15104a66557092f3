"""Which files there are in the folder. Links are not followed, and what is left out is counted or named."""

from __future__ import annotations

import fnmatch
import os
import re
import stat
import time
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pincite.config import SyncConfig
from pincite.errors import InputError
from pincite.folder.beneath import listed
from pincite.folder.globs import Globs, Ignores, folder_ignores, globs, is_ignored, outer_ignores
from pincite.folder.read import Identity, identity_of, name_in_uri, read
from pincite.folder.regular import Seen, read_head, why
from pincite.protocols import Source
from pincite.types import Reason

_DEPENDENCIES = frozenset({"node_modules", "bower_components", "site-packages", "__pycache__", "venv"})
_NEVER = (".pincite", ".git")  # not counted either: nobody looks for documents there
_LEFT_OUT = (
    "*.lock", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "*.min.js", "*.min.css",
    "*.map", "*.pyc", "~$*", "~WRL*.tmp", "Thumbs.db", "desktop.ini",
)  # fmt: skip
_USUAL = re.compile("|".join(map(fnmatch.translate, _LEFT_OUT))).match
_SETTINGS = "pincite.toml"
_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def left_out_by_name(name: str, *, folder: bool) -> bool:
    """Whether a name alone leaves a file or folder out, where no setting says otherwise."""
    return name.startswith(".") or (folder and name in _DEPENDENCIES) or bool(_USUAL(name))


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A regular file below the folder: its uri, where it is, and what tells that it is unchanged.

    It is read beneath `root`, and only if it is the one that was `seen`. Without a root, or without being
    seen, it is what a person named.
    """

    uri: str
    path: Path
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    seen_ns: int = 0  # when these were looked up
    root: Path | None = None
    seen: Seen | None = None

    @property
    def identity(self) -> Identity:
        """Equal when the file was not touched."""
        return (self.size, self.mtime_ns, self.ctime_ns, self.inode)

    def read(self, *, limit: int = 1 << 32) -> Source:
        """The file's bytes. Raises `InputError` as `pincite.folder.read.read` does."""
        return read(self.path, self.uri, root=self.root, seen=self.seen, limit=limit)

    def head(self) -> bytes:
        """Its first bytes; none if it cannot be read."""
        return read_head(self.path, root=self.root)


@dataclass(slots=True)
class Walk:
    """What is below a folder: files by uri, what is skipped or cannot be read, and how many were left out.

    `empty` are the uris of folders that hold nothing, but for hidden files.
    """

    files: list[FoundFile] = field(default_factory=list)
    skipped: list[Reason] = field(default_factory=list)
    failed: list[Reason] = field(default_factory=list)
    excluded: int = 0
    warnings: list[str] = field(default_factory=list)
    empty: set[str] = field(default_factory=set)


def walk(root: Path, config: SyncConfig) -> Walk:
    """All files of a library, by uri. Raises `InputError` when the folder is missing or not readable."""
    _refuse_no_folder(root)
    found = Walk()
    real = root.resolve()  # .gitignore files above are compared with real paths
    outer = outer_ignores(real, found.warnings) if config.gitignore else []
    _walk_folder(real, outer, _Rules.of(config), found)
    found.files.sort(key=lambda file: file.uri)
    found.skipped.sort(key=lambda reason: reason.uri)
    found.failed.sort(key=lambda reason: reason.uri)
    return found


def _refuse_no_folder(root: Path) -> None:
    try:
        status = root.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise InputError(f"{root} does not exist", stage="read", hint="name a folder that exists") from None
    except OSError as error:
        raise InputError(f"{root} cannot be read: {why(error)}", stage="read") from error
    if not stat.S_ISDIR(status.st_mode):
        raise InputError(f"{root} is not a folder", stage="read", hint="name a folder that exists")


@dataclass(frozen=True, slots=True)
class _Rules:
    config: SyncConfig
    include: Globs | None
    exclude: Globs | None

    @staticmethod
    def of(config: SyncConfig) -> _Rules:
        for rule in config.meta:
            globs("sync.meta.paths", rule.paths)  # refused before anything is done
        include, exclude = globs("sync.include", config.include), globs("sync.exclude", config.exclude)
        return _Rules(config, include, exclude)

    def leaves_out(self, uri: str, name: str, path: Path, ignores: Ignores, *, folder: bool) -> bool:
        """Whether a path is left out; an include glob brings back what is hidden, ignored or usual."""
        probe = f"{uri}/" if folder else uri
        if self.exclude and self.exclude.match_file(probe):
            return True
        if name in _NEVER or (folder and _is_index(path)):
            return True
        if (self.include and self.include.match_file(probe)) or (folder and self._leads_to_include(uri)):
            return False
        if name.startswith(".") and not self.config.hidden:
            return True
        if folder and (name in _DEPENDENCIES or _is_file(path / "pyvenv.cfg")):
            return True
        return bool(_USUAL(name)) or is_ignored(path, folder, ignores)

    def _leads_to_include(self, uri: str) -> bool:
        return any(glob.lstrip("/").startswith(f"{uri}/") for glob in self.config.include)


def _is_index(folder: Path) -> bool:
    """Whether a folder is an index, wherever it was put."""
    return _is_file(folder / "catalog.db") and _is_file(folder / "sync.lock")


def _is_file(path: Path) -> bool:
    """Whether there is such a file; False in a folder that cannot be read, where `Path.is_file` may raise."""
    return os.path.isfile(path)  # noqa: PTH113


def _walk_folder(root: Path, ignores: Ignores, rules: _Rules, found: Walk) -> None:
    """Adds what is below `root`, with an explicit stack so that depth is no limit.

    A folder is opened again beneath the root, and its entries are looked at through it: no link leads out.
    """
    stack = [(root, "", ignores)]
    while stack:
        here, prefix, outer = stack.pop()
        try:
            with listed(root, here) as entries:
                inner = outer + _ignores(root, here, prefix, rules, found)
                for entry in _in_order(entries, prefix, found):
                    stack.extend(_take(entry, _Where(root, here, prefix, inner), rules, found))
        except OSError as error:
            found.failed.append(Reason(f"{prefix}/" if prefix else "./", why(error)))


def _ignores(root: Path, here: Path, prefix: str, rules: _Rules, found: Walk) -> Ignores:
    if not rules.config.gitignore:
        return []
    return folder_ignores(here, prefix, found.warnings, root=root)


def _in_order(entries: list[os.DirEntry[str]], prefix: str, found: Walk) -> list[os.DirEntry[str]]:
    """The entries of a folder by name. Of names that are one in uris, the first is taken."""
    if prefix and all(entry.name.startswith(".") for entry in entries):
        found.empty.add(prefix)
    by_name: dict[str, os.DirEntry[str]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.name != name_in_uri(entry.name), entry.name)):
        name = name_in_uri(entry.name)
        if by_name.setdefault(name, entry) is not entry:
            uri = f"{prefix}/{name}" if prefix else name
            found.skipped.append(
                Reason(uri, f"another file has the same name but for {_differs(entry.name)}")
            )
    return [by_name[name] for name in sorted(by_name)]


def _differs(name: str) -> str:
    composed = unicodedata.normalize("NFC", name)
    return "the form of its accents" if name_in_uri(name) == composed else "bytes that are not UTF-8"


@dataclass(frozen=True, slots=True)
class _Where:
    """The folder that is walked through now, its uri, and the ignore files that count there."""

    root: Path
    folder: Path
    prefix: str
    ignores: Ignores


def _take(
    entry: os.DirEntry[str], where: _Where, rules: _Rules, found: Walk
) -> Iterator[tuple[Path, str, Ignores]]:
    """Files one entry to `found`; yields it when it is a folder to go into."""
    name = name_in_uri(entry.name)
    uri = f"{where.prefix}/{name}" if where.prefix else name
    path = where.folder / entry.name
    try:
        folder = entry.is_dir(follow_symlinks=False)
    except OSError as error:
        found.failed.append(Reason(uri, why(error)))
        return
    if rules.leaves_out(uri, name, path, where.ignores, folder=folder):
        found.excluded += name not in _NEVER
    elif folder:
        yield path, uri, where.ignores
    else:
        _take_file(entry, uri, path, where.root, rules.config.max_file_mb, found)


def _take_file(entry: os.DirEntry[str], uri: str, path: Path, root: Path, max_mb: int, found: Walk) -> None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        found.failed.append(Reason(uri, why(error)))
        return
    if stat.S_ISLNK(status.st_mode):
        found.skipped.append(Reason(uri, _link(path)))
    elif not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "of an unknown kind")
        found.skipped.append(Reason(uri, f"not a regular file ({kind})"))
    elif uri == _SETTINGS:
        found.skipped.append(Reason(uri, "settings of this library"))
    elif status.st_size > max_mb * 1_000_000:
        size = status.st_size / 1e6
        found.skipped.append(
            Reason(uri, f"{size:.0f} MB is over the limit of {max_mb} MB (sync.max_file_mb)")
        )
    else:
        seen = (status.st_dev, status.st_ino)
        found.files.append(
            FoundFile(uri, path, *identity_of(status), seen_ns=time.time_ns(), root=root, seen=seen)
        )


def _link(path: Path) -> str:
    """Why a link is skipped: a file it leads to inside the folder is read under its own name."""
    try:
        kind = stat.S_IFMT(path.resolve(strict=True).stat().st_mode)
    except (OSError, RuntimeError):
        return "a link that leads nowhere or in a circle"
    return f"a link to {_KINDS[kind]}" if kind in _KINDS else "a link; links are not followed"
