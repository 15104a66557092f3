"""The fields of a point as the engine holds them, and a filter in the engine's form: exact on both sides.

The engine compares numbers as 64-bit floats and texts whole. So a whole number that no float equals (some
above 2^53) is held as text, and for ranges as the float below it; a long text is held by its hash.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Any, TypeVar

import qdrant_edge as edge

from pincite.filter import float_bounds
from pincite.filter.kinds import kinds_in
from pincite.filter.match import bounds_of
from pincite.protocols import Point
from pincite.types import (
    And,
    Everything,
    Filter,
    Match,
    Meta,
    MetaValue,
    Not,
    Nothing,
    Or,
    Range,
    Scalar,
)

Bound = TypeVar("Bound", float, date)

TERMS = "terms"
DENSE = "dense"
_LONGEST_TEXT = 1000  # characters; longer ones are held by their hash

# Groups: texts, numbers a float equals, other whole numbers as text, the floats below those, dates, true and
# false. Texts have all values as they are written.
_TEXT, _NUMBER, _BIG, _BELOW, _DAY, _TRUTH = "s", "n", "b", "f", "d", "t"
_KEYWORD, _FLOAT = edge.PayloadSchemaType.Keyword, edge.PayloadSchemaType.Float


# ── fields ────────────────────────────────────────────────────────────────────────────────────
def field_indexes(fields: Mapping[str, str], big: Collection[str]) -> list[tuple[str, Any]]:
    """(key, type) of the engine's indexes that make filters on these fields fast.

    `big` are the fields with whole numbers that no float equals.
    """
    of_kind = {
        "number": (_NUMBER, _FLOAT),
        "date": (_DAY, edge.PayloadSchemaType.Datetime),
        "boolean": (_TRUTH, _KEYWORD),
    }
    pairs = [(name, kind) for name, kinds in sorted(fields.items()) for kind in kinds_in(kinds)]
    groups = list(dict.fromkeys((name, *of_kind.get(kind, (_TEXT, _KEYWORD))) for name, kind in pairs))
    groups += [(name, group, kind) for name in sorted(big) for group, kind in _OF_BIG]
    return [(_key(group, name), kind) for name, group, kind in groups]


_OF_BIG = ((_BIG, _KEYWORD), (_BELOW, _FLOAT))


def big_fields(metas: Collection[Meta]) -> set[str]:
    """Names of the fields with a whole number that no float equals."""
    return {name for meta in metas for name, value in meta.items() if any(map(_is_big, _values(value)))}


def big_in(keys: Collection[str]) -> set[str]:
    """The names that `big_fields` gave, from the keys of the engine's indexes."""
    return {key.removeprefix(f"{_BIG}.").strip('"') for key in keys if key.startswith(f"{_BIG}.")}


def payload(point: Point) -> dict[str, Any]:
    """Terms, and every field as text, numbers and dates in groups of their own as well."""
    groups: dict[str, dict[str, Any]] = {group: {} for group in (_TEXT, _NUMBER, _BIG, _BELOW, _DAY, _TRUTH)}
    for name, value in point.meta.items():
        values = _values(value)
        numbers = _numbers(values)
        held = {
            _TEXT: [_text(part) for part in values],
            _NUMBER: [float(v) for v in numbers if not _is_big(v)],
            _BIG: [str(v) for v in numbers if _is_big(v)],
            _BELOW: [_below(v) for v in numbers if _is_big(v)],
            _DAY: [_instant(v) for v in values if isinstance(v, date)],
            _TRUTH: [_text(v) for v in values if isinstance(v, bool)],
        }
        for group, parts in held.items():
            if parts:
                groups[group][name] = parts
    return {TERMS: point.terms, **{group: fields for group, fields in groups.items() if fields}}


# ── filters ───────────────────────────────────────────────────────────────────────────────────
def compile_filter(filter: Filter, big: Collection[str] = ()) -> edge.Filter | None:
    """The engine's form of a filter; None stands for "everything" (and `Nothing` matches no point)."""
    match filter:
        case Everything():
            return None
        case Nothing():
            return only(set())
        case Match(field, values):
            return edge.Filter(should=[_equals(field, v) for v in values]) if values else only(set())
        case Range():
            return edge.Filter(should=_range(filter, big=filter.field in big))
        case And(parts):
            return edge.Filter(must=[_part(part, big) for part in parts]) if parts else None
        case Or(parts):
            return edge.Filter(should=[_part(part, big) for part in parts]) if parts else only(set())
        case Not(part):
            return edge.Filter(must_not=[_part(part, big)])


