"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import re
from pathlib import Path

from pincite.errors import InputError, PinciteError, UsageError

_BEGINNING = 4_096  # bytes of a file that say what it is


def write_whole(
    path: Path, data: bytes, *, stage: str, error: type[PinciteError] = InputError, hint: str = ""
) -> None:
    """Writes a file in place of what is there; a kill or a full disk leaves that as it was.

    Its rights stay. Raises `error` when the file cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        if path.exists():
            part.chmod(path.stat().st_mode & 0o777)
        part.replace(path)
    except OSError as failed:
        if part.parent.is_dir():
            part.unlink(missing_ok=True)
        raise error(f"{path}: cannot be written: {failed.strerror}", stage=stage, hint=hint) from failed


def refuse_target(path: Path, beginning: re.Pattern[bytes], kind: str) -> None:
    """Refuses, before anything is done for it, a path that `kind` cannot or must not be written to.

    Raises `InputError` where no file can be made, and `UsageError` for a file of another kind that is there:
    one that does not begin so, and is not empty.
    """
    if not path.parent.is_dir() or path.name in ("", "..") or path.is_dir():
        message = f"{str(path)[:200]}: no file can be written there"
        raise InputError(message, stage="write", hint="name a file in a folder that exists")
    try:
        with path.open("rb") as file:
            start = file.read(_BEGINNING)
    except OSError:  # there is none; else writing it will tell
        return
    if start and not beginning.match(start):
        hint = "name another file, or remove it first"
        raise UsageError(f"{path} is there already and is not {kind}", stage="write", hint=hint)
