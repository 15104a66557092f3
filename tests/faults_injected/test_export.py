"""Injected cases as other localisers are given them, and how their verdicts are counted."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import peers_localiser as peers
import pytest
from injected.cases import FAULTS, run
from injected.export import Cases, lines

from faults_injected.test_injected import chinese

WANTED = {"file deleted, then sync", "reversed order", "every figure another", "a model that gives up"}


@pytest.fixture(scope="module")
def exported() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        corpus = chinese(Path(folder) / "whole")
        cases = Cases(corpus)
        faults = [fault for fault in FAULTS if fault.name in WANTED]
        outcomes = list(run(replace(corpus, watch=cases.watch), faults, 1))
        path = Path(folder) / "cases.jsonl"
        path.write_text("".join(lines(cases, outcomes)), "utf-8")
        yield path


def test_a_case_holds_what_a_pipeline_wrote_down(exported: Path) -> None:
    cases, texts = peers.read(exported)
    by_fault = {case["fault"]: case for case in cases}
    assert set(by_fault) == WANTED
    for case in cases:
        assert case["named"] == case["code"]
        assert set(case["index"]) <= set(texts)
        assert case["gold"]["words"][0]
    deleted, reranked = by_fault["file deleted, then sync"], by_fault["reversed order"]
    assert not set(deleted["gold"]["chunks"][0]) & set(deleted["index"])
    assert not set(reranked["gold"]["chunks"][0]) & set(reranked["hits"])
    assert set(reranked["gold"]["chunks"][0]) & {one for one, _ in reranked["stages"]["rerank"]}
    changed, refused = by_fault["every figure another"], by_fault["a model that gives up"]
    assert "953" in changed["answer"] and "[" not in changed["answer"] and changed["cites"]
    assert refused["refused"] and peers.answer_of(refused) == peers.REFUSAL


def test_shown_chunks_are_whole_or_pieces(exported: Path) -> None:
    cases, texts = peers.read(exported)
    shown = peers.contexts(cases[0], texts)
    assert shown and all(texts[one] == text for one, text in shown if not one.startswith("piece-"))
    cut = {**cases[0], "context": [{"uri": "a.md", "text": "half of", "hits": ["x"], "whole": []}]}
    assert peers.contexts(cut, texts) == [("piece-0", "half of")]


def _case(code: str, named: str, **more: object) -> peers.Case:
    empty = {"context": [], "reference": "", "index": [], "gold": {"chunks": []}, "corpus": "one"}
    return {"code": code, "named": named, **empty, **more}


def test_verdicts_are_counted_by_what_they_may_stand_for() -> None:
    shown = [{"text": "It lasts  18\nhours."}]
    cases = [
        _case("missed-both", "missed-dense"),
        _case("found", "found"),
        _case("citation-wrong", "citation-wrong"),
        _case("filtered-out", "filtered-out", context=shown, reference="lasts 18 hours"),
        _case("not-in-corpus", "not-in-corpus", index=["a"], gold={"chunks": [["a"]]}),
    ]
    found = peers.table(cases, peers.OPENAGENT, lambda case: ("retrieval", {"generation"}))
    assert (found["cases"], found["right"], found["pincite_same_words"]) == (2, 0.5, 1.0)
    assert found["pincite_exact_code"] == 0.5
    assert found["no_such_verdict"] == {"citation-wrong": 1}
    assert found["unseen"] == {"filtered-out": 1, "not-in-corpus": 1}
    assert found["by_code"]["missed-both"] == {
        "cases": 1,
        "right": 1,
        "pincite": 1,
        "said": {"retrieval": 1},
    }


def test_every_code_in_the_tables_is_one_of_ours() -> None:
    from pincite.evaluate.diagnose import CODES

    for words in (peers.OPENAGENT, peers.RAGMORTEM, peers.RAGMORTEM_OBSERVED):
        assert frozenset().union(*words.values()) <= set(CODES)
