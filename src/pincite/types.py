"""The records that walk through Pincite, in the order they are made.

Every record is frozen: a stage returns a new record, or a copy with one more value. Character
offsets count code points of `Document.text`; spans are half-open; ranks and line and page numbers
start at 1; a higher score is better; ties are broken by id, ascending.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

Scalar = str | int | float | bool | date
MetaValue = Scalar | tuple[Scalar, ...]
Meta = Mapping[str, MetaValue]
Leg = Literal["lexical", "dense"]


# ── places ────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range [start, end) of characters in `Document.text`."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def overlap(self, other: Span) -> int:
        """The number of characters both spans hold."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def holds(self, other: Span) -> bool:
        """Whether `other` lies wholly inside this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page: left, top, right, bottom in points from the page's top left corner."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Place:
    """Where a span stands in its source: lines, a page with boxes, or a named part.

    `part` names what has neither lines nor pages: `Sheet1!B4:D9`, `slide 3`, `message <id>`.
    """

    line_start: int | None = None
    line_end: int | None = None
    page: int | None = None
    boxes: tuple[Box, ...] = ()
    part: str | None = None

    def location(self, uri: str) -> str:
        """`uri:7`, `uri:7-12`, `uri#page=3` or `uri#Sheet1!B4:D9`: what a person can open."""
        if self.line_start is not None:
            last = "" if self.line_end in (None, self.line_start) else f"-{self.line_end}"
            return f"{uri}:{self.line_start}{last}"
        if self.page is not None:
            return f"{uri}#page={self.page}"
        return f"{uri}#{self.part}" if self.part else uri


@dataclass(frozen=True, slots=True)
class LineOrigins:
    """Origins of a text that is its own source: a place is a range of lines.

    `starts` holds the offset of the first character of each line; LF ends a line, nothing else.
    """

    starts: tuple[int, ...]

    @staticmethod
    def of(text: str) -> LineOrigins:
        """The line starts of `text`; line 1 starts at 0 even when the text is empty."""
        starts, at = [0], text.find("\n")
        while at != -1:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        return LineOrigins(tuple(starts))

    def place(self, span: Span) -> Place:
        """The lines that hold the span; an empty span stands on the line of its start."""
        last = max(span.start, span.end - 1)
        return Place(bisect_right(self.starts, span.start), bisect_right(self.starts, last))


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of extracted text with one place in the source.

    A run never holds a line break of the source, a page break or a cell border, so its place is
    exact for any part of it.
    """

    span: Span
    place: Place


@dataclass(frozen=True, slots=True)
class RunOrigins:
    """Origins of an extracted text: runs in text order, not overlapping, gaps allowed.

    A gap is text the parser put between two runs (a separator); it takes the place of its neighbours.
    """

    runs: tuple[Run, ...]

    def place(self, span: Span) -> Place:
        """The union of the places of all runs the span touches, or of the nearest run before it."""
        first = bisect_right(self.runs, span.start, key=lambda run: run.span.end)
        last = bisect_left(self.runs, max(span.end, span.start + 1), key=lambda run: run.span.start)
        touched = self.runs[first:last] or self.runs[max(0, first - 1) : first] or self.runs[:1]
        return _union([run.place for run in touched])


Origins = LineOrigins | RunOrigins


def _union(places: list[Place]) -> Place:
    starts = [p.line_start for p in places if p.line_start is not None]
    ends = [p.line_end for p in places if p.line_end is not None]
    parts = list(dict.fromkeys(p.part for p in places if p.part is not None))
    return Place(
        min(starts) if starts else None,
        max(ends) if ends else None,
        next((p.page for p in places if p.page is not None), None),
        tuple(box for p in places for box in p.boxes),
        ", ".join(parts) if parts else None,
    )


# ── ingest ────────────────────────────────────────────────────────────────────────────────────
BlockKind = Literal[
    "heading", "paragraph", "list", "code", "table", "quote", "row", "record", "turn", "definition"
]
"""`list` is one list item; `code` a fence or other text to keep whole; `row` one table, CSV or sheet
row; `table` a table's header rows; `record` one JSON value; `turn` one message of a chat;
`definition` one function or class (or the lines between two of them) of source code."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it, or a class or function of source code.

    `span` runs from the heading to the end of the section, its subsections included; `title_span`
    is the heading's own text with its markup; `parent` is an index into `Document.sections`, −1 at the top.
    """

    title: str
    level: int
    span: Span
    title_span: Span
    parent: int = -1


