"""What answers are worth, as text for people: wrong ones first, then the figures and the curve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pincite.cli.evaluate_text import _columns, _text
from pincite.cli.report import MAX_NAMES
from pincite.cli.terminal import Terminal
from pincite.evaluate.answers.figures import WORDS, over, some_points, strength_words, unlike

Row = Mapping[str, Any]


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
    bad = [row for row in rows if unlike(row)]
    if bad:
        yield term.style(f"Answers unlike their labels ({len(bad):,} of {len(rows):,})", "bold", "red")
    for row in bad if every else bad[:MAX_NAMES]:
        yield f"{term.style(unlike(row), 'red')}  {_text(row['question_id'])}  {_text(row['question'])}"
        yield f"      expected  {_expected(row)}"
        yield f"      {_given(row)}"
    if len(bad) > MAX_NAMES and not every:
        yield f"  … {len(bad) - MAX_NAMES:,} more; --all or --json lists all"


def _expected(row: Row) -> str:
    return ", ".join(map(_text, row["expected"])) or "a refusal: the documents hold no answer"


def _given(row: Row) -> str:
    if row["error"]:
        return f"error     {_text(row['error'])}"
    if row["refused"]:
        return f"reason    {_text(row['reason'])}"
    return f"cites     {', '.join(map(_text, row['cited_places'])) or 'nothing'}"


def _figures(answers: Row, term: Terminal) -> list[str]:
    by = f"by {_text(answers['model'])}" if answers["model"] else "quoted sentences"
    rows = [["answers", "value", f"of what (answers are {by})"]]
    for name, (called, _) in WORDS.items():
        value = answers["metrics"][name]
        if name != "judged_supported" or answers["judge"]:
            rows.append([called, "–" if value is None else f"{value:.4f}", over(name, answers["counts"])])
    failed = answers["counts"]["failed"]
    return [
        *_columns(rows, term),
        *([f"{failed:,} answers failed, counted as nothing cited"] if failed else []),
    ]


def _synthetic(apart: Row, term: Terminal) -> list[str]:
    if not apart["counts"]["asked"]:
        return []
    shown = {name: called for name, (called, _) in WORDS.items() if apart["metrics"][name] is not None}
    rows = [["synthetic, apart", "questions", *shown.values()]]
    rows.append(["", f"{apart['counts']['asked']:,}", *(f"{apart['metrics'][name]:.4f}" for name in shown)])
    return _columns(rows, term)


def _curve(curve: Row, term: Terminal) -> list[str]:
    """Some points of the risk–coverage curve, from the fewest answers to all that are given now."""
    points = curve["points"]
    if not points:
        return []
    head = ["refused below", "answered", "wrong", "coverage", "risk"]
    rows = [head]
    for one in some_points(points):
        numbers = [
            f"{one['answered']:,}",
            f"{one['wrong']:,}",
            f"{one['coverage']:.3f}",
            f"{one['risk']:.3f}",
        ]
        rows.append([f"{one['threshold']:.3f}", *numbers])
    title = f"If weaker answers were refused: strength is {strength_words(curve)}"
    area = f"mean risk, strongest answers first: {curve['area']:.4f}"
    return [term.style(title, "bold"), *_columns(rows, term), area]
