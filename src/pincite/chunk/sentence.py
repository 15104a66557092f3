"""Whole sentences packed up to the target, wherever the headings are."""

from __future__ import annotations

from pincite.chunk.coverage import stretches
from pincite.chunk.pack import Piece, atoms, pack
from pincite.chunk.rows import around
from pincite.chunk.ruler import Ruler
from pincite.chunk.sentences import sentence_spans
from pincite.config import ChunkConfig
from pincite.types import Document


def sentence(document: Document, ruler: Ruler, config: ChunkConfig) -> list[Piece]:
    """Runs of sentences of balanced size; the overlap is whole sentences, a row of a table one sentence."""
    split = around(ruler.rows, sentence_spans)
    return [
        Piece(span)
        for stretch in stretches(document)
        for span in pack(
            ruler,
            atoms(ruler, stretch, (split,), ruler.narrowest),
            ruler.room_at,
            ruler.overlap,
        )
    ]
