"""Records to the JSON contract: plain dictionaries, lists, strings, finite numbers, and ISO dates.

Every surface (command line, server, tools) uses these, so a field has one name and one meaning
everywhere. Fields may be added, never renamed or taken away.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from pincite.characters import STEERING
from pincite.errors import PinciteError
from pincite.types import (
    Answer,
    Candidate,
    Chunk,
    Chunked,
    Citation,
    Claim,
    Document,
    Dropped,
    Evidence,
    Hit,
    LeftOut,
    Place,
    SearchHit,
    SearchResult,
    Span,
    Status,
    SyncReport,
    Trace,
)

if TYPE_CHECKING:
    from pincite.evaluate.saved import SavedRun
    from pincite.evaluate.versus import Versus

Json = dict[str, Any]
_STEERING = re.compile(f"[{STEERING}]")


def dump(value: object, *, ascii_only: bool = False) -> str:
    """`value` as one JSON text of two-space indents.

    What UTF-8 cannot hold, and what would steer a terminal, is written as an escape.
    """
    text = json.dumps(plain(value), ensure_ascii=ascii_only, allow_nan=False, indent=2)
    text = _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def plain(value: object) -> Any:
    """`value` in JSON's own types: dates as ISO, records as objects, NaN and infinities as null."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    if isinstance(value, PurePath):
        return value.as_posix()
    return plain(value.item()) if hasattr(value, "item") else str(value)


# ── search and answer ─────────────────────────────────────────────────────────────────────────
def search_json(result: SearchResult) -> Json:
    """A search: the query, its hits best first, how complete the dense index is, what was searched."""
    return {
        "query": result.query.text,
        "k": result.query.k,
        "hits": [hit_json(hit) for hit in result.hits],
        "dense_complete": plain(result.dense_complete),
        "searched": plain(result.searched),
        "notices": list(result.notices),
        "trace": trace_json(result.trace),
    }


def hit_json(hit: SearchHit) -> Json:
    """One hit: its rank and score, where it stands, its text, and each leg's rank and score."""
    stored, candidate = hit.stored, hit.candidate
    return {
        "rank": hit.rank,
        "score": plain(_score(candidate)),
        "chunk_id": stored.chunk.id,
        "uri": stored.uri,
        "location": hit.location,
        **_place(stored.place),
        "title": stored.doc_title,
        "heading": list(stored.chunk.heading),
        "kind": stored.chunk.kind,
        "header": stored.chunk.header,
        "text": stored.chunk.text,
        "stale": hit.stale,
        "also_at": list(hit.also_at),
        "meta": plain(stored.meta),
        "exact": candidate.exact,
        "fused": plain(candidate.fused),
        "rerank": plain(candidate.rerank),
        "scores": plain(candidate.scores),
        "legs": {"lexical": _leg(candidate.lexical), "dense": _leg(candidate.dense)},
    }


def answer_json(answer: Answer) -> Json:
    """An answer or abstention: claims with their citations, the evidence, and what was left out."""
    return {
        "question": answer.question,
        "answer": answer.text,
        "abstained": answer.abstained,
        "reason": answer.reason,
        "claims": [claim_json(claim) for claim in answer.claims],
        "evidence": [evidence_json(evidence) for evidence in answer.context.evidence],
        "left_out": [_dropped(dropped) for dropped in answer.context.left_out],
        "context_tokens": answer.context.n_tokens,
        "dense_complete": plain(answer.search.dense_complete),
        "searched": plain(answer.search.searched),
        "notices": list(answer.search.notices),
        "trace": trace_json(answer.trace),
    }


def explain_json(answer: Answer) -> Json:
    """`answer_json` with every hit of the search that fed it."""
    return {**answer_json(answer), "hits": [hit_json(hit) for hit in answer.search.hits]}


def claim_json(claim: Claim) -> Json:
    """One claim with its citations."""
    return {"text": claim.text, "citations": [citation_json(c) for c in claim.citations]}


def citation_json(citation: Citation) -> Json:
    """One citation: where the quote stands and whether the file holds it there now."""
    return {
        "marker": citation.marker,
        "location": citation.location,
        "uri": citation.uri,
        **_place(citation.place),
        "quote": citation.quote,
        "verified": citation.verified,
        "stale": citation.stale,
        "edition": citation.edition,
    }


def evidence_json(evidence: Evidence) -> Json:
    """One numbered passage of the context."""
    return {
        "marker": evidence.marker,
        "location": evidence.location,
        "uri": evidence.uri,
        **_place(evidence.place),
        "context": evidence.context,
        "header": evidence.header,
        "text": evidence.text,
        "chunk_ids": list(evidence.hits),
        "n_tokens": evidence.n_tokens,
        "stale": evidence.stale,
        "edition": evidence.edition,
        "cut": evidence.cut,
        "also_at": list(evidence.also_at),
    }


def trace_json(trace: Trace) -> Json:
    """The steps of a query in the order they ran: parameters, milliseconds, ids with ranks and scores."""
    return {"query": trace.query, "steps": [plain(step) for step in trace.steps]}


