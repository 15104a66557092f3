"""Paths of members of archives: made one way, or refused with the reason."""

from __future__ import annotations

import re
import unicodedata

from pincite.folder.walk import left_out_by_name

_LONGEST = 500  # characters of a path
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_DRIVE = re.compile(r"[A-Za-z]:(?:/|\Z)")


def member_path(name: str) -> str:
    """A member's path with `/` between its parts, in NFC, without `.` parts and doubled slashes."""
    path = unicodedata.normalize("NFC", name).replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    return "/".join(parts)


def refusal(name: str) -> str:
    """Why a member of this name is not read; "" if its name is harmless."""
    path = name.replace("\\", "/")
    if _CONTROL.search(path):
        return "its name holds control characters"
    if path.startswith("/") or _DRIVE.match(path):
        return "its name is an absolute path"
    if ".." in path.split("/"):
        return "its path leads out of the archive"
    if len(path) > _LONGEST:
        return f"its path has more than {_LONGEST} characters"
    return "" if member_path(path) else "it has no name"


def shown_name(name: str) -> str:
    """A name fit to be printed, cut if it is long."""
    shown = _CONTROL.sub("?", unicodedata.normalize("NFC", name).replace("\\", "/"))
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def is_left_out(path: str) -> bool:
    """Whether a folder would leave a file at this path out: hidden, a dependency, generated."""
    *folders, name = path.split("/")
    if any(left_out_by_name(folder, folder=True) or folder == "__MACOSX" for folder in folders):
        return True
    return left_out_by_name(name, folder=False)


def one_key(path: str) -> str:
    """Equal for paths that some file system takes for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
