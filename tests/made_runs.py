"""Runs made by hand, for tests of what is done with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.evaluate.intervals import Interval
from pincite.evaluate.saved import RunQuestion, SavedRun
from pincite.evaluate.saved_why import SavedDiagnosis
from pincite.types import Finding, Remedy

MEASURES = ("R@10", "nDCG@10")


def question(number: int, rank: int | None, text: str = "", **changes: object) -> RunQuestion:
    """Question `q<number>` with one piece of evidence at a rank; both measures are 1 within the first 10."""
    value = float(rank is not None and rank <= 10)
    made = RunQuestion(
        question_id=f"q{number}",
        question=text or f"Which part is number {number}?",
        expected=(f"parts/{number}.md:7",),
        found=tuple(f"parts/{other}.md:1-9" for other in range(number, number + 10)),
        rank=rank,
        metrics=dict.fromkeys(MEASURES, value),
        relevant=1,
        relevant_at=() if rank is None else (rank,),
        ms=1.0 + number % 7,
        tags=("odd",) if number % 2 else ("even",),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def run_of(questions: Sequence[RunQuestion], **changes: object) -> SavedRun:
    """A run over these questions."""
    made = SavedRun(
        set_name="parts",
        set_sha256="5e7" * 20,
        set_ids=tuple(one.question_id for one in questions),
        measures=MEASURES,
        intervals={name: Interval(0.25, 0.75, 0.95) for name in MEASURES},
        questions=tuple(questions),
        without_evidence=(),
        unanswerable=(),
        refused=None,
        k=10,
        settings={"k": 10, "filter": "all documents", "search": {"legs": ["lexical", "dense"], "depth": 100}},
        index="0123456789abcdef",
        seconds=1.5,
        notices=(),
        made="2026-01-02T03:04:05+00:00",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def diagnosed(run: SavedRun) -> SavedRun:
    """The run with a diagnosis: what is not in the first 10 was lost in fusion, or in no pool."""
    findings = tuple(_finding(one, run) for one in run.questions)
    lost = sum(finding.code != "found" for finding in findings)
    missed = sum(finding.code == "missed-both" for finding in findings)
    total = len(findings)
    funnel = (
        ("label", "questions with a sound label", total),
        ("retrieve", "in the pools that decide", total - missed),
        ("fuse", "in the first k after fusion", total - lost),
    )
    deep = tuple(one.question_id for one, f in zip(run.questions, findings, strict=True) if f.remedies)
    first = tuple(one.question_id for one in run.questions if run.is_ok(one))[:1]
    remedies = (
        Remedy("--k", "10", "50", deep, (), on_all=True),
        Remedy("search.legs", "lexical,dense", "dense", deep, first, on_all=True),
    )
    return replace(run, diagnosis=SavedDiagnosis(findings, funnel, remedies if deep else ()))


def _finding(one: RunQuestion, run: SavedRun) -> Finding:
    ok, rank = run.is_ok(one), one.rank
    code, stage = ("found", "") if ok else ("lost-in-fusion", "fuse") if rank else ("missed-both", "retrieve")
    ranks = {
        "lexical": rank,
        "dense": None,
        "fused": rank,
        "hits": rank if ok else None,
        "context": 1 if ok else None,
    }
    proof = f"{one.expected[0]} is hit {rank}." if ok else f"{one.expected[0]} is not among the first 10."
    mends = (Remedy("--k", "10", "50", (one.question_id,)),) if stage == "fuse" else ()
    return Finding(one.question_id, one.question, code, stage, ranks, proof, mends)
