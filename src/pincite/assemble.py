"""Hits to `Context`: whole passages in rank order, up to a token budget, each line at most once.

Order of work: every hit first, in rank order; then, with the room that is left, small chunks grow by
their parent or neighbours. Packing goes on after a hit that does not fit, so a later, smaller one may
be taken; the one that did not fit is recorded. Only the best hit of all is ever cut, when it is larger
than the whole budget. The budget is met by the rendered string, labels and separators counted.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from pincite.answer.prompt import SEPARATOR, render_block, render_evidence
from pincite.config import ContextConfig
from pincite.duplicates import same_text
from pincite.editions import edition_of, later
from pincite.protocols import Catalog
from pincite.types import Context, Document, Dropped, Evidence, SearchHit, Span, Stored

Count = Callable[[Sequence[str]], list[int]]

MIN_CUT = 32
"""The fewest tokens of budget at which the best hit is cut instead of left out."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one document with the hits that brought it, best first."""

    document: Document
    span: Span
    hits: tuple[SearchHit, ...]
    also_at: tuple[str, ...] = ()
    cut: bool = False

    @property
    def rank(self) -> int:
        return self.hits[0].rank


def assemble(hits: Sequence[SearchHit], *, catalog: Catalog, config: ContextConfig, count: Count) -> Context:
    """The evidence that fits `config.budget` tokens, best first, markers from 1; the rest with reasons.

    `hits` stand in rank order. `count` gives tokens of the model the budget is meant for. A hit is
    merged into a passage it touches, left out as a (near-)duplicate, or left out for lack of room; the
    copy's location stays visible in `also_at`.
    """
    measure, document = _Measure(count), cache(catalog.document)
    pieces: list[Piece] = []
    left_out: list[Dropped] = []
    for hit in hits:
        pieces, dropped = _place(hit, pieces, document(hit.stored.chunk.doc_id), config.budget, measure)
        left_out += [dropped] if dropped else []
    pieces = _grow(pieces, {one.chunk_id for one in left_out}, catalog, config, measure)
    while pieces and measure.whole(pieces) > config.budget:  # the sum of parts was a little too low
        last = pieces.pop()
        left_out += [_over(hit, measure.alone(last), 0, config.budget) for hit in last.hits]
    evidence = tuple(replace(one, n_tokens=measure.block(one)) for one in _dated(pieces))
    return Context(evidence, tuple(left_out), measure.whole(pieces))


@dataclass(frozen=True, slots=True)
class _Measure:
    """Rendered sizes in tokens; a passage's size is counted once for each text it is rendered as."""

    count: Count
    known: dict[str, int] = field(default_factory=dict)

    def block(self, evidence: Evidence) -> int:
        text = render_block(evidence)
        if text not in self.known:
            self.known[text] = self.count([text])[0]
        return self.known[text]

    def whole(self, pieces: Sequence[Piece]) -> int:
        """The size of the rendered string itself; 0 without pieces."""
        return self.count([render_evidence(numbered(pieces))])[0] if pieces else 0

    def parts(self, pieces: Sequence[Piece]) -> int:
        """The sum over the passages, one token counted for each separator that is any."""
        between = self.count([SEPARATOR])[0] * max(0, len(pieces) - 1)
        return between + sum(self.block(one) for one in numbered(pieces))

    def alone(self, piece: Piece) -> int:
        return self.parts([piece])


# ── placing hits ──────────────────────────────────────────────────────────────────────────────
def _place(
    hit: SearchHit, pieces: list[Piece], document: Document | None, budget: int, measure: _Measure
) -> tuple[list[Piece], Dropped | None]:
    """The pieces with `hit` among them, or the pieces as they were and why it is not."""
    chunk = hit.stored.chunk
    if document is None:
        return pieces, Dropped(chunk.id, f"{hit.stored.uri} is no longer in the index")
    piece = Piece(document, _trimmed(document.text, chunk.span), (hit,), hit.also_at)
    if not piece.span:
        return pieces, Dropped(chunk.id, "holds white space only")
    copy = _copy_of(hit, piece, pieces)
    if copy is not None:
        return _noted(pieces, copy[0], hit), Dropped(chunk.id, copy[1], measure.alone(piece))
    merged = _merged([*pieces, piece])
    if measure.parts(merged) <= budget:
        return merged, None
    short = None if pieces or hit.rank > 1 else _cut(piece, budget, measure)
    if short is not None:
        return [short], None
    return pieces, _over(hit, measure.alone(piece), budget - measure.parts(pieces), budget)


