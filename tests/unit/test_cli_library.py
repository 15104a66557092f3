"""The command line on a real library: the sample, synced, asked, shown, and every bad input."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.cli import main

SAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sample"
QUESTION = "Can I immerse it right after replacing the battery?"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synced copy of the sample; tests do not change its files."""
    root = tmp_path_factory.mktemp("cli") / "sample"
    shutil.copytree(SAMPLE, root, ignore=shutil.ignore_patterns(".pincite"))
    assert main(["sync", str(root), "-q"]) == 0
    return root


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs a command in an empty folder; gives exit code, stdout and stderr."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in [n for n in os.environ if n.startswith(("PINCITE_", "OPENAI_"))]:
        monkeypatch.delenv(name)

    def command(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(words)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return command


def read(text: str) -> dict[str, Any]:
    """The one JSON object `text` is."""
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def lines(root: Path, uri: str, first: int, last: int) -> str:
    return "\n".join((root / uri).read_text("utf-8").split("\n")[first - 1 : last])


# ── what works ────────────────────────────────────────────────────────────────────────────────
def test_a_second_sync_counts_everything_as_unchanged(library: Path, run: Run) -> None:
    code, out, err = run("sync", str(library), "--json")
    report = read(out)
    assert (code, err) == (0, "")
    assert report["unchanged"] == report["indexed"] > 10
    assert report["found"] == report["indexed"] + sum(len(report[k]) for k in ("failed", "skipped", "empty"))
    assert (report["added"], report["changed"], report["removed"], report["embedded"]) == ([], [], [], 0)
    assert report["dense_complete"] == 1


def test_every_hit_re_reads_from_the_file(library: Path, run: Run) -> None:
    code, out, _ = run("search", QUESTION, "--in", str(library), "--json", "--k", "20")
    found = read(out)
    assert code == 0 and len(found["hits"]) == 20
    for hit in found["hits"]:
        if not hit["uri"].endswith(".html"):
            there = lines(library, hit["uri"], hit["line_start"], hit["line_end"])
            assert hit["text"].strip() in there
        span = (
            f"{hit['line_start']}-{hit['line_end']}"
            if hit["line_start"] < hit["line_end"]
            else hit["line_start"]
        )
        assert hit["location"] == f"{hit['uri']}:{span}"
        assert hit["stale"] is None
    assert [hit["rank"] for hit in found["hits"]] == list(range(1, 21))


def test_people_see_places_and_matching_lines_without_escapes(library: Path, run: Run) -> None:
    code, out, err = run("search", "ERR-5021", "--in", str(library), "--k", "3")
    assert (code, err) == (0, "")
    assert re.search(r"^ 1  \S+\.md:\d+(-\d+)?  ", out)
    assert "ERR-5021" in out and "\x1b" not in out


def test_an_answer_cites_verified_lines(library: Path, run: Run) -> None:
    code, out, _ = run("ask", QUESTION, "--in", str(library), "--json")
    answer = read(out)
    assert code == 0 and not answer["abstained"] and answer["claims"]
    for claim in answer["claims"]:
        for citation in claim["citations"]:
            assert citation["verified"]
            there = lines(library, citation["uri"], citation["line_start"], citation["line_end"])
            assert " ".join(citation["quote"].split()) in " ".join(there.split())
    code, out, _ = run("ask", QUESTION, "--in", str(library))
    assert code == 0 and re.search(r"^Sources\n\[1\]  \S+:\d+.*verified$", out, re.MULTILINE)


def test_explain_follows_each_hit_through_the_stages(library: Path, run: Run) -> None:
    code, out, _ = run("explain", QUESTION, "--in", str(library))
    assert code == 0
    assert "lexical rank 1" in out and "in the context as [1]" in out and "fused" in out
    found = read(run("explain", QUESTION, "--in", str(library), "--json")[1])
    stages = [step["stage"] for step in found["trace"]["steps"]]
    assert stages.index("fuse") < stages.index("assemble")
    assert found["hits"] and found["evidence"]


def test_a_printed_place_can_be_shown(library: Path, run: Run) -> None:
    hit = read(run("search", "immerse", "--in", str(library), "--json", "--k", "1")[1])["hits"][0]
    code, out, _ = run("show", hit["location"], "--in", str(library), "--json")
    shown = read(out)
    assert code == 0
    assert "\n".join(shown["lines"]) == lines(library, hit["uri"], hit["line_start"], hit["line_end"])
    code, out, _ = run("show", f"{hit['uri']}:2", "--context", "1", "--in", str(library))
    assert [line.split()[0] for line in out.splitlines()] == ["1", "2", "3"]


def test_status_and_parse(library: Path, run: Run) -> None:
    code, out, _ = run("status", "--in", str(library), "--json")
    status = read(out)
    assert code == 0 and status["documents"] > 10 and status["changed"] == status["unindexed"] == []
    assert run("status", "--in", str(library))[0] == 0
    code, out, _ = run("parse", str(library / "manual.md"), "--json")
    document = read(out)
    assert code == 0 and document["type"] == "markdown" and document["sections"] and document["chunks"]
    code, out, _ = run("parse", str(library / "manual.md"), "--map")
    assert code == 0 and len(out.splitlines()) >= len(document["chunks"])
    assert all(re.match(r"manual\.md:\d+", line) for line in out.splitlines()[: len(document["chunks"])])


def test_the_nearest_library_going_up_is_taken(
    library: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(library / "zh")
    code, out, _ = run("status", "--json")
    assert code == 0 and Path(read(out)["root"]).resolve() == library.resolve()


def test_filters_legs_and_one_hit_per_document(library: Path, run: Run) -> None:
    words = ("search", "battery", "--in", str(library), "--json", "--k", "50")
    hits = read(run(*words, "--filter", "type=markdown", "--legs", "lexical")[1])["hits"]
    assert hits and {hit["meta"]["type"] for hit in hits} == {"markdown"}
    assert {hit["legs"]["dense"] is None for hit in hits} == {True}
    uris = [hit["uri"] for hit in read(run(*words, "--per-document")[1])["hits"]]
    assert len(uris) == len(set(uris)) > 1
    assert read(run(*words, "--fusion", "rrf")[1])["hits"]
    assert read(run(*words[:-1], "1000000")[1])["hits"]
    matched = read(run("search", r"ERR-50\d\d", "--regex", "--in", str(library), "--json")[1])["hits"]
    assert matched and all(re.search(r"ERR-50\d\d", hit["text"]) for hit in matched)


def test_a_folder_never_synced_is_built_first_and_says_so(tmp_path: Path, run: Run) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# Seal\n\nGrease the seal once a year.\n")
    code, out, err = run("ask", "How often is the seal greased?", "--in", str(tmp_path / "docs"))
    assert code == 0 and "Grease the seal once a year." in out
    assert "building what is needed first" in err
    shutil.rmtree(tmp_path / "docs/.pincite")
    words = ("search", "seal", "--in", str(tmp_path / "docs"), "--index", str(tmp_path / "index"), "-q")
    code, out, err = run(*words)
    assert (code, err) == (0, "") and "a.md:" in out
    assert not (tmp_path / "docs/.pincite").exists() and (tmp_path / "index").is_dir()


def test_metadata_and_globs_of_a_sync(tmp_path: Path, run: Run) -> None:
    for name in ("a.md", "draft.md", ".hidden.md"):
        (tmp_path / "here" / name).write_text("The seal.\n")
    words = ("--meta", "team=red", "--meta", "level=3", "--exclude", "draft*", "--include", ".hidden.md")
    code, out, _ = run("sync", *words, "--json")
    assert code == 0 and read(out)["added"] == [".hidden.md", "a.md"]
    for filter, count in (("team=red", 2), ("level >= 3", 2), ("level<3", 0)):
        hits = read(run("search", "seal", "--filter", filter, "--json")[1])["hits"]
        assert len(hits) == count


# ── bad input ─────────────────────────────────────────────────────────────────────────────────
def test_one_bad_file_is_named_and_the_rest_is_in(tmp_path: Path, run: Run) -> None:
    (tmp_path / "here/good.md").write_text("The seal.\n")
    (tmp_path / "here/half.md").write_bytes(b"\xff\xfea\x00b")  # UTF-16 that ends inside a character
    os.mkfifo(tmp_path / "here/queue.md")
    code, out, _ = run("sync", "--json")
    report = read(out)
    assert code == 8 and report["added"] == ["good.md"]
    assert [each["uri"] for each in report["failed"]] == ["half.md"]
    assert [each["uri"] for each in report["skipped"]] == ["queue.md"]
    code, out, _ = run("sync")
    assert code == 8 and "Failed (1)\n  half.md: " in out and "Skipped (1)\n  queue.md: " in out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["search", "", "--in", "LIB"], 2, "empty"),
        (["ask", " \t ", "--in", "LIB"], 2, "empty"),
        (["search", "x", "--in", "/no/such/folder"], 4, "/no/such/folder does not exist"),
        (["search", "x", "--in", "LIB/manual.md"], 4, "is not a folder"),
        (["search", "x", "--in", "LIB", "--filter", "colour=red"], 2, "colour"),
        (["search", "x", "--in", "LIB", "--filter", "nonsense"], 2, "nonsense"),
        (["search", "(", "--regex", "--in", "LIB"], 2, "regular expression"),
        (["show", "no.md:1", "--in", "LIB"], 4, "no.md"),
        (["show", "../x.md:1", "--in", "LIB"], 4, "../x.md"),
        (["show", "manual.md:999999", "--in", "LIB"], 4, "manual.md"),
        (["show", "manual.md:9-3", "--in", "LIB"], 2, "manual.md:9-3"),
        (["parse", "LIB/no.md"], 4, "no.md"),
        (["sync", "LIB", "--meta", "novalue"], 2, "novalue"),
        (["sync", "LIB", "--meta", "a|b=1"], 2, "a|b=1"),
        (["sync", "LIB", "--in", "/tmp"], 2, "two folders"),
        (["sync", "/no/such/folder"], 4, "/no/such/folder"),
        (["search", "x", "--in", "LIB", "--model", "multilingual"], 5, "multilingual"),
    ],
)
def test_bad_input_ends_with_its_code_and_names_what_is_wrong(
    library: Path, run: Run, words: list[str], code: int, message: str
) -> None:
    got, out, err = run(*(word.replace("LIB", str(library)) for word in words), "--json")
    assert (got, message in err) == (code, True), err
    error = read(out)["error"]
    assert error["exit_code"] == code and message in error["message"]


