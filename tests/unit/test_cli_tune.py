"""`pincite tune` as a command: the table, the verdict, the file it writes, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import Run, read, run
from labels import saved
from libraries import write

__all__ = ["run"]

SYNONYMS = (
    "car/automobile doctor/physician lawyer/attorney sofa/couch film/movie infant/baby garbage/trash "
    "aircraft/airplane store/shop sea/ocean stone/rock present/gift coat/jacket cat/feline dog/canine "
    "road/street boat/ship money/cash occupation/job house/home monarch/king start/begin wealthy/rich "
    "furious/angry ill/sick weary/exhausted woods/forest cap/hat evening/night glad/happy"
)
PAIRS = [pair.split("/") for pair in SYNONYMS.split()]
N = len(PAIRS)


@pytest.fixture
def lib(tmp_path: Path) -> Path:
    """Documents asked by words alone, of which the questions share none: meaning would find each."""
    files = {f"p{n:02}.md": f"The {word}.\n" for n, (word, _) in enumerate(PAIRS)}
    settings = '# ours\n[search]\nlegs = ["lexical"]  # by words\n'
    write(tmp_path / "lib", {**files, "pincite.toml": settings})
    return tmp_path / "lib"


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    rows = [f"{word}\tp{n:02}.md:1" for n, (_, word) in enumerate(PAIRS)]
    return saved(tmp_path, "parts.tsv", "question\ttarget\n" + "\n".join(rows) + "\n")


def test_a_tuning_is_told_printed_as_json_and_written(lib: Path, labels: Path, run: Run) -> None:
    before = (lib / "pincite.toml").read_text()
    words = ("tune", labels, "--in", lib, "--space", "quick", "--measure", "rr")
    exit_code, out, err = run(*words)
    assert exit_code == 0
    assert out.startswith(
        "15 questions of parts (tuning) to tune with, 15 of parts (held out) for the verdict\n"
    )
    assert "change " in out and "p (Holm)" in out and "index s" in out
    assert "Verdict  the tuned settings are better on the held-out questions by more than chance" in out
    assert '-legs = ["lexical"]  # by words' in out and "--write writes this" in out
    assert "15 tuning questions: only differences of about 0.25 or more" in err
    assert (lib / "pincite.toml").read_text() == before

    found = read(run(*words, "--json", "--write")[1])
    assert found["written"] and found["resumed"] > 0 and found["measure"] == "RR"
    (change,) = (one for one in found["changes"] if one["setting"] == "search.legs")
    assert change["from"] == ["lexical"]
    after = (lib / "pincite.toml").read_text()
    assert after.startswith("# ours\n[search]\nlegs = [")
    assert after.splitlines()[2].endswith('"dense"]  # by words')
    kept = [one["change"] for one in found["trials"] if one["kept"]]
    again = read(run("eval", labels, "--in", lib, "--json")[1])
    assert kept and again["settings"]["search"]["legs"] == change["to"]


def test_other_questions_can_be_held_out(lib: Path, labels: Path, run: Run, tmp_path: Path) -> None:
    rows = [f"some {word}\tp{n:02}.md" for n, (_, word) in enumerate(PAIRS[:12])]
    held = saved(tmp_path, "held.tsv", "\n".join(rows) + "\n")
    found = read(run("tune", labels, "--in", lib, "--held-out", held, "--space", "quick", "--json", "-q")[1])
    assert found["question_sets"]["tuning"] == {"name": "parts (tuning)", "questions": N}
    assert found["question_sets"]["held_out"] == {"name": "held (held out)", "questions": 12}


def test_what_is_refused(lib: Path, labels: Path, run: Run, tmp_path: Path) -> None:
    refused = [
        (("--measure", "nDGC@10"), "did you mean nDCG@10?"),
        (("--held-out-qrels", "x"), "needs --held-out"),
        (("--held-out", tmp_path / "gone.tsv"), "gone.tsv"),
        (("--fit-fusion",), "one leg"),
        (("--split", "0"), "expected a number"),
        (("--space", "huge"), "invalid choice"),
    ]
    for words, message in refused:
        exit_code, out, err = run("tune", labels, "--in", lib, *words)
        assert exit_code in (2, 4) and out == "" and message in err
    (lib / "pincite.toml").write_text("search = { legs = ['dense']\n")
    exit_code, _, err = run("tune", labels, "--in", lib)
    assert exit_code == 2 and "not valid TOML" in err


# ── what is searched while tuning ─────────────────────────────────────────────────────────────
def test_the_legs_of_the_flag_are_where_tuning_begins(lib: Path, labels: Path, run: Run) -> None:
    found = read(run("tune", labels, "--in", lib, "--space", "quick", "--legs", "dense", "--json")[1])
    tried = [one["change"] for one in found["trials"]]
    assert 'search.legs = ["lexical"]' in tried and 'search.legs = ["dense"]' not in tried
    assert found["base"]["mean"] > 0.5


def test_what_is_recommended_beside_a_flag_says_so(lib: Path, labels: Path, run: Run) -> None:
    words = ("tune", labels, "--in", lib, "--space", "quick", "--fusion", "rrf", "--json")
    found = read(run(*words)[1])
    assert [one["setting"] for one in found["changes"]] == ["search.legs"]
    _, _, err = run(*words)
    assert 'this was found with search.fusion = "rrf", but search.fusion = "convex" is set' in err


def test_every_question_is_asked_under_the_filter(lib: Path, labels: Path, run: Run) -> None:
    """A filter under which no labelled document is left makes every question a miss."""
    write(lib, {"other/x.md": "The zebra.\n"})
    words = ("tune", labels, "--in", lib, "--space", "quick", "--legs", "dense", "--json", "--filter")
    all_of_them = read(run(*words, "type=markdown")[1])
    none_of_them = read(run(*words, "folder=other")[1])
    assert all_of_them["base"]["mean"] > 0.5 and none_of_them["base"]["mean"] == 0
    assert none_of_them["resumed"] == 0 and 'searched was folder = "other"' in none_of_them["notices"]
    exit_code, _, err = run(*words, "tpye=markdown")
    assert exit_code == 2 and "did you mean 'type'?" in err