def _over(hit: SearchHit, size: int, left: int, budget: int) -> Dropped:
    reason = f"budget: needs {size} tokens, {max(0, left)} of {budget} left"
    return Dropped(hit.stored.chunk.id, reason, size)


def _copy_of(hit: SearchHit, piece: Piece, pieces: Sequence[Piece]) -> tuple[int, str] | None:
    """The index of the piece that already says what `piece` says, with the reason; overlaps are no copies."""
    if any(one.document.id == piece.document.id and one.span.overlap(piece.span) for one in pieces):
        return None
    for at, other in enumerate(pieces):
        for known in other.hits:
            likeness = same_text(hit.stored, known.stored)
            if likeness:
                return at, f"{likeness} of {known.location}"
    return None


def _noted(pieces: Sequence[Piece], at: int, hit: SearchHit) -> list[Piece]:
    """The pieces, the one at `at` with the places of `hit` in its `also_at`."""
    places = dict.fromkeys((*pieces[at].also_at, hit.location, *hit.also_at))
    noted = replace(pieces[at], also_at=tuple(places))
    return [*pieces[:at], noted, *pieces[at + 1 :]]


def _cut(piece: Piece, budget: int, measure: _Measure) -> Piece | None:
    """The longest beginning of `piece` within `budget`, ending with a sentence or else a word."""
    if budget < MIN_CUT:
        return None
    text, span = piece.document.text, piece.span
    for ends in (_sentence_ends(text, span), _word_ends(text, span)):
        low, high = 0, len(ends)
        while low < high:
            middle = (low + high) // 2
            shorter = replace(piece, span=Span(span.start, ends[middle]), cut=True)
            low, high = (middle + 1, high) if measure.alone(shorter) <= budget else (low, middle)
        if low:
            return replace(piece, span=Span(span.start, ends[low - 1]), cut=True)
    return None


def _sentence_ends(text: str, span: Span) -> list[int]:
    from pincite.chunk.sentences import sentence_spans

    return [one.end for one in sentence_spans(text, span.start, span.end)]


def _word_ends(text: str, span: Span) -> list[int]:
    """Ends of words; characters of scripts written without spaces are words of their own."""
    words = re.compile(r"[⺀-鿿豈-﫿぀-ヿ가-힣＀-￯]|[^\s⺀-鿿豈-﫿぀-ヿ가-힣＀-￯]+")
    return [found.end() for found in words.finditer(text, span.start, span.end)]


