"""What answers are worth, as text for people: wrong ones first, then the figures and the curve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pincite.cli.evaluate_text import _columns, _text
from pincite.cli.report import MAX_NAMES
from pincite.cli.terminal import Terminal

Row = Mapping[str, Any]
_POINTS = 6  # of the curve
_WHAT = {
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


def answers_text(answers: Row, *, term: Terminal, every: bool = False) -> str:
    """Questions answered wrongly, refused wrongly or failed; figures; what refusing more would do."""
    parts = [
        list(_unlike(answers["questions"], term, every)),
        _figures(answers, term),
        _synthetic(answers["synthetic"], term),
        _curve(answers["risk_coverage"], term),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _unlike(rows: Sequence[Row], term: Terminal, every: bool) -> Iterator[str]:
    """Each question whose answer is unlike its label."""
    bad = [row for row in rows if _verdict(row)]
    if bad:
        yield term.style(f"Answers unlike their labels ({len(bad):,} of {len(rows):,})", "bold", "red")
    for row in bad if every else bad[:MAX_NAMES]:
        yield f"{term.style(_verdict(row), 'red')}  {_text(row['question_id'])}  {_text(row['question'])}"
        yield f"      expected  {_expected(row)}"
        yield f"      {_given(row)}"
    if len(bad) > MAX_NAMES and not every:
        yield f"  … {len(bad) - MAX_NAMES:,} more; --all or --json lists all"


def _verdict(row: Row) -> str:
    """What is wrong with an answer; "" if nothing is."""
    if row["error"]:
        return "FAILED"
    if row["refused"]:
        return "REFUSED" if row["answerable"] else ""
    return ("WRONG" if row["answerable"] else "ANSWERED") if row["wrong"] else ""


def _expected(row: Row) -> str:
    return ", ".join(map(_text, row["expected"])) or "a refusal: the documents hold no answer"


def _given(row: Row) -> str:
    if row["error"]:
        return f"error     {_text(row['error'])}"
    if row["refused"]:
        return f"reason    {_text(row['reason'])}"
    return f"cites     {', '.join(map(_text, row['cited_places'])) or 'nothing'}"


def _figures(answers: Row, term: Terminal) -> list[str]:
    by = _text(answers["model"]) or "quoted sentences"
    rows = [["answers", "value", f"of {by}"]]
    for name, (called, over) in _WHAT.items():
        value, count = answers["metrics"][name], answers["counts"]
        if name != "judged_supported" or answers["judge"]:
            rows.append([called, "–" if value is None else f"{value:.4f}", over.format(**count)])
    failed = answers["counts"]["failed"]
    return [
        *_columns(rows, term),
        *([f"{failed:,} answers failed, counted as nothing cited"] if failed else []),
    ]


def _synthetic(apart: Row, term: Terminal) -> list[str]:
    if not apart["counts"]["asked"]:
        return []
    shown = {name: called for name, (called, _) in _WHAT.items() if apart["metrics"][name] is not None}
    rows = [["synthetic, apart", "questions", *shown.values()]]
    rows.append(["", f"{apart['counts']['asked']:,}", *(f"{apart['metrics'][name]:.4f}" for name in shown)])
    return _columns(rows, term)


def _curve(curve: Row, term: Terminal) -> list[str]:
    """Some points of the risk–coverage curve, from the fewest answers to all that are given now."""
    points = curve["points"]
    if not points:
        return []
    last = len(points) - 1
    chosen = sorted({round(last * part / (_POINTS - 1)) for part in range(_POINTS)})
    score = "a sentence's strength" if curve["strength"] == "sentence" else "the best hit's fused score"
    rows = [["answered", "wrong", "coverage", "risk", f"if refused below ({score})"]]
    for at in chosen:
        one = points[at]
        numbers = [
            f"{one['answered']:,}",
            f"{one['wrong']:,}",
            f"{one['coverage']:.3f}",
            f"{one['risk']:.3f}",
        ]
        rows.append([*numbers, f"{one['threshold']:.3f}"])
    return [*_columns(rows, term), f"mean risk, strongest answers first: {curve['area']:.4f}"]
