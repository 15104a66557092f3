"""Points of the search index, written from the catalog: those of the outbox, or all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pincite.analyze import analyze
from pincite.index.catalog import SqliteCatalog
from pincite.index.outbox import Op
from pincite.protocols import Point

if TYPE_CHECKING:
    from pincite.index.qdrant_edge import QdrantEdgeIndex

POINTS_FORMAT = 3  # raised when a point is held otherwise: older shards are made anew
_BATCH = 2000

NeedRoom = Callable[[int], None]
"""Raises unless so many bytes fit on the disk."""


def apply_outbox(catalog: SqliteCatalog, index: QdrantEdgeIndex, after: int, *, need_room: NeedRoom) -> int:
    """Does what the outbox says in its entries above `after`; returns the seq of the last one done."""
    index.index_fields(catalog.get("fields") or {})
    while batch := catalog.outbox.entries(after, _BATCH):
        _apply_batch(catalog, index, batch, need_room)
        after = batch[-1][0]
    return after


def write_every_point(catalog: SqliteCatalog, index: QdrantEdgeIndex, *, need_room: NeedRoom) -> None:
    """Fills an empty index."""
    index.index_fields(catalog.get("fields") or {})
    after = 0
    while ids := catalog.point_ids(after, _BATCH):
        _write(catalog, index, ids, need_room)
        after = ids[-1]


def _apply_batch(
    catalog: SqliteCatalog,
    index: QdrantEdgeIndex,
    batch: Sequence[tuple[int, int, Op]],
    need_room: NeedRoom,
) -> None:
    ops: dict[int, Op] = {}
    for _, point_id, op in batch:
        if op != "fields" and (op != "vector" or ops.get(point_id) != "put"):
            ops[point_id] = op
    there = catalog.still_there(list(ops))
    index.delete(sorted(ops.keys() - there))
    _write(catalog, index, [id for id in sorted(there) if ops[id] == "put"], need_room)
    index.set_vectors(catalog.vectors_of([id for id in sorted(there) if ops[id] == "vector"]))


def _write(catalog: SqliteCatalog, index: QdrantEdgeIndex, ids: Sequence[int], need_room: NeedRoom) -> None:
    """Writes the terms, fields and vectors of these chunks."""
    from pincite.contextualise import lexical_text  # only who writes needs these
    from pincite.filter.fields import filterable

    stemmers = tuple(catalog.get("stemmers") or ())
    chunks = catalog.indexed_texts(ids)
    documents = catalog.document_rows(sorted({chunk.doc_id for _, chunk in chunks}), every=True)
    metas = {doc_id: filterable(document.meta) for doc_id, document in documents.items()}
    points = []
    for id, chunk in chunks:
        text = lexical_text(chunk, documents[chunk.doc_id])
        points.append(Point(id, analyze(text, side="document", stemmers=stemmers), metas[chunk.doc_id]))
    vectors = catalog.vectors_of([id for id, _ in chunks])
    need_room(sum(8 * len(point.terms) for point in points))
    index.upsert(points)
    index.set_vectors(vectors)
