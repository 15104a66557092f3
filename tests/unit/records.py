"""Hand-made records for the tests of the surfaces: one manual with two passages."""

from __future__ import annotations

from datetime import date

from pincite.types import (
    Answer,
    Candidate,
    Chunk,
    Citation,
    Claim,
    Context,
    Dropped,
    Evidence,
    Hit,
    LineOrigins,
    Query,
    Reason,
    Searched,
    SearchHit,
    SearchResult,
    Span,
    Status,
    Step,
    Stored,
    SyncReport,
    Trace,
)

TEXT = "# Battery\n\nReplace it.\nWait 24 hours before immersing it.\n"
URI = "guide/manual.md"
ORIGINS = LineOrigins.of(TEXT)


def stored(start: int, end: int) -> Stored:
    span = Span(start, end)
    chunk = Chunk("c1", "d1", span, TEXT[start:end], heading=("Battery",), n_tokens=9)
    meta = {"type": "markdown", "since": date(2024, 5, 1), "tags": ("a", "b")}
    return Stored(1, chunk, URI, "Battery", "f" * 64, ORIGINS.place(span), 0, meta)


def result() -> SearchResult:
    both = Candidate("c1", 0.9, Hit("c1", 4.5, 1, "lexical"), Hit("c1", 0.7, 2, "dense"), {"lexical": 1.0})
    one = Candidate("c1", 0.4, lexical=Hit("c1", 2.0, 2, "lexical"))
    hits = (
        SearchHit(1, both, stored(11, 57), None, ("copy.md:3",)),
        SearchHit(2, one, stored(23, 57), "changed"),
    )
    step = Step("fuse", 0.25, {"fusion": "convex"}, ({"chunk_id": "c1", "rank": 1, "score": float("nan")},))
    trace = Trace("immersing", (step,))
    return SearchResult(Query("immersing"), hits, 0.5, Searched(2, "", "english"), trace)


def answer(*, abstained: bool = False) -> Answer:
    place = ORIGINS.place(Span(23, 57))
    quote = "Wait 24 hours before immersing it."
    claim = Claim(
        quote, (Citation(1, URI, place, quote, True), Citation(1, URI, place, "no such words", False))
    )
    evidence = Evidence(1, "d1", URI, Span(11, 57), TEXT[11:57], ORIGINS.place(Span(11, 57)), hits=("c1",))
    context = Context((evidence,), (Dropped("c2", "budget", "over the budget", 40),), 20)
    found = result()
    if abstained:
        return Answer("immersing?", "", (), True, "the best passage is weak", context, found, found.trace)
    return Answer("immersing?", quote, (claim,), False, "", context, found, found.trace)


def report() -> SyncReport:
    return SyncReport(
        added=("a.md",),
        pending=("a.md",),
        failed=(Reason("bad.md", "not decodable"),),
        skipped=(Reason("x.bin", "binary"),),
        empty=(Reason("e.md", "no text"),),
        partial=(Reason("a.pdf", "page 2 has no text"),),
        found=5,
        indexed=2,
        unchanged=1,
        chunks=7,
        embedded=3,
        reused=4,
        seconds=1.5,
        dense_complete=0.75,
        pages_without_text=2,
        cut_text=9,
        dropped=1,
        model="english",
        warnings=("drift",),
    )


def status() -> Status:
    return Status(
        root="/lib",
        index="/lib/.pincite",
        documents=2,
        chunks=7,
        model="english",
        dimension=384,
        dense_complete=0.75,
        disk_bytes=123456,
        last_sync="2026-11-30T03:00:00Z",
        by_type={"markdown": 2},
        fields={"type": "string"},
        changed=("a.md",),
        failed=(Reason("bad.md", "not decodable"),),
        stale_settings=("chunk.size",),
        chunk_size=384,
        limit=254,
        query_prefix="query: ",
    )
