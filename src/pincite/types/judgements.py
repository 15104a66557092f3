"""What evaluation works with: judgements of source spans, and findings about lost evidence."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.types.places import Span


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
