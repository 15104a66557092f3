"""What the catalog and the folder say of a judged place: its chunks, its file, and what keeps it out."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import Literal

from pincite.config import SyncConfig
from pincite.errors import InputError, PinciteError
from pincite.evaluate.golds import OneFile, Resolver, holds
from pincite.evaluate.quotes import Squeezed, squeeze
from pincite.filter import describe, matches
from pincite.folder.globs import globs
from pincite.folder.read import read_uri, resolve
from pincite.folder.reopen import Reopened
from pincite.folder.walk import Walk, walk
from pincite.index.opened import OpenLibrary
from pincite.parse.decode import decode
from pincite.types import And, Document, Filter, Gold, Meta, Place, Span, chunk_id

FileState = Literal[
    "indexed", "changed", "gone", "unreadable", "new", "excluded", "failed", "skipped", "empty", "absent"
]
_TAG = re.compile(r"<(?:script|style)\b.*?</(?:script|style)\s*>|<[^<>]{0,2000}>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one gold beside the trace.

    `holders` are the ids of the chunks that count as having found it, `unembedded` those of them without
    a vector. `file` is the state of its source: "changed" only when the evidence no longer stands there (of
    a section, less than half of its lines), "unreadable" when it cannot be read though it is there, "new"
    when no sync has seen the file, or it holds the evidence only since the last one; `reason` says more.
    `refused` names the parts of the filter that exclude it, `left_out` why the text is in no chunk, `share`
    how much of the span the best chunk holds.
    `text` are the words of the evidence, `place` where they stood when they were indexed; `in_source` says
    whether a quote stands in the file's own bytes.
    """

    gold: Gold
    holders: frozenset[str] = frozenset()
    unembedded: frozenset[str] = frozenset()
    file: FileState = "indexed"
    reason: str = ""
    refused: tuple[str, ...] = ()
    left_out: str = ""
    share: float = 0.0
    text: str = ""
    place: Place | None = None
    in_source: bool = False