@pytest.mark.parametrize(
    "query", ["???", "\U0001f993", "x" * 100_000, "'; DROP TABLE chunks; --", '"unbalanced']
)
def test_any_query_of_text_is_searched(library: Path, run: Run, query: str) -> None:
    code, out, _ = run("search", "--in", str(library), "--json", "--", query)
    assert code == 0 and read(out)["query"] == query


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--", "seal", "--in", "LIB"], ["--in"]),
        (["--", "seal", "--in=LIB", "--k", "3"], ["--in=LIB", "--k"]),
        (["--json", "--", "-q"], ["-q"]),
        (["--", "seal", "--no-such-flag", "-x"], []),
        (["seal"], []),
    ],
)
@pytest.mark.parametrize("command", ["search", "ask", "explain"])
def test_an_option_in_the_query_is_told(
    library: Path, run: Run, command: str, words: list[str], named: list[str]
) -> None:
    code, _, err = run(command, "--in", str(library), *words)
    assert code == 0
    assert [line for line in err.splitlines() if "part of the query" in line] == (
        [f"Note: after -- all words are part of the query, {', '.join(named)} too: options come first"]
        if named
        else []
    )
    assert "part of the query" not in run(command, "-q", "--in", str(library), *words)[2]


def test_an_unknown_model_is_named(tmp_path: Path, run: Run) -> None:
    (tmp_path / "here/a.md").write_text("The seal.\n")
    code, _, err = run("sync", "--model", "no-such-model")
    assert code == 2 and "no-such-model" in err and "english" in err


