"""`eval`, `compare` and `questions check` on small folders: what they print, save, refuse, and exit with."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from command_line import Run, read, run
from embedding_server import embedding_server
from labels import jsonl, saved
from libraries import write
from pincite.cli import main
from pincite.evaluate.answers import MOST_FAILURES
from pincite.evaluate.trec import read_qrels, read_run

__all__ = ["run"]

FILES = {
    "valve.md": "# Valve\n\nOpen the relief valve before priming.\n\n# Torque\n\nThe flange takes 41 Nm.\n",
    "pump.md": "# Pump\n\nThe pump runs at three bar and needs a filter.\n",
    "seal.md": "# Seal\n\nGrease the seal once a year.\n",
    "lamp.txt": "The lamp has two spare fuses in the lid.\n",
}
QUESTIONS = (
    "question\ttarget\ttags\n"
    "What torque does the flange take?\tvalve.md:7\tmetal\n"
    "How often is the seal greased?\tseal.md:1\trubber,care\n"
    "Where are the spare fuses of the lamp?\tpump.md:3\tcare\n"
    "Who sells the pump?\t\t\n"
)


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synced folder; tests do not change its files."""
    root = tmp_path_factory.mktemp("evaluated") / "lib"
    write(root, FILES)
    assert main(["sync", str(root), "-q"]) == 0
    return root


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return saved(tmp_path, "questions.tsv", QUESTIONS)


# ── eval ──────────────────────────────────────────────────────────────────────────────────────
def test_people_see_failing_questions_first_then_the_figures(lib: Path, labels: Path, run: Run) -> None:
    code, out, err = run("eval", labels, "--in", lib, "--k", "1")
    told = [line for line in err.splitlines() if not line.startswith("Asking ")]  # on a busy machine
    assert (code, told) == (0, [])
    assert out.startswith("4 questions read from questions: 3 with evidence, 0 without, 1 unanswerable\n")
    assert re.search(r"^MISS  q3  Where are the spare fuses of the lamp\?  \((rank \d|no rank)\)$", out, re.M)
    assert "      expected  pump.md:3\n      found     lamp.txt:1\n" in out
    assert re.search(r"^ok   1  q1  What torque does the flange take\?  valve.md:5-7$", out, re.M)
    assert out.index("MISS") < out.index("ok (2)") < out.index("nDCG@1 ") < out.index("Settings")
    assert re.search(r"^nDCG@1 +0\.6667  0\.\d{3}–1\.000    ndcg_cut_1 ", out, re.M)
    assert re.search(r"^care +2 +0\.5000", out, re.M) and re.search(r"^rubber +1 +1\.0000", out, re.M)
    assert "1 question unanswerable, measured apart with --answers: q4" in out
    assert "search.legs lexical+dense" in out and "\x1b" not in out


def test_the_json_contract(lib: Path, labels: Path, run: Run) -> None:
    found = read(run("eval", labels, "--in", lib, "--json", "--metrics", "RR,ndcg_cut_10,R@5")[1])
    assert list(found["metrics"]) == ["RR", "nDCG@10", "R@5"]
    assert set(found["intervals"]["RR"]) == {"low", "high", "level"}
    first = found["questions"][0]
    assert {"question_id", "question", "expected", "found", "rank", "metrics"} <= first.keys()
    assert (first["question_id"], first["expected"], first["rank"]) == ("q1", ["valve.md:7"], 1)
    assert first["found"][0] == "valve.md:5-7" and first["metrics"]["RR"] == 1.0
    assert found["settings"]["search"]["legs"] == ["lexical", "dense"] and found["seconds"] > 0
    assert found["unanswerable"] == ["q4"] and found["counts"]["questions"] == 4
    assert found["gate"] == {"passed": True, "failures": []}
    assert len(found["index"]) == 16 and found["question_set"]["ids"] == ["q1", "q2", "q3", "q4"]


