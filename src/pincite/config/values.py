"""One setting's value, checked against the type its dataclass declares."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, get_args, get_origin

from pincite.characters import whole_characters
from pincite.config.tree import MetaRule
from pincite.errors import UsageError
from pincite.types import MetaValue, Scalar

_NAMES = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def from_toml(value: object, hint: Any, where: str, *, secret: bool = False) -> object:
    """`value` as `hint` wants it. Raises `UsageError` with `where`, what was expected and what came."""
    kind = _kind(hint)
    if hint == tuple[MetaRule, ...]:
        return tuple(_meta_rule(rule, where) for rule in _list(value, where, "a list of tables"))
    if get_origin(hint) is tuple:
        items = _list(value, where, "a list of strings")
        return tuple(from_toml(item, str, where) for item in items)
    if _fits(value, kind):
        return float(value) if kind is float else value  # type: ignore[arg-type]
    shown = "a value of another type" if secret else _shown(value)
    raise UsageError(f"{where}: expected {_NAMES[kind]}, got {shown}", stage="config")


def from_text(text: str, hint: Any, where: str) -> object:
    """The value written as `text` in a variable: lists are separated by commas."""
    kind = _kind(hint)
    if get_origin(hint) is tuple:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if kind is bool and text.strip().lower() in _TRUE + _FALSE:
        return text.strip().lower() in _TRUE
    try:
        number = kind(text) if kind in (int, float) else text
    except ValueError:
        number = text
    return from_toml(number, hint, where)


def meta_value(value: object, where: str) -> MetaValue:
    """`value` as metadata: a string, number, truth value, date, or a list of these."""
    if isinstance(value, (list, tuple)):
        return tuple(_scalar(item, where) for item in value)
    return _scalar(value, where)


def meta_from_text(text: str, where: str) -> MetaValue:
    """Metadata written as `text`: `true`, `false`, a number, a date `2024-05-01`, a list `["a", "b"]`.

    A number is only what reads back as written (`1.10` and `007` are strings); everything else, and what
    stands in double quotes, is a string.
    """
    if text[:1] in ("[", '"'):
        try:
            return meta_value(json.loads(text), where)
        except ValueError:
            return whole_characters(text)
    if text in ("true", "false"):
        return text == "true"
    for read in (int, float, date.fromisoformat):
        try:
            value: Scalar = read(text)
        except ValueError:
            continue
        if (isinstance(value, date) or _fits(value, float)) and str(value) == text:
            return value
    return whole_characters(text)


def _fits(value: object, kind: type) -> bool:
    """Whether `value` is of `kind`: a truth value is no number, a whole number is one, NaN is none.

    Numbers past the range of floats are none either: they cannot be compared with those of other files.
    """
    if isinstance(value, bool) or kind is bool:
        return isinstance(value, bool) and kind is bool
    if isinstance(value, (int, float)) and not abs(value) <= sys.float_info.max:
        return False
    return isinstance(value, (int, float) if kind is float else kind)


def _scalar(value: object, where: str) -> Scalar:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if isinstance(value, str):
        return whole_characters(value)
    if isinstance(value, bool) or _fits(value, float):
        return value  # type: ignore[return-value]
    wanted = "a string, number, true or false, date (2024-05-01), or a list of these"
    raise UsageError(f"{where}: expected {wanted}, got {_shown(value)}", stage="config")


def _shown(value: object) -> str:
    """A value for an error; Python does not write out very long integers."""
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        return "a number too large to be stored"
    return repr(value)


def _kind(hint: Any) -> type:
    """The plain type of `hint`: `float` for `float | None`."""
    if isinstance(hint, types.UnionType):
        return next(part for part in get_args(hint) if part is not type(None))  # type: ignore[no-any-return]
    return hint if isinstance(hint, type) else tuple


def _list(value: object, where: str, wanted: str) -> list[object]:
    if not isinstance(value, (list, tuple)):
        raise UsageError(f"{where}: expected {wanted}, got {value!r}", stage="config")
    return list(value)


def _meta_rule(rule: object, where: str) -> MetaRule:
    """`{paths = ["guide/**"], set = {team = "docs"}}` as a `MetaRule`."""
    if isinstance(rule, MetaRule):
        return rule
    if not isinstance(rule, Mapping) or set(rule) != {"paths", "set"} or not isinstance(rule["set"], Mapping):
        raise UsageError(f"{where}: expected paths = [...] and set = {{...}}, got {rule!r}", stage="config")
    paths = from_toml(rule["paths"], tuple[str, ...], f"{where}.paths")
    values = {str(key): meta_value(value, f"{where}.set.{key}") for key, value in sorted(rule["set"].items())}
    return MetaRule(paths, values)  # type: ignore[arg-type]
