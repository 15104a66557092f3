"""The command line without a library: arguments, text for people, progress, and how errors end."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import records

from pincite import cli
from pincite.cli.args import parse
from pincite.cli.progress import ProgressLine, line
from pincite.cli.render import explain_text, percent, search_text
from pincite.cli.report import config_text, status_text, sync_text
from pincite.cli.snippet import MAX_WIDTH, snippet
from pincite.cli.terminal import Terminal, printable, terminal_of, visible
from pincite.config.keys import Setting
from pincite.config.values import meta_from_text
from pincite.errors import UsageError
from pincite.types import Chunk, Place, Progress, Query, Reason, SearchHit, Span, SyncReport

PLAIN, RICH = Terminal(), Terminal(rich=True)
ROOT = Path("/lib")
STEMMERS = ("english",)


class Tty(io.StringIO):
    """A text stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


# ── arguments ─────────────────────────────────────────────────────────────────────────────────
def test_a_query_may_be_several_words_and_options_have_their_defaults() -> None:
    args = parse(["search", "battery", "seal", "--filter", "type=markdown", "--filter", "year in 1,2"])
    assert (args.text, args.k, args.filter) == (["battery", "seal"], 10, ["type=markdown", "year in 1,2"])
    assert (args.legs, args.fusion, args.regex, args.json) == (None, None, False, False)
    assert parse(["ask", "x", "--legs", "dense, lexical", "--k", "1000000"]).legs == ("lexical", "dense")
    assert parse(["search", "--", "--k"]).text == ["--k"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "COMMAND"),
        (["serch", "x"], "serch"),
        (["search"], "QUERY"),
        (["search", "x", "--k", "0"], "--k: expected a whole number of at least 1, got '0'"),
        (["search", "x", "--k", "-3"], "--k: expected a whole number of at least 1, got '-3'"),
        (["search", "x", "--k", "ten"], "--k: expected a whole number of at least 1, got 'ten'"),
        (["search", "x", "--legs", "sparse"], "--legs: expected lexical, dense or lexical,dense"),
        (["search", "x", "--legs", ""], "--legs"),
        (["search", "x", "--fusion", "sum"], "--fusion"),
        (["search", "x", "--js"], "--js"),
        (["show", "a:1", "--context", "-1"], "--context"),
    ],
)
def test_wrong_arguments_end_with_code_2(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert cli.main(words) == 2
    out, err = capsys.readouterr()
    assert out == "" and message in err and "Traceback" not in err


def test_help_and_version_end_with_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["search", "--help"], ["--version"], ["version"]):
        assert cli.main(words) == 0
        assert capsys.readouterr().out.strip()
    assert cli.main(["version", "--json"]) == 0
    assert json.loads(capsys.readouterr().out).keys() == {"version"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("red", "red"),
        ("true", True),
        ("True", "True"),
        ("12", 12),
        ("-0.5", -0.5),
        ("007", "007"),
        ("1.10", "1.10"),
        ("1e3", "1e3"),
        ("nan", "nan"),
        ("inf", "inf"),
        ("1_000", "1_000"),
        ('"12"', "12"),
        ('["a", 2]', ("a", 2)),
        ("[draft]", "[draft]"),
        ("a,b", "a,b"),
        ("", ""),
    ],
)
def test_metadata_is_typed_only_when_it_reads_back_as_written(text: str, value: object) -> None:
    found = meta_from_text(text, "--meta x")
    assert found == value and type(found) is type(value)


def test_metadata_dates_and_refused_lists() -> None:
    assert str(meta_from_text("2024-02-29", "--meta x")) == "2024-02-29"
    assert meta_from_text("20240229", "--meta x") == 20240229
    with pytest.raises(UsageError, match="--meta x: expected a string"):
        meta_from_text('[{"a": 1}]', "--meta x")


# ── what a stream can show ────────────────────────────────────────────────────────────────────
def test_colours_only_on_a_terminal_that_wants_them() -> None:
    xterm = {"TERM": "xterm"}
    assert terminal_of(Tty(), env=xterm).rich
    assert not terminal_of(io.StringIO(), env=xterm).rich
    assert not terminal_of(None, env=xterm).rich
    assert not terminal_of(Tty(), env=xterm, no_color=True).rich
    assert not terminal_of(Tty(), env={**xterm, "NO_COLOR": "1"}).rich
    assert terminal_of(Tty(), env={**xterm, "NO_COLOR": ""}).rich
    assert not terminal_of(Tty(), env={"TERM": "dumb"}).rich


def test_links_open_the_file_at_its_line() -> None:
    path = Path("/lib/a b.md")
    assert PLAIN.link("a", path, 7) == "a"
    assert RICH.link("a", path, 7) == "\x1b]8;;file:///lib/a%20b.md#L7\x1b\\a\x1b]8;;\x1b\\"
    assert "vscode://file/lib/a%20b.md:7" in Terminal(rich=True, editor="vscode").link("a", path, 7)


