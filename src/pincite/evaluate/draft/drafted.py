"""A question that a document suggests."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.types import Span


@dataclass(frozen=True, slots=True)
class Draft:
    """A question with the span that answers it; `kind` says which form of text suggested it."""

    text: str
    span: Span
    kind: str
    answer: str = ""
