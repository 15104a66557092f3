"""How questions are searched, as a call is given it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.calls import arguments
from pincite.config import SearchConfig
from pincite.types import Everything, Filter

if TYPE_CHECKING:
    from pincite.index.opened import OpenLibrary

Filters = Filter | str | Sequence[str]


@dataclass(frozen=True, slots=True)
class Options:
    """The options that every call with questions takes: how many hits, among which documents, found how."""

    k: int
    filters: Filters
    settings: SearchConfig

    @staticmethod
    def of(
        config: SearchConfig, k: int, filters: Filters, legs: Sequence[str] | None, fusion: str | None
    ) -> Options:
        """The options given, over the settings. Raises `UsageError` naming the one that is wrong."""
        return Options(arguments.hits(k), filters, arguments.settings(config, legs, fusion))

    def among(self, library: OpenLibrary) -> Filter:
        """The filter; one given as text is read by the fields that documents of the library have."""
        from pincite.filter import parse_filter

        filters = [self.filters] if isinstance(self.filters, str) else self.filters
        if not isinstance(filters, Sequence):
            return filters
        if not filters:
            return Everything()
        return parse_filter(filters, library.catalog.get("fields") or {}, library.catalog.metas)