def _part(filter: Filter, big: Collection[str]) -> edge.Filter:
    compiled = compile_filter(filter, big)
    return edge.Filter(must_not=[only(set())]) if compiled is None else compiled


def only(ids: set[int]) -> edge.Filter:
    """A filter on ids."""
    return edge.Filter(must=[edge.HasIdCondition(set(ids))])


def _equals(field: str, value: Scalar) -> edge.FieldCondition:
    if isinstance(value, bool | str):
        group = _TRUTH if isinstance(value, bool) else _TEXT
        return edge.FieldCondition(_key(group, field), match=edge.MatchAny([_text(value)]))
    if isinstance(value, date):
        return _days(Range(field, gte=value, lte=value))
    if _is_big(value):
        return edge.FieldCondition(_key(_BIG, field), match=edge.MatchAny([str(value)]))
    same = edge.RangeFloat(gte=float(value), lte=float(value))
    return edge.FieldCondition(_key(_NUMBER, field), range=same)


def _range(bounds: Range, *, big: bool) -> list[Any]:
    known = [v for v in (bounds.gt, bounds.gte, bounds.lt, bounds.lte) if v is not None]
    if known and isinstance(known[0], date):
        return [_days(bounds)]
    numbers = _tightest(float_bounds(bounds))
    found = [edge.FieldCondition(_key(_NUMBER, bounds.field), range=edge.RangeFloat(**numbers))]
    return [*found, _big_range(bounds.field, numbers)] if big else found


def _big_range(field: str, bounds: Mapping[str, float]) -> edge.FieldCondition:
    """The range for numbers between two floats: above a float is one whose float below is not less."""
    low = [bounds[name] for name in ("gt", "gte") if name in bounds]
    high = [bounds[name] for name in ("lt", "lte") if name in bounds]
    named = {**({"gte": max(low)} if low else {}), **({"lt": min(high)} if high else {})}
    return edge.FieldCondition(_key(_BELOW, field), range=edge.RangeFloat(**named))


def _days(bounds: Range) -> edge.FieldCondition:
    """Bounds on days as bounds on instants: a day is stored as the instant it begins."""
    days = {name: day for name, day in bounds_of(bounds).items() if isinstance(day, date)}
    instants = {name: _instant(day) for name, day in _tightest(days).items()}
    return edge.FieldCondition(_key(_DAY, bounds.field), range=edge.RangeDateTime(**instants))


def _tightest(bounds: Mapping[str, Bound]) -> dict[str, Bound]:
    """At most one bound on each side: with two the engine counts wrongly."""
    kept = dict(bounds)
    if "gt" in kept and "gte" in kept:
        del kept["gte" if kept["gt"] >= kept["gte"] else "gt"]
    if "lt" in kept and "lte" in kept:
        del kept["lte" if kept["lt"] <= kept["lte"] else "lt"]
    return kept


# ── values ────────────────────────────────────────────────────────────────────────────────────
def _values(value: MetaValue) -> tuple[Scalar, ...]:
    return value if isinstance(value, tuple) else (value,)


def _numbers(values: Iterable[Scalar]) -> list[int | float]:
    return [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]


def _is_big(value: Scalar) -> bool:
    """Whether a value is a whole number that no float equals."""
    return isinstance(value, int) and not isinstance(value, bool) and float(value) != value


def _below(value: Any) -> float:
    """The largest float that is smaller."""
    near = float(value)
    return near if near < value else math.nextafter(near, -math.inf)


def _text(value: Scalar) -> str:
    """A value as its text; a long one, or one that might pose as such, as its start and hash."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value.isoformat() if isinstance(value, date) else str(value)
    if len(text) <= _LONGEST_TEXT and "\0" not in text:
        return text
    return f"{text[:100]}\0{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _instant(day: date) -> str:
    return f"{day.isoformat()[:10]}T00:00:00Z"


def _key(group: str, name: str) -> str:
    return f'{group}."{name}"'