def test_legs_filter_limit_and_files_of_runs(lib: Path, labels: Path, run: Run, tmp_path: Path) -> None:
    words = ("eval", labels, "--in", lib, "--json", "--legs", "lexical", "--filter", "type=text")
    found = read(run(*words, "--limit", "3", "--run-out", "r.trec", "--qrels-out", "q.trec")[1])
    assert found["question_set"]["name"] == "questions (first 3 of 4)"
    assert found["settings"]["filter"] == 'type = "text"' and found["settings"]["search"]["legs"] == [
        "lexical"
    ]
    assert {place for one in found["questions"] for place in one["found"]} == {"lamp.txt:1"}
    assert found["metrics"]["R@10"] == 0.0
    assert set(read_run(tmp_path / "here/r.trec")) <= {"q1", "q2", "q3"}
    assert set(read_qrels(tmp_path / "here/q.trec")) == {"q1", "q2", "q3"}


def test_lists_are_cut_at_twenty_unless_all_are_wanted(lib: Path, run: Run, tmp_path: Path) -> None:
    rows = [
        {"question": f"zebr{'a' * (n + 1)}", "evidence": [{"uri": "seal.md", "line_start": 3}]}
        for n in range(70)
    ]
    path = saved(tmp_path, "many.jsonl", jsonl(*rows, {"question": "seal", "evidence": [{"uri": "seal.md"}]}))
    words = ("eval", path, "--in", lib, "--legs", "lexical")
    code, out, _ = run(*words)
    assert code == 0 and out.count("\nMISS  ") == 20 and "… 50 more; --all or --json lists all" in out
    assert "\nok  " not in out
    out = run(*words, "--all")[1]
    assert out.count("\nMISS  ") == 70 and out.count("\nok  ") == 1


def test_whole_documents_are_found_by_their_uris(lib: Path, run: Run, tmp_path: Path) -> None:
    path = saved(tmp_path, "whole.tsv", "flange torque\tvalve.md\n")
    found = read(run("eval", path, "--in", lib, "--json")[1])["questions"][0]
    assert found["expected"] == ["valve.md"] and found["rank"] == 1
    assert found["found"][0] == "valve.md" and len(found["found"]) == len(set(found["found"]))


def test_a_folder_never_synced_is_synced_whole_first(run: Run, tmp_path: Path, labels: Path) -> None:
    write(tmp_path / "new", FILES)
    code, out, err = run("eval", labels, "--in", tmp_path / "new", "--json")
    assert code == 0 and "was never synced, so it was synced first" in err
    assert read(run("status", "--in", tmp_path / "new", "--json")[1])["dense_complete"] == 1
    assert read(out)["notices"]


@pytest.mark.parametrize(("k", "told"), [("2", False), ("4", True), ("40", True)])
def test_a_k_that_the_prompt_cannot_hold_is_pointed_out(
    lib: Path, labels: Path, run: Run, monkeypatch: pytest.MonkeyPatch, k: str, told: bool
) -> None:
    """The chunks have some 10 tokens each."""
    monkeypatch.setenv("PINCITE_CONTEXT_BUDGET", "30")
    notices = read(run("eval", labels, "--in", lib, "--k", k, "--json")[1])["notices"]
    assert any("a prompt of context.budget = 30 tokens holds about" in one for one in notices) == told


def test_missing_vectors_are_made_first_and_not_for_the_lexical_leg(
    run: Run, tmp_path: Path, labels: Path
) -> None:
    write(tmp_path / "new", FILES)
    assert run("search", "seal", "--in", tmp_path / "new", "--legs", "lexical", "-q")[0] == 0
    code, _, err = run("eval", labels, "--in", tmp_path / "new", "--legs", "lexical")
    assert (code, err) == (0, "")
    assert read(run("status", "--in", tmp_path / "new", "--json")[1])["dense_complete"] < 1
    code, _, err = run("eval", labels, "--in", tmp_path / "new")
    assert code == 0 and "had texts without a vector, so it was synced first" in err
    assert read(run("status", "--in", tmp_path / "new", "--json")[1])["dense_complete"] == 1


