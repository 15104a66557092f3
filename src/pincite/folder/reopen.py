"""Cited files as they are now: whether each is still the one that was indexed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pincite.errors import InputError, PinciteError
from pincite.folder.read import Identity, identity_of, is_gone, look, read_uri
from pincite.protocols import Source
from pincite.types import Document, RunOrigins

State = Literal["changed", "gone", "unreadable"] | None


@dataclass(frozen=True, slots=True)
class Known:
    """What a file was when it was indexed: its hash, and what tells that it was not touched since.

    Without an `identity` its bytes have to be compared. A file inside another stands on disk as that one,
    `on_disk`, whose bytes have `bytes_sha256`. One that is `apart`, inside another or read in a process of
    its own, is never parsed here.
    """

    sha256: str
    identity: Identity | None
    on_disk: str
    bytes_sha256: str
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Reopened:
    """A cited file and its text as it is now: `state` is None for one that is as indexed.

    Of an "unreadable" one nobody knows whether it is as it was: there is no permission, or a disk fails.

    Without a document, `reason` says why it cannot; it is "" for a changed file that only a sync reads.
    """

    state: State
    document: Document | None
    reason: str = ""


class Reopener:
    """Looks at the cited files of one question, each read once at most.

    A file whose bytes are those of the index has the text of the index, which `stored` gives by uri; where a
    text is the file itself, `text_of` has to give the same. One that changed is parsed by `parse`, unless it
    is apart. `known` gives what files were indexed as, by uri. A file it does not know is not read, nor one
    larger than `limit` bytes.
    """

    def __init__(
        self,
        root: Path,
        parse: Callable[[Source], Document],
        *,
        text_of: Callable[[Source], str],
        known: Callable[[Collection[str]], Mapping[str, Known]],
        stored: Callable[[str], Document | None],
        limit: int,
    ) -> None:
        self._root = root.resolve()
        self._parse = parse
        self._text_of = text_of
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
        """The file's text as it is now, with how the file differs from what was indexed."""
        (state,) = self.states([(uri, sha256)])
        known = self._known({uri}).get(uri)
        apart = known is None or known.apart
        if state is None and (indexed := self._as_indexed(uri, sha256, apart=apart)) is not None:
            return Reopened(None, indexed)
        if apart:
            return Reopened(state or "changed", None)
        source = self._source(uri)
        if isinstance(source, InputError):
            return Reopened(state or _lost(source), None, source.message)
        document = self._parsed(source)
        if isinstance(document, PinciteError):
            return Reopened("changed", None, document.message)
        return Reopened(state, document)

    def _as_indexed(self, uri: str, sha256: str, *, apart: bool) -> Document | None:
        """The indexed document of an unchanged file, unless the index says what the file does not."""
        document = self._stored(uri)
        if document is None or document.sha256 != sha256:
            return None
        if apart or isinstance(document.origins, RunOrigins):
            return document
        return document if self._says(self._source(uri), document.text) else None

    def _says(self, source: Source | InputError, text: str) -> bool:
        try:
            return not isinstance(source, InputError) and self._text_of(source) == text
        except PinciteError:  # its bytes are others by now
            return False

    def _parsed(self, source: Source) -> Document | PinciteError:
        if source.uri not in self._documents:
            try:
                self._documents[source.uri] = self._parse(source)
            except PinciteError as error:
                self._documents[source.uri] = error
        return self._documents[source.uri]

    def _source(self, uri: str) -> Source | InputError:
        if uri not in self._sources:
            try:
                self._sources[uri] = read_uri(self._root, uri, limit=self._limit)
            except InputError as error:
                self._sources[uri] = error
        return self._sources[uri]


def _lost(error: InputError) -> State:
    return "gone" if is_gone(error) else "unreadable"
