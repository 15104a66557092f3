"""Hits to `Context`: whole passages in rank order, up to a token budget, each line at most once.

Order of work: every hit first, in rank order; then, with the room that is left, small chunks grow by
their parent or neighbours. Packing goes on after a hit that does not fit, so a later, smaller one may
be taken; the one that did not fit is recorded. Only the best hit of all is ever cut, when it is larger
than the whole budget. The budget is met by the rendered string, labels and separators counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from pincite.assemble.budget import Count, Measure, cut
from pincite.assemble.duplicates import same_text
from pincite.assemble.evidence import dated
from pincite.assemble.pieces import Piece, by_rank, merge, trimmed
from pincite.config import ContextConfig
from pincite.protocols import Catalog
from pincite.types import Context, Document, DropCode, Dropped, SearchHit, Span, Stored

__all__ = ["assemble"]


def assemble(hits: Sequence[SearchHit], *, catalog: Catalog, config: ContextConfig, count: Count) -> Context:
    """The evidence that fits `config.budget` tokens, best first, markers from 1; the rest with reasons.

    `hits` stand in rank order. `count` gives tokens of the model the budget is meant for. A hit is
    merged into a passage it touches, left out as a (near-)duplicate, or left out for lack of room; the
    copy's location stays visible in `also_at`.
    """
    measure, document = Measure(count), cache(catalog.document)
    pieces: list[Piece] = []
    left_out: list[Dropped] = []
    for hit in hits:
        pieces, dropped = _place(hit, pieces, document(hit.stored.chunk.doc_id), config.budget, measure)
        left_out += [dropped] if dropped else []
    pieces = _grow(pieces, {one.chunk_id for one in left_out}, catalog, config, measure)
    while pieces and measure.whole(pieces) > config.budget:  # the sum of parts was a little too low
        last = pieces.pop()
        left_out += [_over(hit, measure.alone(last), 0, config.budget) for hit in last.hits]
    evidence = tuple(replace(one, n_tokens=measure.block(one)) for one in dated(pieces))
    return Context(evidence, tuple(left_out), measure.whole(pieces))


# ── placing hits ──────────────────────────────────────────────────────────────────────────────
def _place(
    hit: SearchHit, pieces: list[Piece], document: Document | None, budget: int, measure: Measure
) -> tuple[list[Piece], Dropped | None]:
    """The pieces with `hit` among them, or the pieces as they were and why it is not."""
    chunk = hit.stored.chunk
    if document is None:
        return pieces, Dropped(chunk.id, "gone", f"{hit.stored.uri} is no longer in the index")
    piece = Piece(document, trimmed(document.text, chunk.span), (hit,), hit.also_at)
    if not piece.span:
        return pieces, Dropped(chunk.id, "blank", "holds white space only")
    copy = _copy_of(hit, piece, pieces)
    if copy is not None:
        at, likeness, known = copy
        reason = f"{likeness} of {known}"
        return _noted(pieces, at, hit), Dropped(chunk.id, likeness, reason, measure.alone(piece))
    merged = merge([*pieces, piece])
    if measure.parts(merged) <= budget:
        return merged, None
    short = None if pieces or hit.rank > 1 else cut(piece, budget, measure)
    if short is not None:
        return [short], None
    return pieces, _over(hit, measure.alone(piece), budget - measure.parts(pieces), budget)


def _over(hit: SearchHit, size: int, left: int, budget: int) -> Dropped:
    reason = f"budget: needs {size} tokens, {max(0, left)} of {budget} left"
    return Dropped(hit.stored.chunk.id, "budget", reason, size)


def _copy_of(hit: SearchHit, piece: Piece, pieces: Sequence[Piece]) -> tuple[int, DropCode, str] | None:
    """The index of the piece that says what `piece` says, how alike, and where; overlaps are no copies."""
    if any(one.document.id == piece.document.id and one.span.overlap(piece.span) for one in pieces):
        return None
    for at, other in enumerate(pieces):
        for known in other.hits:
            likeness = same_text(hit.stored, known.stored)
            if likeness:
                return at, likeness, known.location
    return None


def _noted(pieces: Sequence[Piece], at: int, hit: SearchHit) -> list[Piece]:
    """The pieces, the one at `at` with the places of `hit` in its `also_at`."""
    places = dict.fromkeys((*pieces[at].also_at, hit.location, *hit.also_at))
    noted = replace(pieces[at], also_at=tuple(places))
    return [*pieces[:at], noted, *pieces[at + 1 :]]


# ── growing ───────────────────────────────────────────────────────────────────────────────────
def _grow(
    pieces: list[Piece], unwanted: set[str], catalog: Catalog, config: ContextConfig, measure: Measure
) -> list[Piece]:
    """The pieces with the surroundings of small chunks that still fit, best hit first."""
    wanted = [(piece, hit) for piece in pieces if not piece.cut for hit in piece.hits]
    for piece, hit in sorted(wanted, key=lambda one: by_rank(one[1])):
        if hit.stored.chunk.n_tokens >= config.small:
            continue
        for span in _around(hit, unwanted, catalog, config.neighbours):
            more = replace(piece, span=trimmed(piece.document.text, span), hits=(hit,), also_at=())
            grown = merge([*pieces, more])
            if more.span and len(grown) <= len(pieces) and measure.parts(grown) <= config.budget:
                pieces = grown
    return pieces


def _around(hit: SearchHit, unwanted: set[str], catalog: Catalog, neighbours: int) -> Iterator[Span]:
    """What a small chunk is read with: its parent's span, or neighbours of its section, nearest first."""
    chunk, ordinal = hit.stored.chunk, hit.stored.ordinal
    if chunk.parent is not None:
        yield chunk.parent
    elif neighbours > 0:
        around = catalog.chunks_between(chunk.doc_id, max(0, ordinal - neighbours), ordinal + neighbours)
        for near in sorted(around, key=lambda one: (abs(one.ordinal - ordinal), one.ordinal)):
            if near.chunk.id not in unwanted and near.ordinal != ordinal and _related(hit.stored, near):
                yield near.chunk.span


def _related(hit: Stored, near: Stored) -> bool:
    """Whether one chunk stands in the other's section or in a section around it."""
    return all(a == b for a, b in zip(hit.chunk.heading, near.chunk.heading, strict=False))