# ── merging ───────────────────────────────────────────────────────────────────────────────────
def _merged(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with those that overlap or touch joined, each at the rank of its best hit."""
    joined: list[Piece] = []
    for piece in sorted(pieces, key=lambda one: (one.document.id, one.span)):
        if joined and _touch(joined[-1], piece):
            joined[-1] = _join(joined[-1], piece)
        else:
            joined.append(piece)
    return sorted(joined, key=lambda one: (one.rank, one.document.id, one.span))


def _touch(first: Piece, second: Piece) -> bool:
    """Whether nothing but white space lies between two pieces of one document."""
    if first.document.id != second.document.id:
        return False
    gap = first.document.text[first.span.end : second.span.start]
    return second.span.start <= first.span.end or not gap.strip()


def _join(first: Piece, second: Piece) -> Piece:
    hits = {
        hit.stored.chunk.id: hit for hit in sorted((*second.hits, *first.hits), key=_by_rank, reverse=True)
    }
    return Piece(
        first.document,
        Span(first.span.start, max(first.span.end, second.span.end)),
        tuple(sorted(hits.values(), key=_by_rank)),
        tuple(dict.fromkeys((*first.also_at, *second.also_at))),
        first.cut or second.cut,
    )


def _by_rank(hit: SearchHit) -> tuple[int, str]:
    return hit.rank, hit.stored.chunk.id


def _trimmed(text: str, span: Span) -> Span:
    """`span` without white space at its end and without blank lines at its start; empty if none is left."""
    end = span.start + len(text[span.start : span.end].rstrip())
    body = text[span.start : end]
    blank = len(body) - len(body.lstrip())
    line = body.rfind("\n", 0, blank) + 1
    return Span(span.start + line, max(end, span.start + line))


# ── growing ───────────────────────────────────────────────────────────────────────────────────
def _grow(
    pieces: list[Piece], unwanted: set[str], catalog: Catalog, config: ContextConfig, measure: _Measure
) -> list[Piece]:
    """The pieces with the surroundings of small chunks that still fit, best hit first."""
    wanted = [(piece, hit) for piece in pieces if not piece.cut for hit in piece.hits]
    for piece, hit in sorted(wanted, key=lambda one: _by_rank(one[1])):
        if hit.stored.chunk.n_tokens >= config.small:
            continue
        for span in _around(hit, unwanted, catalog, config.neighbours):
            more = replace(piece, span=_trimmed(piece.document.text, span), hits=(hit,), also_at=())
            grown = _merged([*pieces, more])
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


# ── evidence ──────────────────────────────────────────────────────────────────────────────────
def numbered(pieces: Sequence[Piece]) -> tuple[Evidence, ...]:
    return tuple(_evidence(piece, marker) for marker, piece in enumerate(pieces, start=1))


def _dated(pieces: Sequence[Piece]) -> Iterator[Evidence]:
    """The numbered evidence, each with the markers of passages from newer editions of its document."""
    editions = [edition_of(piece.hits[0].stored) for piece in pieces]
    for one, edition in zip(numbered(pieces), editions, strict=True):
        newer = tuple(at + 1 for at in later(edition, editions))
        yield replace(one, later=newer, edition=edition.label if newer or edition.superseded else "")


def _evidence(piece: Piece, marker: int) -> Evidence:
    """One piece as numbered evidence, described by its best hit."""
    best, document, span = piece.hits[0], piece.document, piece.span
    return Evidence(
        marker=marker,
        doc_id=document.id,
        uri=best.stored.uri,
        span=span,
        text=document.text[span.start : span.end],
        place=document.origins.place(span),
        context=_context(best.stored),
        hits=tuple(hit.stored.chunk.id for hit in piece.hits),
        stale=best.stale,
        cut=piece.cut,
        also_at=piece.also_at,
        sha256=best.stored.doc_sha256,
        header=_header(piece),
        headings=_headings(piece),
        kind=best.stored.chunk.kind,
        type=document.type,
    )


def _context(stored: Stored) -> str:
    """The situating line, with the document's version and date where its metadata has them."""
    facts = [f"{name} {stored.meta[name]}" for name in ("version", "date") if name in stored.meta]
    return " · ".join(part for part in (stored.chunk.context, *facts) if part)


def _header(piece: Piece) -> str:
    """The table header of the first hit that has one, unless the piece holds it."""
    text = piece.document.text[piece.span.start : piece.span.end]
    headers = (hit.stored.chunk.header.strip("\n") for hit in piece.hits)
    return next((header for header in headers if header and header not in text), "")


def _headings(piece: Piece) -> tuple[Span, ...]:
    """Spans of headings in the piece and of a CSV's header row; a function's own line is text, no heading."""
    if any(hit.stored.chunk.kind == "definition" for hit in piece.hits):
        return ()
    if any(hit.stored.chunk.kind in ("row", "table") for hit in piece.hits) and not piece.document.sections:
        return _header_row(piece)
    titles = [section.title_span for section in piece.document.sections]
    first = bisect_right(titles, piece.span.start, key=lambda title: title.end)
    return tuple(titles[first : bisect_left(titles, piece.span.end, key=lambda title: title.start)])


def _header_row(piece: Piece) -> tuple[Span, ...]:
    """Where a table without headings around it holds its own header row; nothing if it does not."""
    first = min(piece.hits, key=lambda hit: hit.stored.chunk.span).stored.chunk
    table = first.text.splitlines()[0] if first.kind == "table" else ""
    headers = (hit.stored.chunk.header.strip("\n") for hit in piece.hits)
    header = table or next(filter(None, headers), "")
    at = piece.document.text.find(header, piece.span.start, piece.span.end) if header else -1
    return () if at < 0 else (Span(at, at + len(header)),)
