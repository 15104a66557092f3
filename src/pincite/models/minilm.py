"""The bundled English model: all-MiniLM-L6-v2 in 8-bit integers, 384 dimensions, 256 tokens.

The graph is made by `tools/convert_minilm.py`; docs/adr/0002-bundled-models.md says why it looks so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from pincite.models.local import LocalEmbedder
from pincite.models.onnx_session import open_session
from pincite.models.tokens import word_pieces
from pincite.protocols import Vectors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

DATA = Path(__file__).parent / "data" / "minilm"
NAME = "english"
WINDOW = 256  # tokens, [CLS] and [SEP] among them


def load(*, threads: int = 0) -> LocalEmbedder:
    """The English embedder: mean pooling, no prefixes, `limit` 254."""
    tokens = word_pieces(DATA / "vocab.txt")
    opened: list[InferenceSession] = []
    opening = Lock()

    def encode(ids: Sequence[int]) -> Vectors:
        with opening:  # the graph is opened for the first text: who only counts tokens needs none
            if not opened:
                opened.append(open_session(DATA / "model.onnx", optimise=False))
        out: Vectors = opened[0].run(["pooled"], {"input_ids": np.array([ids], np.int32)})[0][0]
        return out

    return LocalEmbedder(
        name=NAME,
        fingerprint=fingerprint(),
        dimension=384,
        limit=WINDOW - len(tokens.before) - len(tokens.after),
        tokens=tokens,
        encode=encode,
        threads=threads,
    )


def fingerprint() -> str:
    """A hash of the recorded hashes of graph and vocabulary, the pooling and the window."""
    sums = (DATA / "SHA256SUMS").read_bytes()
    return hashlib.sha256(sums + f"mean unit {WINDOW}".encode()).hexdigest()
