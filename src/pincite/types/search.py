"""What a search makes: rankings of the legs, fused candidates, hits, and the trace of its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pincite.types.documents import Chunk
from pincite.types.filters import Everything, Filter
from pincite.types.places import Place
from pincite.types.values import Meta

Leg = Literal["lexical", "dense"]


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

    `stale` is None (as indexed), "changed", "gone" or "unreadable" (there is no permission, or the disk
    fails: nobody knows how it is). `also_at` lists the other hits with the same text.
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