def test_a_document_cannot_steer_the_terminal() -> None:
    assert visible("a\x1b]52;c;x\x07b\tc\r\nd\re\x9b") == "a\\x1b]52;c;x\\x07b\tc\nd\\x0de\\x9b"
    hit = records.result().hits[0]
    evil = replace(
        hit.stored, chunk=replace(hit.stored.chunk, text="\x1b[2J immersing", heading=("\x1b[1m",))
    )
    result = replace(records.result(), hits=(replace(hit, stored=replace(evil, uri="a\x1b[0m.md")),))
    for term in (PLAIN, RICH):
        text = search_text(result, root=ROOT, term=term, stemmers=STEMMERS)
        assert "\x1b[2J" not in text and "\x1b[1m\x1b" not in text and "a\x1b[0m.md" not in text


def test_what_an_encoding_cannot_hold_is_escaped() -> None:
    assert printable("电\udcff", io.TextIOWrapper(io.BytesIO(), "ascii")) == "\\u7535\\udcff"
    assert printable("电\udcff", None) == "电\\udcff"


# ── results for people ────────────────────────────────────────────────────────────────────────
def test_search_prints_places_headings_and_numbered_lines() -> None:
    text = search_text(records.result(), root=ROOT, term=PLAIN, stemmers=STEMMERS)
    assert text.splitlines() == [
        " 1  guide/manual.md:3-4  Battery  0.900 (lexical 1, dense 2)  also at copy.md:3",
        "     3  Replace it.",
        "     4  Wait 24 hours before immersing it.",
        "",
        " 2  guide/manual.md:4  Battery  0.400 (lexical 2, dense –)  file changed since",
        "     4  Wait 24 hours before immersing it.",
        "",
        "Searched 2 chunks (model: english); 50 % have their vector so far.",
    ]


def test_search_lights_words_and_links_places_on_a_terminal() -> None:
    text = search_text(records.result(), root=ROOT, term=RICH, stemmers=STEMMERS)
    assert "\x1b[1;33mimmersing\x1b[0m it" in text
    assert "\x1b]8;;file:///lib/guide/manual.md#L3\x1b\\" in text


def test_nothing_found_says_what_was_searched() -> None:
    result = replace(records.result(), hits=(), dense_complete=1.0)
    text = search_text(result, root=ROOT, term=PLAIN, stemmers=STEMMERS)
    assert text == "Nothing found. Searched 2 chunks (model: english)."


def hit(text: str, place: Place | None = None) -> SearchHit:
    chunk = Chunk("c", "d", Span(0, len(text)), text)
    first = records.result().hits[0]
    place = place or Place(11, 11 + text.count("\n"))
    return replace(first, stored=replace(first.stored, chunk=chunk, place=place))


def lit(text: str, query: str, *, regex: bool = False) -> list[str]:
    lines = snippet(hit(text), Query(query, regex=regex), stemmers=STEMMERS)
    return [line.text[span.start : span.end] for line in lines for span in line.lit]


@pytest.mark.parametrize(
    ("text", "query", "words"),
    [
        ("The seals, sealed and (sealing)!", "seal", ["seals", "sealed", "sealing"]),
        ("Use C++ or C#, not C.", "C++", ["C++"]),
        ("Error ERR-5021 on ERR-5022", "ERR-5021", ["ERR-5021"]),
        ("call loadInvoiceById now", "invoice", ["loadInvoiceById"]),
        ("请先更换电池再浸水", "电池", ["电池"]),
        ("nothing here", "battery", []),
        ("Hops,Saaz", "hops", ["Hops"]),
        ("Hops,Saaz", "saaz hops", ["Hops", "Saaz"]),
        ('{"malt":"Pilsner","hops":["Saaz"]}', "pilsner", ["Pilsner"]),
        ("pump/tap|valve=seal;(oil)", "valve oil", ["valve", "oil"]),
        ("the seal-test and a pre_filled tap", "seal filled", ["seal", "filled"]),
        ("ERR-5021,ERR-5022/ERR-5023", "ERR-5022", ["ERR-5022"]),
        ("costs 1,000 or 1000", "1000", ["1,000", "1000"]),
        ("use v1.2.3,v1.2.4", "v1.2.3", ["v1.2.3"]),
    ],
)
def test_lit_words_are_those_the_lexical_leg_matches(text: str, query: str, words: list[str]) -> None:
    assert lit(text, query) == words


def test_a_regular_expression_lights_what_it_matches() -> None:
    assert lit("ERR-5021 and ERR-50", r"ERR-\d{4}", regex=True) == ["ERR-5021"]
    assert lit("a" * 200 + "b", "(a+)+c", regex=True) == []


