"""What an answer is made of: the evidence it may use, its claims, and their citations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pincite.types.documents import Block
from pincite.types.places import Place, Span
from pincite.types.search import SearchResult, Trace


@dataclass(frozen=True, slots=True)
class Evidence:
    """One numbered passage of the context: exactly what the answer stage sees.

    `text` equals the document's slice `span`; `hits` are the chunk ids that brought it, best first.
    `sha256` is that of the file the passage was indexed from. `header` is what the passage needs to be
    read and does not hold (a table's header rows); `headings` are the spans of headings inside it, for
    a CSV that of its header row; `sections` has the heading path, under the document's title, where it
    begins, then that at each of `headings`; `blocks` are what the parser saw in it, spans of the document as
    well, and none where nothing is known but that it is text; `type` is that of its document.
    `edition` says that its document is not the newest edition ("earlier edition, 2021-03-01"), else it is
    empty; `later` are the markers of passages from newer editions.
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
    sections: tuple[tuple[str, ...], ...] = ()
    blocks: tuple[Block, ...] = ()
    type: str = ""
    edition: str = ""
    later: tuple[int, ...] = ()

    @property
    def location(self) -> str:
        """`path:line-line` of the passage."""
        return self.place.location(self.uri)


DropCode = Literal["duplicate", "near-duplicate", "budget", "blank", "gone"]
"""Why a candidate is not in a context; `gone` says that its document has left the index since."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that is not in the context, the reason as a code and in words, and its size in tokens."""

    chunk_id: str
    code: DropCode
    reason: str
    n_tokens: int = 0

    @property
    def is_copy(self) -> bool:
        """Whether another passage says the same."""
        return self.code in ("duplicate", "near-duplicate")


@dataclass(frozen=True, slots=True)
class Context:
    """The evidence in reading order of importance, what was left out, and the rendered size in tokens."""

    evidence: tuple[Evidence, ...]
    left_out: tuple[Dropped, ...] = ()
    n_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Citation:
    """The words that support a claim and where they stand.

    `verified` is True only if the file on disk holds `quote` at `place` right now and nothing speaks against
    its claim. `stale` is None, "changed" (with the quote found at `place` in the new text, or not found and
    unverified), "gone" or "unreadable" (no permission, or the disk fails). `edition` is that of the evidence:
    empty, or that the document has a newer edition.
    `doubt` says why a quote that the file holds is not verified: "figures" (the quotes lack a figure of the
    claim), "words" (none of the claim's words stands there), else "".
    """

    marker: int
    uri: str
    place: Place
    quote: str
    verified: bool
    stale: str | None = None
    edition: str = ""
    doubt: str = ""

    @property
    def location(self) -> str:
        """`path:line-line` of the quote."""
        return self.place.location(self.uri)


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of the answer with the citations that support it.

    `lacks` are its figures, as written, that the quotes it cites do not hold, or all of them if a model's
    statement cites nothing beside others that do.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its claims, or an abstention with its reason.

    `text` has the numbers of its passages, and beside each statement what a reader has to know of it.
    """

    question: str
    text: str
    claims: tuple[Claim, ...]
    abstained: bool
    reason: str
    context: Context
    search: SearchResult
    trace: Trace

    def __str__(self) -> str:
        return f"No answer: {self.reason}" if self.abstained else self.text
