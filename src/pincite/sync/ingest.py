"""One file to its chunks: read, parsed, cut, with those of the files inside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal

from pincite.chunk import make_chunker
from pincite.config import PARSER_VERSION, Config, ParseConfig
from pincite.contextualise import contextualise
from pincite.errors import FileCode, InputError, PinciteError, SkippedError, UsageError
from pincite.folder.walk import FoundFile
from pincite.index.rows import MOST_TEXT
from pincite.models import detect_language
from pincite.parse import CONTAINERS, TYPES, parse
from pincite.parse.inside import NO_MEMORY
from pincite.parse.pdf.opening import read_passwords
from pincite.protocols import Chunker, Embedder, Source
from pincite.sync.addressed import addressed
from pincite.sync.lost import OCR_HINT
from pincite.types import Chunked, Document, Reason

Ended = Literal["", "crashed", "slow", "memory", "killed"]
"""How reading a file ended its worker process; "killed" says that somebody else did, or the system."""

_FIRST_INSIDE = 16


@dataclass(frozen=True, slots=True)
class Cutters:
    """The chunker of each document type ("" for all others) with the model they count for.

    `lines` says which have a situating line before each chunk. `settings` is, by document type, the
    fingerprint of all that shapes its chunks.
    """

    chunkers: Mapping[str, Chunker]
    lines: Mapping[str, bool]
    embedder: Embedder
    parse: ParseConfig
    settings: Mapping[str, str]

    @staticmethod
    def of(config: Config, embedder: Embedder) -> Cutters:
        """The chunkers the settings name. Raises `UsageError` for a document type there is not.

        And for a file of passwords that cannot be read: whether one is needed is known too late.
        """
        read_passwords(config.parse.password_file)
        if unknown := sorted(set(config.chunk_for) - set(TYPES)):
            message = f"chunk.{unknown[0]}: no document has this type; types: {', '.join(TYPES)}"
            raise UsageError(message, stage="config", hint="correct the table's name in pincite.toml")
        kinds = {"": config.chunk, **dict(sorted(config.chunk_for.items()))}
        chunkers = {
            kind: make_chunker(chunk, embedder, embedder.limit, embedder=embedder)
            for kind, chunk in kinds.items()
        }
        settings = {kind: _fingerprint(chunker, config.parse) for kind, chunker in chunkers.items()}
        lines = {kind: chunk.context_line for kind, chunk in kinds.items()}
        return Cutters(chunkers, lines, embedder, config.parse, settings)

    def settings_of(self, kind: str) -> str:
        """What a file of this type stores to be compared at the next sync."""
        return self.settings.get(kind, self.settings[""])

    def cut(self, document: Document) -> Chunked:
        """The document's chunks with their situating lines."""
        kind = document.type if document.type in self.chunkers else ""
        chunked, line = self.chunkers[kind](document), self.lines[kind]
        return contextualise(document, chunked, self.embedder, limit=self.embedder.limit, line=line)


