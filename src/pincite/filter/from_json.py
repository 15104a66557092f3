"""The shapes of a JSON filter: OpenAI's (type, key, value) and Mongo's (`$and`, `$gte` ...)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pincite.errors import UsageError
from pincite.types import And, Filter, Not, Or

MAX_DEPTH = 20  # objects inside one another

Compare = Callable[[str, str, object], Filter]
"""The condition of a field, an operator (eq, ne, gt, gte, lt, lte, in, nin; others raise) and a value."""


def read_json(text: str, compare: Compare) -> Filter:
    """The filter of a JSON object; `compare` makes and checks the condition on one field.

    `{"type": "eq", "key": "team", "value": "red"}` and `{"type": "and", "filters": [...]}` are OpenAI's
    form; every other object is Mongo's, its members ANDed. An object without a member, a list where none
    belongs, a name that stands twice and an unknown operator are a `UsageError`.
    """
    try:
        return _object(json.loads(text, object_pairs_hook=_once, parse_constant=_refuse), compare, 0)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"filter: not readable as JSON: {error}", stage="filter") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError(f"a name stands twice in {names}")
    return dict(pairs)


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _object(node: object, compare: Compare, depth: int) -> Filter:
    if not isinstance(node, dict) or not node:
        raise _unexpected("an object with a condition", node)
    if depth > MAX_DEPTH:
        raise UsageError(f"filter: nested deeper than {MAX_DEPTH}", stage="filter")
    if node.keys() == {"type", "key", "value"}:
        if not isinstance(node["key"], str) or not isinstance(node["type"], str):
            raise _unexpected("text as key and type", node)
        return compare(node["key"], node["type"], node["value"])
    if node.keys() == {"type", "filters"}:
        return _combined(node["type"], node["filters"], compare, depth)
    return _all_of([_member(name, value, compare, depth) for name, value in node.items()])


def _combined(operator: object, nodes: object, compare: Compare, depth: int) -> Filter:
    """`and` or `or` over a list that holds something."""
    if operator not in ("and", "or"):
        raise _unexpected("and or or", operator)
    if not isinstance(nodes, list) or not nodes:
        raise _unexpected(f"a list of filters after {operator}", nodes)
    parts = tuple(_object(node, compare, depth + 1) for node in nodes)
    return And(parts) if operator == "and" else Or(parts)


def _member(name: str, value: object, compare: Compare, depth: int) -> Filter:
    """`$and`, `$or`, `$not`, a field with its value, or a field with operators."""
    if name in ("$and", "$or"):
        return _combined(name[1:], value, compare, depth)
    if name == "$not":
        return Not(_object(value, compare, depth + 1))
    if not isinstance(value, dict):
        return compare(name, "eq", value)
    return _operators(name, value, compare, depth)


def _operators(name: str, members: dict[str, Any], compare: Compare, depth: int) -> Filter:
    """`{"$gte": 2020, "$lt": 2024}` or `{"$not": {...}}` on one field."""
    if not members or depth > MAX_DEPTH:
        raise _unexpected(f"operators for field {name!r}", members)
    parts: list[Filter] = []
    for operator, value in members.items():
        if not operator.startswith("$"):
            raise _unexpected(f"an operator such as $eq for field {name!r}", operator)
        if operator != "$not":
            parts.append(compare(name, operator[1:], value))
        elif isinstance(value, dict):
            parts.append(Not(_operators(name, value, compare, depth + 1)))
        else:
            raise _unexpected(f"operators after $not for field {name!r}", value)
    return _all_of(parts)


def _all_of(parts: list[Filter]) -> Filter:
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _unexpected(expected: str, got: object) -> UsageError:
    shown = repr(got)
    more = "…" if len(shown) > 80 else ""
    return UsageError(f"filter: expected {expected}, got {shown[:80]}{more}", stage="filter")
