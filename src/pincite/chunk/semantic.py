"""Text cut where its topic shifts: where two neighbouring sentences are unusually far apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pincite.chunk.coverage import stretches
from pincite.chunk.pack import Piece, atoms, pack
from pincite.chunk.rows import around
from pincite.chunk.ruler import Ruler
from pincite.chunk.sentences import sentence_spans
from pincite.config import ChunkConfig
from pincite.protocols import Embedder
from pincite.types import Document, Span

PERCENTILE = 90


def semantic(document: Document, ruler: Ruler, config: ChunkConfig, embedder: Embedder) -> list[Piece]:
    """Runs of sentences between topic shifts, those over the target packed into balanced pieces.

    A shift is a cosine distance of neighbouring sentences above the 90th percentile of the document's.
    Nothing overlaps, except inside a run that is over the target. A row of a table is one sentence.
    """
    room = min(ruler.narrowest, max(1, embedder.limit * 7 // 8))  # sizes of slices are sums: leave some
    text, pieces = document.text, []
    split = around(ruler.rows, sentence_spans)
    for stretch in stretches(document):
        sentences = [
            part
            for sentence in split(text, stretch.start, stretch.end)
            for part in atoms(ruler, sentence, (), room)
        ]
        for run in _topics(text, sentences, embedder):
            pieces += [Piece(span) for span in pack(ruler, run, ruler.room_at, ruler.overlap)]
    return pieces


def _topics(text: str, sentences: Sequence[Span], embedder: Embedder) -> list[Sequence[Span]]:
    """The sentences cut at each shift."""
    if len(sentences) < 3:
        return [sentences]
    vectors = embedder.embed_documents([text[span.start : span.end] for span in sentences])
    cuts = [0, *shifts(vectors), len(sentences)]
    return [sentences[first:last] for first, last in pairwise(cuts)]


def shifts(vectors: NDArray[np.float32]) -> list[int]:
    """The rows (unit vectors) whose cosine distance to the row before is above the 90th percentile.

    A row without a direction (NaN or zero) is at distance 0 from its neighbours.
    """
    distances = np.nan_to_num(1 - np.einsum("ij,ij->i", vectors[:-1], vectors[1:]), nan=0.0)
    somewhere = np.asarray(vectors.any(axis=1))
    distances *= somewhere[:-1] & somewhere[1:]
    return [int(at) + 1 for at in np.flatnonzero(distances > np.percentile(distances, PERCENTILE))]
