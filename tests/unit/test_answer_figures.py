"""Figures of answers by hand, answers of a small library against its labels, a judge, and the command."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from chat_server import chat_server
from command_line import Run, read, run
from http_server import Reply
from labels import saved
from libraries import library, write
from pincite.config import Config, LLMConfig
from pincite.errors import ModelError, UsageError
from pincite.evaluate.answers import Answered
from pincite.evaluate.answers.figures import answers_json, answers_of, area, counts, figures, risk_coverage
from pincite.evaluate.answers.judge import Verdicts, verdict_in
from pincite.evaluate.questions import question_set
from pincite.types import Qrel, Question, QuestionSet

__all__ = ["run"]

FILES = {
    "valve.md": "# Valve\n\nOpen the relief valve before priming.\n\n# Torque\n\nThe flange takes 41 Nm.\n",
    "seal.md": "# Seal\n\nGrease the seal once a year.\n",
    "lamp.txt": "The lamp has two spare fuses in the lid.\n",
}


def row(answerable: bool = True, **counted: object) -> Answered:
    return replace(Answered(Question("q", "?", answerable=answerable)), **counted)  # type: ignore[arg-type]


# ── by hand ───────────────────────────────────────────────────────────────────────────────────
def test_every_figure_by_hand() -> None:
    rows = [
        row(claims=2, supported=2, citations=2, verified=2, right=1, evidence=2, cited=1),
        row(claims=2, supported=1, citations=2, verified=1, right=0, evidence=1),
        row(refused=True, evidence=1),
        row(False, refused=True),
        row(False, claims=1, supported=1, citations=1, verified=1),
    ]
    found = figures(rows)
    assert found.citation_precision == pytest.approx((1 / 2 + 0) / 2)
    assert found.citation_recall == pytest.approx((1 / 2 + 0 + 0) / 3)
    assert found.quote_exactness == pytest.approx(4 / 5)
    assert found.claims_supported == pytest.approx(4 / 5)
    assert (found.refusal_precision, found.refusal_recall) == (1 / 2, 1 / 2)
    assert found.judged_supported is None
    assert (counts(rows)["answered"], counts(rows)["wrong"], counts(rows)["refused"]) == (3, 2, 2)


def test_an_answer_without_citations_has_precision_0_and_nothing_at_all_has_no_figure() -> None:
    assert figures([row(claims=1, evidence=1)]).citation_precision == 0.0
    nothing = figures([])
    assert (nothing.citation_precision, nothing.quote_exactness, nothing.refusal_recall) == (None, None, None)


def test_a_failed_answer_counts_as_nothing_cited_and_is_no_refusal() -> None:
    rows = [
        row(evidence=1, cited=1, citations=1, right=1),
        row(evidence=1, error="down"),
        row(False, error="down"),
    ]
    found = figures(rows)
    assert (found.citation_recall, found.citation_precision, found.refusal_recall) == (0.5, 1.0, 0.0)
    assert counts(rows)["failed"] == 2


def test_a_mean_of_a_judge_shows_how_many_it_is_over() -> None:
    rows = [row(judged=Verdicts(2, 1, 1)), row(judged=Verdicts(0, 1, 2))]
    assert figures(rows).judged_supported == pytest.approx(2 / 4)
    assert (counts(rows)["judged"], counts(rows)["judge_failed"]) == (4, 3)


def test_risk_falls_with_coverage_where_weak_answers_are_the_wrong_ones() -> None:
    rows = [
        row(strength=1.0, evidence=1),
        row(strength=2.0, evidence=1, cited=1),
        row(False, strength=1.0),
        row(strength=1.5, evidence=1, cited=1),
        row(strength=9.0, refused=True),
    ]
    points = risk_coverage(rows)
    assert [(p.threshold, p.answered, p.wrong) for p in points] == [(2.0, 1, 0), (1.5, 2, 0), (1.0, 4, 2)]
    assert [(p.coverage, p.risk) for p in points] == [(1 / 5, 0.0), (2 / 5, 0.0), (4 / 5, 0.5)]
    assert area(points) == pytest.approx((0 + 0 + 0.5 + 0.5) / 4)
    assert area(risk_coverage([row(refused=True)])) is None
    assert risk_coverage(rows[::-1]) == points


# ── a library ─────────────────────────────────────────────────────────────────────────────────
def labelled(*more: Question) -> QuestionSet:
    def question(number: str, text: str, uri: str, line: int) -> Question:
        return Question(number, text, (Qrel(number, uri, line, line),))

    return question_set(
        "set",
        [
            question("right", "What torque does the flange take?", "valve.md", 7),
            question("heading", "When is the relief valve opened, before priming?", "valve.md", 1),
            question("elsewhere", "How often is the seal greased?", "lamp.txt", 1),
            Question("none", "Who sells violins in Antarctica?", answerable=False),
            Question("unjudged", "Where is it?"),
            *more,
        ],
    )


def test_citations_are_right_where_they_share_text_with_the_evidence(tmp_path: Path) -> None:
    with library(tmp_path / "lib", FILES) as lib:
        lib.sync()
        found = lib.answers(labelled())
    rows = {one.question.id: one for one in found.answered}
    assert list(rows) == ["right", "heading", "elsewhere", "none"]
    assert [one.id for one in found.unjudged] == ["unjudged"] and found.model == found.judge == ""
    assert rows["right"].places == ("valve.md:7",)
    assert (rows["right"].right, rows["right"].cited, rows["right"].evidence, rows["right"].wrong) == (
        1,
        1,
        1,
        False,
    )
    assert rows["heading"].cited == 1 and not rows["heading"].wrong
    assert rows["elsewhere"].verified == rows["elsewhere"].citations > 0
    assert rows["elsewhere"].right == rows["elsewhere"].cited == 0 and rows["elsewhere"].wrong
    assert rows["none"].refused and not rows["none"].wrong and rows["none"].reason
    assert all(one.by_sentence for one in found.answered)
    assert rows["right"].strength and rows["right"].strength > (rows["none"].strength or 0.0)


def test_what_was_not_found_counts_as_refused(tmp_path: Path) -> None:
    only = question_set(
        "set", [Question("q5", "zebra", answerable=False), Question("q6", "quux", answerable=False)]
    )
    with library(tmp_path / "lib", FILES) as lib:
        lib.sync()
        found = lib.answers(only, legs=["lexical"])
    made = answers_json(found)
    assert made["metrics"]["refusal_recall"] == 1.0 and made["counts"]["answerable"] == 0
    assert made["metrics"]["citation_recall"] is None


def test_synthetic_questions_are_counted_apart(tmp_path: Path) -> None:
    made_up = Question("d", "What does the flange take?", (Qrel("d", "valve.md", 7, 7),), synthetic=True)
    with library(tmp_path / "lib", FILES) as lib:
        lib.sync()
        made = answers_json(lib.answers(labelled(made_up)))
    assert made["counts"]["asked"] == 4 and made["synthetic"]["counts"]["asked"] == 1
    assert [one["synthetic"] for one in made["questions"]] == [False] * 4 + [True]
    assert answers_of(json.loads(json.dumps(made))) == made
    assert made["metrics"]["refusal_recall"] == 1.0 and made["without_evidence"] == ["unjudged"]
    with pytest.raises(ValueError, match="citation_recall"):
        answers_of({**made, "metrics": {"citation_recall": "high"}})
    for name, wrong in (("expected", 3), ("cited_places", [None]), ("reason", {}), ("refused", "yes")):
        with pytest.raises(ValueError, match=name):
            answers_of({**made, "questions": [{**made["questions"][0], name: wrong}]})
    with pytest.raises(ValueError, match="area"):
        answers_of({**made, "risk_coverage": {**made["risk_coverage"], "area": "big"}})
    fewer = answers_of({**made, "metrics": {}, "counts": {}})
    assert set(fewer["metrics"].values()) == {None} and set(fewer["counts"].values()) == {0}


def test_nothing_to_judge_is_refused(tmp_path: Path) -> None:
    with library(tmp_path / "lib", FILES) as lib:
        lib.sync()
        with pytest.raises(UsageError, match="can be judged"):
            lib.answers(question_set("set", [Question("q", "Where?")]))
        with pytest.raises(UsageError, match="no chat model"):
            lib.answers(labelled(), judge=True)


# ── with a model ──────────────────────────────────────────────────────────────────────────────
def obedient(system: str, user: str) -> str | None:
    """Answers from the first passage about flanges, refuses the rest; judges figures of Nm only."""
    if "Statement:" in user:
        return "Yes." if "41 Nm" in user else "perhaps"
    return (
        "The flange takes 41 Nm [1]." if user.endswith("flange take?") else "INSUFFICIENT EVIDENCE: nothing."
    )


def test_a_models_answers_and_a_judge_that_fails_at_times(tmp_path: Path) -> None:
    with chat_server(obedient) as server:
        config = Config(llm=LLMConfig(server.url, "small"))
        with library(tmp_path / "lib", FILES, config=config) as lib:
            lib.sync()
            found = lib.answers(labelled(), judge=True)
    rows = {one.question.id: one for one in found.answered}
    assert (found.model, found.judge) == ("small", "small")
    assert rows["right"].judged == Verdicts(1, 0, 0) and not rows["right"].by_sentence
    assert [one.refused for one in found.answered] == [False, True, True, True]
    made = answers_json(found)
    assert made["metrics"]["refusal_precision"] == pytest.approx(1 / 3)
    assert made["risk_coverage"]["strength"] == "fused" and made["metrics"]["judged_supported"] == 1.0
    asked = [user for _, user in server.asked if "Statement:" in user]
    assert len(asked) == 1 and re.match(r'<evidence-[0-9a-f]{10} n="1">', asked[0])


def test_a_judge_that_never_works_is_asked_three_times(tmp_path: Path) -> None:
    def reply(system: str, user: str) -> str | None:
        return None if "Statement:" in user else "The flange takes 41 Nm [1]. " * 5

    with chat_server(reply) as server:
        config = Config(llm=LLMConfig(server.url, "small"))
        with library(tmp_path / "lib", FILES, config=config) as lib:
            lib.sync()
            found = lib.answers(labelled(), judge=True)
    judged = [user for _, user in server.asked if "Statement:" in user]
    assert len(judged) == 3 and "the judge failed on the first 3 claims" in found.notices[0]
    made = answers_json(found)
    assert made["metrics"]["judged_supported"] is None
    assert made["counts"]["judge_failed"] == made["counts"]["claims"] > 3


def test_a_judge_whose_key_is_refused_in_the_middle_is_asked_no_more(tmp_path: Path) -> None:
    def reply(system: str, user: str) -> str | None:
        if "Statement:" in user:
            server.planned.append(Reply(401, body={"error": "revoked"}))
            return "yes"
        return "The flange takes 41 Nm [1]. " * 5

    with chat_server(reply) as server:
        config = Config(llm=LLMConfig(server.url, "small"))
        with library(tmp_path / "lib", FILES, config=config) as lib:
            lib.sync()
            found = lib.answers(labelled(), judge=True)
    assert len([user for _, user in server.asked if "Statement:" in user]) == 2
    assert "the judge was asked no more" in found.notices[0] and "HTTP 401" in found.notices[0]


def test_a_model_that_never_answers_is_an_error(tmp_path: Path) -> None:
    with chat_server(lambda system, user: None) as server:
        config = Config(llm=LLMConfig(server.url, "small"))
        with library(tmp_path / "lib", FILES, config=config) as lib:
            lib.sync()
            with pytest.raises(ModelError):
                lib.answers(labelled())


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("Yes", True),
        ("**yes**, it does", True),
        ("No.", False),
        ("不支持", False),
        ("是", True),
        ("Maybe", None),
        ("Nobody", None),
    ],
)
def test_reading_a_verdict(reply: str, verdict: bool | None) -> None:
    assert verdict_in(reply) is verdict


# ── the command ───────────────────────────────────────────────────────────────────────────────
def test_eval_prints_and_saves_answers(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "docs", FILES)
    questions = saved(
        tmp_path,
        "questions.tsv",
        "What torque does the flange take?\tvalve.md:7\nHow often is the seal greased?\tlamp.txt:1\n"
        "Who sells violins in Antarctica?\t\n",
    )
    words = ("eval", questions, "--in", tmp_path / "docs", "--answers")
    code, out, _ = run(*words, "-q", "--save", "base")
    assert code == 0 and "WRONG  q2  How often is the seal greased?\n      expected  lamp.txt:1\n" in out
    assert "citation recall     0.5000  cited / needed evidence, over 2 answerable questions\n" in out
    assert "refusal recall      1.0000  refused or nothing found, of 1 unanswerable\n" in out
    assert (
        "\nanswers             value   of what (answers are quoted sentences)\n" in out
        and "judged supported" not in out
    )
    assert (
        "\nIf weaker answers were refused: strength is that of the best sentence\nrefused below  answered"
        in out
    )
    page = tmp_path / "page.html"
    assert run("report", "base", "--in", tmp_path / "docs", "-o", page)[0] == 0
    assert "Answers unlike their labels: 1 of 3" in page.read_text("utf-8")
    made = read(run(*words, "--json", "-q")[1])["answers"]
    kept = json.loads((tmp_path / "docs/.pincite/runs/base.json").read_text())["answers"]
    assert kept["metrics"] == made["metrics"] and kept["risk_coverage"] == made["risk_coverage"]
    assert read(run("compare", "base", "base", "--in", tmp_path / "docs", "--json")[1])["base"] == "base"
    assert read(run("eval", questions, "--in", tmp_path / "docs", "--json", "-q")[1])["answers"] is None
    assert run("eval", questions, "--in", tmp_path / "docs", "--judge")[0] == 2
    assert run(*words, "--run", "x.trec")[0] == 2
    code, _, err = run(*words, "--judge")
    assert code == 2 and "PINCITE_LLM_MODEL" in err
