"""What a filter that allows nothing may have meant by a type or a language that is not there.

Those are the only values told. Any other field may be the one that keeps tenants apart, and its values
the names of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from pincite.filter.scope import allowed, without
from pincite.types import And, Filter, Match, Meta, Not, Or

_TOLD = frozenset({"type", "language"})
_MOST_VALUES = 5_000  # of one field
_MOST_CHARS = 100  # of one value
_FEW_VALUES = 12  # that are listed


def did_you_mean(filter: Filter, metas: Iterable[Meta]) -> str:
    """What there is in place of each type or language that no document has; "" if nothing is to say.

    `type: did you mean "markdown"?` where a value is near, else `type is one of docx, html` if they are few.
    Only what the rest of the filter allows is looked at.
    """
    wanted = list(dict.fromkeys(_texts(filter)))
    if not wanted:
        return ""
    there = _values({name for name, _ in wanted}, allowed(without(filter, _TOLD.__contains__), metas))
    found = []
    for name, text in wanted:
        if text in there[name]:
            continue
        if near := _nearest(text, there[name]):
            found.append(f'{name}: did you mean "{near}"?')
        elif 0 < len(there[name]) <= _FEW_VALUES:
            found.append(f"{name} is one of {', '.join(sorted(there[name]))}")
    return "; ".join(dict.fromkeys(found))


def _texts(filter: Filter) -> Iterator[tuple[str, str]]:
    """Field and text of every condition on a type or language that must hold."""
    match filter:
        case Match(name, values) if name in _TOLD:
            yield from ((name, value) for value in values if isinstance(value, str))
        case And(parts) | Or(parts):
            for part in parts:
                yield from _texts(part)
        case Not(Not(part)):
            yield from _texts(part)


def _values(names: set[str], metas: Iterable[Meta]) -> dict[str, dict[str, None]]:
    """The short texts that documents have in these fields, in the order they are met."""
    there: dict[str, dict[str, None]] = {name: {} for name in sorted(names)}
    for meta in metas:
        for name, known in there.items():
            value = meta.get(name, ())
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, str) and len(one) <= _MOST_CHARS and len(known) < _MOST_VALUES:
                    known[one] = None
    return there


def _nearest(text: str, known: Iterable[str]) -> str:
    """The value most like a text, whatever its case; "" when none is near."""
    folded = {value.casefold(): value for value in sorted(known, reverse=True)}
    near = get_close_matches(text[:_MOST_CHARS].casefold(), sorted(folded), n=1)
    return folded[near[0]] if near else ""