def test_an_index_behind_its_folder_is_said(run: Run, tmp_path: Path, labels: Path) -> None:
    root = tmp_path / "new"
    write(root, FILES)
    run("sync", root, "-q")
    write(root, {"seal.md": "# Seal\n\nThrow it away.\n", "more.md": "More.\n"})
    (root / "lamp.txt").unlink()
    code, out, err = run("eval", labels, "--in", root, "--json")
    assert code == 0 and "behind its folder (1 changed, 1 gone, 1 not indexed)" in err
    assert read(out)["questions"][1]["rank"] == 1  # measured is the index as it is
    saved(root, "pincite.toml", "[chunk]\nsize = 64\n")
    code, _, err = run("eval", labels, "--in", root)
    assert code == 5 and "pincite sync" in err


def test_labels_that_are_gone_or_moved_are_said(run: Run, tmp_path: Path) -> None:
    write(tmp_path / "new", FILES)
    rows = [
        {"question": "torque", "evidence": [{"uri": "valve.md", "line_start": 1, "quote": "takes 41 Nm"}]},
        {"question": "seal", "evidence": [{"uri": "sael.md", "line_start": 3}]},
    ]
    path = saved(tmp_path, "labels.jsonl", jsonl(*rows))
    code, out, err = run("eval", path, "--in", tmp_path / "new", "--json")
    assert code == 0 and "1 of 2 labels are not found" in err and "1 of 2 labels moved" in err
    found = read(out)["questions"]
    assert (found[0]["rank"], found[0]["expected"]) == (1, ["valve.md:7"])
    assert found[0]["labels"] == ["valve.md:1: moved to valve.md:7"]
    assert found[1]["labels"] == ["sael.md:3: not in corpus (labels.jsonl:2)"]


def test_searches_that_fail_are_named_and_exit_with_8(
    labels: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "new", FILES)
    with embedding_server() as server:
        monkeypatch.setenv("PINCITE_MODEL_BASE_URL", server.url)
        words = ("eval", labels, "--in", tmp_path / "new", "--model", "api:some", "--k", "1")
        assert run("sync", tmp_path / "new", "--model", "api:some", "-q")[0] == 0
        server.planned.append((400, {}, {"error": "too tired"}))
        code, out, _ = run(*words)
        assert code == 8 and re.search(r"^Error  q1  What torque .*tired", out, re.M)
        assert "Error (1)" in out.split("\n\n")[1] and " 1 failed" in out
        server.planned.append((400, {}, {"error": "too tired"}))
        code, out, _ = run(*words, "--json", "--fail-under", "R@1=1")
        found = read(out)
        assert code == 8 and found["counts"]["failed"] == 1
        assert "tired" in found["questions"][0]["error"] and found["questions"][0]["rank"] is None


def test_a_search_that_fails_stops_no_other_diagnosis(
    labels: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "new", FILES)
    tired = (400, {}, {"error": "too tired"})
    with embedding_server() as server:
        monkeypatch.setenv("PINCITE_MODEL_BASE_URL", server.url)
        words = ("why", labels, "--in", tmp_path / "new", "--model", "api:some", "--json")
        assert run("sync", tmp_path / "new", "--model", "api:some", "-q")[0] == 0
        server.planned.append(tired)
        code, out, _ = run(*words)
        first, *others = json.loads(out)["findings"]
        assert (code, first["code"], first["stage"]) == (8, "unknown", "retrieve")
        assert "q1 could not be asked" in first["proof"] and "tired" in first["proof"]
        assert others and all(one["code"] != "unknown" for one in others)
        server.planned += [tired] * (MOST_FAILURES + 1)
        code, out, err = run(*words)
        assert (code, json.loads(out)["error"]["exit_code"]) == (6, 6), err


