"""A filter in words."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pincite.filter.match import bounds_of, written
from pincite.types import And, Everything, Filter, Match, Not, Nothing, Or, Range, Scalar

_SIGN = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


def describe(filter: Filter) -> str:
    """The filter in words: `team = "red" and year >= 2020`, "all documents", "no documents"."""
    match filter:
        case Everything():
            return "all documents"
        case Nothing():
            return "no documents"
        case Match(name, (value,)):
            return f"{name} = {_quoted(value)}"
        case Match(name, values):
            return f"{name} in ({', '.join(map(_quoted, values))})"
        case Range(name):
            return " and ".join(_described_bounds(name, filter)) or f"{name} is a number or date"
        case And(parts):
            return " and ".join(map(_grouped, parts)) or "all documents"
        case Or(parts):
            return " or ".join(map(_grouped, parts)) or "no documents"
        case Not(Match(name, (value,))):
            return f"{name} != {_quoted(value)}"
        case Not(part):
            return f"not ({describe(part)})"


def _described_bounds(name: str, bounds: Range) -> Iterator[str]:
    for bound, value in bounds_of(bounds).items():
        if value is not None:
            yield f"{name} {_SIGN[bound]} {_quoted(value)}"


def _grouped(part: Filter) -> str:
    return f"({describe(part)})" if isinstance(part, And | Or) and len(part.parts) > 1 else describe(part)


def _quoted(value: Scalar) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else written(value)