def test_the_snippet_shows_the_lines_that_match_best() -> None:
    text = "\n".join(["filler"] * 9 + ["the battery", "", "the seal of the battery"] + ["filler"] * 9)
    lines = snippet(hit(text), Query("battery seal"), stemmers=STEMMERS)
    assert [(line.number, line.text) for line in lines] == [
        (20, "the battery"),
        (22, "the seal of the battery"),
        (23, "filler"),
        (24, "filler"),
    ]
    extracted = snippet(hit("one\ntwo", Place(5, 9)), Query("two"), stemmers=STEMMERS)
    assert {line.number for line in extracted} == {None}


def test_a_long_line_is_cut_around_its_match_and_says_so() -> None:
    [line] = snippet(hit("x " * 1000 + "battery" + " y" * 1000), Query("battery"), stemmers=STEMMERS)
    assert line.text.startswith("…") and line.text.endswith("…") and len(line.text) == MAX_WIDTH + 2
    assert [line.text[s.start : s.end] for s in line.lit] == ["battery"]


def test_explain_shows_each_leg_fusion_and_what_assembly_did() -> None:
    text = explain_text(records.answer(), root=ROOT, term=PLAIN)
    assert "lexical rank 1, score 4.5000; dense rank 2, score 0.7000; fused 0.9000" in text
    assert "dense: not in its pool" in text
    assert "in the context as [1]" in text
    assert "c2: over the budget" in text
    assert text.startswith("Answer: Wait 24 hours before immersing it. [1]\n\nHits\n")
    for score in ("lexical 1", "dense 2", "0.900 ("):  # said once, in full, below the place
        assert score not in text
    unsure = explain_text(records.answer(abstained=True), root=ROOT, term=PLAIN)
    assert unsure.startswith("No answer: the best passage is weak\n\nHits\n")
    long = replace(records.answer(), text="word " * 100 + "[1]")
    assert len(explain_text(long, root=ROOT, term=PLAIN).splitlines()[0]) < 220
    assert "fuse                 0.25 ms  1 out  fusion=convex" in text


def test_the_summary_of_a_sync_counts_everything_and_names_what_is_not_in() -> None:
    text = sync_text(records.report(), term=PLAIN)
    for words in (
        "5 found: 2 indexed, 1 empty, 1 failed, 1 skipped; 0 left out by rules",
        "1 added, 0 changed, 0 removed, 0 moved, 1 unchanged",
        "7: 3 embedded, 4 reused",
        "75 % complete, 1 files pending",
        "2 pages without text, 1 part left out, 9 characters cut",
        "1.50",
        "Failed (1)\n  bad.md: not decodable",
        "Skipped (1)\n  x.bin: binary",
        "Empty (1)\n  e.md: no text",
        "Read in part (1)\n  a.pdf: page 2 has no text",
        "Pending (1)\n  a.md",
    ):
        assert words in text
    many = SyncReport(failed=tuple(Reason(f"{n}.md", "bad") for n in range(25)))
    assert "… and 5 more (--json lists all)" in sync_text(many, term=PLAIN)


def test_status_names_what_is_stale_and_the_command_that_mends_it() -> None:
    text = status_text(records.status(), term=PLAIN)
    for words in ("2: 2 markdown", "7, 75 % with their vector", "english, 384 dimensions", "type (string)"):
        assert words in text
    assert "Changed on disk (1)\n  a.md" in text
    assert "Settings that differ from the index (1)\n  chunk.size" in text
    assert text.endswith("pincite sync brings the index up to date.")


def test_a_key_is_masked_in_the_settings() -> None:
    settings = [
        Setting("llm.api_key", "sk-1", "environment OPENAI_API_KEY"),
        Setting("llm.model", "m", ".env"),
    ]
    text = config_text(settings, term=PLAIN)
    assert "sk-1" not in text and "llm.api_key = '***'  # environment OPENAI_API_KEY" in text


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0 %"), (0.0001, "1 %"), (0.5, "50 %"), (0.9999, "99 %"), (1, "100 %")]
)
def test_a_share_is_whole_only_when_it_is(share: float, text: str) -> None:
    assert percent(share) == text


# ── progress ──────────────────────────────────────────────────────────────────────────────────
def test_a_step_shows_share_rate_and_time_left() -> None:
    step = Progress("embed", 1200, 4800, "chunks", "a.md")
    wanted = "Embedding 1,200 of 4,800 chunks (25 %), 100 chunks/s, 0:36 left  a.md"
    assert line(step, seconds=10, before=200) == wanted
    assert line(Progress("read", 0, 0, "bytes"), seconds=0, before=0) == "Reading 0.0 of 0.0 kB"
    assert (
        line(Progress("read", 5 * 10**5, 10**6, "bytes"), seconds=0, before=0)
        == "Reading 0.5 of 1.0 MB (50 %)"
    )
    assert "1:23:20 left" in line(Progress("read", 1, 5001, "files"), seconds=1, before=0)