@dataclass(frozen=True, slots=True)
class Block:
    """The smallest unit the chunker keeps whole if it fits.

    Blocks stand in text order and do not overlap; text between two blocks is white space or listed
    in `Document.left_out`. `section` is an index into `Document.sections`, −1 before the first heading.
    `header` is what the block needs to be understood alone and does not hold itself: a row's caption,
    header row and separator; `header_span` is where that text stands, when it does.
    """

    kind: BlockKind
    span: Span
    section: int = -1
    header: str = ""
    header_span: Span | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Text that is in no chunk, on purpose, with the reason."""

    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Losses:
    """What a parser could not read: page numbers without text, and characters cut by a limit."""

    pages_without_text: tuple[int, ...] = ()
    cut_text: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """One parsed file. `text` is canonical: it is never edited after parsing.

    For Markdown, text, code, CSV and JSON, `text` is the decoded source itself (less a byte-order
    mark); for other formats it is the extracted text. `origins` gives the place of any span.
    `id` is a hash of `uri`; `uri` is the path below the library's folder with `/`, in NFC.
    `title` is the content's own title (first heading, `<title>`, front matter) or "".
    `sha256` is that of the file's bytes; `encoding` is what the bytes were decoded with.
    """

    id: str
    uri: str
    title: str
    text: str
    type: str
    origins: Origins
    sections: tuple[Section, ...] = ()
    blocks: tuple[Block, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    meta: Meta = field(default_factory=dict)
    sha256: str = ""
    encoding: str = "utf-8"
    language: str = ""
    losses: Losses = Losses()

    def heading_path(self, section: int) -> tuple[str, ...]:
        """Titles from the outermost heading to `section` itself; empty for −1."""
        path: list[str] = []
        while section >= 0:
            path.append(self.sections[section].title)
            section = self.sections[section].parent
        return tuple(reversed(path))

    def situating_path(self, section: int, span: Span) -> tuple[str, ...]:
        """`heading_path` without the headings that stand inside `span` itself."""
        path: list[str] = []
        while section >= 0:
            here = self.sections[section]
            if not span.holds(here.title_span):
                path.append(here.title)
            section = here.parent
        return tuple(reversed(path))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A slice of one document: `text` equals `Document.text[span.start:span.end]`.

    `heading` is the full heading path; `header` is what the slice needs to be understood and does not
    hold itself (a table's header rows); `context` is the situating line, indexed on both legs with the
    text but never quoted. `n_tokens` counts context and text together in the embedding model's tokens.
    `parent` is the larger span to read when this chunk is found (parent–child), else None.
    """

    id: str
    doc_id: str
    span: Span
    text: str
    kind: str = "paragraph"
    heading: tuple[str, ...] = ()
    header: str = ""
    context: str = ""
    n_tokens: int = 0
    parent: Span | None = None

    @property
    def dense_text(self) -> str:
        """What is embedded: the situating line, then the text."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class Chunked:
    """The chunks of one document in text order, and the text that is in none of them."""

    chunks: tuple[Chunk, ...]
    left_out: tuple[LeftOut, ...] = ()


# ── filters ───────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Everything:
    """No restriction."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """No document at all: what a missing scope means."""


@dataclass(frozen=True, slots=True)
class Match:
    """The field equals one of the values, exactly and case-sensitively."""

    field: str
    values: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """The field lies between the bounds; None leaves a side open."""

    field: str
    gt: Scalar | None = None
    gte: Scalar | None = None
    lt: Scalar | None = None
    lte: Scalar | None = None


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold; of no parts, everything."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part holds; of no parts, nothing."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold (a document without the field is kept)."""

    part: Filter


Filter = Everything | Nothing | Match | Range | And | Or | Not


# ── search ────────────────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Query:
    """A question as asked. `k` is the number of hits wanted; `regex` reads `text` as an expression."""

    text: str
    filter: Filter = Everything()
    k: int = 10
    regex: bool = False
    per_document: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """One chunk in one leg's ranking."""

    chunk_id: str
    score: float
    rank: int
    leg: Leg


@dataclass(frozen=True, slots=True)
class Ranking:
    """One leg's hits, best first, ranks from 1."""

    leg: Leg
    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk in the fused ranking, with the hit of each leg that found it.

    `lexical` and `dense` are None where the leg's pool did not hold the chunk; `scores` are the true
    scores used by score fusion even then. `exact` marks a chunk that holds the query's exact phrase
    or identifier; such chunks stand above all others.
    """

    chunk_id: str
    fused: float
    lexical: Hit | None = None
    dense: Hit | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    exact: bool = False
    rerank: float | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A chunk as the catalog returns it, with its document's uri, place and metadata.

    `ordinal` is the chunk's number in its document, from 0; `point_id` is its id in the search index.
    """

    point_id: int
    chunk: Chunk
    uri: str
    doc_title: str
    doc_sha256: str
    place: Place
    ordinal: int
    meta: Meta = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One result of a search: rank, score, and the stored chunk; `stale` says how its file differs now.

    `stale` is None (as indexed), "changed" or "gone". `also_at` lists places with the same text.
    """

    rank: int
    candidate: Candidate
    stored: Stored
    stale: str | None = None
    also_at: tuple[str, ...] = ()

    @property
    def location(self) -> str:
        """`path:line-line` of the chunk."""
        return self.stored.place.location(self.stored.uri)


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of a query: what came out (ids, ranks, scores), with what settings, in how many ms."""

    stage: str
    ms: float
    params: Mapping[str, object] = field(default_factory=dict)
    items: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """The steps of one query in the order they ran."""

    query: str
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search looked through: chunks allowed by the filter, the filter as text, the dense model."""

    chunks: int
    filter: str
    model: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first; `dense_complete` is the share (0–1) of chunks that have their vector.

    `notices` say in words what a reader of the hits should know: a query cut at the model's limit, an
    index that is not complete.
    """

    query: Query
    hits: tuple[SearchHit, ...]
    dense_complete: float
    searched: Searched
    trace: Trace
    notices: tuple[str, ...] = ()


