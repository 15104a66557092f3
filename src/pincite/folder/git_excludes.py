"""The patterns git has besides `.gitignore` files: those of one repository, and those of the user.

`.git/info/exclude` comes with the documents and is opened beneath them. The user's file is the one that
`core.excludesFile` names in the user's own configuration, which is read here without running git; what a
repository's own configuration names is not: it comes with the documents and may name any file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from pincite.folder.regular import read_regular, why

_MOST_BYTES = 256_000
_DEEPEST = 10  # configuration files that include one another
_SECTION = re.compile(r'\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)"\s*)?\]')
_NAME = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)[ \t]*")
_PART = re.compile(r'"((?:[^"\\\n]|\\.)*)"|((?:[^"\\#;\n]|\\.)+)', re.S)
_ESCAPED = re.compile(r"\\(\n|.)", re.S)
_ESCAPES = {"\n": "", "n": "\n", "t": "\t", "b": "\b"}

Warn = Callable[[str], None]


def exclude_files(folder: Path, warn: Warn) -> Iterator[tuple[Path, Path | None]]:
    """The files with patterns for a folder that is a git repository, the weakest first.

    Each comes with the folder it is to be opened beneath, None for one of the user.
    """
    if not os.path.lexists(folder / ".git"):
        return
    if (named := _named_by_user(warn)) is not None:
        yield named, None
    if (there := _common_folder(folder, warn)) is not None:
        yield there / "info" / "exclude", folder if there.is_relative_to(folder) else there


def _common_folder(folder: Path, warn: Warn) -> Path | None:
    """Where git keeps a repository: `.git`, or the folder that a file of this name leads to."""
    git = folder / ".git"
    if not git.is_file() or git.is_symlink():
        return git
    led = _led(git, folder, "gitdir:", warn)
    if led is not None and os.path.lexists(led / "commondir"):
        return _led(led / "commondir", led, "", warn)
    return led


def _led(file: Path, base: Path, mark: str, warn: Warn) -> Path | None:
    """The folder that a file of git names; None, told, if it lies in another tree, as a share does."""
    text = _text(file, warn)
    if text is None or not text.startswith(mark):
        return None
    named = Path(os.path.normpath(base / text.removeprefix(mark).strip()))
    if os.path.commonpath([base, named]) == os.sep:
        warn(f"{file}: what it leads to lies in another tree and was not read")
        return None
    return named


def _named_by_user(warn: Warn) -> Path | None:
    """The user's file of patterns, if there is one: as `core.excludesFile` names it, else git's usual one."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111  where nobody knows a home, it stays as it is
    git = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "git"
    given = os.environ.get("GIT_CONFIG_GLOBAL")
    named = str(git / "ignore")
    for file in [Path(given)] if given is not None else [git / "config", home / ".gitconfig"]:
        for value in _settings(file, warn, _DEEPEST):
            named = value
    path = Path(os.path.expanduser(named))  # noqa: PTH111
    return path.resolve() if named and path.is_absolute() and path.is_file() else None


def _settings(file: Path, warn: Warn, deepest: int) -> Iterator[str]:
    """The values of `core.excludesFile` in a configuration file and those it includes, in their order."""
    if not file.is_file() or (text := _text(file.resolve(), warn)) is None:
        return
    for name, value in _entries(text):
        if name == "core.excludesfile":
            yield value
        elif name == "include.path" and value and deepest:
            included = file.parent / os.path.expanduser(value)  # noqa: PTH111
            yield from _settings(included, warn, deepest - 1)


def _text(file: Path, warn: Warn) -> str | None:
    try:
        return read_regular(file, limit=_MOST_BYTES).decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        warn(f"{file} was not read: {why(error)}")
        return None


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """`section.name`, in lower case, and the value of each entry; sections with names in quotes have none."""
    text, at, section = text.replace("\r\n", "\n"), 0, ""
    while at < len(text):
        if head := _SECTION.match(text, at):
            section, at = "" if head[2] is not None else head[1].lower(), head.end()
        elif name := _NAME.match(text, at):
            value, at = _value(text, name.end()) if name[2] else ("true", name.end())
            if section:
                yield f"{section}.{name[1].lower()}", value
        elif text[at] in "#;":
            at = _line_end(text, at)
        else:
            at += 1


def _value(text: str, at: int) -> tuple[str, int]:
    """A value and where it ends: quotes taken off, escapes undone, comments left out."""
    parts = []
    while part := _PART.match(text, at):
        quoted = part[1] is not None
        parts.append((part[1] if quoted else part[2], quoted))
        at = part.end()
    if parts and not parts[-1][1]:
        parts[-1] = (parts[-1][0].rstrip(), False)
    value = "".join(part for part, _ in parts)
    return _ESCAPED.sub(lambda found: _ESCAPES.get(found[1], found[1]), value), _line_end(text, at)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end == -1 else end
