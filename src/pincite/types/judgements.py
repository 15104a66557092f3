"""What evaluation works with: labelled questions, their judgements of source places, and what was found.

A judgement names a place in a source, never a chunk, so that cutting or embedding anew voids no label.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pincite.types.places import Place, Span


@dataclass(frozen=True, slots=True)
class Qrel:
    """A judgement: a place in a source that answers a question; the whole document where none is given.

    `line_start` and `line_end` count from 1; `part` names a place in a file without lines and pages, as
    `Place.part` does; `chars` are code points of the source's text. `quote` holds
    the evidence's own words and `quote_sha` their sha256, so that a label whose lines have moved is
    noticed. Judgements of one `group` are alternatives; a question needs one of each group.
    `relevance` 0 or less says that the place does not answer.
    """

    question_id: str
    uri: str
    line_start: int | None = None
    line_end: int | None = None
    page: int | None = None
    chars: Span | None = None
    quote: str = ""
    quote_sha: str = ""
    relevance: int = 1
    group: str = ""
    part: str = ""

    @property
    def location(self) -> str:
        """`path:7`, `path:7-12`, `path#page=3`, `path#Sheet1!A4:F9`, or the path of a whole document."""
        return Place(self.line_start, self.line_end, self.page, part=self.part or None).location(self.uri)


@dataclass(frozen=True, slots=True)
class Question:
    """A labelled question. `synthetic` marks one that was drafted from the documents.

    One that is answerable but has no judgement above 0 takes no part in measures of ranking. `where` is the
    line of its file (`questions.tsv:4`), if it has one; it is no part of what is asked.
    """

    id: str
    text: str
    qrels: tuple[Qrel, ...] = ()
    answerable: bool = True
    answer: str = ""
    tags: tuple[str, ...] = ()
    synthetic: bool = False
    where: str = field(default="", compare=False)

    @property
    def judged(self) -> tuple[Qrel, ...]:
        """The judgements that count as evidence: those with a relevance above 0."""
        return tuple(qrel for qrel in self.qrels if qrel.relevance > 0)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions of one file in its order; `sha256` is that of what they say, not of the file's bytes."""

    name: str
    questions: tuple[Question, ...]
    sha256: str


@dataclass(frozen=True, slots=True)
class LabelProblem:
    """Something wrong with a label: where (`questions.tsv:4`, else an id), what, and what may be meant.

    `question_id` names the question, where one could be read.
    `code` is one of "unreadable", "duplicate", "file gone", "ambiguous", "no such place", "span empty",
    "quote not there", "moved", "no evidence", "leaked", "too few".
    """

    where: str
    code: str
    message: str
    question_id: str = ""


Problem = Literal[
    "", "not in corpus", "ambiguous", "span empty", "page empty", "no such place", "quote not there"
]
"""What is wrong with a label."""


@dataclass(frozen=True, slots=True)
class Gold:
    """A judgement found in the indexed text: its document and span, or the `problem` and its `detail`.

    `span` is what a chunk must hold at least half of; None with a `doc_id` means any chunk of the document.
    A label on a heading becomes the body of its section; any chunk with some of it will do (`any_part`), and
    so it is with a page or a part (a slide, a sheet) that is named without a quote.
    `moved_to` is the location where the quote stands now, if its lines moved.
    """

    qrel: Qrel
    doc_id: str | None = None
    span: Span | None = None
    any_part: bool = False
    problem: Problem = ""
    detail: str = ""
    moved_to: str = ""
    long: bool = False

    @property
    def told(self) -> str:
        """The problem with its particulars, in words."""
        return f"{self.problem}: {self.detail}" if self.detail else self.problem


@dataclass(frozen=True, slots=True)
class Remedy:
    """A setting that was changed and tried: the questions it recovers and those it loses, by id.

    `on_all` says that it was tried on every question asked; else, as when it needs another index, both are
    of the questions that it was found by.
    """

    setting: str
    before: str
    after: str
    recovers: tuple[str, ...] = ()
    loses: tuple[str, ...] = ()
    on_all: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a question's evidence was lost (`code`, `stage`), how that is proved, and what mends it.

    `ranks` holds the evidence's rank at each stage in the order they ran, None where it is not there.
    """

    question_id: str
    question: str
    code: str
    stage: str
    ranks: Mapping[str, int | None] = field(default_factory=dict)
    proof: str = ""
    remedies: tuple[Remedy, ...] = ()