# ── gates and saved runs ──────────────────────────────────────────────────────────────────────
def test_a_gate_holds_or_exits_with_1(lib: Path, labels: Path, run: Run) -> None:
    words = ("eval", labels, "--in", lib, "--json", "--k", "1")
    assert run(*words, "--fail-under", "R@1=.5", "--fail-under", "P@5=.01")[0] == 0
    code, out, err = run(*words, "--fail-under", "R@1=.9", "--fail-under", "AP=.95")
    found = read(out)
    assert code == 1 and "R@1 is 0.6667, below 0.9" in err and "AP" in found["metrics"]
    assert found["gate"]["passed"] is False and len(found["gate"]["failures"]) == 2


def test_a_saved_run_is_a_baseline_and_can_be_compared(lib: Path, labels: Path, run: Run) -> None:
    words = ("eval", labels, "--in", lib)
    assert run(*words, "--save", "base")[0] == 0
    assert (lib / ".pincite/runs/base.json").is_file()
    code, out, _ = run(*words, "--k", "1", "--legs", "lexical", "--save", "lexical", "--baseline", "base")
    assert code == 0 and re.search(r"^Baseline   nDCG@10 0\.\d+ → .*: no more than chance$", out, re.M)
    code, out, err = run("compare", "base", "lexical", "--in", lib)
    assert (code, err) == (0, "")
    assert "base → lexical: questions, 3 questions" in out and "k  10 → 1" in out
    assert "search.legs  lexical+dense → lexical" in out
    code, out, _ = run("compare", "base", "lexical", "--in", lib, "--json", "--measures", "nDCG@10")
    found = read(out)
    assert (found["base"], found["new"], list(found["measures"])) == ("base", "lexical", ["nDCG@10"])
    one = found["measures"]["nDCG@10"]
    assert len(one["wins"]) + len(one["losses"]) + len(one["ties"]) == 3 and one["p"] <= one["p_holm"] <= 1
    assert run("sync", lib, "-q")[0] == 0 and (lib / ".pincite/runs/base.json").is_file()


def test_what_json_prints_can_be_compared_as_a_file(
    lib: Path, labels: Path, run: Run, tmp_path: Path
) -> None:
    path = saved(tmp_path, "run.json", run("eval", labels, "--in", lib, "--json")[1])
    found = read(run("compare", path, path, "--in", lib, "--json")[1])
    assert {one["difference"] for one in found["measures"].values()} == {0.0}


def test_a_baseline_of_other_questions_is_refused_before_anything_is_asked(
    lib: Path, labels: Path, run: Run
) -> None:
    assert run("eval", labels, "--in", lib, "--save", "first", "--limit", "2")[0] == 0
    code, out, err = run("eval", labels, "--in", lib, "--baseline", "first")
    assert (code, out) == (4, "") and "2 only in the new (q3, q4)" in err


UNANSWERABLE = "question\ttarget\nWho sells the pump?\t\nWho invented the lamp?\t\n"


def test_a_set_without_answers_is_measured_by_what_is_refused(lib: Path, run: Run, tmp_path: Path) -> None:
    path = saved(tmp_path, "none.tsv", UNANSWERABLE)
    code, out, err = run("eval", path, "--in", lib)
    assert (code, out) == (2, "") and "pincite eval --answers measures whether such questions" in err
    words = ("eval", path, "--in", lib, "--answers", "--save", "refusals")
    code, out, err = run(*words)
    assert code == 0 and "Error" not in err
    assert "2 questions unanswerable, measured below: q1, q2" in out and "nDCG" not in out
    found = read(run(*words, "--json")[1])
    assert found["metrics"] == {} and found["answers"]["counts"]["unanswerable"] == 2
    assert run("report", "refusals", "--in", lib, "-o", tmp_path / "page.html")[0] == 0
    code, _, err = run(
        "eval", saved(tmp_path, "open.jsonl", jsonl({"question": "Who?"})), "--in", lib, "--answers"
    )
    assert code == 2 and "none of its questions can be judged" in err


