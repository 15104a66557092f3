"""The local log of what was asked, where the user's settings switch it on: one JSON object a line.

It lies in the index folder, can be read by its owner alone, and is sent nowhere. Nothing here breaks a
search: what cannot be written is said in a notice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from pincite.config import Config
from pincite.types import Answer, Citation, Place, SearchResult

FILE, OLDER = "queries.jsonl", "queries.1.jsonl"
MAX_BYTES = 10_000_000  # then the file becomes the older one, over what that was
_MAX_ENTRY = 1_000_000
_MOST_HITS = 100

Found = TypeVar("Found", SearchResult, Answer)


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation as it was logged, with the text of its claim."""

    claim: str
    uri: str
    place: Place
    quote: str
    verified: bool

    @property
    def location(self) -> str:
        """`path:line-line` of the quote."""
        return self.place.location(self.uri)


@dataclass(frozen=True, slots=True)
class Logged:
    """One logged query. `number` counts asks, the latest is 1; 0 for a search, which has no citations."""

    number: int
    time: str
    command: str
    query: str
    k: int
    filter: str
    hits: tuple[str, ...]
    citations: tuple[Cited, ...] = ()
    abstained: bool = False


def logged(config: Config, index: Path, found: Found) -> Found:
    """What was found, written to the log in the index folder if the settings say so.

    With a notice when it could not be written.
    """
    if not config.query_log:
        return found
    try:
        _append(index, _entry(found))
        return found
    except (OSError, ValueError) as error:
        notice = f"the query was not logged: {getattr(error, 'strerror', None) or error}"
    if isinstance(found, Answer):
        return replace(found, search=replace(found.search, notices=(*found.search.notices, notice)))
    return replace(found, notices=(*found.notices, notice))


def _entry(found: SearchResult | Answer) -> dict[str, Any]:
    result = found.search if isinstance(found, Answer) else found
    entry: dict[str, Any] = {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": "ask" if isinstance(found, Answer) else "search",
        "query": result.query.text,
        "k": result.query.k,
        "filter": result.searched.filter,
        "hits": [hit.location for hit in result.hits[:_MOST_HITS]],
    }
    if isinstance(found, Answer):
        claims = [
            {"text": claim.text, "citations": [_citation(one) for one in claim.citations]}
            for claim in found.claims
        ]
        entry |= {"claims": claims, "abstained": found.abstained}
    return entry


def _citation(one: Citation) -> dict[str, Any]:
    place = one.place
    return {
        "location": one.location,
        "uri": one.uri,
        "line_start": place.line_start,
        "line_end": place.line_end,
        "page": place.page,
        "quote": one.quote,
        "verified": one.verified,
    }


def _append(index: Path, entry: dict[str, Any]) -> None:
    """Adds a line in one write; links are not followed. Raises `OSError`, `ValueError` for a huge entry."""
    line = (json.dumps(entry, ensure_ascii=True) + "\n").encode("ascii")
    if len(line) > _MAX_ENTRY:
        raise ValueError(f"it makes {len(line):,} bytes, and {_MAX_ENTRY:,} are kept of one at most")
    path = index / FILE
    if path.is_file() and path.stat().st_size + len(line) > MAX_BYTES:
        path.replace(index / OLDER)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    descriptor = os.open(path, flags, 0o600)
    try:
        os.write(descriptor, line)
    finally:
        os.close(descriptor)


# ── reading ───────────────────────────────────────────────────────────────────────────────────
def read_log(index: Path) -> list[Logged]:
    """The logged queries, latest first. A line that is none, as after a full disk, is passed over."""
    found: list[Logged] = []
    asks = 0
    for row in _rows(index):
        is_ask = row.get("command") == "ask"
        asks += is_ask
        try:
            found.append(_logged(row, asks if is_ask else 0))
        except (KeyError, TypeError, ValueError):
            asks -= is_ask
    return found


def _rows(index: Path) -> Iterator[dict[str, Any]]:
    """The objects of both files from the last line to the first."""
    for name in (FILE, OLDER):
        path = index / name
        lines = path.read_bytes()[-2 * MAX_BYTES :].splitlines() if path.is_file() else []
        for line in reversed(lines):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(row, dict):
                yield row


def _logged(row: dict[str, Any], number: int) -> Logged:
    citations = [
        Cited(
            str(claim["text"]),
            str(one["uri"]),
            Place(one["line_start"], one["line_end"], one["page"]),
            str(one["quote"]),
            one["verified"] is True,
        )
        for claim in row.get("claims", ())
        for one in claim["citations"]
    ]
    return Logged(
        number,
        str(row["time"]),
        str(row["command"]),
        str(row["query"]),
        int(row["k"]),
        str(row["filter"]),
        tuple(map(str, row["hits"])),
        tuple(dict.fromkeys(citations)),
        row.get("abstained") is True,
    )
