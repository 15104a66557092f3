"""F70: a question file as people write it is read whole; a bad one is refused, each fault by its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from libraries import FAULTS, library, write
from pincite.cli import main
from pincite.errors import InputError
from pincite.evaluate.labels.check import check
from pincite.evaluate.questions import read_questions
from pincite.index.catalog import SqliteCatalog

HERE = FAULTS / "F70"
EXPECT = json.loads((HERE / "expect.json").read_text("utf-8"))
CAUSES = {
    "fields": "2 fields",
    "duplicate id": "id 'q1'",
    "empty question": "is empty",
    "encoding": "not UTF-8",
    "unknown document": "nowhere.md: there is no file",
}


def test_quotes_a_mark_line_ends_and_a_last_line_cost_no_question() -> None:
    found = read_questions(HERE / "questions.tsv")
    assert [[q.id, q.text, q.qrels[0].uri] for q in found.questions] == EXPECT["rows"]


def test_every_fault_is_named_by_its_line() -> None:
    with pytest.raises(InputError) as caught:
        read_questions(HERE / "bad.tsv")
    message = caught.value.message
    wanted = {line: cause for line, cause in EXPECT["bad_lines"].items() if cause != "unknown document"}
    assert len(wanted) == 4 and message.startswith("bad.tsv: 4 problems")
    for line, cause in wanted.items():
        (told,) = [row for row in message.split("\n") if row.startswith(f"  bad.tsv:{line}:")]
        assert CAUSES[cause] in told


def some_lines(folder: Path, *numbers: int) -> Path:
    """The header of bad.tsv and these lines of it, the others empty: each keeps its number."""
    lines = (HERE / "bad.tsv").read_bytes().split(b"\n")
    file = folder / "some.tsv"
    file.write_bytes(b"\n".join(line if n in (1, *numbers) else b"" for n, line in enumerate(lines, 1)))
    return file


def test_a_file_that_is_not_indexed_is_a_warning(tmp_path: Path) -> None:
    file = some_lines(tmp_path, 2, 7)
    with library(tmp_path / "docs", {"keys.md": "# Keys\n\nThe blue key opens the shed.\n"}) as lib:
        lib.sync()
    catalog = SqliteCatalog(tmp_path / "docs/.pincite/catalog.db", read_only=True)
    problems = check(read_questions(file), catalog)
    catalog.close()
    found = [(p.where, p.question_id, p.code) for p in problems]
    assert found == [("some.tsv:7", "q6", "file gone"), ("some", "", "too few")]


def test_the_command_line_names_all_five_lines_in_one_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    write(docs, {"keys.md": "# Keys\n\nThe blue key opens the shed.\n"})
    assert main(["sync", str(docs)]) == 0
    for command in (["questions", "check"], ["eval"]):
        capsys.readouterr()
        assert main([*command, str(HERE / "bad.tsv"), "--in", str(docs)]) == 4
        out, err = capsys.readouterr()
        assert out == "" and "bad.tsv: 5 problems, so nothing of it is used" in err
        for line, cause in EXPECT["bad_lines"].items():
            (told,) = [row for row in err.split("\n") if row.strip().startswith(f"bad.tsv:{line}:")]
            assert CAUSES[cause] in told
    assert main(["questions", "check", str(some_lines(tmp_path, 2, 7)), "--in", str(docs)]) == 1
    assert "some.tsv:7  q6  file gone  nowhere.md: there is no file" in capsys.readouterr().out


def test_without_an_index_the_faults_of_the_file_itself_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"keys.md": "# Keys\n"})
    assert main(["questions", "check", str(HERE / "bad.tsv"), "--in", str(tmp_path)]) == 4
    assert "bad.tsv: 4 problems" in capsys.readouterr().err
    assert not (tmp_path / ".pincite").exists()
