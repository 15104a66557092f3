"""What a message about a filter may tell: names and values of the documents that the rest of it allows.

A condition that names nothing there is may be a slip, or the very one that keeps a tenant's documents apart.
So it is taken out to see what the others allow, and nothing is told of documents that those leave out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches

from pincite.errors import UsageError
from pincite.filter.fields import ALWAYS, filterable
from pincite.filter.match import matches
from pincite.types import And, Everything, Filter, Match, Meta, Not, Or, Range

Metas = Callable[[], Iterable[Meta]]
_MAX_LISTED = 50


class UnknownFieldError(LookupError):
    """A filter names a field that no document has; `check` says so in a `UsageError`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def unknown(name: str, filter: Filter, fields: Mapping[str, str], metas: Metas | None) -> UsageError:
    """The error, with the fields of the documents that the rest of the filter allows and the nearest one."""
    known: set[str] = set()
    if metas is not None:
        rest = without(filter, lambda name: name not in fields)
        known.update(ALWAYS & fields.keys(), *(filterable(meta) for meta in allowed(rest, metas())))
    listed = sorted(known)
    more = f" and {len(listed) - _MAX_LISTED} more" if len(listed) > _MAX_LISTED else ""
    told = f"; known fields: {', '.join(listed[:_MAX_LISTED])}{more}" if listed else ""
    near = get_close_matches(name, listed, n=1)
    hint = f"did you mean {near[0]!r}?" if near else ""
    return UsageError(f"filter: no document has a field {name!r}{told}", stage="filter", hint=hint)


def allowed(filter: Filter, metas: Iterable[Meta]) -> list[Meta]:
    """The fields of the documents that a filter allows."""
    return [meta for meta in metas if matches(filter, meta)]


def without(filter: Filter, dropped: Callable[[str], bool]) -> Filter:
    """The filter without its conditions on the fields `dropped` names; `Everything` if none is left.

    Of alternatives only the others are left: what was taken out opens nothing.
    """
    return _without(filter, dropped) or Everything()


def _without(filter: Filter, dropped: Callable[[str], bool]) -> Filter | None:
    match filter:
        case Match(name) | Range(name):
            return None if dropped(name) else filter
        case And(parts) | Or(parts):
            left = tuple(part for part in (_without(one, dropped) for one in parts) if part is not None)
            return type(filter)(left) if left or not parts else None
        case Not(part):
            inner = _without(part, dropped)
            return None if inner is None else Not(inner)
        case _:
            return filter