def test_figures_of_answers_can_be_a_gate(lib: Path, labels: Path, run: Run) -> None:
    words = ("eval", labels, "--in", lib, "--answers", "-q")
    assert run(*words, "--fail-under", "quote_exactness=1", "--fail-under", "RR=.1")[0] == 0
    code, _, err = run(*words, "--fail-under", "citation_recall=.99")
    assert code == 1 and re.search(r"the gate does not hold: citation_recall is 0\.\d{4}, below 0.99", err)
    code, _, err = run(*words, "--fail-under", "judged_supported=.1")
    assert code == 1 and "judged_supported: there are no questions to measure it over" in err
    code, out, err = run("eval", labels, "--in", lib, "--fail-under", "citation_recall=.1")
    assert (code, out) == (2, "") and "add --answers" in err


def test_labels_of_another_library_are_no_success(lib: Path, run: Run, tmp_path: Path) -> None:
    path = saved(tmp_path, "topics.tsv", "t1\tHow deep?\nt2\tHow tall?\n")
    code, out, err = run("eval", path, "--in", lib)
    assert (code, out) == (4, "")
    assert "2 of 2 labels name files that are not in the index" in err and "--qrels" in err
    path = saved(
        tmp_path, "lost.jsonl", '{"question": "How deep?", "evidence": [{"uri": "valve.md", "quote": "xyz"}]}'
    )
    code, out, err = run("eval", path, "--in", lib)
    assert code == 1 and "MISS (1)" in out and "Error: none of the 1 labels stands in the index: " in err


def test_columns_stand_below_each_other_in_every_script(lib: Path, run: Run, tmp_path: Path) -> None:
    rows = "question\ttarget\ttags\nWhat torque does the flange take?\tvalve.md:7\t保养, e\u0301te\u0301\n"
    out = run("eval", saved(tmp_path, "zh.tsv", rows), "--in", lib)[1]
    table = out[out.index("tag ") :].splitlines()[:3]
    shown = [line.replace("保养", "zhzh").replace("\u0301", "") for line in table]
    assert [line.split()[0] for line in shown] == ["tag", "ete", "zhzh"]
    assert {line.index(word) for line, word in zip(shown, ("questions", "1", "1"), strict=True)} == {6}


def test_nothing_found_at_all_is_no_success(lib: Path, run: Run, tmp_path: Path) -> None:
    path = saved(tmp_path, "labels.tsv", "zebra\tseal.md:3\n")
    code, out, err = run("eval", path, "--in", lib, "--legs", "lexical", "--json")
    assert code == 1 and "no question found anything at all" in err
    assert set(read(out)["metrics"].values()) == {0.0} and "NaN" not in out


# ── BEIR ──────────────────────────────────────────────────────────────────────────────────────
@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "beir"
    docs = [("10", "Valve", "The flange takes 41 Nm."), ("20", "", "Grease the seal once a year.")]
    saved(folder, "corpus.jsonl", jsonl(*({"_id": i, "title": t, "text": x} for i, t, x in docs)))
    saved(folder, "queries.jsonl", jsonl({"_id": "7", "text": "flange torque"}, {"_id": "8", "text": "seal"}))
    saved(folder, "qrels.tsv", "query-id\tcorpus-id\tscore\n7\t10\t1\n8\t10\t2\n")
    return folder


