"""Values of another type than most of their field have: a range leaves them out, so they are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from pincite.filter.fields import filterable
from pincite.filter.kinds import ORDERED, kind_of, kinds_of
from pincite.filter.match import bounds_of, matches
from pincite.types import And, Document, Filter, Meta, Range

T = TypeVar("T")

_MOST_KEPT = 200  # documents of one field
_NAMED = 3  # documents in one line
_SINGULAR = {"number": "a number", "date": "a date"}


class Catalog(Protocol):
    """What is read of a catalog."""

    def get_as(self, key: str, make: Callable[[Any], T]) -> T | None:
        """What `make` makes of a fact the last sync noted, or None."""
        ...

    def document_rows(self, doc_ids: Sequence[str]) -> Mapping[str, Document]:
        """The documents of these ids with their fields, by id; those that are gone are left out."""
        ...


@dataclass(slots=True)
class Odd:
    """A field with numbers or dates in some documents and other values in others.

    `main` is the type of the two that more documents have; `holding` of the `documents` with the field have
    it, and `count` have a value of another: `doc_ids` are the first 200 of them.
    """

    main: str
    documents: int = 0
    holding: int = 0
    count: int = 0
    doc_ids: list[str] = field(default_factory=list)


def odd_fields(metas: Iterable[tuple[str, Meta]]) -> dict[str, Odd]:
    """These fields by name, from (id, fields) of all documents in an order that is always the same."""
    documents = [(doc_id, {n: kinds_of(v) for n, v in filterable(meta).items()}) for doc_id, meta in metas]
    counts: dict[str, Counter[str]] = {}
    for _, kinds in documents:
        for name, held in kinds.items():
            counts.setdefault(name, Counter()).update(held)
    found = {name: Odd(main) for name, held in sorted(counts.items()) if (main := _main(held))}
    for doc_id, kinds in documents:
        for name in kinds.keys() & found.keys():
            _count(found[name], doc_id, kinds[name])
    return found


def odd_in(catalog: Catalog) -> dict[str, Odd]:
    """These fields as the last sync noted them."""
    noted = catalog.get_as("odd_fields", lambda found: {name: Odd(**one) for name, one in found.items()})
    return noted or {}


def _main(held: Counter[str]) -> str:
    ordered = [kind for kind in ORDERED if held[kind]]
    return max(ordered, key=lambda kind: held[kind]) if ordered and len(held) > 1 else ""


def _count(odd: Odd, doc_id: str, kinds: set[str]) -> None:
    odd.documents += 1
    odd.holding += int(odd.main in kinds)
    if kinds == {odd.main}:
        return
    odd.count += 1
    if len(odd.doc_ids) < _MOST_KEPT:
        odd.doc_ids.append(doc_id)


def told(catalog: Catalog) -> Iterator[str]:
    """A line for each field that has one type in most documents, naming those with a value of another."""
    for name, one in odd_in(catalog).items():
        if 2 * one.holding > one.documents:
            there = catalog.document_rows(one.doc_ids[:_NAMED])
            uris = [there[doc_id].uri for doc_id in one.doc_ids if doc_id in there]
            what = _SINGULAR[one.main]
            yield (
                f"{name} is {what} in {one.holding:,} documents, but not in {_listed(uris, one.count)}: "
                f"a range (>, >=, <, <=) leaves those values out"
            )


def left_out(filter: Filter, catalog: Catalog) -> Iterator[str]:
    """A line for each range that leaves documents out for the type of their value, naming them.

    Only documents that all other conditions allow are named, and none for a range inside `or` or `not`.
    """
    conditions = list(_conditions(filter))
    ranges = [one for one in conditions if isinstance(one, Range)]
    odd = odd_in(catalog) if ranges else {}
    for name in sorted({one.field for one in ranges} & odd.keys()):
        bounds = [one for one in ranges if one.field == name]
        rest = And(tuple(one for one in conditions if one not in bounds))
        kind = next(kind_of(v) for one in bounds for v in bounds_of(one).values() if v is not None)
        there = catalog.document_rows(odd[name].doc_ids)
        known = [there[doc_id] for doc_id in odd[name].doc_ids if doc_id in there]
        uris = [one.uri for one in known if _lacks(one.meta, name, kind) and matches(rest, one.meta)]
        if uris:
            verb, them = ("holds", "it") if len(uris) == 1 else ("hold", "them")
            yield f"{name}: {_listed(uris, len(uris))} {verb} no {kind}, so the range leaves {them} out"


def _conditions(filter: Filter) -> Iterator[Filter]:
    """The conditions that must all hold."""
    if not isinstance(filter, And):
        yield filter
        return
    for part in filter.parts:
        yield from _conditions(part)


def _lacks(meta: Meta, name: str, kind: str) -> bool:
    return name in meta and kind not in kinds_of(meta[name])


def _listed(uris: Sequence[str], count: int) -> str:
    """`a.md, b.md, c.md and 4 more`."""
    more = count - min(len(uris), _NAMED)
    return ", ".join(uris[:_NAMED]) + (f" and {more:,} more" if more else "")
