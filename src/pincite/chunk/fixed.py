"""Windows of a fixed number of characters."""

from __future__ import annotations

from pincite.chunk.coverage import stretches
from pincite.chunk.graphemes import safe_cut
from pincite.chunk.pack import Piece, rising, visible
from pincite.chunk.ruler import Ruler
from pincite.config import ChunkConfig
from pincite.types import Document, Span


def fixed(document: Document, ruler: Ruler, config: ChunkConfig) -> list[Piece]:
    """Windows of `config.size` characters, each `config.overlap` characters (−1: 15 %) into the next.

    Here, and only here, sizes are characters. A window over the model's limit is cut later.
    """
    overlap = round(0.15 * config.size) if config.overlap < 0 else config.overlap
    spans = [
        window
        for stretch in stretches(document)
        for window in _windows(document.text, stretch, config.size, config.size - overlap)
    ]
    return [Piece(span) for span in rising(visible(document.text, spans))]


def _windows(text: str, stretch: Span, size: int, step: int) -> list[Span]:
    spans, start = [], stretch.start
    while True:
        end = min(start + size, stretch.end)
        end = end if end == stretch.end else safe_cut(text, start, end)
        spans.append(Span(start, end))
        if end == stretch.end:
            return spans
        start = max(start + 1, min(end, safe_cut(text, start, start + step)))