def test_a_beir_folder_is_indexed_once_and_speaks_of_its_own_ids(
    beir: Path, run: Run, tmp_path: Path
) -> None:
    words = ("eval", "--beir", beir, "--json", "--k", "1", "--save", "base", "--run-out", "run.trec")
    code, out, err = run(*words)
    found = read(out)
    assert code == 0 and "not complete" in err
    assert [one["expected"] for one in found["questions"]] == [["10"], ["10"]]
    assert [one["found"] for one in found["questions"]] == [["10"], ["20"]]
    assert read_run(tmp_path / "here/run.trec") == {"7": ("10", "20"), "8": ("20", "10")}
    root = next((tmp_path / "data/pincite/collections").iterdir())
    made = {path.name: path.stat().st_mtime_ns for path in root.iterdir() if path.suffix == ".md"}
    code, out, err = run(*words)
    assert (code, err) == (0, "") and read(out)["index"] == found["index"]
    assert made == {path.name: path.stat().st_mtime_ns for path in root.iterdir() if path.suffix == ".md"}
    (root / "d000000.md").unlink()
    assert read(run(*words)[1])["metrics"] == found["metrics"] and (root / "d000000.md").is_file()
    assert run("compare", "base", "base", "--beir", beir, "--json")[0] == 0
    assert read(run("eval", "--beir", beir, "--json", "--run", "run.trec")[1])["metrics"] == {
        name: pytest.approx(value) for name, value in read(run(*words[:4])[1])["metrics"].items()
    }


def test_another_file_of_questions_for_a_corpus(beir: Path, run: Run, tmp_path: Path) -> None:
    queries = saved(beir, "queries_train.jsonl", jsonl({"_id": "9", "text": "grease"}))
    qrels = saved(beir, "train.tsv", "query-id\tcorpus-id\tscore\n9\t20\t1\n")
    found = read(run("eval", queries, "--beir", beir, "--qrels", qrels, "--json")[1])
    assert [(one["question_id"], one["rank"]) for one in found["questions"]] == [("9", 1)]


def test_spans_of_a_corpus_are_expected_at_their_lines(beir: Path, run: Run) -> None:
    span = {"query_id": "7", "doc_id": "10", "start": 17, "end": 22, "text": "41 Nm"}
    saved(beir, "spans.jsonl", jsonl(span, {**span, "start": 0, "end": 10, "text": "The flange"}))
    found = read(run("eval", "--beir", beir, "--json")[1])["questions"][0]
    assert (found["expected"], found["found"][0], found["rank"]) == (["10:3"], "10:1-3", 1)


