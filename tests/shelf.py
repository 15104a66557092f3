"""A catalog in memory, made of real records, for tests of the stages behind the search."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from parsed_blocks import blocks_of
from pincite.assemble import assemble
from pincite.config import ContextConfig
from pincite.types import (
    Candidate,
    Chunk,
    Context,
    Document,
    LineOrigins,
    Meta,
    SearchHit,
    Section,
    Span,
    Stored,
)


def words(texts: Sequence[str]) -> list[int]:
    """One token a word."""
    return [len(text.split()) for text in texts]


def document(uri: str, text: str, meta: Meta | None = None, type: str = "markdown") -> Document:
    """A document, of Markdown unless told otherwise, with one section a heading, all on one level."""
    heads = list(re.finditer(r"^#+ (.+)$", text, re.M))
    ends = [head.start() for head in heads[1:]] + [len(text)] * bool(heads)
    sections = tuple(
        Section(head[1], 1, Span(head.start(), end), Span(*head.span()))
        for head, end in zip(heads, ends, strict=True)
    )
    digest = hashlib.sha256(text.encode()).hexdigest()
    origins = LineOrigins.of(text)
    blocks = blocks_of(text, type)
    return Document(uri, uri, "", text, type, origins, sections, blocks, meta=meta or {}, sha256=digest)


@dataclass
class Shelf:
    """Documents and their chunks by document id; a document's id is its uri."""

    documents: dict[str, Document] = field(default_factory=dict)
    stored: dict[str, list[Stored]] = field(default_factory=dict)

    def add(
        self,
        uri: str,
        text: str,
        *,
        cut: str = r"[^\n]+",
        meta: Meta | None = None,
        parents: Sequence[Span] = (),
        type: str = "markdown",
    ) -> list[Stored]:
        """Stores a document with one chunk for each match of `cut` (a line, unless told otherwise)."""
        made = document(uri, text, meta, type)
        self.documents[uri], self.stored[uri] = made, []
        for ordinal, found in enumerate(re.finditer(cut, text)):
            span = Span(*found.span())
            section = max((n for n, s in enumerate(made.sections) if s.span.start <= span.start), default=-1)
            parent = next((one for one in parents if one.holds(span)), None)
            heading = made.heading_path(section)
            chunk = Chunk(f"{uri}:{ordinal + 1}", uri, span, found[0], heading=heading, parent=parent)
            chunk = replace(chunk, n_tokens=words([chunk.text])[0], context=" › ".join(heading))
            place = made.origins.place(span)
            self.stored[uri].append(
                Stored(len(self.stored[uri]), chunk, uri, "", made.sha256, place, ordinal, meta or {})
            )
        return self.stored[uri]

    def document(self, doc_id: str) -> Document | None:
        return self.documents.get(doc_id)

    def chunks_between(self, doc_id: str, first: int, last: int) -> list[Stored]:
        return self.stored.get(doc_id, [])[first : last + 1]

    def hits(self, *ids: str) -> list[SearchHit]:
        """Search hits of the chunks named `uri:number`, ranked as given."""
        named = {one.chunk.id: one for many in self.stored.values() for one in many}
        return [
            SearchHit(rank, Candidate(one, 1.0 / rank), named[one]) for rank, one in enumerate(ids, start=1)
        ]


@dataclass(frozen=True)
class Now:
    """A file as it is now, in the shape citation asks for."""

    state: str | None
    document: Document | None
    reason: str = ""


def disk(files: Mapping[str, str]) -> Callable[[str, str], Now]:
    """Reads files of a pretended disk: changed when their text is not the indexed one, gone when absent."""

    def reopen(uri: str, sha256: str) -> Now:
        if uri not in files:
            return Now("gone", None, "no such file")
        now = document(uri, files[uri])
        return Now(None if now.sha256 == sha256 else "changed", now)

    return reopen


def context_of(shelf: Shelf, *ids: str, neighbours: int = 0) -> Context:
    """The context of the chunks named, in that order, with room for all."""
    config = ContextConfig(budget=100_000, neighbours=neighbours)
    return assemble(shelf.hits(*ids), catalog=shelf, config=config, count=words)


def shelf_of(*texts: str, cut: str = r"(?s).+") -> tuple[Shelf, Context]:
    """Files `1.md`, `2.md` … of one chunk each, and the context of all of them in order."""
    shelf = Shelf()
    for number, text in enumerate(texts, start=1):
        shelf.add(f"{number}.md", text, cut=cut)
    return shelf, context_of(shelf, *(f"{number}.md:1" for number in range(1, len(texts) + 1)))


def as_indexed(shelf: Shelf) -> Callable[[str, str], Now]:
    """Reopens files that are as they were indexed."""
    return disk({uri: one.text for uri, one in shelf.documents.items()})


def typed(uri: str, text: str, type: str, kind: str = "paragraph") -> tuple[Shelf, Context]:
    """One file of a type, as one chunk of a kind, and its context."""
    shelf = Shelf()
    (stored,) = shelf.add(uri, text, cut=r"(?s).+", type=type)
    shelf.stored[uri] = [replace(stored, chunk=replace(stored.chunk, kind=kind))]
    return shelf, context_of(shelf, f"{uri}:1")