class FactFinder:
    """Looks golds up in one library under one filter."""

    def __init__(self, library: OpenLibrary, resolver: Resolver, filter: Filter) -> None:
        self._library = library
        self._resolver = resolver
        self._filter = filter
        self._reopen = library.reopener()
        self._chunks = lru_cache(maxsize=64)(library.catalog.points_of)

    @cached_property
    def _walk(self) -> Walk:
        return walk(self._library.root, self._library.config.sync)

    def __call__(self, gold: Gold) -> Facts:
        """Everything that is known of the gold. Reads its file, and walks the folder when it is not there."""
        document = self._resolver.document(gold.doc_id) if gold.doc_id else None
        if document is None:
            return Facts(gold, file=(found := self._absent(gold.qrel.uri))[0], reason=found[1])
        file, reason = self._on_disk(gold, document)
        if gold.problem:
            return Facts(gold, file=file, reason=reason, in_source=self._in_source(gold))
        points = [(point, Span(start, end)) for point, start, end in self._chunks(document.id)]
        holding = [point for point, span in points if holds(gold, document.id, span)]
        embedded = self._library.catalog.vectors_of(holding)
        return Facts(
            gold,
            holders=frozenset(map(chunk_id, holding)),
            unembedded=frozenset(chunk_id(point) for point in holding if point not in embedded),
            file=file,
            reason=reason,
            refused=refusing(self._filter, document.meta),
            left_out=_left_out(gold, document),
            share=_share(gold, [span for _, span in points]),
            text="" if gold.span is None else document.text[gold.span.start : gold.span.end],
            place=None if gold.span is None else document.origins.place(gold.span),
            in_source=True,
        )

    # ── the file ──────────────────────────────────────────────────────────────────────────────
    def _absent(self, uri: str) -> tuple[FileState, str]:
        """Why no document has this uri."""
        row = self._library.catalog.files_of([uri]).get(uri)
        if row is not None and row.state in ("failed", "skipped", "empty"):
            states: dict[str, FileState] = {"failed": "failed", "skipped": "skipped", "empty": "empty"}
            return states[row.state], row.reason
        if (reason := self._not_read(uri)) is not None:
            return "skipped", reason
        if not self._exists(uri):
            near = get_close_matches(uri, sorted(self._resolver.doc_ids), n=1)
            return "absent", "there is no such file" + (f"; the nearest is {near[0]}" if near else "")
        if any(file.uri == uri for file in self._walk.files):
            return "new", "the file is in the folder, but no sync has read it yet"
        named = excluding(self._library.config.sync, uri)
        rule = f"sync.exclude leaves it out ({', '.join(named)})" if named else "a rule leaves it out"
        kinds = "" if named else " (ignore file, hidden, usual)"
        return "excluded", f"the file is in the folder, but {rule}{kinds}"

    def _not_read(self, uri: str) -> str | None:
        """Why a sync would skip what is there under this path, such as a link; None if it would not."""
        if not os.path.lexists(self._library.root / uri):
            return None
        reasons = {one.uri: one.reason for one in (*self._walk.skipped, *self._walk.failed)}
        return reasons.get(uri)

    def _exists(self, uri: str) -> bool:
        try:
            return resolve(self._library.root, uri).is_file()
        except (InputError, OSError):
            return False

    def _on_disk(self, gold: Gold, document: Document) -> tuple[FileState, str]:
        """Whether the evidence still stands in the file."""
        (state,) = self._reopen.states([(document.uri, document.sha256)])
        if state is None:
            return "indexed", ""
        now = self._reopen(document.uri, document.sha256)
        if now.document is None and state == "changed" and not now.reason:
            return "changed", "the file changed since it was indexed; a sync reads what it holds now"
        if now.document is None:
            return ("gone" if now.state == "gone" else "unreadable"), _no_text(now)
        if gold.problem and not Resolver(OneFile(now.document)).gold(gold.qrel).problem:
            return "new", "the file changed since it was indexed, and holds this place only since then"
        words = gold.qrel.quote if gold.span is None else document.text[gold.span.start : gold.span.end]
        if not squeeze(words):
            return "indexed", "the file changed since it was indexed"
        if _stands(words, now.document.text, some=gold.any_part):
            return "indexed", "the file changed since, but still holds these words"
        return "changed", "the file changed since it was indexed, and no longer holds these words"

    def _in_source(self, gold: Gold) -> bool:
        """Whether the file's own bytes hold the quote, tags of markup left aside."""
        if not squeeze(gold.qrel.quote):
            return False
        try:
            source = read_uri(self._library.root, gold.qrel.uri)
            text = decode(source.data, uri=source.uri).text
        except PinciteError:
            return False
        bare = html.unescape(_TAG.sub(" ", text))
        return any(Squeezed.of(one).find(gold.qrel.quote, Span(0, len(one))) for one in (text, bare))


def excluding(sync: SyncConfig, uri: str) -> tuple[str, ...]:
    """The globs of sync.exclude that leave a path out, each by itself."""
    return tuple(one for one in sync.exclude if (of := globs("sync.exclude", (one,))) and of.match_file(uri))


def _no_text(now: Reopened) -> str:
    if now.state == "gone":
        return "the file is no longer there"
    changed = "changed since it was indexed, and " if now.state == "changed" else ""
    return f"the file {changed}cannot be read now ({now.reason})"


def _stands(words: str, text: str, *, some: bool) -> bool:
    """Whether a text holds these words; with `some`, at least half of their lines."""
    now, everywhere = Squeezed.of(text), Span(0, len(text))
    lines = [line for line in words.splitlines() if line.strip()] if some else [words]
    return 2 * sum(now.find(line, everywhere) is not None for line in lines) >= len(lines)


def refusing(filter: Filter, meta: Meta) -> tuple[str, ...]:
    """The parts of a filter that a document does not meet, in words; none if it meets all."""
    parts = filter.parts if isinstance(filter, And) else (filter,)
    return tuple(describe(part) for part in parts if not matches(part, meta))


def _left_out(gold: Gold, document: Document) -> str:
    """Why at least half of the span was left out of the chunks, if the parser did so."""
    if gold.span is None:
        return ""
    for part in document.left_out:
        if 2 * gold.span.overlap(part.span) >= len(gold.span):
            return part.reason
    return ""


def _share(gold: Gold, spans: Sequence[Span]) -> float:
    """The largest part of the gold that one chunk holds, 0 to 1."""
    if gold.span is None or not spans:
        return float(bool(spans))
    return max(gold.span.overlap(span) for span in spans) / max(1, len(gold.span))
