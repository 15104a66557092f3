"""The text of a place of a file that has no lines to show: a page, a slide, cells, a member of an archive."""

from __future__ import annotations

import re

from pincite.calls.shown import Shown
from pincite.errors import InputError
from pincite.index.opened import OpenLibrary
from pincite.index.schema import FileRow
from pincite.parse.detect import ISOLATED
from pincite.types import Document, LineOrigins, Place, Span
from pincite.types.parts import holds_part

_PAGES = re.compile(r"page=(\d{1,9})(?:-(\d{1,9}))?")
_LINES = re.compile(r"(?P<uri>.+):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?", re.S)


def show_text(library: OpenLibrary, location: str) -> Shown | None:
    """The indexed text of `path#page=3`, `path#Sheet1!A4:F9` or `archive.zip/path:7`; all of it for a path.

    None for a file that is shown by its own lines, or is not in the index. Raises `InputError` for a place
    that the file does not have, and with its reason for a file that could not be read.
    """
    for uri, wanted in _readings(location):
        row = library.catalog.files_of([uri]).get(uri)
        by_lines = not wanted or wanted.startswith("line=")
        if row is None or (by_lines and not _has_no_lines(row) and row.state != "failed"):
            continue
        document = library.catalog.document(row.doc_id)
        if document is None:
            raise InputError(f"{uri}: {row.reason}", uri=uri, stage="show")
        span = _span(document, wanted)
        if span is None:
            raise InputError(_no_such(document, wanted), uri=uri, stage="show")
        (stale,) = library.reopener().states([(uri, row.sha256)])
        return _shown(document, span if wanted else None, stale)
    return None


def _readings(location: str) -> list[tuple[str, str]]:
    """What a location may mean, as (uri, place): a name may hold `#` and `:` too."""
    uri, _, place = location.partition("#")
    readings = [(location, ""), (uri, place)] if place else [(location, "")]
    if lines := _LINES.fullmatch(location):
        readings.append((lines["uri"], f"line={lines['first']}-{lines['last'] or lines['first']}"))
    return readings


def _has_no_lines(row: FileRow) -> bool:
    return bool(row.container) or row.kind in ISOLATED


def _span(document: Document, wanted: str) -> Span | None:
    """The stretch of text that stands at a place, all of it for none; None if nothing does."""
    if not wanted:
        return Span(0, len(document.text))
    if isinstance(document.origins, LineOrigins):
        return _lines(document.origins, wanted, len(document.text))
    runs = document.origins.runs
    at = [number for number, run in enumerate(runs) if _is_at(run.place, wanted)]
    if not at:
        return None
    before = runs[at[0] - 1].span.end if at[0] else 0
    after = runs[at[-1] + 1].span.start if at[-1] + 1 < len(runs) else len(document.text)
    return _whole_lines(document.text, Span(runs[at[0]].span.start, runs[at[-1]].span.end), before, after)


def _whole_lines(text: str, span: Span, before: int, after: int) -> Span:
    """The span with what Pincite itself wrote at the ends of its lines: the number of a list's item, a mark.

    `before` and `after` are where the places beside it end and begin: a line they share stays cut.
    """
    start, end = text.rfind("\n", 0, span.start) + 1, text.find("\n", span.end)
    end = len(text) if end < 0 else end
    return Span(start if start >= before else span.start, end if end <= after else span.end)


def _lines(origins: LineOrigins, wanted: str, end: int) -> Span | None:
    kind, _, numbers = wanted.partition("=")
    first, _, last = numbers.partition("-")
    starts = (*origins.starts, end)
    if kind != "line" or not 1 <= int(first) < len(starts):
        return None
    return Span(starts[int(first) - 1], starts[min(max(int(first), int(last)), len(starts) - 1)])


def _is_at(place: Place, wanted: str) -> bool:
    if pages := _PAGES.fullmatch(wanted):
        return place.page is not None and int(pages[1]) <= place.page <= int(pages[2] or pages[1])
    if wanted.startswith("line=") and place.line_start is not None:
        first, _, last = wanted.removeprefix("line=").partition("-")
        return int(first) <= place.line_start <= int(last)
    return place.part is not None and holds_part(wanted, place.part)


def _shown(document: Document, part: Span | None, stale: str | None) -> Shown:
    """The lines of a part or of all of the text; numbered where they are those of the file."""
    span = part or Span(0, len(document.text))
    lines = tuple(line.rstrip("\r") for line in document.text[span.start : span.end].rstrip("\n").split("\n"))
    place = document.origins.place(span)
    if isinstance(document.origins, LineOrigins) and place.line_start is not None:
        return Shown(document.uri, place.line_start, place.line_start + len(lines) - 1, lines, stale)
    return Shown(document.uri, 0, 0, lines, stale, place.location(document.uri) if part else document.uri)


def _no_such(document: Document, wanted: str) -> str:
    """That a file has no such place: what was lost there if something was, else its first and last ones."""
    if why := _lost_there(document, wanted):
        return f"{document.uri}: {why}"
    origins = document.origins
    places = [
        origins.place(Span(0, 1)),
        origins.place(Span(max(0, len(document.text) - 1), len(document.text))),
    ]
    first, last = (place.location(document.uri) for place in places)
    return f"{document.uri} has nothing at {_named(wanted)}; it has {first} to {last}"


def _lost_there(document: Document, wanted: str) -> str:
    """What a reader of the file could not read at a place; empty if nothing is known of it."""
    pages = _PAGES.fullmatch(wanted)
    if pages and int(pages[1]) in document.losses.pages_without_text:
        return f"page {pages[1]} has no text; it may be a scan, which parse.ocr reads"
    name = wanted.partition("!")[0]
    lost = (one for one in document.losses.dropped if re.search(rf"\b{re.escape(name)}:", one))
    return next(lost, "") if name and not pages else ""


def _named(wanted: str) -> str:
    """A place that was asked for, as people write it."""
    kind, _, numbers = wanted.partition("=")
    first, _, last = numbers.partition("-")
    if kind not in ("page", "line") or not first:
        return repr(wanted)
    return f"{kind} {first}" if last in ("", first) else f"{kind}s {first}-{last}"
