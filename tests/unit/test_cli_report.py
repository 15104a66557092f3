"""`report` and `eval --why` on small folders: what they write, say, refuse, and exit with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import Run, read, run
from html_page import elements
from labels import jsonl, saved
from libraries import write
from pincite.cli import main

__all__ = ["run"]

FILES = {
    "valve.md": "# Valve\n\nOpen the relief valve before priming.\n\n# Torque\n\nThe flange takes 41 Nm.\n",
    "pump.md": "# Pump\n\nThe pump runs at three bar and needs a filter.\n",
    "lamp.txt": "The lamp has two spare fuses in the lid.\n",
}
QUESTIONS = (
    "question\ttarget\n"
    "What torque does the flange take?\tvalve.md:7\n"
    "Where are the spare fuses of the lamp?\tpump.md:3\n"
    "Who sells the pump?\t\n"
)


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the runs `plain`, `base` and `lexical`; the last two with a diagnosis."""
    root = tmp_path_factory.mktemp("reported") / "lib"
    write(root, FILES)
    questions = saved(root.parent, "questions.tsv", QUESTIONS)
    assert main(["sync", str(root), "-q"]) == 0
    words = ["eval", str(questions), "--in", str(root), "-q", "--k", "1", "--save"]
    for more in (["plain"], ["base", "--why"], ["lexical", "--why", "--legs", "lexical"]):
        assert main([*words, *more]) == 0
    return root


def test_eval_keeps_the_diagnosis(lib: Path, run: Run) -> None:
    plain, base = (read((lib / f".pincite/runs/{name}.json").read_text()) for name in ("plain", "base"))
    assert plain["diagnosis"] is None
    found = base["diagnosis"]
    assert [one["question_id"] for one in found["findings"]] == ["q1", "q2"] and found["apart"] == ["q3"]
    assert found["findings"][0]["code"] == "found" and found["funnel"][0]["left"] == 2
    code, out, _ = run("why", lib.parent / "questions.tsv", "--in", lib, "--k", "1", "--json")
    assert code == 0 and read(out)["findings"] == found["findings"]


def test_eval_shows_the_diagnosis(lib: Path, run: Run) -> None:
    words = ("eval", lib.parent / "questions.tsv", "--in", lib, "--k", "1")
    code, out, err = run(*words, "--why")
    assert (code, err) == (0, "") and "Questions left after each stage" in out
    assert read(run(*words, "--why", "--json")[1])["diagnosis"]["counts"]["found"] == 1
    assert "Questions left" not in run(*words)[1]
    code, _, err = run(*words, "--why", "--run", "other.trec")
    assert code == 2 and "--run measures another engine's" in err


def test_a_report_is_written_for_a_run(lib: Path, run: Run) -> None:
    code, out, err = run("report", "base", "--in", lib, "-o", "page.html")
    assert (code, out, err) == (0, "page.html: base, 1 failing\n", "")
    page = Path("page.html").read_text("utf-8")
    assert sum(one.name == "article" for one in elements(page)) == 1
    assert "Where are the spare fuses of the lamp?" in page and "lamp.txt:1" in page
    code, out, _ = run("report", "base", "--in", lib, "--json")
    assert read(out) == {
        "report": "report.html",
        "bytes": len(page.encode()),
        "runs": ["base"],
        "failing": 1,
        "diagnosis": True,
    }
    assert Path("report.html").read_text("utf-8") == page
    assert sorted(path.name for path in Path().iterdir()) == ["page.html", "report.html"]


def test_a_page_is_written_over_a_page_and_over_nothing_else(lib: Path, run: Run) -> None:
    assert run("report", "base", "--in", lib)[0] == run("report", "lexical", "--in", lib)[0] == 0
    for there in (lib / "lamp.txt", lib.parent / "questions.tsv"):
        text = there.read_bytes()
        code, _, err = run("report", "base", "--in", lib, "-o", there)
        assert code == 2 and "is there already and is not a page of pincite report" in err
        assert there.read_bytes() == text
    code, _, err = run("report", "base", "--in", lib, "-o", lib / "lamp.txt" / "page.html")
    assert code == 4 and "no file can be written there" in err
    Path("empty.html").touch()
    assert run("report", "base", "--in", lib, "-o", "empty.html")[0] == 0


def test_a_file_needs_no_library(lib: Path, run: Run) -> None:
    file = lib / ".pincite/runs/plain.json"
    code, out, err = run("report", file)
    assert (code, out, err) == (0, "report.html: plain, 1 failing\n", "")
    assert "pincite eval FILE --save plain --why" in Path("report.html").read_text("utf-8")
    assert not Path(".pincite").exists()


def test_a_report_of_two_runs(lib: Path, run: Run) -> None:
    code, out, _ = run("report", "base", "lexical", "--in", lib, "-o", "diff.html")
    assert (code, out) == (0, "diff.html: base → lexical, 1 failing\n")
    page = Path("diff.html").read_text("utf-8")
    assert "search.legs" in page and "base → lexical: Pincite report" in page


def test_what_is_refused(lib: Path, run: Run) -> None:
    code, _, err = run("report", "bas", "--in", lib)
    assert code == 4 and "no such run" in err and "did you mean base?" in err
    code, _, err = run("report", "a.json", "b.json", "c.json")
    assert code == 2 and "expected one run or two, got 3" in err
    code, _, err = run("report", "base", "--in", lib, "-o", "no/such/folder.html")
    assert code == 4 and "no/such/folder.html: no file can be written there" in err
    other = saved(
        lib.parent, "other.jsonl", jsonl({"question": "Which lamp?", "evidence": [{"uri": "lamp.txt"}]})
    )
    assert run("eval", other, "--in", lib, "-q", "--save", "other")[0] == 0
    code, _, err = run("report", "base", "other", "--in", lib)
    assert code == 4 and "measured with other questions" in err
    assert not Path("report.html").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("findings", 0, "code", "lost"), "code: expected one of found,"),
        (("findings", 0, "ranks", {"lexical": 0}), "lexical: expected a whole number of at least 1"),
        (("findings", 0, "remedies", [{"setting": 1}]), "setting: expected a string"),
        (("funnel", 0, "left", -1), "left: expected a whole number of at least 0"),
    ],
)
def test_a_diagnosis_that_is_none_is_refused(
    lib: Path, run: Run, change: tuple[str, int, str, object], said: str
) -> None:
    data = json.loads((lib / ".pincite/runs/base.json").read_text())
    part, at, field, value = change
    data["diagnosis"][part][at][field] = value
    Path("broken.json").write_text(json.dumps(data))
    code, _, err = run("report", "broken.json")
    assert code == 4 and f"broken.json is not a run: {said}" in err


def test_why_of_a_complete_index_announces_no_building(lib: Path, run: Run) -> None:
    code, _, err = run("why", lib.parent / "questions.tsv", "--in", lib, "--k", "1")
    assert code == 0 and "not complete" not in err
