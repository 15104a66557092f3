"""Which documents a filter keeps, and the simplest filter that keeps the same."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from pincite.types import And, Everything, Filter, Match, Meta, MetaValue, Not, Nothing, Or, Range, Scalar

BOUNDS = ("gt", "gte", "lt", "lte")


def matches(filter: Filter, meta: Meta) -> bool:
    """Whether a document with this metadata is kept: what every search index must agree with.

    On a list, one element must hold. Numbers equal numbers, dates dates, true and false only themselves;
    a text equals a text, or the written form of a value in a field whose documents differ in type.
    """
    match filter:
        case Everything():
            return True
        case Nothing():
            return False
        case Match(name, wanted):
            return any(_same(value, one) for value in _values(meta, name) for one in wanted)
        case Range(name):
            return any(_within(value, filter) for value in _values(meta, name))
        case And(parts):
            return all(matches(part, meta) for part in parts)
        case Or(parts):
            return any(matches(part, meta) for part in parts)
        case Not(part):
            return not matches(part, meta)


def simplify(filter: Filter) -> Filter:
    """A filter that keeps the same documents, without empty, nested, double or doubled parts."""
    match filter:
        case Match(_, values) if not values:
            return Nothing()
        case And(parts):
            return _merged(And, parts, neutral=Everything(), absorbing=Nothing())
        case Or(parts):
            return _merged(Or, parts, neutral=Nothing(), absorbing=Everything())
        case Not(part):
            return _negated(simplify(part))
        case _:
            return filter


def _merged(
    kind: type[And] | type[Or], parts: Sequence[Filter], *, neutral: Filter, absorbing: Filter
) -> Filter:
    flat: dict[str, Filter] = {}  # by repr: True and 1 are equal in Python, and are not in a filter
    for part in map(simplify, parts):
        inner = part.parts if isinstance(part, And | Or) and isinstance(part, kind) else (part,)
        flat |= {repr(one): one for one in inner if one != neutral}
    if absorbing in flat.values():
        return absorbing
    kept = tuple(flat.values())
    return kept[0] if len(kept) == 1 else kind(kept) if kept else neutral


def _negated(part: Filter) -> Filter:
    match part:
        case Everything():
            return Nothing()
        case Nothing():
            return Everything()
        case Not(inner):
            return inner
        case _:
            return Not(part)


def _values(meta: Meta, name: str) -> tuple[Scalar, ...]:
    value: MetaValue = meta.get(name, ())
    return value if isinstance(value, tuple) else (value,)


def _same(value: Scalar, wanted: Scalar) -> bool:
    if isinstance(wanted, str):
        return written(value) == wanted
    return _comparable(value, wanted) and value == wanted


def _within(value: Scalar, bounds: Range) -> bool:
    known = {name: bound for name, bound in bounds_of(bounds).items() if bound is not None}
    if not known or not all(_comparable(value, bound) for bound in known.values()):
        return False
    v: Any = value
    holds = {
        "gt": lambda bound: v > bound,
        "gte": lambda bound: v >= bound,
        "lt": lambda bound: v < bound,
        "lte": lambda bound: v <= bound,
    }
    return all(holds[name](bound) for name, bound in known.items())


def _comparable(value: object, other: object) -> bool:
    both_bool = isinstance(value, bool) and isinstance(other, bool)
    return both_bool or (is_number(value) and is_number(other)) or (is_day(value) and is_day(other))


def bounds_of(bounds: Range) -> dict[str, Scalar | None]:
    return {name: getattr(bounds, name) for name in BOUNDS}


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_day(value: object) -> bool:
    return isinstance(value, date) and not isinstance(value, datetime)


def written(value: Scalar) -> str:
    """A value as its text: `true`, `2026-03-14`, `1.5`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)
