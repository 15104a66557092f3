"""Windows of a fixed number of tokens."""

from __future__ import annotations

from pincite.chunk.coverage import stretches
from pincite.chunk.pack import Piece, rising, visible
from pincite.chunk.ruler import Ruler
from pincite.config import ChunkConfig
from pincite.types import Document, Span


def tokens(document: Document, ruler: Ruler, config: ChunkConfig) -> list[Piece]:
    """Windows as full as the target allows, the last `ruler.overlap` tokens repeated in the next."""
    spans = [window for stretch in stretches(document) for window in _windows(ruler, stretch)]
    return [Piece(span) for span in rising(visible(document.text, spans))]


def _windows(ruler: Ruler, stretch: Span) -> list[Span]:
    spans, start = [], stretch.start
    while True:
        end = ruler.reach(start, ruler.room_at(start), stretch.end)
        spans.append(Span(start, end))
        if end == stretch.end:
            return spans
        start = ruler.back(end, ruler.overlap, start + 1)
