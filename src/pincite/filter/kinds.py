"""The types of a field: one, or several where its values differ: `date or string`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from pincite.types import MetaValue, Scalar

KINDS = ("boolean", "number", "date", "string")
ORDERED = ("number", "date")
"""What a range can compare."""


def kinds_in(type: str) -> tuple[str, ...]:
    """The types that the type of a field names."""
    return tuple(type.split(" or ")) if type else ()


def type_of(kinds: Iterable[str]) -> str:
    """The type of a field whose values are of these types."""
    found = set(kinds)
    return " or ".join(kind for kind in KINDS if kind in found)


def kind_of(value: Scalar) -> str:
    """The type of one value."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "date" if isinstance(value, date) else "string"


def kinds_of(value: MetaValue) -> set[str]:
    """The types of a value, or of those of a list."""
    return set(map(kind_of, value)) if isinstance(value, tuple) else {kind_of(value)}
