"""Figures of answers, computed from one row a question, and the same as JSON.

A figure over nothing is None, never 0 or 1: whoever reads it sees that nothing was there to measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from pincite.evaluate.answers import Answered, Answers
from pincite.evaluate.checked import a_list, an_object, number, strings, text

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Figures:
    """What answers are worth; each is a share (0–1), or None over nothing.

    `citation_precision`: mean over answered answerable questions of right / all citations (0 without any).
    `citation_recall`: mean over all answerable questions of cited / needed evidence. `quote_exactness`:
    verified / all citations. `claims_supported`: claims with a verified citation / all claims.
    `refusal_precision`: unanswerable / all refused. `refusal_recall`: refused / all unanswerable.
    `judged_supported`: supported / judged claims, those that could not be judged left out and counted.
    """

    citation_precision: float | None
    citation_recall: float | None
    quote_exactness: float | None
    claims_supported: float | None
    refusal_precision: float | None
    refusal_recall: float | None
    judged_supported: float | None


NAMES = tuple(one.name for one in fields(Figures))


@dataclass(frozen=True, slots=True)
class Point:
    """The answers that are left when those below a strength are refused.

    `coverage` is their share of all questions asked, `risk` the share of them that is wrong.
    """

    threshold: float
    coverage: float
    risk: float
    answered: int
    wrong: int


def figures(rows: Sequence[Answered]) -> Figures:
    """The figures over some questions."""
    answerable = [row for row in rows if row.question.answerable]
    unanswerable = [row for row in rows if not row.question.answerable]
    refused = [row for row in rows if row.refused]
    judged = [row.judged for row in rows if row.judged]
    return Figures(
        citation_precision=_mean(
            [_share(row.right, row.citations) or 0.0 for row in answerable if row.answered]
        ),
        citation_recall=_mean([_share(row.cited, row.evidence) or 0.0 for row in answerable]),
        quote_exactness=_share(sum(row.verified for row in rows), sum(row.citations for row in rows)),
        claims_supported=_share(sum(row.supported for row in rows), sum(row.claims for row in rows)),
        refusal_precision=_share(sum(not row.question.answerable for row in refused), len(refused)),
        refusal_recall=_share(sum(row.refused for row in unanswerable), len(unanswerable)),
        judged_supported=_share(
            sum(one.supported for one in judged), sum(one.supported + one.unsupported for one in judged)
        ),
    )


def counts(rows: Sequence[Answered]) -> dict[str, int]:
    """What the figures are over."""
    judged = [row.judged for row in rows if row.judged]
    return {
        "asked": len(rows),
        "answerable": sum(row.question.answerable for row in rows),
        "unanswerable": sum(not row.question.answerable for row in rows),
        "answered": sum(row.answered for row in rows),
        "answered_answerable": sum(row.answered and row.question.answerable for row in rows),
        "wrong": sum(row.wrong for row in rows),
        "refused": sum(row.refused for row in rows),
        "refused_unanswerable": sum(row.refused and not row.question.answerable for row in rows),
        "failed": sum(bool(row.error) for row in rows),
        "claims": sum(row.claims for row in rows),
        "citations": sum(row.citations for row in rows),
        "judged": sum(one.supported + one.unsupported for one in judged),
        "judge_failed": sum(one.failed for one in judged),
    }


def risk_coverage(rows: Sequence[Answered]) -> list[Point]:
    """The risk–coverage curve: a point for each strength at which an answer is given, highest first.

    The last point is what is answered now. A wrong answer cites no labelled evidence, or is one to a
    question without an answer. El-Yaniv and Wiener 2010.
    """
    given = sorted((row for row in rows if row.answered), key=lambda row: -(row.strength or 0.0))
    points: list[Point] = []
    wrong = 0
    for count, row in enumerate(given, 1):
        wrong += row.wrong
        value = row.strength or 0.0
        if count == len(given) or (given[count].strength or 0.0) != value:
            points.append(Point(value, count / len(rows), wrong / count, count, wrong))
    return points


def area(points: Sequence[Point]) -> float | None:
    """The mean risk over the answers, strongest first: 0 is best. Equal strengths share one risk.

    Geifman and El-Yaniv 2017, over answered questions.
    """
    before, total = 0, 0.0
    for point in points:
        total += point.risk * (point.answered - before)
        before = point.answered
    return total / before if before else None


def strength_is(rows: Sequence[Answered]) -> str:
    """What thresholds are in: "sentence" (terms plus cosine, 0–2) or "fused" (the best hit's score)."""
    given = [row for row in rows if row.answered]
    return "sentence" if given and all(row.by_sentence for row in given) else "fused"


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


# ── in words ──────────────────────────────────────────────────────────────────────────────────
WORDS = {
    "citation_precision": (
        "citation precision",
        "right / all citations, over {answered_answerable} answered",
    ),
    "citation_recall": ("citation recall", "cited / needed evidence, over {answerable} answerable questions"),
    "quote_exactness": ("quotes exact", "quotes that their file holds, of {citations}"),
    "claims_supported": ("claims supported", "claims with such a quote, of {claims}"),
    "refusal_precision": ("refusal precision", "without an answer in the documents, of {refused} refused"),
    "refusal_recall": ("refusal recall", "refused or nothing found, of {unanswerable} unanswerable"),
    "judged_supported": ("judged supported", "of {judged} claims judged; {judge_failed} could not be judged"),
}
"""What each figure is called, and what it is over."""
_POINTS = 6


def over(name: str, counts: Mapping[str, int]) -> str:
    """What a figure is over, with its counts."""
    return WORDS[name][1].format(**counts)


def unlike(row: Mapping[str, Any]) -> str:
    """How an answer, as JSON, is unlike its label: FAILED, REFUSED, WRONG or ANSWERED; "" if it is not."""
    if row["error"]:
        return "FAILED"
    if row["refused"]:
        return "REFUSED" if row["answerable"] else ""
    return ("WRONG" if row["answerable"] else "ANSWERED") if row["wrong"] else ""


def some_points(points: Sequence[Json]) -> list[Json]:
    """A few points of the curve, from the fewest answers to all that are given now."""
    last = len(points) - 1
    return [points[at] for at in sorted({round(last * part / (_POINTS - 1)) for part in range(_POINTS)})]


def strength_words(curve: Mapping[str, Any]) -> str:
    """What the curve's thresholds are in."""
    return "that of the best sentence" if curve["strength"] == "sentence" else "the best hit's fused score"


# ── as JSON ───────────────────────────────────────────────────────────────────────────────────
def answers_json(found: Answers, named: Callable[[str], str] = str) -> Json:
    """Figures over real questions, those over synthetic ones apart, the curve, and a row a question.

    `named` puts documents' own ids in the text of places.
    """
    real = [row for row in found.answered if not row.question.synthetic]
    synthetic = [row for row in found.answered if row.question.synthetic]
    curve = risk_coverage(real)
    return {
        "metrics": asdict(figures(real)),
        "counts": counts(real),
        "synthetic": {"metrics": asdict(figures(synthetic)), "counts": counts(synthetic)},
        "risk_coverage": {
            "strength": strength_is(real),
            "area": area(curve),
            "points": [asdict(point) for point in curve],
        },
        "model": found.model,
        "judge": found.judge,
        "without_evidence": [one.id for one in found.unjudged],
        "questions": [_row_json(row, named) for row in found.answered],
        "seconds": found.seconds,
    }


def answers_of(data: object) -> Json:
    """What `answers_json` made. Raises `ValueError` that names the first wrong field."""
    row = an_object(data, "answers")
    synthetic = an_object(row.get("synthetic"), "answers: synthetic")
    for part in (row, synthetic):
        metrics = an_object(part.get("metrics"), "answers: metrics")
        given = [name for name in NAMES if metrics.get(name) is not None]
        counted = an_object(part.get("counts"), "answers: counts")
        for name, value in [*((name, metrics[name]) for name in given), *counted.items()]:
            number({name: value}, name)
        part["metrics"], part["counts"] = {**dict.fromkeys(NAMES), **metrics}, {**counts(()), **counted}
    curve = an_object(row.get("risk_coverage"), "answers: risk_coverage")
    for point in a_list(curve, "points"):
        for name in ("threshold", "coverage", "risk", "answered", "wrong"):
            number(an_object(point, "answers: a point"), name)
    if curve["points"]:
        number(curve, "area")
    for name, of in (("strength", curve), ("model", row), ("judge", row)):
        text(of, name)
    for one in a_list(row, "questions"):
        _checked_row(an_object(one, "answers: a question"))
    return row


def _checked_row(row: Json) -> None:
    for name in ("question_id", "question", "reason", "error"):
        text(row, name)
    for name in ("expected", "cited_places"):
        strings(row, name)
    for name in ("answerable", "refused", "wrong"):
        if not isinstance(row.get(name), bool):
            raise ValueError(f"{name}: expected true or false")


def _row_json(row: Answered, named: Callable[[str], str]) -> Json:
    question = row.question
    return {
        "question_id": question.id,
        "question": question.text,
        "answerable": question.answerable,
        "synthetic": question.synthetic,
        "expected": list(dict.fromkeys(named(qrel.location) for qrel in question.judged)),
        "cited_places": list(map(named, row.places)),
        "refused": row.refused,
        "wrong": row.wrong,
        "claims": row.claims,
        "supported": row.supported,
        "citations": row.citations,
        "verified": row.verified,
        "right": row.right,
        "evidence": row.evidence,
        "cited": row.cited,
        "strength": row.strength,
        "judged": asdict(row.judged) if row.judged else None,
        "reason": row.reason,
        "ms": row.ms,
        "error": row.error,
    }
