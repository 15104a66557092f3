"""The JSON contract: field names, plain values, and text that survives a round trip."""

from __future__ import annotations

import json
from datetime import date
from pathlib import PurePosixPath

import numpy as np
import pytest
import records

from pincite.errors import InputError
from pincite.jsonform import (
    answer_json,
    document_json,
    dump,
    error_json,
    explain_json,
    plain,
    search_json,
    status_json,
    sync_json,
)
from pincite.types import Block, Chunk, Chunked, Document, LeftOut, LineOrigins, Section, Span


def test_search_has_every_field_of_the_contract() -> None:
    found = json.loads(dump(search_json(records.result())))
    assert {"query", "hits", "dense_complete", "searched", "trace"} <= found.keys()
    assert found["query"] == "immersing"
    assert found["dense_complete"] == 0.5
    assert found["searched"] == {"chunks": 2, "filter": "", "model": "english"}
    first, second = found["hits"]
    wanted = {
        "rank": 1,
        "score": 0.9,
        "chunk_id": "c1",
        "uri": "guide/manual.md",
        "location": "guide/manual.md:3-4",
        "line_start": 3,
        "line_end": 4,
        "page": None,
        "heading": ["Battery"],
        "text": "Replace it.\nWait 24 hours before immersing it.",
        "stale": None,
        "meta": {"type": "markdown", "since": "2024-05-01", "tags": ["a", "b"]},
        "legs": {"lexical": {"rank": 1, "score": 4.5}, "dense": {"rank": 2, "score": 0.7}},
    }
    assert {key: first[key] for key in wanted} == wanted
    assert (second["location"], second["stale"]) == ("guide/manual.md:4", "changed")
    assert second["legs"] == {"lexical": {"rank": 2, "score": 2.0}, "dense": None}


def test_an_answer_has_every_field_of_the_contract() -> None:
    found = json.loads(dump(answer_json(records.answer())))
    keys = {"question", "answer", "abstained", "reason", "claims", "evidence", "left_out", "trace"}
    assert keys <= found.keys()
    good, bad = found["claims"][0]["citations"]
    wanted = {
        "location": "guide/manual.md:4",
        "uri": "guide/manual.md",
        "line_start": 4,
        "line_end": 4,
        "page": None,
        "quote": "Wait 24 hours before immersing it.",
        "verified": True,
    }
    assert {key: good[key] for key in wanted} == wanted
    assert bad["verified"] is False
    assert found["evidence"][0]["location"] == "guide/manual.md:3-4"
    assert found["left_out"] == [
        {"chunk_id": "c2", "code": "budget", "reason": "over the budget", "n_tokens": 40}
    ]
    assert found["abstained"] is False
    assert [hit["rank"] for hit in explain_json(records.answer())["hits"]] == [1, 2]


def test_a_trace_keeps_its_steps_and_has_no_number_json_lacks() -> None:
    trace = json.loads(dump(search_json(records.result())))["trace"]
    item = {"chunk_id": "c1", "rank": 1, "score": None}
    step = {"stage": "fuse", "ms": 0.25, "params": {"fusion": "convex"}, "items": [item]}
    assert trace == {"query": "immersing", "steps": [step]}


def test_sync_has_every_field_of_the_contract() -> None:
    found = json.loads(dump(sync_json(records.report())))
    assert {key: found[key] for key in ("added", "changed", "removed", "moved", "pending")} == {
        "added": ["a.md"],
        "changed": [],
        "removed": [],
        "moved": [],
        "pending": ["a.md"],
    }
    assert found["failed"] == [{"uri": "bad.md", "reason": "not decodable"}]
    assert found["skipped"] == [{"uri": "x.bin", "reason": "binary"}]
    assert found["empty"] == [{"uri": "e.md", "reason": "no text"}]
    assert found["partial"] == [{"uri": "a.pdf", "reason": "page 2 has no text"}]
    counts = [found[key] for key in ("found", "indexed", "unchanged", "chunks", "embedded", "reused")]
    assert counts == [5, 2, 1, 7, 3, 4]
    assert (found["seconds"], found["dense_complete"]) == (1.5, 0.75)
    assert found["lost"] == {"pages_without_text": 2, "cut_text": 9, "dropped": 1}


def test_status_likewise() -> None:
    found = json.loads(dump(status_json(records.status())))
    assert (found["documents"], found["chunks"], found["by_type"]) == (2, 7, {"markdown": 2})
    assert found["changed"] == ["a.md"]
    assert found["failed"] == [{"uri": "bad.md", "reason": "not decodable"}]
    assert found["stale_settings"] == ["chunk.size"]
    assert found["lost"] == {"pages_without_text": 0, "cut_text": 0, "dropped": 0}


def test_a_document_shows_the_place_of_every_part() -> None:
    text = "# T\n\nOne.\n"
    document = Document(
        id="d",
        uri="a.md",
        title="T",
        text=text,
        type="markdown",
        origins=LineOrigins.of(text),
        sections=(Section("T", 1, Span(0, 10), Span(0, 3)),),
        blocks=(Block("heading", Span(0, 3), 0), Block("paragraph", Span(5, 9), 0)),
        left_out=(LeftOut(Span(9, 10), "white space"),),
    )
    found = document_json(document, Chunked((Chunk("c", "d", Span(0, 9), text[:9], n_tokens=4),)))
    assert [s["location"] for s in found["sections"]] == ["a.md:1-3"]
    assert [b["location"] for b in found["blocks"]] == ["a.md:1", "a.md:3"]
    assert [(c["location"], c["span"], c["text"]) for c in found["chunks"]] == [
        ("a.md:1-3", [0, 9], "# T\n\nOne.")
    ]
    left = found["left_out"][0]
    assert (left["reason"], left["characters"], left["location"]) == ("white space", 1, "a.md:3")


def test_an_error_says_what_mends_it() -> None:
    error = error_json(InputError("no folder x", hint="Name one."))["error"]
    assert (error["type"], error["message"], error["hint"]) == ("InputError", "no folder x", "Name one.")
    assert error["exit_code"] == 4


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (float("inf"), None),
        (np.float32(0.5), 0.5),
        (np.float32("nan"), None),
        (np.int64(3), 3),
        (np.array([1.0, 2.0]), [1.0, 2.0]),
        (date(2024, 2, 29), "2024-02-29"),
        ({"b", "a"}, ["a", "b"]),
        ((1, (True, None)), [1, [True, None]]),
        (PurePosixPath("a/b"), "a/b"),
        (Span(1, 2), {"start": 1, "end": 2}),
        ({1: "x"}, {"1": "x"}),
    ],
)
def test_plain_values(value: object, wanted: object) -> None:
    assert plain(value) == wanted


@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("text", ["电池 \u2028 \x1b[31m \x00", "name\udcff.md", "\U0001f600"])
def test_any_text_survives_and_is_valid_utf8(text: str, ascii_only: bool) -> None:
    written = dump({"text": text}, ascii_only=ascii_only)
    assert json.loads(written.encode("ascii" if ascii_only else "utf-8")) == {"text": text}


def test_chinese_is_readable_in_the_output() -> None:
    assert "电池" in dump({"text": "电池"})
