"""Searches, answers and traces."""

from __future__ import annotations

from pincite.jsonform.values import Json, place_json, plain
from pincite.types import (
    Answer,
    Candidate,
    Citation,
    Claim,
    Dropped,
    Evidence,
    Hit,
    SearchHit,
    SearchResult,
    Trace,
)


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
        **place_json(stored.place),
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


def _score(candidate: Candidate) -> float:
    return candidate.fused if candidate.rerank is None else candidate.rerank


def _leg(hit: Hit | None) -> Json | None:
    return None if hit is None else {"rank": hit.rank, "score": plain(hit.score)}


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
    """One claim with its citations, and its figures that they lack."""
    return {
        "text": claim.text,
        "citations": [citation_json(c) for c in claim.citations],
        "lacks": list(claim.lacks),
    }


def citation_json(citation: Citation) -> Json:
    """One citation: where the quote stands, whether the file holds it there now, what speaks against it."""
    return {
        "marker": citation.marker,
        "location": citation.location,
        "uri": citation.uri,
        **place_json(citation.place),
        "quote": citation.quote,
        "verified": citation.verified,
        "stale": citation.stale,
        "edition": citation.edition,
        "doubt": citation.doubt,
    }


def evidence_json(evidence: Evidence) -> Json:
    """One numbered passage of the context."""
    return {
        "marker": evidence.marker,
        "location": evidence.location,
        "uri": evidence.uri,
        **place_json(evidence.place),
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


def _dropped(dropped: Dropped) -> Json:
    return {
        "chunk_id": dropped.chunk_id,
        "code": dropped.code,
        "reason": dropped.reason,
        "n_tokens": dropped.n_tokens,
    }


def trace_json(trace: Trace) -> Json:
    """The steps of a query in the order they ran: parameters, milliseconds, ids with ranks and scores."""
    return {"query": trace.query, "steps": [plain(step) for step in trace.steps]}