def test_a_broken_settings_file_is_named(tmp_path: Path, run: Run) -> None:
    (tmp_path / "here/pincite.toml").write_text("[llm]\nbase_url = 'http://evil.example'\n")
    code, _, err = run("search", "x")
    assert code == 2 and "pincite.toml" in err and "llm.base_url" in err


def test_a_home_folder_is_no_library_by_default(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "here"))
    code, _, err = run("search", "x")
    assert code == 2 and "--in DIR" in err


def test_an_empty_folder_is_told(tmp_path: Path, run: Run) -> None:
    code, out, _ = run("sync", "--json")
    assert code == 0 and read(out)["found"] == 0
    code, out, _ = run("search", "x")
    assert code == 0 and out.startswith("Nothing found. Searched 0 chunks")


def test_settings_show_where_they_come_from(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here/pincite.toml").write_text("[search]\ndepth = 50\n")
    (tmp_path / "here/.env").write_text("OPENAI_API_KEY=sk-evil\n")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    code, out, err = run("config", "--in", ".", "--model", "english")
    assert code == 0 and "sk-" not in out + err and ".env is not read here" in err
    assert re.search(r"^search\.depth +=\s50 +# pincite\.toml$", out, re.MULTILINE)
    assert re.search(r"^model\.name +=\s'english' +# a flag$", out, re.MULTILINE)
    settings = {s["key"]: s for s in read(run("config", "--in", ".", "--json")[1])["settings"]}
    assert settings["llm.api_key"] == {
        "key": "llm.api_key",
        "value": "***",
        "source": "environment OPENAI_API_KEY",
    }


# ── on a terminal ─────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(("extra", "escapes"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colours_and_links(library: Path, extra: dict[str, str], escapes: bool) -> None:
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "pincite", "search", "ERR-5021", "--in", str(library), "--k", "1"]
    env = {n: v for n, v in os.environ.items() if n not in ("NO_COLOR", "TERM_PROGRAM")} | {"TERM": "xterm"}
    process = subprocess.Popen(command, stdout=child, stdin=subprocess.DEVNULL, env=env | extra)
    os.close(child)
    out = b""
    try:
        while part := os.read(parent, 65536):
            out += part
    except OSError:  # the terminal's other end is closed: all was read
        pass
    os.close(parent)
    assert process.wait() == 0
    assert (b"\x1b]8;;file://" in out, b"\x1b[1;33mERR-5021\x1b[0m" in out) == (escapes, escapes)
    assert (b"\x1b" in out) == escapes


