"""Traces: one step per stage of a query, with what came out, under which settings, in how many ms."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pincite.types import Candidate, Hit, Step, Trace


class Recorder:
    """Collects the steps of one query in the order they end."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._steps: list[Step] = []

    @contextmanager
    def step(self, stage: str, **params: object) -> Iterator[Callable[[Iterable[Mapping[str, Any]]], None]]:
        """Times the block as one step; the block hands over what came out."""
        items: list[Mapping[str, Any]] = []
        extra: dict[str, object] = dict(params)
        started = time.perf_counter()

        def came_out(found: Iterable[Mapping[str, Any]], **more: object) -> None:
            items.extend(found)
            extra.update(more)

        yield came_out
        ms = (time.perf_counter() - started) * 1000
        self._steps.append(Step(stage, round(ms, 3), extra, tuple(items)))

    def trace(self) -> Trace:
        """The steps so far."""
        return Trace(self._query, tuple(self._steps))


def hit_items(hits: Iterable[Hit]) -> list[dict[str, Any]]:
    """A ranking as trace items."""
    return [{"chunk_id": hit.chunk_id, "rank": hit.rank, "score": hit.score} for hit in hits]


def candidate_items(candidates: Iterable[Candidate]) -> list[dict[str, Any]]:
    """A fused ranking as trace items."""
    return [
        {
            "chunk_id": c.chunk_id,
            "rank": rank,
            "score": c.fused,
            "exact": c.exact,
            "lexical": c.scores.get("lexical"),
            "dense": c.scores.get("dense"),
        }
        for rank, c in enumerate(candidates, 1)
    ]
