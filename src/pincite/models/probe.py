"""Whether a server still answers with the model the index was made with, whatever its name and address.

Vectors that were paid for are given up only for another model that is proved to be one: for each of two
fixed texts, its vector is clearly another one, at two tries that agree. A reply that is broken, or differs
once, is a fault of the server.
"""

from __future__ import annotations

import base64
from typing import Protocol, runtime_checkable

import numpy as np

from pincite.errors import ModelError
from pincite.protocols import Embedder, Vectors

_ALIKE = (
    0.95  # cosine: another processor, batch or rounding of the same weights changes less, others far more
)


@runtime_checkable
class Served(Protocol):
    """An embedder whose weights are elsewhere, so that its fingerprint cannot cover them."""

    def probe(self, *, again: bool = False) -> Vectors:
        """float32[n, dimension]: vectors of fixed texts, kept unless asked for `again`."""
        ...


def probe_of(embedder: Embedder) -> str:
    """The embedder's vectors of fixed texts, as text; "" for one whose fingerprint covers its weights."""
    if not isinstance(embedder, Served):
        return ""
    rows = np.asarray(embedder.probe(), "<f4")
    return " ".join(base64.b64encode(row.tobytes()).decode("ascii") for row in rows)


def settle(embedder: Embedder, name: str, known: str) -> None:
    """Has a server that differs from the `known` probe asked a second time, so that `probe_of` is sure.

    `name` is that of the model which the index was made with. Raises `ModelError` for a server that proves
    nothing: its two tries do not agree, or its vectors under that name have another length.
    """
    if not isinstance(embedder, Served) or not other_vectors(known, probe_of(embedder)):
        return
    first = probe_of(embedder)
    embedder.probe(again=True)
    if not other_vectors(known, second := probe_of(embedder)):
        return
    if other_vectors(first, second):
        text = f"{embedder.name} gives other vectors for the same texts at each try"
        hint = "check what answers at PINCITE_EMBED_BASE_URL; the vectors of the index are kept"
        raise ModelError(text, hint=hint, retryable=True, code="reply")
    if name == embedder.name and embedder.dimension != (expected := len(_rows(known)[0])):
        text = (
            f"expected vectors of {expected} numbers from {name}, as in the index, got {embedder.dimension}"
        )
        hint = "check what answers at PINCITE_EMBED_BASE_URL; for another model, make another index (--index)"
        raise ModelError(text, hint=hint, code="reply")


def other_vectors(before: str, now: str) -> bool:
    """Whether two probes are of models whose vectors must not be compared; not if one was never taken.

    Each text that both hold must tell so; an older index holds one.
    """
    one, two = _rows(before), _rows(now)
    pairs = list(zip(one, two, strict=False))
    return bool(pairs) and not any(_alike(*pair) for pair in pairs)


def _rows(probe: str) -> list[Vectors]:
    """The vectors of a probe; none of a text that is no probe, and proves nothing."""
    try:
        return [np.frombuffer(base64.b64decode(text), "<f4").astype(np.float64) for text in probe.split()]
    except ValueError:
        return []


def _alike(one: Vectors, two: Vectors) -> bool:
    if one.shape != two.shape:
        return False
    return float(one @ two) >= _ALIKE * float(np.linalg.norm(one) * np.linalg.norm(two))