def _fingerprint(chunker: Chunker, config: ParseConfig) -> str:
    parts = [PARSER_VERSION, config.shaping, chunker.fingerprint]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file read, parsed and cut, or the reason why not (`state` "failed", "skipped" or "empty").

    The `reason` of one that is "indexed" tells of text that speaks to an assistant; `code` says why where
    something depends on it.
    `sha256` is "" when its bytes were not got, or are not what it failed for; `ended` says so of one that
    ended its worker. `members` are the files inside it, of an archive or a mail, and inside those: each a
    file of its own, with the identity of this one.
    """

    file: FoundFile
    sha256: str
    state: str
    reason: str = ""
    code: FileCode = ""
    document: Document | None = None
    chunked: Chunked = field(default_factory=lambda: Chunked(()))
    members: tuple[Prepared, ...] = ()
    ended: Ended = ""


def read_only(file: FoundFile, config: ParseConfig) -> Prepared:
    """The file parsed but not cut, with a few of those inside it; a bad one has its reason."""
    try:
        source = file.read()
        document = parse(source, config)
        inside = tuple(_first_inside(file, source, document.type, config))
    except (InputError, MemoryError) as error:
        state = "skipped" if isinstance(error, SkippedError) else "failed"
        if isinstance(error, MemoryError):
            return _without_memory(file)
        return Prepared(file, "", state, _reason(error, file.uri), error.code)
    return Prepared(file, document.sha256, "indexed", document=document, members=inside)


def _first_inside(file: FoundFile, source: Source, kind: str, config: ParseConfig) -> Iterator[Prepared]:
    """Those of the first files inside a file that can be read: enough to tell what it is about."""
    if kind not in CONTAINERS:
        return
    from pincite.parse.inside.members import members

    for member in islice(members(source, kind), _FIRST_INSIDE):
        if isinstance(member, Reason):
            continue
        try:
            document = parse(member, config)
        except InputError:
            continue
        yield Prepared(replace(file, uri=member.uri), member.sha256, "indexed", document=document)


def prepare(file: FoundFile, cutters: Cutters) -> Prepared:
    """The file's chunks, and those of the files inside it. A bad file does not raise; it has its reason."""
    try:
        source = file.read()
    except InputError as error:
        return Prepared(file, "", "failed", _reason(error, file.uri), error.code)
    except MemoryError:
        return _without_memory(file)
    prepared = _cut(file, source, cutters)
    if prepared.document is None or prepared.document.type not in CONTAINERS:
        return prepared
    return replace(prepared, members=tuple(_members(file, source, prepared.document.type, cutters)))


def _cut(file: FoundFile, source: Source, cutters: Cutters) -> Prepared:
    """One file's chunks, without those inside it."""
    try:
        document = parse(source, cutters.parse)
        if len(document.text) > MOST_TEXT:
            raise InputError(f"its text has more than {MOST_TEXT:,} characters", uri=file.uri, stage="store")
        if not document.blocks:
            why = _why_empty(source, document)
            return Prepared(file, source.sha256, "empty", why, document=document)
        document = replace(document, language=document.language or detect_language(document.text))
        told, chunked = addressed(document), cutters.cut(document)
        return Prepared(file, source.sha256, "indexed", told, document=document, chunked=chunked)
    except InputError as error:
        state = "skipped" if isinstance(error, SkippedError) else "failed"
        return Prepared(file, source.sha256, state, _reason(error, file.uri), error.code)
    except PinciteError:
        raise
    except MemoryError:
        return _without_memory(file)
    except Exception as error:  # one bad file never stops a run; this one is ours to mend
        return Prepared(file, source.sha256, "failed", f"internal error ({type(error).__name__}: {error})")


def _without_memory(file: FoundFile) -> Prepared:
    return Prepared(file, "", "failed", NO_MEMORY, "memory")


def _why_empty(source: Source, document: Document) -> str:
    if not source.data.strip():
        return "empty file"
    if pages := len(document.losses.pages_without_text):
        return f"no text on its {pages:,} page{'s' * (pages > 1)} (scanned?); {OCR_HINT}"
    left = ", ".join(dict.fromkeys(left.reason for left in document.left_out))
    return f"no text but {left}" if left else "no text"


def _members(file: FoundFile, source: Source, kind: str, cutters: Cutters) -> Iterator[Prepared]:
    """The files inside a file and inside those; one that is refused has its reason."""
    from pincite.parse.inside.members import members

    # It goes into what is inside members by itself, within one limit.
    for member in members(source, kind):
        inside = replace(file, uri=member.uri)
        if isinstance(member, Reason):
            yield Prepared(inside, "", "skipped", member.reason)
            continue
        yield _cut(inside, member, cutters)


def _reason(error: PinciteError, uri: str) -> str:
    """The message without the uri, which every list names anyway."""
    return error.message.removeprefix(f"{uri}: ")