# ── context and answer ────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Evidence:
    """One numbered passage of the context: exactly what the answer stage sees.

    `text` equals the document's slice `span`; `hits` are the chunk ids that brought it, best first.
    `sha256` is that of the file the passage was indexed from. `header` is what the passage needs to be
    read and does not hold (a table's header rows); `headings` are the spans of headings inside it;
    `kind` is that of its best chunk.
    """

    marker: int
    doc_id: str
    uri: str
    span: Span
    text: str
    place: Place
    context: str = ""
    hits: tuple[str, ...] = ()
    n_tokens: int = 0
    stale: str | None = None
    cut: bool = False
    also_at: tuple[str, ...] = ()
    sha256: str = ""
    header: str = ""
    headings: tuple[Span, ...] = ()
    kind: str = "paragraph"

    @property
    def location(self) -> str:
        """`path:line-line` of the passage."""
        return self.place.location(self.uri)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that is not in the context, with the reason and its size in tokens."""

    chunk_id: str
    reason: str
    n_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Context:
    """The evidence in reading order of importance, what was left out, and the rendered size in tokens."""

    evidence: tuple[Evidence, ...]
    left_out: tuple[Dropped, ...] = ()
    n_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Citation:
    """The words that support a claim and where they stand.

    `verified` is True only if the file on disk holds `quote` at `place` right now. `stale` is None,
    "changed" (with the quote found at `place` in the new text, or not found and unverified) or "gone".
    """

    marker: int
    uri: str
    place: Place
    quote: str
    verified: bool
    stale: str | None = None

    @property
    def location(self) -> str:
        """`path:line-line` of the quote."""
        return self.place.location(self.uri)


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of the answer with the citations that support it."""

    text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its claims, or an abstention with its reason."""

    question: str
    text: str
    claims: tuple[Claim, ...]
    abstained: bool
    reason: str
    context: Context
    search: SearchResult
    trace: Trace


# ── a library's state ─────────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Reason:
    """A file that is not in the index, and why."""

    uri: str
    reason: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: `done` of `total` units ("bytes" or "chunks") of `stage` ("read" or "embed")."""

    stage: str
    done: int
    total: int
    unit: str
    uri: str = ""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did. `found` = `indexed` + `empty` + `failed` + `skipped`; `indexed` holds `unchanged`.

    `added`, `changed`, `removed`, `moved` (new paths) and `pending` (some chunk has no vector yet) are
    sorted uris. `embedded` counts texts that got a vector, `reused` chunks whose vector was there.
    `error` is the model's message when it failed for every text it was given.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    failed: tuple[Reason, ...] = ()
    skipped: tuple[Reason, ...] = ()
    empty: tuple[Reason, ...] = ()
    found: int = 0
    indexed: int = 0
    unchanged: int = 0
    excluded: int = 0
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    seconds: float = 0.0
    dense_complete: float = 1.0
    pages_without_text: int = 0
    cut_text: int = 0
    model: str = ""
    error: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Status:
    """What a library holds now, and what differs from its folder.

    `changed`, `removed` and `unindexed` compare the folder with the index; `by_type` counts documents.
    """

    root: str
    index: str
    documents: int
    chunks: int
    model: str
    dimension: int
    dense_complete: float
    disk_bytes: int
    last_sync: str
    by_type: Mapping[str, int] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unindexed: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    failed: tuple[Reason, ...] = ()
    skipped: tuple[Reason, ...] = ()
    empty: tuple[Reason, ...] = ()
    pages_without_text: int = 0
    cut_text: int = 0
    stale_settings: tuple[str, ...] = ()


# ── measuring (used by evaluation) ────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Qrel:
    """A judgement: the span of a source that answers a question, with its relevance."""

    question_id: str
    uri: str
    span: Span
    relevance: int = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a question's evidence was lost, how that is proved, and what would mend it."""

    question_id: str
    code: str
    stage: str
    proof: str
    remedy: str = ""
