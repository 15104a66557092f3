"""One question asked of a library: its folder read if it never was, the question logged if that is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pincite.calls.first_read import read_once
from pincite.calls.options import Options
from pincite.calls.querylog import logged
from pincite.index.opened import OpenLibrary
from pincite.pipeline import ask, search
from pincite.types import Answer, Progress, Query, SearchResult

Report = Callable[[Progress], None] | None


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
