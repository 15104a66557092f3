"""A question asked of a library: its options, its folder read if it never was, the log if it is wanted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pincite.calls import arguments
from pincite.calls.querylog import logged
from pincite.config import SearchConfig
from pincite.index.opened import OpenLibrary
from pincite.pipeline import ask, search
from pincite.types import Answer, Everything, Filter, Progress, Query, SearchResult, SyncReport

Report = Callable[[Progress], None] | None
Filters = Filter | str | Sequence[str]

_SECONDS = 60.0


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


def searched(
    library: OpenLibrary, text: str, how: Options, *, regex: bool, per_document: bool, progress: Report
) -> SearchResult:
    """The best chunks, with notices of what a first reading left out."""
    notices = read_once(library, progress, filtered=bool(how.filters))
    query = Query(text, how.among(library), how.k, regex, per_document)
    result = search(library, query, settings=how.settings)
    return logged(library.config, library.folder, _noted(result, notices))


def answered(library: OpenLibrary, text: str, how: Options, progress: Report) -> Answer:
    """The answer, with notices of what a first reading left out."""
    notices = read_once(library, progress, filtered=bool(how.filters))
    answer = ask(library, Query(text, how.among(library), how.k), settings=how.settings)
    return logged(library.config, library.folder, replace(answer, search=_noted(answer.search, notices)))


def _noted(result: SearchResult, notices: tuple[str, ...]) -> SearchResult:
    return replace(result, notices=notices + result.notices)


# ── a library never synced ────────────────────────────────────────────────────────────────────
def read_once(
    library: OpenLibrary, progress: Callable[[Progress], None] | None, *, filtered: bool = False
) -> tuple[str, ...]:
    """Reads and indexes the folder, without vectors, if nobody did; returns what is to be said of it.

    To one who asks with a filter neither the files are named nor their number.
    """
    from pincite.pipeline import ingest

    let_another_read(library)
    if library.synced:
        return ()
    with library.sync_turn:
        if library.synced:  # by another thread meanwhile
            return ()
        shown = _unnamed(progress) if filtered and progress else progress
        return _left_out(ingest(library, progress=shown, embed=False), filtered)


def let_another_read(library: OpenLibrary) -> None:
    """Waits while another reads the folder for the first time: its lexical index is soon there."""
    from pincite.index.lock import is_held

    deadline = time.monotonic() + _SECONDS
    while not library.synced and is_held(library.folder / "sync.lock") and time.monotonic() < deadline:
        time.sleep(0.1)


def _unnamed(progress: Callable[[Progress], None]) -> Callable[[Progress], None]:
    """The progress without names of files."""
    return lambda step: progress(replace(step, uri=""))


def _left_out(report: SyncReport, filtered: bool) -> tuple[str, ...]:
    """A notice of the files that a query's own first sync could not take in; none if there are none."""
    failed, skipped = len(report.failed), len(report.skipped)
    if filtered:
        some = "some files of the folder failed or were skipped: pincite status names them"
        return (some,) if failed or skipped else ()
    parts = [f"{failed} file{'s' * (failed != 1)} failed"] if failed else []
    parts += [f"{skipped} file{'s' * (skipped != 1)} skipped"] if skipped else []
    return (f"{' and '.join(parts)}: pincite status names them",) if parts else ()
