"""Whether a server still answers with the model the index was made with, whatever its name and address."""

from __future__ import annotations

import base64
from typing import Protocol, runtime_checkable

import numpy as np

from pincite.protocols import Embedder, Vectors

_ALIKE = 0.99  # cosine: other processors and batches change far less, other weights far more


@runtime_checkable
class Served(Protocol):
    """An embedder whose weights are elsewhere, so that its fingerprint cannot cover them."""

    def probe(self) -> Vectors:
        """The vector of a fixed text."""
        ...


def probe_of(embedder: Embedder) -> str:
    """The embedder's vector of a fixed text, as text; "" for one whose fingerprint covers its weights."""
    if not isinstance(embedder, Served):
        return ""
    return base64.b64encode(np.asarray(embedder.probe(), "<f4").tobytes()).decode("ascii")


def other_vectors(before: str, now: str) -> bool:
    """Whether two probes are of models whose vectors must not be compared; not if one was never taken."""
    if not before or not now or before == now:
        return False
    try:
        one, two = (np.frombuffer(base64.b64decode(text), "<f4").astype(np.float64) for text in (before, now))
    except ValueError:  # none that was written here
        return True
    if one.shape != two.shape:
        return True
    lengths = float(np.linalg.norm(one) * np.linalg.norm(two))
    return not float(one @ two) >= _ALIKE * lengths  # a NaN is not alike
