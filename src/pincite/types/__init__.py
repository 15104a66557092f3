"""The records that walk through Pincite, in the order they are made.

Every record is frozen: a stage returns a new record, or a copy with one more value. Character
offsets count code points of `Document.text`; spans are half-open; ranks and line and page numbers
start at 1; a higher score is better; ties are broken by id, ascending.
"""

from __future__ import annotations

from pincite.types.answers import Answer, Citation, Claim, Context, DropCode, Dropped, Evidence
from pincite.types.documents import (
    CHUNK_ID_DIGITS,
    MOST_HEADINGS,
    Block,
    BlockKind,
    Chunk,
    Chunked,
    Document,
    LeftOut,
    Losses,
    Section,
    chunk_id,
    point_id,
)
from pincite.types.filters import And, Everything, Filter, Match, Not, Nothing, Or, Range
from pincite.types.judgements import (
    Finding,
    Gold,
    LabelProblem,
    Problem,
    Qrel,
    Question,
    QuestionSet,
    Remedy,
)
from pincite.types.places import Box, LineOrigins, Origins, Place, Run, RunOrigins, Span
from pincite.types.search import (
    Candidate,
    Hit,
    Leg,
    Query,
    Ranking,
    Searched,
    SearchHit,
    SearchResult,
    Step,
    Stored,
    Trace,
)
from pincite.types.state import Progress, Reason, Status, SyncReport
from pincite.types.values import Meta, MetaValue, Scalar

__all__ = [
    "CHUNK_ID_DIGITS",
    "MOST_HEADINGS",
    "And",
    "Answer",
    "Block",
    "BlockKind",
    "Box",
    "Candidate",
    "Chunk",
    "Chunked",
    "Citation",
    "Claim",
    "Context",
    "Document",
    "DropCode",
    "Dropped",
    "Everything",
    "Evidence",
    "Filter",
    "Finding",
    "Gold",
    "Hit",
    "LabelProblem",
    "LeftOut",
    "Leg",
    "LineOrigins",
    "Losses",
    "Match",
    "Meta",
    "MetaValue",
    "Not",
    "Nothing",
    "Or",
    "Origins",
    "Place",
    "Problem",
    "Progress",
    "Qrel",
    "Query",
    "Question",
    "QuestionSet",
    "Range",
    "Ranking",
    "Reason",
    "Remedy",
    "Run",
    "RunOrigins",
    "Scalar",
    "SearchHit",
    "SearchResult",
    "Searched",
    "Section",
    "Span",
    "Status",
    "Step",
    "Stored",
    "SyncReport",
    "Trace",
    "chunk_id",
    "point_id",
]
