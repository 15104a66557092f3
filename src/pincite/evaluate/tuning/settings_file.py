"""Settings written into `pincite.toml`: existing keys get their new value, comments stay."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincite.config.load import LIBRARY_FILE
from pincite.errors import StoreError, UsageError
from pincite.evaluate.tuning.space import written
from pincite.folder.whole import write_whole

_HEADER = re.compile(r"\s*\[")


def read_settings(root: Path) -> str:
    """The text of the library's file, "" when there is none. Raises `UsageError` if it is not UTF-8."""
    path = root / LIBRARY_FILE
    try:
        return path.read_bytes().decode("utf-8") if path.exists() else ""
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}", stage="config") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8", stage="config") from error


def edited(text: str, changes: Mapping[str, Any]) -> str:
    """The text with some dotted keys set. Raises `UsageError` when it cannot be edited line by line.

    A key that is there keeps its comment; a new one comes last in its section, and a new section last in
    the file. What came out is read again: nothing else may have changed.
    """
    wanted = _tables(text)
    lines = text.removeprefix("\ufeff").splitlines(keepends=True)
    for key, value in changes.items():
        section, _, name = key.rpartition(".")
        table = wanted.setdefault(section, {}) if section else wanted
        table[name] = list(value) if isinstance(value, tuple) else value
        _set(lines, section, name, written(value))
    made = "".join(lines)
    try:
        same = tomllib.loads(made) == wanted
    except tomllib.TOMLDecodeError:
        same = False
    if not same:
        raise UsageError(
            f"{LIBRARY_FILE} is written in a way that cannot be edited here",
            stage="config",
            hint="set it yourself: " + "; ".join(f"{key} = {written(v)}" for key, v in changes.items()),
        )
    return made


def diff(before: str, after: str) -> str:
    """The unified diff of the two texts of the file."""
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), LIBRARY_FILE, f"{LIBRARY_FILE} (tuned)", lineterm="", n=2
    )
    return "\n".join(lines)


def write_settings(root: Path, text: str) -> Path:
    """Writes the library's file, whole or not at all. Raises `StoreError` for a link and a full disk."""
    path = root / LIBRARY_FILE
    if path.is_symlink():
        raise StoreError(f"{path} is a link, and links are not written through", stage="config")
    write_whole(path, text.encode("utf-8"), stage="config", error=StoreError)
    return path


def _tables(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{LIBRARY_FILE}: not valid TOML: {error}", stage="config") from error


def _set(lines: list[str], section: str, name: str, value: str) -> None:
    start, end = _region(lines, section)
    key = re.compile(rf"(\s*{re.escape(name)}\s*=\s*)([^\r\n]*)(\r?\n?)")
    for at in range(start, end):
        if found := key.match(lines[at]):
            lines[at] = f"{found[1]}{value}{_comment(found[2])}{found[3]}"
            return
    _add(lines, start, end, section, f"{name} = {value}")


def _comment(rest: str) -> str:
    """The comment at the end of a line's value, with the space before it."""
    quote = ""
    for at, character in enumerate(rest):
        if character == "#" and not quote:
            return rest[len(rest[:at].rstrip()) :]
        if character == quote:
            quote = ""
        elif character in "\"'" and not quote:
            quote = character
    return ""


def _region(lines: list[str], section: str) -> tuple[int, int]:
    """The lines of a section, without its header; an empty region at the end of the file if it is not there.

    Keys without a section stand before the first header.
    """
    headers = [at for at, line in enumerate(lines) if _HEADER.match(line)]
    if not section:
        return 0, headers[0] if headers else len(lines)
    title = re.compile(rf"\s*\[\s*{re.escape(section)}\s*\]")
    start = next((at for at in headers if title.match(lines[at])), None)
    if start is None:
        return len(lines), len(lines)
    return start + 1, next((at for at in headers if at > start), len(lines))


def _add(lines: list[str], start: int, end: int, section: str, line: str) -> None:
    """Puts a line after the last one of the region that holds something."""
    ending = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += ending
    if section and start == len(lines) and not _is_header(lines, section):
        lines += [ending] * bool(lines) + [f"[{section}]{ending}", line + ending]
        return
    while end > start and not lines[end - 1].strip():
        end -= 1
    lines.insert(end, line + ending)


def _is_header(lines: list[str], section: str) -> bool:
    """Whether the last line is the header of the section."""
    return bool(lines) and lines[-1].strip().startswith(f"[{section}]")