# ── a library's state ─────────────────────────────────────────────────────────────────────────
def sync_json(report: SyncReport) -> Json:
    """What a sync did, with every uri and reason."""
    left = ("pages_without_text", "cut_text", "dropped", "warnings")
    return {
        **{f.name: plain(getattr(report, f.name)) for f in fields(report) if f.name not in left},
        "lost": _lost(report.pages_without_text, report.cut_text, report.dropped),
        "warnings": list(report.warnings),
    }


def status_json(status: Status) -> Json:
    """What a library holds and what differs from its folder."""
    left = ("pages_without_text", "cut_text", "dropped")
    return {
        **{f.name: plain(getattr(status, f.name)) for f in fields(status) if f.name not in left},
        "lost": _lost(status.pages_without_text, status.cut_text, status.dropped),
    }


def error_json(error: PinciteError) -> Json:
    """An error: its kind, what happened, in which stage, what mends it, and the exit code."""
    return {
        "error": {
            "type": type(error).__name__,
            "message": error.message,
            "stage": error.stage,
            "hint": error.hint,
            "exit_code": error.exit_code,
        }
    }


# ── measuring ─────────────────────────────────────────────────────────────────────────────────
def evaluation_json(run: SavedRun, against: Versus | None = None, failures: Sequence[str] = ()) -> Json:
    """A measured run as it is saved, with the comparison to its baseline and why its gate does not hold."""
    from pincite.evaluate.saved import run_json

    more = {"baseline": versus_json(against)} if against else {}
    return {**run_json(run), **more, "gate": {"passed": not failures, "failures": list(failures)}}


def versus_json(found: Versus) -> Json:
    """Two runs beside each other: each measure with its interval, p values, wins, losses and ties."""
    return {
        "question_set": {"name": found.new.set_name, "sha256": found.new.set_sha256},
        "measures": {
            name: {**plain(one), "p_holm": found.adjusted[name], "ties": list(one.ties)}
            for name, one in found.by_measure.items()
        },
        "settings": [{"setting": s, "base": base, "new": new} for s, base, new in found.settings],
        "notices": list(found.notices),
    }


# ── documents ─────────────────────────────────────────────────────────────────────────────────
def document_json(document: Document, chunked: Chunked) -> Json:
    """What the parser saw: sections, blocks and chunks to be, each with its place, and what is left out."""
    return {
        "id": document.id,
        "uri": document.uri,
        "type": document.type,
        "title": document.title,
        "language": document.language,
        "encoding": document.encoding,
        "sha256": document.sha256,
        "meta": plain(document.meta),
        "characters": len(document.text),
        "lost": _lost(document.losses.pages_without_text, document.losses.cut_text, document.losses.dropped),
        "sections": [
            {"title": s.title, "level": s.level, "parent": s.parent, **_at(document, s.span)}
            for s in document.sections
        ],
        "blocks": [
            {"kind": b.kind, "section": b.section, "header": b.header, **_at(document, b.span)}
            for b in document.blocks
        ],
        "chunks": [chunk_json(document, chunk) for chunk in chunked.chunks],
        "left_out": [_left_out(document, each) for each in chunked.all_left_out(document)],
    }


def chunk_json(document: Document, chunk: Chunk) -> Json:
    """One chunk to be: its place, situating line, header, text and size in tokens."""
    return {
        "chunk_id": chunk.id,
        **_at(document, chunk.span),
        "kind": chunk.kind,
        "heading": list(chunk.heading),
        "header": chunk.header,
        "context": chunk.context,
        "text": chunk.text,
        "n_tokens": chunk.n_tokens,
        "parent": _span(chunk.parent),
    }


# ── parts ─────────────────────────────────────────────────────────────────────────────────────
def _score(candidate: Candidate) -> float:
    return candidate.fused if candidate.rerank is None else candidate.rerank


def _leg(hit: Hit | None) -> Json | None:
    return None if hit is None else {"rank": hit.rank, "score": plain(hit.score)}


def _place(place: Place) -> Json:
    found = {"line_start": place.line_start, "line_end": place.line_end, "page": place.page}
    more = {"page_end": place.page_end, "page_label": place.page_label}
    return {**found, **more, "boxes": plain(place.boxes), "part": place.part}


def _span(span: Span | None) -> list[int] | None:
    return None if span is None else [span.start, span.end]


def _at(document: Document, span: Span) -> Json:
    place = document.origins.place(span)
    return {"location": place.location(document.uri), "span": _span(span), **_place(place)}


def _left_out(document: Document, left: LeftOut) -> Json:
    return {"reason": left.reason, "characters": len(left.span), **_at(document, left.span)}


def _dropped(dropped: Dropped) -> Json:
    return {"chunk_id": dropped.chunk_id, "reason": dropped.reason, "n_tokens": dropped.n_tokens}


def _lost(pages: object, cut: int, dropped: object) -> Json:
    return {"pages_without_text": pages, "cut_text": cut, "dropped": dropped}