def test_settings_that_change_are_followed_by_a_corpus(
    beir: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = read(run("eval", "--beir", beir, "--json")[1])
    monkeypatch.setenv("PINCITE_CHUNK_SIZE", "64")
    code, out, _ = run("eval", "--beir", beir, "--json")
    assert code == 0 and read(out)["settings"]["chunk"]["size"] == 64
    assert read(out)["index"] != first["index"]


# ── questions check ───────────────────────────────────────────────────────────────────────────
def test_check_names_what_is_wrong(lib: Path, labels: Path, run: Run, tmp_path: Path) -> None:
    code, out, _ = run("questions", "check", labels, "--in", lib)
    assert code == 0 and out.startswith("4 questions read from questions: 3 with evidence, 1 unanswerable; ")
    assert "too few" in out
    bad = saved(tmp_path, "bad.tsv", "How old is it?\tvalev.md:3\nHow old is it?\tseal.md:99\n")
    code, out, _ = run("questions", "check", bad, "--in", lib, "--json")
    problems = [(one["where"], one["question_id"], one["code"]) for one in read(out)["problems"]]
    assert code == 1 and problems == [
        ("bad.tsv:1", "q1", "file gone"),
        ("bad.tsv:2", "q2", "duplicate"),
        ("bad.tsv:2", "q2", "no such place"),
        ("bad", "", "too few"),
    ]
    assert "did you mean valve.md?" in read(out)["problems"][0]["message"]


def test_check_of_a_corpus_speaks_of_its_ids(beir: Path, run: Run) -> None:
    saved(beir, "qrels.tsv", "query-id\tcorpus-id\tscore\n7\t10\t1\n8\t99\t1\n")
    code, out, _ = run("questions", "check", "--beir", beir, "--json", "--difference", "1")
    found = read(out)["problems"]
    assert code == 1 and [(one["where"], one["question_id"], one["code"]) for one in found] == [
        ("queries.jsonl:2", "8", "file gone")
    ]
    assert found[0]["message"].startswith("99: ")


# ── bad input ─────────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["eval", "--in", "LIB"], 2, "no questions named"),
        (["eval", "no.tsv", "--in", "LIB"], 4, "no.tsv: cannot be read"),
        (["eval", "L", "--in", "/no/such"], 4, "/no/such does not exist"),
        (["eval", "L", "--in", "LIB", "--k", "0"], 2, "--k: expected a whole number of at least 1"),
        (["eval", "L", "--in", "LIB", "--limit", "0"], 2, "--limit"),
        (["eval", "L", "--in", "LIB", "--measures", "nDGC@5"], 2, "nDGC@5"),
        (["eval", "L", "--in", "LIB", "--measures", "R"], 2, "R@10"),
        (["eval", "L", "--in", "LIB", "--measures", "P@0"], 2, "P@0"),
        (["eval", "L", "--in", "LIB", "--measures", ","], 2, "--measures"),
        (["eval", "L", "--in", "LIB", "--fail-under", "nDCG@10"], 2, "measure=number from 0 to 1"),
        (["eval", "L", "--in", "LIB", "--fail-under", "nDCG@10=7"], 2, "measure=number from 0 to 1"),
        (["eval", "L", "--in", "LIB", "--fail-under", "nDCG@10=nan"], 2, "measure=number from 0 to 1"),
        (["eval", "L", "--in", "LIB", "--filter", "colour=red"], 2, "colour"),
        (["eval", "L", "--in", "LIB", "--save", "../x"], 2, "name of a run"),
        (["eval", "L", "--in", "LIB", "--baseline", "nothing"], 4, "no such run"),
        (["eval", "L", "--in", "LIB", "--run", "no.trec"], 4, "no.trec"),
        (["eval", "L", "--in", "NEW", "--run-out", "no/such/x.run"], 4, "no file can be written there"),
        (["eval", "L", "--in", "NEW", "--qrels-out", "NEW"], 4, "no file can be written there"),
        (["eval", "L", "--in", "NEW", "--run-out", "L"], 2, "is there already and is not a TREC run"),
        (["eval", "L", "--in", "NEW", "--qrels-out", "L"], 2, "is there already and is not TREC judgements"),
        (["eval", "L", "--in", ""], 2, "expected the name of a folder, got ''"),
        (["sync", ""], 2, "expected the name of a folder, got ''"),
        (["status", "--in", "LIB", "--index", ""], 2, "expected the name of a folder, got ''"),
        (["eval", "L", "--in", "LIB", "--beir", "LIB"], 2, "two libraries"),
        (["eval", "--beir", "LIB"], 4, "queries.jsonl"),
        (["eval", "L", "--in", "LIB", "--qrels", "L"], 4, "cannot be used"),
        (["eval", "EMPTY", "--in", "LIB"], 4, "no questions in it"),
        (["eval", "REFUSE", "--in", "LIB"], 2, "none of its 1 questions has an answer"),
        (["eval", "TWICE", "--in", "LIB"], 4, "twice.tsv:3"),
        (["eval", "OUTSIDE", "--in", "LIB"], 4, "../x.md"),
        (["why", "Where?", "--expect", "", "--in", "LIB"], 2, "--expect: no place is named"),
        (["why", "Where?", "--expect", " , ", "--in", "LIB"], 2, "--expect: no place is named"),
        (["compare", "a", "b", "--in", "LIB"], 4, "no such run"),
        (["questions", "--in", "LIB"], 2, "ACTION"),
        (["questions", "check", "--in", "LIB"], 2, "no questions named"),
        (["questions", "check", "L", "--in", "LIB", "--difference", "0"], 2, "--difference"),
    ],
)
def test_bad_input_ends_with_its_code_and_names_what_is_wrong(
    lib: Path, labels: Path, run: Run, tmp_path: Path, words: list[str], code: int, said: str
) -> None:
    files = {
        "LIB": lib,
        "L": labels,
        "NEW": saved(tmp_path / "new", "a.md", "# A\n\nNever synced.\n").parent,
        "EMPTY": saved(tmp_path, "empty.tsv", "# nothing\n\n"),
        "REFUSE": saved(tmp_path, "refuse.tsv", "Is it red?\t\n"),
        "TWICE": saved(tmp_path, "twice.tsv", "id\tquestion\ttarget\n1\ta\tseal.md\n1\tb\tseal.md\n"),
        "OUTSIDE": saved(tmp_path, "outside.tsv", "Where?\t../x.md:3\n"),
    }
    got, out, err = run(*(files.get(word, word) for word in words), "--json")
    error = json.loads(out)["error"]
    assert got == error["exit_code"] == code, err
    assert said in f"{error['message']} {error['hint']}"
    assert not (files["NEW"] / ".pincite").exists()


