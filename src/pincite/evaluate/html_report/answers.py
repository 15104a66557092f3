"""What a run's answers are worth: figures, what refusing more would do, and answers unlike their labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pincite.evaluate.answers.figures import WORDS, over, some_points, strength_words, unlike
from pincite.evaluate.html_report.markup import Child, Markup, count, join, tag
from pincite.evaluate.html_report.parts import own, table

Json = Mapping[str, Any]
_SHOWN = 200


def answers(found: Json) -> Markup:
    """The section on answers."""
    return join([_by(found), _figures(found), *_curve(found["risk_coverage"]), *_wrong(found)])


def _by(found: Json) -> Markup:
    by = own(found["model"]) if found["model"] else "quoted sentences, without a model"
    asked = found["counts"]["asked"]
    return tag(
        "p", f"{count(asked, 'question')} answered or refused; the answers are ", by, ".", class_="dim"
    )


def _figures(found: Json) -> Markup:
    rows: list[list[Child]] = []
    for name, (called, _) in WORDS.items():
        value = found["metrics"][name]
        if name != "judged_supported" or found["judge"]:
            shown = tag("b", f"{value:.4f}") if value is not None else "–"
            rows.append([called, shown, tag("span", over(name, found["counts"]), class_="dim")])
    return table(["figure", "value", "of what"], rows, "answers")


def _curve(curve: Json) -> Iterator[Markup]:
    """Some points of the risk–coverage curve."""
    if not curve["points"]:
        return
    rows = [
        [
            f"{one['threshold']:.3f}",
            f"{one['answered']:,}",
            f"{one['wrong']:,}",
            f"{one['coverage']:.3f}",
            f"{one['risk']:.3f}",
        ]
        for one in some_points(curve["points"])
    ]
    yield tag("h3", "If weaker answers were refused")
    yield table(["refused below", "answered", "wrong", "coverage", "risk"], rows, "answers")
    yield tag(
        "p",
        f"Strength is {strength_words(curve)}. Mean risk, strongest answers first: {curve['area']:.4f}.",
        class_="dim",
    )


def _wrong(found: Json) -> Iterator[Markup]:
    """The answers unlike their labels, the first 200."""
    bad: Sequence[Json] = [row for row in found["questions"] if unlike(row)]
    if not bad:
        return
    yield tag("h3", f"Answers unlike their labels: {len(bad):,} of {len(found['questions']):,}")
    rows: list[list[Child]] = [
        [tag("span", unlike(row), class_="chip bad"), *_told(row)] for row in bad[:_SHOWN]
    ]
    yield table(["", "question", "expected", "given"], rows, "answers")
    if len(bad) > _SHOWN:
        yield tag("p", f"{len(bad) - _SHOWN:,} more are in the run's file.", class_="note")


def _told(row: Json) -> list[Child]:
    expected = ", ".join(row["expected"]) or "a refusal: the documents hold no answer"
    given = row["error"] or row["reason"] or ", ".join(row["cited_places"]) or "no citation"
    return [join([own(row["question"]), " ", own(row["question_id"], "small")]), own(expected), own(given)]
