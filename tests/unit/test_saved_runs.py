"""Runs on disk and beside each other: what is written comes back, and nothing else is accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from labels import jsonl, saved
from pincite.errors import InputError, StoreError, UsageError
from pincite.evaluate.imported import evaluate_run
from pincite.evaluate.questions import first_of, read_questions
from pincite.evaluate.runs import check_name, load, names, read_run_file, save
from pincite.evaluate.saved import SavedRun, run_json, saved_run
from pincite.evaluate.saved_why import diagnosis_of
from pincite.evaluate.versus import failures, refuse_other_set, set_of, versus

ROWS = [
    {"question_id": "q1", "question": "one", "evidence": [{"uri": "a.md"}], "tags": ["x", "y"]},
    {"question_id": "q2", "question": "two", "evidence": [{"uri": "b.md"}, {"uri": "c.md"}], "tags": ["y"]},
    {"question_id": "q3", "question": "three", "evidence": [{"uri": "c.md"}], "synthetic": True},
    {"question_id": "q4", "question": "four", "answerable": False},
    {"question_id": "q5", "question": "five", "evidence": [{"uri": "a.md", "relevance": 0}]},
]
RUN = "q1 Q0 a.md 1 -1 x\nq1 Q0 b.md 2 -2 x\nq2 Q0 a.md 1 -1 x\nq2 Q0 b.md 2 -2 x\nq3 Q0 c.md 1 -1 x\n"


def measured(folder: Path, run: str = RUN, rows: list[dict[str, Any]] = ROWS, k: int = 10) -> SavedRun:
    questions = read_questions(saved(folder, "questions.jsonl", jsonl(*rows)))
    return saved_run(evaluate_run(questions, saved(folder, "run.trec", run), k=k))


# ── what a run holds ──────────────────────────────────────────────────────────────────────────
def test_totals_are_counted_from_the_questions(tmp_path: Path) -> None:
    run = measured(tmp_path)
    assert run.counts() == {
        "questions": 5,
        "measured": 3,
        "synthetic": 1,
        "failing": 0,
        "failed": 0,
        "answered": 3,
        "empty": 0,
        "without_evidence": 1,
        "unanswerable": 1,
    }
    assert (run.without_evidence, run.unanswerable, run.refused) == (("q5",), ("q4",), ("q4",))
    row = run_json(run)
    for name, mean in row["metrics"].items():
        values = [one["metrics"][name] for one in row["questions"] if not one["synthetic"]]
        assert mean == pytest.approx(sum(values) / len(values), abs=1e-12)


def test_synthetic_questions_and_tags_stand_apart(tmp_path: Path) -> None:
    row = run_json(measured(tmp_path))
    assert row["metrics"]["RR@10"] == pytest.approx(0.75)
    assert row["synthetic"]["questions"] == 1 and row["synthetic"]["metrics"]["RR@10"] == 1.0
    assert {tag: (one["questions"], one["metrics"]["RR@10"]) for tag, one in row["by_tag"].items()} == {
        "x": (1, 1.0),
        "y": (2, 0.75),
    }


def test_rank_is_that_of_the_last_group(tmp_path: Path) -> None:
    both = [{"uri": "a.md", "group": "1"}, {"uri": "b.md", "group": "2"}, {"uri": "z.md", "group": "2"}]
    rows = [
        {"question_id": "q1", "question": "one", "evidence": both},
        {"question_id": "q2", "question": "two", "evidence": [both[0], {"uri": "z.md", "group": "2"}]},
    ]
    run = measured(tmp_path, rows=rows)
    assert [one.rank for one in run.questions] == [2, None]
    assert [one.question_id for one in run.failing] == ["q2"]
    assert [one.question_id for one in measured(tmp_path, rows=rows, k=1).failing] == ["q1", "q2"]


def test_a_run_without_common_ids_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of the documents") as caught:
        measured(tmp_path, "q1 Q0 a.md␠9-46 1 -1 x\nq1 Q0 chunk␠2 2 -2 x\n")
    assert "'a.md 9-46', theirs like 'a.md'" in caught.value.message and "--qrels-out" in caught.value.hint
    with pytest.raises(InputError, match="none of the questions") as caught:
        measured(tmp_path, "1 Q0 a.md 1 -1 x\n2 Q0 a.md 1 -1 x\n")
    assert "like '1', theirs like 'q1'" in caught.value.message
    assert measured(tmp_path, "").counts()["answered"] == 0, "an empty run found nothing"


def test_a_rank_column_in_another_order_is_told(tmp_path: Path) -> None:
    def told(run: str) -> list[str]:
        return [notice for notice in measured(tmp_path, run).notices if "rank column" in notice]

    by_score = "q1 Q0 b.md 2 1 x\nq1 Q0 a.md 1 2 x\n"
    assert told(RUN) == told(by_score) == told("q1 Q0 a.md 0 2 x\nq1 Q0 b.md 0 1 x\n") == []
    assert told("q1 Q0 a.md - 2 x\nq1 Q0 b.md - 1 x\n") == [], "no rank at all"
    for other in ("q1 Q0 b.md 1 1 x\nq1 Q0 a.md 2 2 x\n", "q1 Q0 a.md 1 1 x\nq1 Q0 b.md 2 1 x\n"):
        (notice,) = told(by_score.replace("q1", "q2") + other)
        assert "1 questions" in notice and "(q1)" in notice and "trec_eval" in notice
    tied = measured(tmp_path, "q1 Q0 a.md 1 1 x\nq1 Q0 b.md 2 1 x\n")
    assert tied.questions[0].found == ("b.md", "a.md"), "the order is that of trec_eval"


def test_percentiles_are_nearest_ranks(tmp_path: Path) -> None:
    run = measured(tmp_path)
    timed = replace(run, questions=tuple(replace(run.questions[0], ms=float(n)) for n in range(1, 21)))
    assert (timed.ms_at(0.5), timed.ms_at(0.95), timed.ms_at(1.0)) == (10.0, 19.0, 20.0)
    assert replace(run, questions=()).ms_at(0.5) == 0.0


def test_runs_with_other_stemmers_say_so(tmp_path: Path) -> None:
    def with_stemmers(*names: str) -> SavedRun:
        run = measured(tmp_path)
        return replace(run, settings={**run.settings, "stemmers": list(names)})

    english, german, old = with_stemmers("english"), with_stemmers("english", "german"), measured(tmp_path)
    (notice,) = versus(english, german).notices
    assert "the stemmers differ (english → english+german)" in notice
    assert versus(english, german).settings == (("stemmers", ["english"], ["english", "german"]),)
    assert versus(english, english).notices == versus(old, german).notices == ()
    assert "none → english" in versus(with_stemmers(), english).notices[0]


# ── on disk ───────────────────────────────────────────────────────────────────────────────────
def test_a_saved_run_comes_back_as_it_was(tmp_path: Path) -> None:
    run, index = measured(tmp_path), tmp_path / "index"
    path = save(index, "base", run)
    assert path == index / "runs/base.json" and load(index, "base") == run == load(index, str(path))
    save(index, "base", replace(run, seconds=5.0))
    assert load(index, "base").seconds == 5.0
    assert names(index) == ["base"]
    assert sorted(one.name for one in (index / "runs").iterdir()) == ["base.json"]


def test_a_folder_of_other_files_is_not_written_to(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="other files"):
        save(tmp_path, "base", measured(tmp_path))
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("name", ["", ".hidden", "../up", "a/b", "a b", "ä", "a\n", "x" * 101, "run.json"])
def test_names_that_are_none(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="name of a run"):
        check_name(name)
    with pytest.raises(UsageError):
        save(tmp_path, name, measured(tmp_path))
    assert not (tmp_path / "runs").exists()


def test_a_run_that_is_not_there_is_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such run"):
        load(tmp_path / "index", "base")
    save(tmp_path / "index", "base", measured(tmp_path))
    with pytest.raises(InputError) as caught:
        load(tmp_path / "index", "bsae")
    assert caught.value.hint == "did you mean base?"


def _set(*keys: str | int) -> Callable[[dict[str, Any], Any], None]:
    def change(row: Any, value: Any) -> None:
        for key in keys[:-1]:
            row = row[key]
        row[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "value", "said"),
    [
        (_set("format"), 2, "format: expected 1, got 2"),
        (_set("questions"), {}, "questions: expected a list"),
        (_set("questions", 0), 5, "question 1: expected an object"),
        (_set("questions", 1, "rank"), 0, "question 2: rank: expected a whole number of at least 1"),
        (_set("questions", 1, "rank"), True, "question 2: rank"),
        (_set("questions", 1, "expected"), [1], "question 2: expected: expected strings"),
        (_set("questions", 0, "metrics", "R@10"), "1", "question 1: R@10: expected a number"),
        (_set("questions", 0, "metrics"), {}, "question 1: nDCG@10: expected a number"),
        (_set("questions", 1, "question_id"), "q1", "an id is there twice"),
        (_set("question_set", "sha256"), None, "sha256: expected a string"),
        (_set("intervals", "R@10"), [0, 1], "R@10: expected an object"),
        (_set("settings"), None, "settings: expected an object"),
        (_set("measures"), "nDCG@10", "measures: expected a list"),
        (_set("measures", 0), "nDCG@10\u202e", "measures: there is no measure"),
        (_set("measures", 0), "ndcg_cut_10", "measures: there is no measure 'ndcg_cut_10'"),
        (_set("measures", 0), "R@10", "measures: a name is there twice"),
        (_set("questions", 0, "metrics", "R@10"), -5e300, "question 1: R@10: expected a number"),
        (_set("questions", 0, "metrics", "R@10"), 1.5, "question 1: R@10: expected a number from 0 to 1"),
        (_set("questions", 0, "metrics", "R@10"), 10**400, "question 1: R@10: expected a number"),
        (_set("questions", 0, "relevant_at"), [10**400], "question 1: relevant_at: expected whole"),
        (_set("seconds"), 10**400, "seconds: expected a number"),
        (_set("k"), 10**400, "k: expected a whole number"),
        (_set("k"), 1e400, "no number"),
    ],
)
def test_a_file_that_is_no_run_is_refused_by_its_field(
    tmp_path: Path, change: Callable[[dict[str, Any], Any], None], value: Any, said: str
) -> None:
    row = json.loads(json.dumps(run_json(measured(tmp_path))))
    change(row, value)
    path = saved(tmp_path, "bad.json", json.dumps(row))
    with pytest.raises(InputError) as caught:
        read_run_file(path)
    assert said in caught.value.message and str(path) in caught.value.message


def test_a_funnel_holds_no_more_questions_than_there_are_findings() -> None:
    """A bar is drawn for each: one of 10¹² questions would not fit into memory."""
    data = {"findings": [], "funnel": [{"stage": "label", "means": "all", "left": 10**12}]}
    with pytest.raises(ValueError, match="left: expected at most the 0 findings"):
        diagnosis_of({**data, "remedies": [], "apart": []})


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "[" * 100_000, '{"format": 1}', b"\xff\xfe\x00"])
def test_what_is_no_json_or_no_run_is_refused(tmp_path: Path, content: str | bytes) -> None:
    with pytest.raises(InputError, match="is not a run"):
        read_run_file(saved(tmp_path, "bad.json", content))


# ── two runs ──────────────────────────────────────────────────────────────────────────────────
def test_runs_are_compared_question_by_question(tmp_path: Path) -> None:
    base = measured(tmp_path)
    new = replace(measured(tmp_path, RUN.replace("q2 Q0 b.md 2 -2", "q2 Q0 x.md 2 -2")), settings={"k": 3})
    found = versus(base, new, ["RR@10"])
    one = found.by_measure["RR@10"]
    assert [(c.question_id, c.before, c.after) for c in one.losses] == [("q2", 0.5, 0.0)]
    assert (one.wins, one.ties, one.p, found.adjusted["RR@10"]) == ((), ("q1",), 1.0, 1.0)
    assert found.settings == (("k", 10, 3), ("run", "run.trec", None))
    assert set(versus(base, new).by_measure) == set(base.measures)
    with pytest.raises(UsageError, match="has no AP"):
        versus(base, new, ["AP"])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (ROWS[:4], r"1 only in the base \(q5\)"),
        ([*ROWS, {"question_id": "q6", "question": "six"}], r"1 only in the new \(q6\)"),
        ([{**ROWS[0], "question": "ONE"}, *ROWS[1:]], r"1 reworded \(q1\)"),
        ([{**ROWS[0], "evidence": [{"uri": "b.md"}]}, *ROWS[1:]], "the same questions, but other labels"),
    ],
)
def test_a_run_of_other_questions_is_refused_with_the_difference(
    tmp_path: Path, rows: list[dict[str, Any]], said: str
) -> None:
    base, new = measured(tmp_path), measured(tmp_path, rows=rows)
    with pytest.raises(InputError, match=said):
        versus(base, new)


def test_a_cut_set_is_another_set_and_says_so(tmp_path: Path) -> None:
    whole = read_questions(saved(tmp_path, "questions.jsonl", jsonl(*ROWS)))
    cut = first_of(whole, 2)
    assert cut.name == "questions (first 2 of 5)" and len(cut.questions) == 2
    assert first_of(whole, 5) is whole is first_of(whole, None)
    with pytest.raises(InputError, match=r"3 only in the base \(q3, q4, q5\)"):
        refuse_other_set(measured(tmp_path), set_of(cut))
    with pytest.raises(UsageError, match="limit"):
        first_of(whole, 0)


def test_the_gate(tmp_path: Path) -> None:
    run = measured(tmp_path)
    assert failures(run, [("RR@10", 0.75), ("R@10", 0.1)]) == ()
    assert failures(run, [("RR@10", 0.76)]) == ("RR@10 is 0.7500, below 0.76",)
    synthetic = replace(run, questions=run.synthetic)
    assert failures(synthetic, [("RR@10", 0.1)]) == ("RR@10: there are no questions to measure it over",)


def test_worse_than_the_base_fails_only_beyond_chance(tmp_path: Path) -> None:
    rows = [
        {"question_id": f"q{n}", "question": f"number {n}", "evidence": [{"uri": "a.md"}]} for n in range(8)
    ]
    good = "".join(f"q{n} Q0 a.md 1 -1 x\n" for n in range(8))
    base = measured(tmp_path, good, rows)
    one, all_worse = (
        measured(tmp_path, good.replace("a.md", "b.md", count), rows) for count in (1, 7)
    )  # p of 1 loss is 1; of 7 it is 2/2⁷
    assert failures(one, [], versus(base, one, ["RR@10"])) == ()
    assert failures(all_worse, [], versus(base, all_worse, ["RR@10"])) == (
        "RR@10 fell from 1.0000 to 0.1250 (p = 0.016)",
    )
    assert failures(base, [], versus(all_worse, base, ["RR@10"])) == ()
