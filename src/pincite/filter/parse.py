"""Filters: from text or JSON to a typed `Filter`, checked against the fields there are; fails closed.

A filter is never pasted into a query language: its parts stay values. Whatever is not understood (a field
that no document has, a value of another type, an operator, an empty filter) is a `UsageError`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from datetime import date

from pincite.errors import UsageError
from pincite.filter.from_json import MAX_DEPTH, read_json
from pincite.filter.kinds import ORDERED, kinds_in, type_of
from pincite.filter.match import BOUNDS, bounds_of, is_day, is_number, written
from pincite.filter.scope import Metas, UnknownFieldError, unknown
from pincite.types import And, Everything, Filter, Match, Not, Nothing, Or, Range, Scalar

_OPERATOR = re.compile(r"!=|>=|<=|>|<|=| in ")
_LEGAL_NAME = re.compile(r"\w[\w .\-]{0,99}")
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SYMBOLS = {">": "gt", ">=": "gte", "<": "lt", "<=": "lte"}
_EXPECTED = {
    "string": "text",
    "number": "a number",
    "boolean": "true or false",
    "date": "a date (YYYY-MM-DD)",
}
_MAX_CHARS = 100_000


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def parse_filter(expressions: Sequence[str], fields: Mapping[str, str], metas: Metas | None = None) -> Filter:
    """The filter of all expressions together; `Everything` for none.

    An expression is `field=value`, `!=`, `>=`, `<=`, `>`, `<` or `field in a,b`, split at its first
    operator; or, when it starts with `{`, JSON in OpenAI's form (`{"type": "eq", "key": "team", "value":
    "red"}`, and/or over `filters`) or Mongo's (`{"team": "red", "year": {"$gte": 2020}}`). `fields` gives
    the type of each field: string, number, boolean, date, or several (`date or string`): then a value is
    compared as each of them that it can be read as, and a range by the type of its bound. `!=` and `nin`
    keep documents without the field. Raises `UsageError` as `check` does.
    """
    parts = [_parse(expression, fields) for expression in expressions]
    if not parts:
        return Everything()
    filter = parts[0] if len(parts) == 1 else And(tuple(parts))
    check(filter, fields, metas)
    return filter


def check(filter: Filter, fields: Mapping[str, str], metas: Metas | None = None) -> None:
    """Raises `UsageError` for an unknown field, a value of another type, or a range on text.

    An unknown field is told with those of the `metas`, the fields of each document, that the rest of the
    filter allows; without `metas` no other is named.
    """
    try:
        _check(filter, fields)
    except UnknownFieldError as error:
        raise unknown(error.name, filter, fields, metas) from None


def _check(filter: Filter, fields: Mapping[str, str], *, depth: int = 0) -> None:
    if depth > 2 * MAX_DEPTH:
        raise UsageError(f"filter: nested deeper than {2 * MAX_DEPTH}", stage="filter")
    match filter:
        case Everything() | Nothing():
            return
        case Match(name, values):
            kind = _kind_of(name, fields)
            _check_list(f"field {name!r}", values)
            for value in values:
                _check_value(name, kind, value)
        case Range(name):
            _check_range(filter, name, _kind_of(name, fields))
        case And(parts) | Or(parts):
            _check_list(type(filter).__name__, parts)
            for part in parts:
                _check(part, fields, depth=depth + 1)
        case Not(part):
            _check(part, fields, depth=depth + 1)
        case _:
            raise UsageError(f"filter: expected a Filter, got {type(filter).__name__}", stage="filter")


def _parse(expression: str, fields: Mapping[str, str]) -> Filter:
    if not isinstance(expression, str):
        raise UsageError(f"filter: expected text, got {_shown(expression)}", stage="filter", hint=_FORMS)
    text = expression.strip()
    if len(text) > _MAX_CHARS:
        raise UsageError(f"filter: longer than {_MAX_CHARS} characters", stage="filter")
    if text.startswith("{"):
        return read_json(text, lambda name, operator, value: _compare(name, operator, value, fields))
    found = _OPERATOR.search(text)
    if found is None:
        shown = repr(text[:80])
        raise UsageError(f"filter: expected field=value, got {shown}", stage="filter", hint=_FORMS)
    name, operator, value = text[: found.start()].strip(), found[0].strip(), text[found.end() :].strip()
    kind = _kind_in(name, fields)
    if operator == "in":
        return Match(
            name, tuple(one for part in value.split(",") for one in _typed(name, kind, part.strip()))
        )
    if operator in _SYMBOLS:
        return Range(name, **{_SYMBOLS[operator]: _bound(name, kind, value)})
    same = Match(name, _typed(name, kind, value))
    return same if operator == "=" else Not(same)


_FORMS = "forms: field=value, !=, >=, <=, >, <, 'field in a,b', or JSON"


def _typed(name: str, kind: str, text: str) -> tuple[Scalar, ...]:
    """The values a text stands for in a field of this type: one for each type it can be read as."""
    kinds = kinds_in(kind)
    found = [value for one in kinds if (value := _read(one, text)) is not None]
    if not found:
        raise _wrong_type(name, kind, text)
    by_text = "string" in kinds  # which also equals a date that is written like it
    return tuple(v for v in found if not (by_text and is_day(v) and written(v) == text))


def _bound(name: str, kind: str, text: str) -> Scalar:
    """The bound of a range that a text stands for; in a field without numbers and dates the text itself."""
    ordered = [one for one in ORDERED if one in kinds_in(kind)]
    found = [value for one in ordered if (value := _read(one, text)) is not None]
    if ordered and not found:
        raise _wrong_type(name, type_of(ordered), text)
    return found[0] if found else text


def _read(kind: str, text: str) -> Scalar | None:
    """The text as a value of this type; None if it is none."""
    if kind == "string":
        return text
    if kind == "boolean" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if kind == "number" and _NUMBER.fullmatch(text):
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    return _day(text) if kind == "date" else None


def _day(text: str) -> date | None:
    """The date in the one form that no number has."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def _compare(name: str, operator: str, value: object, fields: Mapping[str, str]) -> Filter:
    """A condition of a JSON filter. A list is one of its values, for `in` and `nin` only."""
    kind = _kind_in(name, fields)
    if operator in ("in", "nin"):
        if not isinstance(value, list):
            raise UsageError(f"filter: field {name!r}: {operator} expects a list", stage="filter")
        one_of = Match(name, tuple(v for one in value for v in _json_values(name, kind, one)))
        return one_of if operator == "in" else Not(one_of)
    if operator in ("eq", "ne"):
        same = Match(name, _json_values(name, kind, value))
        return same if operator == "eq" else Not(same)
    if operator in BOUNDS:
        is_text = isinstance(value, str) and "date" in kinds_in(kind)
        bound = _bound(name, "date", str(value)) if is_text else _json_values(name, kind, value)[0]
        return Range(name, **{operator: bound})
    hint = "operators: eq, ne, gt, gte, lt, lte, in, nin; and, or, not"
    raise UsageError(f"filter: field {name!r}: unknown operator {operator[:80]!r}", stage="filter", hint=hint)


def _json_values(name: str, kind: str, value: object) -> tuple[Scalar, ...]:
    """The value; a text is also the date it says, in a field that has dates."""
    if isinstance(value, str) and "date" in kinds_in(kind):
        return _typed(name, type_of(kind for kind in kinds_in(kind) if kind in ("date", "string")), value)
    if isinstance(value, str | bool | int | float):
        return (value,)
    raise _wrong_type(name, kind, value)


# ── checking ──────────────────────────────────────────────────────────────────────────────────
def _kind_in(name: str, fields: Mapping[str, str]) -> str:
    """The type of a field as it is read: one that is not known is text until the whole filter is there."""
    if not isinstance(name, str) or not _LEGAL_NAME.fullmatch(name):
        message = f"filter: {_shown(name)} cannot be the name of a field"
        raise UsageError(message, stage="filter", hint=_FORMS)
    return fields.get(name, "string")


def _kind_of(name: str, fields: Mapping[str, str]) -> str:
    """The type of a known field."""
    kind = _kind_in(name, fields)
    if name not in fields:
        raise UnknownFieldError(name)
    return kind


def _check_value(name: str, kind: str, value: object) -> None:
    right = {
        "string": isinstance(value, str) and not _LONE_SURROGATE.search(value),
        "boolean": isinstance(value, bool),
        "number": is_number(value) and abs(value) <= sys.float_info.max,  # type: ignore[arg-type]
        "date": is_day(value),
    }
    if not any(right.get(one, False) for one in kinds_in(kind)):
        raise _wrong_type(name, kind, value)


def _check_list(name: str, values: object) -> None:
    if not isinstance(values, (tuple, list)):
        raise UsageError(f"filter: {name}: expected a list of values, got {_shown(values)}", stage="filter")


def _check_range(bounds: Range, name: str, kind: str) -> None:
    given = [bound for bound in bounds_of(bounds).values() if bound is not None]
    if not given:
        raise UsageError(f"filter: field {name!r}: a range needs a bound", stage="filter")
    ordered = type_of(one for one in ORDERED if one in kinds_in(kind))
    if not ordered:
        message = f"filter: field {name!r} holds {_expected(kind)}; >, >=, <, <= need numbers or dates"
        raise UsageError(message, stage="filter", hint="use =, != or in")
    for bound in given:
        _check_value(name, ordered, bound)
    if len(set(map(is_number, given))) > 1:
        raise UsageError(f"filter: field {name!r}: a range from a number to a date", stage="filter")
    float_bounds(bounds)


def float_bounds(bounds: Range) -> dict[str, float]:
    """The bounds on numbers as floats. Raises `UsageError` for a whole number that no float equals.

    An index can compare those for equality only: it orders numbers as 64-bit floats.
    """
    given = {name: bound for name, bound in bounds_of(bounds).items() if is_number(bound)}
    for bound in given.values():
        near = float(bound)  # type: ignore[arg-type]
        if near != bound:
            raise UsageError(
                f"filter: field {bounds.field!r}: {bound} cannot be the bound of a range: above 2^53 only "
                f"some whole numbers can",
                stage="filter",
                hint=f"the nearest that can is {int(near)}; = and != take any",
            )
    return {name: float(bound) for name, bound in given.items()}  # type: ignore[arg-type]


def _wrong_type(name: str, kind: str, value: object) -> UsageError:
    message = f"filter: field {name!r}: expected {_expected(kind)}, got {_shown(value)}"
    return UsageError(message, stage="filter")


def _expected(kind: str) -> str:
    return " or ".join(_EXPECTED.get(one, one) for one in kinds_in(kind))


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        text = "a number too large"
    return text if len(text) <= 80 else f"{text[:80]}…"
