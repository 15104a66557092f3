"""Sizes of texts for a model whose tokeniser is not at hand: of a server, or of a model that is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.types import Span

DEFAULT_LIMIT = 500
"""Tokens a model is taken to read if nothing else is known: below the 512 of most."""

# Counted from above: four letters or digits of a Latin word are at most one piece too many, any other
# character stands alone and weighs double.
_PIECE = re.compile(r"[A-Za-z]{1,4}|[0-9]{1,2}|[^\sA-Za-z0-9]")


class EstimatedTokens:
    """A `TokenCounter` that estimates from above."""

    def count(self, texts: Sequence[str]) -> list[int]:
        """An upper estimate of the number of tokens of each text."""
        return [len(self.spans(text)) for text in texts]

    def spans(self, text: str) -> list[Span]:
        """The character span of each estimated token; a character of two tokens is listed twice."""
        found = (Span(*match.span()) for match in _PIECE.finditer(text))
        return [span for span in found for _ in range(1 if text[span.start].isascii() else 2)]
