"""Records to the JSON contract: plain dictionaries, lists, strings, finite numbers, and ISO dates.

Every surface (command line, server, tools) uses these, so a field has one name and one meaning
everywhere. Fields may be added, never renamed or taken away.
"""

from __future__ import annotations

from pincite.jsonform.answers import (
    answer_json,
    citation_json,
    claim_json,
    evidence_json,
    explain_json,
    hit_json,
    search_json,
    trace_json,
)
from pincite.jsonform.documents import chunk_json, document_json
from pincite.jsonform.measured import evaluation_json, versus_json
from pincite.jsonform.state import error_json, status_json, sync_json
from pincite.jsonform.values import Json, dump, plain

__all__ = [
    "Json",
    "answer_json",
    "chunk_json",
    "citation_json",
    "claim_json",
    "document_json",
    "dump",
    "error_json",
    "evaluation_json",
    "evidence_json",
    "explain_json",
    "hit_json",
    "plain",
    "search_json",
    "status_json",
    "sync_json",
    "trace_json",
    "versus_json",
]
