"""Arguments of the front door, checked before anything is done: a wrong one is a `UsageError` naming it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pincite.characters import whole_characters
from pincite.config import SearchConfig
from pincite.config.values import meta_value
from pincite.errors import InputError, UsageError
from pincite.folder.read import name_in_uri
from pincite.types import MetaValue

MOST_HITS = 1_000_000
"""The largest `k`."""


def text(name: str, value: object) -> str:
    """The text as whole characters."""
    if not isinstance(value, str):
        raise wrong(name, "text", value)
    return whole_characters(value)


def location(value: object) -> str:
    """The place a text names, with the names of files as uris have them."""
    return text("location", name_in_uri(value) if isinstance(value, str) else value)


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """A whole number from `low` to `high`; a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise wrong(name, f"a whole number from {low} to {high:,}", value)
    return value


def hits(value: object) -> int:
    """A `k`."""
    return whole_number("k", value, 1, MOST_HITS)


def path(name: str, value: object) -> Path:
    """The path a text or a path object names."""
    if not isinstance(value, str | os.PathLike):
        raise wrong(name, "a path as text or Path", value)
    found = os.fspath(value)
    if not isinstance(found, str) or "\0" in found or not found:
        raise wrong(name, "a path as text, not empty and without a zero character", value)
    return Path(found)


def folder(name: str, value: object) -> Path:
    """The path of a folder. Raises `InputError` if there is none."""
    found = path(name, value)
    if not os.path.isdir(found):  # noqa: PTH112  unlike Path's, it never raises
        what = "is not a folder" if os.path.lexists(found) else "does not exist"
        message = f"{str(found)[:200]} {what}"
        raise InputError(message, stage="open", hint="name the folder that holds the documents")
    try:
        found.absolute()
    except FileNotFoundError as error:
        raise InputError("the current folder does not exist any more", stage="open") from error
    return found


def words(name: str, value: object) -> tuple[str, ...]:
    """A list of texts."""
    if isinstance(value, str) or not isinstance(value, Sequence) or not _all_text(value):
        raise wrong(name, "a list of texts", value)
    return tuple(value)


def settings(config: SearchConfig, legs: object, fusion: object) -> SearchConfig:
    """The settings of a search with other legs or another fusion, where they are given."""
    if legs is not None:
        config = replace(config, legs=words("legs", legs))
    return config if fusion is None else replace(config, fusion=text("fusion", fusion))


def metadata(name: str, value: object) -> dict[str, MetaValue]:
    """A dictionary of fields and their values."""
    if not isinstance(value, Mapping) or not _all_text(list(value)):
        raise wrong(name, "a dictionary with texts as keys", value)
    return {text(name, field): meta_value(one, f"{name} {field}") for field, one in value.items()}


def wrong(name: str, expected: str, value: object) -> UsageError:
    """The error for an argument that is not what was expected."""
    try:
        shown = repr(value)
    except Exception:  # what a stranger's object does, or an integer of more digits than Python writes
        shown = f"a {type(value).__name__}"
    return UsageError(f"{name}: expected {expected}, got {shown[:80]}")


def _all_text(values: Sequence[object]) -> bool:
    return all(isinstance(value, str) for value in values)
