"""Which documents may be seen: a typed expression over their fields; everything and nothing differ."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.types.values import Scalar


@dataclass(frozen=True, slots=True)
class Everything:
    """No restriction."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """No document at all: what a missing scope means."""


@dataclass(frozen=True, slots=True)
class Match:
    """The field equals one of the values, exactly and case-sensitively."""

    field: str
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """The field lies between the bounds; None leaves a side open."""

    field: str
    gt: Scalar | None = None
    gte: Scalar | None = None
    lt: Scalar | None = None
    lte: Scalar | None = None


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold; of no parts, everything."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part holds; of no parts, nothing."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold (a document without the field is kept)."""

    part: Filter


Filter = Everything | Nothing | Match | Range | And | Or | Not