# ── what is no text and no number ─────────────────────────────────────────────────────────────
HUGE = "9" * 400


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    root.mkdir()
    (root / "a.md").write_text("---\nyear: 2024\n---\n# Pump\n\nOil the pump twice a year.\n")
    long = "pump " * 500
    (root / "b.json").write_text(rf'{{"title": "Half \ud83d", "\ud83d key": {{"text": "{long}"}}}}')
    (root / "c.jsonl").write_text('{"part": "\\ud83d tap", "oil": "every day"}\n')
    return root


def test_bytes_that_are_no_text_are_read_as_replacement_characters(folder: Path, run: Run) -> None:
    code, out, err = run("sync", str(folder), "--meta", "team=red\udcff", "--json")
    assert (code, err, read(out)["failed"]) == (0, "", [])
    code, out, _ = run("search", "pump\udcff", "--in", str(folder), "--json")
    hits = read(out)["hits"]
    assert code == 0 and hits and {hit["meta"]["team"] for hit in hits} == {"red\ufffd"}
    assert run("search", "\udcff", "--in", str(folder))[0] == 0
    code, out, _ = run("ask", "How often oil the tap\udcff?", "--in", str(folder))
    assert code == 0 and "\ufffd tap" in out


def test_numbers_out_of_range_are_text_or_refused(folder: Path, run: Run) -> None:
    code, out, err = run("sync", str(folder), "--meta", f"n={HUGE}", "--json")
    assert (code, read(out)["failed"]) == (0, []), err
    assert run("search", "pump", "--in", str(folder), "--filter", f"n={HUGE}")[0] == 0
    for filter in (f'{{"year": {HUGE}}}', f'{{"year": {{"$gt": -{HUGE}}}}}', f"year={HUGE}"):
        code, _, err = run("search", "pump", "--in", str(folder), "--filter", filter)
        assert code == 2 and "expected a number" in err
    assert run("sync", str(folder), "--meta", f"n=[{HUGE}]")[0] == 2


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_settings_file_with_such_a_number_is_named(folder: Path, run: Run, digits: int) -> None:
    rule = f'[[sync.meta]]\npaths = ["*"]\nset = {{ n = {"9" * digits} }}\n'
    (folder / "pincite.toml").write_text(rule)
    code, _, err = run("sync", str(folder))
    assert code == 2 and "pincite.toml" in err


@pytest.mark.parametrize("lines", ["9" * 5000, f"1-{'9' * 5000}", "9" * 9])
def test_lines_that_no_file_has_are_refused(folder: Path, run: Run, lines: str) -> None:
    assert run("show", f"a.md:{lines}", "--in", str(folder))[0] == 4


def test_the_first_sync_of_a_question_says_what_it_left_out(folder: Path, run: Run) -> None:
    (folder / "bad.json").write_bytes(b"\x00\x01\x02\xff" * 100)
    code, out, err = run("search", "pump", "--in", str(folder), "--json")
    assert code == 0
    (notice,) = [one for one in read(out)["notices"] if "status" in one]
    assert re.fullmatch(r"1 file (failed|skipped): pincite status names them", notice)
    assert notice in err
    assert read(run("search", "pump", "--in", str(folder), "--json")[1])["notices"] == []


def test_metadata_stays_until_it_is_taken_away(tmp_path: Path, run: Run) -> None:
    (tmp_path / "here/a.md").write_text("The seal.\n")
    assert run("sync", "--meta", "team=red", "--meta", "level=3")[0] == 0
    assert run("sync")[0] == 0
    assert read(run("status", "--json")[1])["fields"].keys() >= {"team", "level"}
    assert run("sync", "--meta", "team=")[0] == 0
    assert read(run("status", "--json")[1])["fields"].keys() & {"team", "level"} == {"level"}
