"""Lines of a source as they are on disk now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from pincite.calls.shown import Shown
from pincite.errors import InputError, UsageError
from pincite.folder.given_path import library_uri, uri_from_here, uri_of
from pincite.folder.read import read_uri
from pincite.index.catalog import SqliteCatalog
from pincite.parse.decode import decode
from pincite.parse.detect import EXTRACTED
from pincite.types import SearchHit, Span

_LOCATION = re.compile(r"(?P<uri>.+?)(?::(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?)?\Z", re.S)


def show(
    root: Path,
    location: str,
    *,
    context: int = 0,
    catalog: SqliteCatalog | None = None,
    known: Callable[[], Iterable[str]] = tuple,
) -> Shown:
    """The lines that `path:7`, `path:7-12` or `path` (all of it) names, with `context` lines around.

    `known` gives the uris among which one may be meant. Raises `InputError` for a path outside the
    folder, a missing file, or lines past its end.
    """
    given, first, last = parse_location(root, location)
    uri = uri_of(root, given, known)
    source = read_uri(root, uri)
    lines = decode(source.data, uri=uri).text.split("\n")
    if lines and not lines[-1]:
        lines.pop()  # the line end of the last line begins no new one
    if first > len(lines):
        raise InputError(f"{uri} has {len(lines)} lines, not {first}", uri=uri, stage="show")
    start, end = max(1, first - context), min(len(lines), (last or len(lines)) + context)
    stale = None
    if catalog is not None and (row := catalog.files_of([uri]).get(uri)) is not None:
        stale = None if row.sha256 == source.sha256 else "changed"
    return Shown(uri, start, end, tuple(line.removesuffix("\r") for line in lines[start - 1 : end]), stale)


def line_numbers(hit: SearchHit, catalog: SqliteCatalog) -> tuple[int | None, ...]:
    """The line of the file on which each line of a hit's text begins; None where it has none.

    The lines of an extracted text are not those of the file: its stored origins say where each stands.
    """
    lines, chunk, first = hit.stored.chunk.text.split("\n"), hit.stored.chunk, hit.stored.place.line_start
    head = catalog.document_rows([chunk.doc_id]).get(chunk.doc_id)
    if first is None or head is None:
        return (None,) * len(lines)
    if head.type not in EXTRACTED:
        return tuple(range(first, first + len(lines)))
    document, numbers, at = catalog.document(chunk.doc_id), [], chunk.span.start
    for line in lines:
        numbers.append(
            document.origins.place(Span(at, at + len(line))).line_start if document and line else None
        )
        at += len(line) + 1
    return tuple(numbers)


def parse_location(root: Path, location: str) -> tuple[str, int, int]:
    """(uri, first line, last line); the last is 0 for "to the end". A file whose name ends in `:7` wins."""
    match = _LOCATION.match(location)
    if not match or not location.strip():
        raise UsageError("show: expected path:line or path:line-line", hint="pincite show manual.md:7-12")
    if match["first"] is None or _is_there(root, location):
        return location, 1, 0
    first, last = int(match["first"]), int(match["last"] or match["first"])
    if first < 1 or last < first:
        raise UsageError(f"show: {location}: lines start at 1 and go up", hint="pincite show manual.md:7-12")
    return match["uri"], first, last


def _is_there(root: Path, given: str) -> bool:
    return bool(library_uri(root, given) or uri_from_here(root, given))
