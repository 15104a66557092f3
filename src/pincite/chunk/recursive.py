"""Text cut at the largest separators that make it fit: blank lines, lines, sentences, words, tokens."""

from __future__ import annotations

from pincite.chunk.coverage import stretches
from pincite.chunk.pack import Piece, atoms, pack
from pincite.chunk.rows import around
from pincite.chunk.ruler import Ruler
from pincite.chunk.sentences import line_spans, paragraph_spans, sentence_spans
from pincite.config import ChunkConfig
from pincite.types import Document

_SPLITS = (paragraph_spans, line_spans, sentence_spans)


def recursive(document: Document, ruler: Ruler, config: ChunkConfig) -> list[Piece]:
    """Runs of the parts so made, of balanced size; the overlap is whole parts, a row of a table one part."""
    splits = [around(ruler.rows, split) for split in _SPLITS]
    return [
        Piece(span)
        for stretch in stretches(document)
        for span in pack(ruler, atoms(ruler, stretch, splits, ruler.narrowest), ruler.room_at, ruler.overlap)
    ]