def test_a_run_of_a_library_never_synced_can_be_kept(labels: Path, run: Run, tmp_path: Path) -> None:
    write(tmp_path / "new", FILES)
    trec = saved(tmp_path, "run.trec", "q1 Q0 valve.md 1 -1 x\n")
    assert run("eval", labels, "--run", trec, "--in", tmp_path / "new", "--save", "theirs", "-q")[0] == 0
    assert os.listdir(tmp_path / "new/.pincite/runs") == ["theirs.json"]  # noqa: PTH208
    assert run("sync", tmp_path / "new", "-q")[0] == 0
    code, _, err = run("eval", labels, "--in", tmp_path / "new", "--baseline", "theirs", "--measures", "RR")
    assert code == 2 and "has no RR" in err


def test_a_linked_folder_of_runs_is_not_written_to(labels: Path, run: Run, tmp_path: Path) -> None:
    write(tmp_path / "new", FILES)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "new/.pincite").mkdir()
    (tmp_path / "new/.pincite/runs").symlink_to(tmp_path / "elsewhere")
    trec = saved(tmp_path, "run.trec", "q1 Q0 valve.md 1 -1 x\n")
    code, _, err = run("eval", labels, "--run", trec, "--in", tmp_path / "new", "--save", "theirs")
    assert code == 7 and "link" in err and list((tmp_path / "elsewhere").iterdir()) == []


def test_each_fault_of_a_label_file_stands_on_its_own_line(
    lib: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = saved(tmp_path, "bad.tsv", "a?\t../x.md:3\nb?\t/abs.md:2\n")
    assert main(["eval", str(bad), "--in", str(lib), "-q"]) == 4
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[0].strip() for line in lines[1:3]] == ["bad.tsv:1", "bad.tsv:2"]


def test_a_run_names_its_stemmers_and_the_weights_that_fusion_used(
    lib: Path, run: Run, tmp_path: Path
) -> None:
    path = saved(tmp_path, "one.tsv", "What torque does the flange take?\tvalve.md:7\n")
    settings = read(run("eval", path, "--in", lib, "--json")[1])["settings"]
    assert settings["stemmers"] == ["english"] and settings["search"]["lexical_weight"] is None
    weights = {"fusion": "convex", "lexical_weight": 0.5, "dense_weight": 0.5, "feedback": 0.4}
    assert settings["weights"] == weights
    shown = run("eval", path, "--in", lib)[1]
    assert "stemmers english" in shown and "weights.lexical_weight 0.5" in shown
    rrf = read(run("eval", path, "--in", lib, "--json", "--fusion", "rrf")[1])["settings"]["weights"]
    assert rrf == {"fusion": "rrf", "rrf_k": 60}
