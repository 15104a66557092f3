"""Fields of JSON that somebody else may have written, each of the type that is expected, or `ValueError`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LARGEST = 10**15  # no count, rank or time of a run comes near; floats still tell whole numbers apart


def an_object(value: object, what: str) -> dict[str, Any]:
    """The value itself, if it is an object; `what` names it in the error."""
    if not isinstance(value, dict):
        raise ValueError(f"{what}: expected an object")
    return value


def a_list(row: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key."""
    if not isinstance(value := row.get(key), list):
        raise ValueError(f"{key}: expected a list")
    return value


def strings(row: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The strings under a key."""
    values = a_list(row, key)
    if not all(isinstance(value, str) for value in values):
        raise ValueError(f"{key}: expected strings")
    return tuple(values)


def text(row: Mapping[str, Any], key: str) -> str:
    """The string under a key."""
    if not isinstance(value := row.get(key), str):
        raise ValueError(f"{key}: expected a string")
    return value


def number(row: Mapping[str, Any], key: str) -> float:
    """The finite number under a key."""
    value = row.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool) and -_LARGEST <= value <= _LARGEST:
        return float(value)
    raise ValueError(f"{key}: expected a number")  # NaN is in no range


def share(row: Mapping[str, Any], key: str) -> float:
    """The number from 0 to 1 under a key; what rounding adds is let be."""
    if not 0 <= (value := number(row, key)) <= 1 + 1e-9:
        raise ValueError(f"{key}: expected a number from 0 to 1")
    return value


def whole(row: Mapping[str, Any], key: str, *, least: int = 1) -> int:
    """The whole number under a key, not below `least`."""
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _LARGEST:
        raise ValueError(f"{key}: expected a whole number of at least {least}")
    return value


def wholes(row: Mapping[str, Any], key: str) -> tuple[int, ...]:
    """The whole numbers from 1 under a key."""
    values = a_list(row, key)
    if any(type(value) is not int or not 1 <= value <= _LARGEST for value in values):
        raise ValueError(f"{key}: expected whole numbers of at least 1")
    return tuple(values)