@pytest.mark.parametrize(("stream", "least"), [(io.StringIO(), 10.0), (Tty(), 0.1)])
def test_lines_come_no_faster_than_allowed(stream: io.StringIO, least: float) -> None:
    now = [0.0]
    progress = ProgressLine(stream, clock=lambda: now[0])
    for tick in range(1000):
        now[0] = tick * 0.05
        progress(Progress("embed", tick, 1000, "chunks"))
    progress.close()
    shown = stream.getvalue().count("Embedding")
    assert 0 < shown <= 50 / least
    assert stream.getvalue().endswith("\r\x1b[2K" if stream.isatty() else "\n")


def test_a_notice_comes_first_and_quiet_says_nothing() -> None:
    loud, silent = io.StringIO(), io.StringIO()
    for progress in (ProgressLine(loud, notice="Building."), ProgressLine(silent, notice="x", quiet=True)):
        progress(Progress("read", 1, 2, "bytes"))
        progress(Progress("read", 2, 2, "bytes"))
    assert (loud.getvalue(), silent.getvalue()) == ("Building.\n", "")


def test_a_notice_of_building_is_not_for_what_builds_nothing() -> None:
    stream = io.StringIO()
    ProgressLine(stream, notice="Building.")(Progress("draft", 1, 2, "documents"))
    assert stream.getvalue() == ""


# ── how errors end ────────────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (OSError(28, "No space left on device", "/x/y"), 7, "/x/y: No space left on device"),
        (PermissionError(13, "Permission denied", "/x/y"), 4, "/x/y: Permission denied"),
        (OSError(30, "Read-only file system", "/x"), 4, "--index DIR"),
        (
            ModuleNotFoundError("No module named 'onnxruntime'", name="onnxruntime"),
            3,
            "onnxruntime is missing",
        ),
        (KeyboardInterrupt(), 130, "the next sync goes on from there"),
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
        (ZeroDivisionError("division\x1b by zero"), 70, "unexpected ZeroDivisionError: division"),
    ],
)
def test_every_end_has_its_code_and_no_traceback(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    words: str,
) -> None:
    def fail(_: object) -> int:
        raise error

    monkeypatch.delenv("PINCITE_DEBUG", raising=False)
    monkeypatch.setattr("pincite.cli.commands.version", fail)
    monkeypatch.setattr("pincite.cli._drop_stdout", lambda: None)
    assert cli.main(["version", "--json"]) == code
    out, err = capsys.readouterr()
    assert words in err and "Traceback" not in err and "\x1b" not in err
    if 2 <= code <= 7:
        assert json.loads(out)["error"]["exit_code"] == code


def test_a_debug_run_shows_where_it_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setenv("PINCITE_DEBUG", "1")
    monkeypatch.setattr("pincite.cli.commands.version", fail)
    with pytest.raises(ZeroDivisionError):
        cli.main(["version"])


# ── as a process ──────────────────────────────────────────────────────────────────────────────
def pincite(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pincite", *words]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)  # type: ignore[call-overload, no-any-return]


def test_version_imports_nothing_heavy() -> None:
    heavy = "{'onnxruntime', 'tokenizers', 'sqlite3', 'yaml', 'qdrant_edge', 'regex', 'Stemmer'}"
    probe = "import sys; from pincite.cli import main; main(['--version'])"
    probe += f"; print(sorted({heavy} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[1:] == ["[]"]


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m pincite search --help | true"
    run = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert run.stderr == ""


def test_without_stdout_or_stderr_it_still_ends_well() -> None:
    for closed in (">&-", "2>&-", ">&- 2>&-"):
        command = f"{sys.executable} -m pincite version {closed}"
        assert subprocess.run(["bash", "-c", command], capture_output=True).returncode == 0
    command = f"{sys.executable} -m pincite search '' 2>&-"
    assert subprocess.run(["bash", "-c", command], capture_output=True).returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("words", ["version", "version --json", "--version", "--help", "sync --help"])
def test_a_full_disk_behind_stdout_is_told_in_one_line(words: str) -> None:
    command = f"{sys.executable} -m pincite {words} > /dev/full"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert run.returncode == 7
    assert run.stderr == "pincite: standard output cannot be written: no space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_an_error_keeps_its_code_when_stdout_is_full() -> None:
    command = f"{sys.executable} -m pincite search '' --json > /dev/full"
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert run.returncode == 2 and "Traceback" not in run.stderr and "empty" in run.stderr
