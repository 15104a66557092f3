"""Labels in Pincite's own form: one JSON object a line, its evidence as places in sources."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pincite.evaluate.labels.lines import LARGEST, Reading, objects, text_of, uri_of
from pincite.types import Qrel, Question, Span

_QUESTION = ("question_id", "question", "evidence", "answerable", "answer", "tags", "synthetic")
_EVIDENCE = (
    "uri",
    "line_start",
    "line_end",
    "page",
    "part",
    "chars",
    "quote",
    "quote_sha",
    "relevance",
    "group",
)

Json = Mapping[str, Any]


def read_jsonl(data: bytes, reading: Reading) -> None:
    """Adds the questions of a JSONL file; a row without an id is named by its order."""
    for number, row in objects(data, reading):
        question_id = text_of(row.get("question_id", f"q{len(reading.lines) + 1}"))
        faults: list[str] = list(_misspelt(row, _QUESTION))
        if question_id is None:
            faults.append("question_id: expected a string")
        question = _question(row, question_id or f"line {number}", faults)
        for fault in faults:
            reading.fault(number, fault)
        reading.add(number, question)


def _question(row: Json, question_id: str, faults: list[str]) -> Question:
    """The question of a row, what is wrong with it added to `faults`."""
    if "question" not in row:
        faults.append("question: missing")
    evidence = _typed(row, "evidence", list, [], faults)
    tags = _typed(row, "tags", list, [], faults)
    if not all(isinstance(tag, str) for tag in tags):
        faults.append("tags: expected strings")
    return Question(
        question_id,
        _text(row, "question", faults),
        tuple(_qrels(question_id, evidence, faults)),
        _typed(row, "answerable", bool, True, faults),
        _text(row, "answer", faults),
        tuple(text_of(tag) or "" for tag in tags),
        _typed(row, "synthetic", bool, False, faults),
    )


def _qrels(question_id: str, evidence: list[Any], faults: list[str]) -> Iterator[Qrel]:
    for number, item in enumerate(evidence, start=1):
        wrong: list[str] = []
        if isinstance(item, dict):
            yield _qrel(question_id, item, wrong)
        else:
            wrong.append("expected an object with a uri")
        faults.extend(f"evidence {number}: {fault}" for fault in wrong)


def _qrel(question_id: str, item: Json, faults: list[str]) -> Qrel:
    faults.extend(_misspelt(item, _EVIDENCE))
    first, last, page = (_number(item, key, faults) for key in ("line_start", "line_end", "page"))
    if last is not None and (first is None or last < first):
        faults.append("line_end: needs a line_start that is not after it")
    try:
        if "uri" not in item:
            raise ValueError("missing, the file that the evidence is in")
        uri = uri_of(_text(item, "uri", faults))
    except ValueError as error:
        faults.append(f"uri: {error}")
        uri = ""
    return Qrel(
        question_id,
        uri,
        first,
        last if last is not None else first,
        page,
        _chars(item, faults),
        _text(item, "quote", faults),
        _text(item, "quote_sha", faults),
        _typed(item, "relevance", int, 1, faults),
        _text(item, "group", faults),
        _text(item, "part", faults),
    )


def _number(item: Json, key: str, faults: list[str]) -> int | None:
    value: int | None = _typed(item, key, int, None, faults)
    if value is not None and value < 1:
        faults.append(f"{key}: counts from 1, not {value}")
    return value


def _chars(item: Json, faults: list[str]) -> Span | None:
    match item.get("chars"):
        case None:
            return None
        case [int(start), int(end)] if 0 <= start < end <= LARGEST:
            return Span(start, end)
    faults.append(f"chars: expected [start, end] with 0 ≤ start < end ≤ {LARGEST:,}")
    return None


def _text(row: Json, key: str, faults: list[str]) -> str:
    if row.get(key) is None:
        return ""
    text = text_of(row[key])
    if text is None:
        faults.append(f"{key}: expected a string")
    return text or ""


def _typed(row: Json, key: str, kind: type, default: Any, faults: list[str]) -> Any:
    """The value of a key, or the default when it is absent, null or of another type (a fault)."""
    value = row.get(key)
    if value is None:
        return default
    if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        if not isinstance(value, int) or -LARGEST <= value <= LARGEST:
            return value
        faults.append(f"{key}: expected a whole number up to {LARGEST:,}")
        return default
    name = {list: "a list", bool: "true or false", int: "a whole number"}[kind]
    faults.append(f"{key}: expected {name}, not {json.dumps(value)[:40]}")
    return default


def _misspelt(row: Json, known: Collection[str]) -> Iterator[str]:
    """A fault for each key that is nearly a known one; other keys are the user's own."""
    for key in row:
        if key not in known and (near := difflib.get_close_matches(key, known, 1, 0.8)):
            yield f"{key}: did you mean {near[0]}?"


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def question_json(question: Question) -> dict[str, Any]:
    """A question in the native form; what has its default value is left out, but for the first four keys."""
    row: dict[str, Any] = {
        "question_id": question.id,
        "question": question.text,
        "evidence": [_evidence_json(qrel) for qrel in question.qrels],
        "answerable": question.answerable,
    }
    more = {"answer": question.answer, "tags": list(question.tags), "synthetic": question.synthetic}
    return row | {key: value for key, value in more.items() if value}


def _evidence_json(qrel: Qrel) -> dict[str, Any]:
    values = {
        "uri": qrel.uri,
        "line_start": qrel.line_start,
        "line_end": qrel.line_end,
        "page": qrel.page,
        "part": qrel.part or None,
        "chars": [qrel.chars.start, qrel.chars.end] if qrel.chars else None,
        "quote": qrel.quote or None,
        "quote_sha": qrel.quote_sha or None,
        "relevance": qrel.relevance,
        "group": qrel.group or None,
    }
    return {key: value for key, value in values.items() if value is not None}
