"""Cited files as they are now: whether each is still the one that was indexed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pincite.errors import InputError, PinciteError
from pincite.folder.read import Identity, identity_of, is_gone, look, read_uri
from pincite.protocols import Source
from pincite.types import Document

State = Literal["changed", "gone", "unreadable"] | None


@dataclass(frozen=True, slots=True)
class Known:
    """What a file was when it was indexed: its hash, and what tells that it was not touched since.

    Without an `identity` its bytes have to be compared. A file inside another stands on disk as that one,
    `on_disk`, whose bytes have `bytes_sha256`.
    """

    sha256: str
    identity: Identity | None
    on_disk: str
    bytes_sha256: str


@dataclass(frozen=True, slots=True)
class Reopened:
    """A cited file as it is now, parsed if it can be: `state` is None for one that is as indexed.

    Of an "unreadable" one nobody knows whether it is as it was: there is no permission, or a disk fails.

    Without a document, `reason` says why it cannot; it is "" for a changed file that only a sync reads.
    """

    state: State
    document: Document | None
    reason: str = ""


class Reopener:
    """Looks at the cited files of one question, each read once at most.

    `known` gives what files were indexed as, by uri; a file of which that says too little is left out.
    `parse` turns a source into a document; a file larger than `limit` bytes is not read. `stored` gives the
    indexed document of a file that is read in a process of its own or stands inside another, None for
    others: as long as its bytes are those of the index, so is its text; else nothing is read of it.
    """

    def __init__(
        self,
        root: Path,
        parse: Callable[[Source], Document],
        *,
        known: Callable[[Collection[str]], Mapping[str, Known]] = lambda uris: {},
        stored: Callable[[str], Document | None] = lambda uri: None,
        limit: int = 1 << 30,
    ) -> None:
        self._root = root.resolve()
        self._parse = parse
        self._known = known
        self._stored = stored
        self._limit = limit
        self._sources: dict[str, Source | InputError] = {}
        self._documents: dict[str, Document | PinciteError] = {}

    def states(self, cited: Sequence[tuple[str, str]]) -> list[State]:
        """Whether each (uri, sha256) differs from what was indexed; a file is read only if it may."""
        known = self._known({uri for uri, _ in cited})
        return [self._state(uri, sha256, known.get(uri)) for uri, sha256 in cited]

    def _state(self, uri: str, sha256: str, known: Known | None) -> State:
        on_disk = known.on_disk if known else uri
        try:
            now = look(self._root, on_disk)
        except InputError as error:
            return _lost(error)
        if known is not None and known.identity is not None and known.sha256 == sha256:
            if identity_of(now) == known.identity:
                return None
            if now.st_size != known.identity[0]:
                return "changed"
        source = self._source(on_disk)
        if isinstance(source, InputError):
            return "changed" if now.st_size > self._limit else _lost(source)
        expected = known.bytes_sha256 if known and known.on_disk != uri else sha256
        return None if source.sha256 == expected else "changed"

    def __call__(self, uri: str, sha256: str) -> Reopened:
        """The file parsed anew, with how it differs from what was indexed."""
        (state,) = self.states([(uri, sha256)])
        if (stored := self._stored(uri)) is not None:
            as_indexed = state is None and stored.sha256 == sha256
            return Reopened(state, stored if as_indexed else None)
        source = self._source(uri)
        if isinstance(source, InputError):
            return Reopened(state or _lost(source), None, source.message)
        if uri not in self._documents:
            try:
                self._documents[uri] = self._parse(source)
            except PinciteError as error:
                self._documents[uri] = error
        document = self._documents[uri]
        if isinstance(document, PinciteError):
            return Reopened("changed", None, document.message)
        return Reopened(state, document)

    def _source(self, uri: str) -> Source | InputError:
        if uri not in self._sources:
            try:
                self._sources[uri] = read_uri(self._root, uri, limit=self._limit)
            except InputError as error:
                self._sources[uri] = error
        return self._sources[uri]


def _lost(error: InputError) -> State:
    return "gone" if is_gone(error) else "unreadable"
