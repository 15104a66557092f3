"""F65, F67, F68 as reports: an imported run measured on the command line, with its totals and exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import Run, read, run
from labels import jsonl, saved
from libraries import FAULTS

__all__ = ["run"]


def case(fault: str) -> tuple[Path, dict[str, object]]:
    folder = FAULTS / fault
    return folder, json.loads((folder / "expect.json").read_text("utf-8"))


# ── F65 ───────────────────────────────────────────────────────────────────────────────────────
def test_f65_empty_questions_count_as_0_and_are_counted(run: Run) -> None:
    here, expect = case("F65")
    words = ("eval", here / "questions.tsv", "--qrels", here / "qrels.tsv", "--run", here / "run.tsv")
    code, out, _ = run(*words, "--json")
    found = read(out)
    assert code == 0
    assert found["metrics"]["nDCG@10"] == pytest.approx(expect["ndcg@10"]["mean"], abs=1e-6)  # type: ignore[index]
    assert found["metrics"]["R@10"] == 0.5 and found["metrics"]["RR@10"] == pytest.approx(2 / 3)
    counts = found["counts"]
    assert (counts["questions"], counts["answered"], counts["empty"]) == (3, 2, 1)
    text = run(*words)[1]
    assert text.startswith("3 questions read") and "2 with results, 1 without, 0 failed" in text
    assert "1 question found nothing at all, counted as 0: q2" in text
    assert "gain = judgement" in text


def test_f65_a_run_that_found_nothing_is_no_success(run: Run, tmp_path: Path) -> None:
    here, _ = case("F65")
    nothing = saved(tmp_path, "nothing.trec", "")
    words = ("eval", here / "questions.tsv", "--qrels", here / "qrels.tsv", "--run", nothing)
    code, out, err = run(*words, "--json")
    assert code == 1 and "no question found anything at all" in err
    assert set(read(out)["metrics"].values()) == {0.0} and "NaN" not in out
    assert read(out)["counts"]["empty"] == 3


# ── F67 ───────────────────────────────────────────────────────────────────────────────────────
def test_f67_what_no_mean_is_over_is_listed(run: Run) -> None:
    here, expect = case("F67")
    words = ("eval", here / "questions.tsv", "--qrels", here / "qrels.tsv", "--run", here / "run.tsv")
    found = read(run(*words, "--measures", "RR,R@10", "--json")[1])
    assert found["metrics"] == {"RR": expect["mrr"], "R@10": expect["recall@10"]}
    assert [one["question_id"] for one in found["questions"]] == expect["scored"]
    assert found["without_evidence"] == ["q2", "q3", "q5"]  # nothing in these files marks q5


@pytest.mark.parametrize("first", [0, 1, 4])
def test_f67_refusals_are_apart_and_order_changes_nothing(run: Run, tmp_path: Path, first: int) -> None:
    here, expect = case("F67")
    evidence = {"q1": [{"uri": "A"}], "q3": [{"uri": "C", "relevance": 0}], "q4": [{"uri": "B"}]}
    rows = [
        {"question_id": f"q{n}", "question": f"no. {n}", "evidence": evidence.get(f"q{n}", [])}
        | ({"answerable": False} if n == 5 else {})
        for n in range(1, 6)
    ]
    path = saved(tmp_path, "questions.jsonl", jsonl(*rows[first:], *rows[:first]))
    code, out, _ = run("eval", path, "--run", here / "run.tsv", "--measures", "RR,R@10", "--json")
    found = read(out)
    assert code == 0 and found["metrics"] == {"RR": expect["mrr"], "R@10": expect["recall@10"]}
    assert sorted(found["without_evidence"]) == expect["excluded"]
    assert found["unanswerable"] == found["refused"] == ["q5"]
    for name, mean in found["metrics"].items():
        values = [one["metrics"][name] for one in found["questions"]]
        assert sum(values) / len(values) == mean
    text = run("eval", path, "--run", here / "run.tsv")[1]
    listed = ", ".join(found["without_evidence"])
    assert f"2 questions without relevant documents, left out: {listed}" in text
    assert "1 question unanswerable, measured apart: 1 of 1 found nothing, as they should: q5" in text


# ── F68 ───────────────────────────────────────────────────────────────────────────────────────
def test_f68_denominators(run: Run, tmp_path: Path) -> None:
    here, expect = case("F68")
    path = saved(tmp_path, "questions.tsv", "q\tthe question\n")
    names = [f"{letter}@{k}" for letter in "RP" for k in (1, 2, 3, 4, 5, 10)]
    words = ("eval", path, "--qrels", here / "qrels.tsv", "--run", here / "run.tsv", "--k", "10")
    code, out, _ = run(*words, "--measures", ",".join([*names, "AP", "nDCG@5", "Hit@1"]), "--json")
    metrics = read(out)["metrics"]
    assert code == 0
    for letter, key in (("R", "recall"), ("P", "precision")):
        for k, value in expect[key].items():  # type: ignore[attr-defined]
            assert metrics[f"{letter}@{k}"] == pytest.approx(value, abs=1e-6)
    assert metrics["AP"] == pytest.approx(expect["ap"], abs=1e-6) and metrics["Hit@1"] == 1.0
    assert metrics["nDCG@5"] == pytest.approx(expect["ndcg@5"], abs=1e-6)
    text = run(*words, "--measures", "R@5,P@5")[1]
    assert "relevant found / all relevant" in text and "relevant found / k" in text


@pytest.mark.parametrize("k", ["0", "-1"])
def test_f68_k_below_1_is_refused(run: Run, tmp_path: Path, k: str) -> None:
    path = saved(tmp_path, "questions.tsv", "q\tthe question\n")
    assert run("eval", path, "--k", k)[0] == 2
    assert run("eval", path, "--measures", f"R@{k}")[0] == 2
