"""The query log: off unless the user wants it, bounded, for its owner alone; and labels made from it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from command_line import Run, read, run
from labels import jsonl, saved
from libraries import library, write
from pincite.calls import querylog
from pincite.calls.querylog import read_log
from pincite.config import Config
from pincite.config.load import build_config, load_settings
from pincite.errors import UsageError
from pincite.evaluate.questions import read_questions

__all__ = ["run"]

FILES = {
    "valve.md": "# Torque\n\nThe flange takes 41 Nm.\n\nTighten it crosswise.\n",
    "seal.md": "# Seal\n\nGrease the seal once a year.\n",
}
ON = Config(query_log=True)
QUESTION = "What torque does the flange take?"


# ── writing ───────────────────────────────────────────────────────────────────────────────────
def test_nothing_is_logged_unless_it_is_switched_on(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as lib:
        lib.ask(QUESTION)
    assert not (tmp_path / ".pincite/queries.jsonl").exists()


def test_searches_and_asks_are_logged_with_what_they_found(tmp_path: Path) -> None:
    with library(tmp_path, FILES, config=ON) as lib:
        lib.sync()
        hits = lib.search("seal", k=2, filter="type=markdown").hits
        answer = lib.ask(QUESTION)
        lib.ask("Who sells violins in Antarctica?")
    path = tmp_path / ".pincite/queries.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    search, asked, none = map(json.loads, path.read_text().splitlines())
    assert (search["command"], search["query"], search["k"]) == ("search", "seal", 2)
    assert search["filter"] == 'type = "markdown"' and search["hits"] == [hit.location for hit in hits]
    assert search["time"].endswith("+00:00") and "claims" not in search
    (citation,) = asked["claims"][0]["citations"]
    cited = answer.claims[0].citations[0]
    assert (citation["location"], citation["quote"], citation["verified"]) == (
        "valve.md:3",
        cited.quote,
        True,
    )
    assert not asked["abstained"] and none["abstained"] and none["claims"] == []
    assert [(one.number, one.query) for one in read_log(tmp_path / ".pincite")] == [
        (1, "Who sells violins in Antarctica?"),
        (2, QUESTION),
        (0, "seal"),
    ]


def test_measuring_is_not_logged(tmp_path: Path) -> None:
    labels = saved(tmp_path, "q.tsv", f"{QUESTION}\tvalve.md:3\n")
    with library(tmp_path / "lib", FILES, config=ON) as lib:
        lib.evaluate(labels)
        lib.answers(labels)
    assert not (tmp_path / "lib/.pincite/queries.jsonl").exists()


def test_the_log_is_turned_over_at_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(querylog, "MAX_BYTES", 500)
    with library(tmp_path, FILES, config=ON) as lib:
        for number in range(12):
            lib.search(f"seal number {number}")
    index = tmp_path / ".pincite"
    sizes = [(index / name).stat().st_size for name in ("queries.jsonl", "queries.1.jsonl")]
    assert all(0 < size <= 500 for size in sizes)
    logged = [one.query for one in read_log(index)]
    assert (
        logged == [f"seal number {number}" for number in range(11, 11 - len(logged), -1)] and len(logged) < 12
    )


def test_a_log_that_cannot_be_written_breaks_no_search(tmp_path: Path) -> None:
    with library(tmp_path, FILES, config=ON) as lib:
        lib.sync()
        (tmp_path / ".pincite/queries.jsonl").mkdir()
        found = lib.search("seal")
        assert found.hits and any(notice.startswith("the query was not logged") for notice in found.notices)
        answer = lib.ask(QUESTION)
        assert answer.claims and any("not logged" in notice for notice in answer.search.notices)


def test_a_link_in_the_place_of_the_log_is_not_followed(tmp_path: Path) -> None:
    target = saved(tmp_path, "elsewhere.txt", "mine\n")
    with library(tmp_path / "lib", FILES, config=ON) as lib:
        lib.sync()
        (tmp_path / "lib/.pincite/queries.jsonl").symlink_to(target)
        assert any("not logged" in notice for notice in lib.search("seal").notices)
    assert target.read_text() == "mine\n"


def test_lines_that_are_no_entries_are_passed_over(tmp_path: Path) -> None:
    with library(tmp_path, FILES, config=ON) as lib:
        lib.ask(QUESTION)
    path = tmp_path / ".pincite/queries.jsonl"
    path.write_text(path.read_text() + '{"command": "ask"}\n[1]\nhalf a li')
    assert [(one.number, one.query) for one in read_log(tmp_path / ".pincite")] == [(1, QUESTION)]


def test_a_library_may_not_switch_it_on(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text("query_log = true\n")
    with pytest.raises(UsageError, match="may not set query_log"):
        load_settings(tmp_path, env={"HOME": "/nonexistent"})
    env = {"HOME": "/nonexistent", "PINCITE_QUERY_LOG": "true"}
    assert build_config(load_settings(None, env=env)).query_log


# ── questions add, log ────────────────────────────────────────────────────────────────────────
@pytest.fixture
def docs(tmp_path: Path) -> Path:
    write(tmp_path / "docs", FILES)
    return tmp_path / "docs"


def test_a_question_is_added_with_the_words_of_its_place(docs: Path, run: Run, tmp_path: Path) -> None:
    words = ("questions", "add", "How", "tight is it?", "--expect", "valve.md:3", "--in", docs)
    code, out, _ = run(*words, "--answer", "41 Nm", "--tag", "metal")
    assert (code, out) == (0, "q1 added to questions.jsonl: How tight is it?  valve.md:3\n")
    (one,) = read_questions(tmp_path / "here/questions.jsonl").questions
    (qrel,) = one.qrels
    assert (one.text, one.answer, one.tags, one.synthetic) == ("How tight is it?", "41 Nm", ("metal",), False)
    assert (qrel.line_start, qrel.quote) == (3, "The flange takes 41 Nm.")
    assert qrel.quote_sha == hashlib.sha256(b"The flange takes 41 Nm.").hexdigest()
    code, _, err = run("questions", "add", "how tight  is it", "--expect", "valve.md:5", "--in", docs)
    assert code == 2 and "asks that already, as q1" in err
    assert run("questions", "add", "Who sells it?", "--unanswerable", "--in", docs)[0] == 0
    assert run("questions", "check", "questions.jsonl", "--in", docs, "-q")[0] == 0


def test_a_heading_stays_a_label_of_its_section(docs: Path, run: Run) -> None:
    assert run("questions", "add", "How often?", "--expect", "seal.md:1", "--in", docs)[0] == 0
    found = read(run("eval", "questions.jsonl", "--in", docs, "--json", "-q")[1])
    assert found["questions"][0]["labels"] == [] and found["questions"][0]["rank"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("Q?", "--expect", "nothing.md:3"), 4, "no such file"),
        (("Q?", "--expect", "valve.md:99"), 4, "no such place"),
        (("Q?", "--expect", "valve.md:2"), 4, "span empty"),
        (("Q?", "--expect", "../x.md:1"), 2, "outside the folder"),
        (("Q?",), 2, "--expect"),
        (("--expect", "valve.md:3"), 2, "no question"),
        (("Q?", "--from-log"), 2, "one of the log too"),
        (("--from-log", "7", "--citation", "1"), 2, "no such question is logged"),
        (("--from-log", "7", "--unanswerable"), 2, "no such question is logged"),
        (("Q?", "--expect", "valve.md:3", "--to", "notes.tsv"), 2, "not in the native form"),
    ],
)
def test_what_cannot_be_added_is_refused(
    words: tuple[str, ...], code: int, says: str, docs: Path, run: Run, tmp_path: Path
) -> None:
    saved(tmp_path / "here", "notes.tsv", "Which?\tvalve.md:3\n")
    found, _, err = run("questions", "add", *words, "--in", docs)
    assert (found, says in err) == (code, True), err
    assert not (tmp_path / "here/questions.jsonl").exists()


def test_a_logged_question_becomes_a_label(
    docs: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_QUERY_LOG", "true")
    assert run("ask", QUESTION, "--in", docs, "-q")[0] == 0
    assert run("search", "seal", "--in", docs, "-q")[0] == 0
    code, out, err = run("questions", "log", "--in", docs)
    assert (code, err) == (0, "") and "  1  20" in out and "     citation 1  valve.md:3  “The flange" in out
    found = read(run("questions", "log", "--in", docs, "--json")[1])
    assert [one["number"] for one in found["queries"]] == [0, 1] and found["on"]
    write(docs, {"valve.md": "Moved.\n\n" + FILES["valve.md"]})
    add = ("questions", "add", "--from-log", "--to", "real.jsonl", "--in", docs)
    code, _, err = run(*add)
    assert code == 2 and "1: valve.md:3" in err
    assert run(*add, "--citation", "9")[0] == 2
    assert run(*add, "--citation", "1", "--tag", "log")[0] == 0
    (one,) = read_questions(tmp_path / "here/real.jsonl").questions
    assert (one.text, one.tags, one.synthetic) == (QUESTION, ("log",), False)
    assert one.qrels[0].location == "valve.md:5" and "41 Nm" in one.qrels[0].quote and "41 Nm" in one.answer
    write(docs, {"valve.md": "# Torque\n\nThe flange takes 35 Nm.\n"})
    code, _, err = run(
        "questions", "add", "--from-log", "1", "--citation", "1", "--to", "new.jsonl", "--in", docs
    )
    assert code == 4 and "no longer holds the words" in err and not (tmp_path / "here/new.jsonl").exists()


def test_a_logged_question_takes_another_place_or_none(
    docs: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_QUERY_LOG", "true")
    for text in ("Who invented the zebra?", QUESTION):
        assert run("ask", text, "--in", docs, "-q")[0] == 0
    add = ("questions", "add", "--to", "real.jsonl", "--in", docs, "--from-log")
    assert run(*add, "2", "--unanswerable")[0] == run(*add, "1", "--expect", "seal.md:3")[0] == 0
    none, placed = read_questions(tmp_path / "here/real.jsonl").questions
    assert (none.text, none.answerable, none.qrels) == ("Who invented the zebra?", False, ())
    assert (placed.text, placed.qrels[0].location) == (QUESTION, "seal.md:3") and placed.qrels[0].quote
    code, _, err = run(*add, "1", "--expect", "seal.md:3", "--citation", "1")
    assert code == 2 and "one of --citation, --expect and --unanswerable" in err and "1: valve.md:3" in err
    code, _, err = run(*add, "2")
    assert code == 2 and "it was not answered" in err


def test_an_empty_log_says_how_to_switch_it_on(docs: Path, run: Run) -> None:
    code, out, err = run("questions", "log", "--in", docs)
    assert (code, out) == (0, "nothing is logged\n") and "query_log = true" in err


def test_ids_are_the_next_free_ones(docs: Path, run: Run, tmp_path: Path) -> None:
    path = saved(tmp_path, "q.jsonl", jsonl({"question_id": "q2", "question": "Which?", "answerable": False}))
    made = run("questions", "add", "New?", "--expect", "valve.md:3", "--to", path, "--in", docs, "--json")[1]
    assert read(made)["question"]["question_id"] == "q3"
