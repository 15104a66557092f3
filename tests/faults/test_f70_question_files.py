"""F70: a question file as people write it is read whole; a bad one is refused, each fault by its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from libraries import FAULTS, library
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
}


def test_quotes_a_mark_line_ends_and_a_last_line_cost_no_question() -> None:
    found = read_questions(HERE / "questions.tsv")
    assert [[q.id, q.text, q.qrels[0].uri] for q in found.questions] == EXPECT["rows"]


def test_every_fault_is_named_by_its_line() -> None:
    with pytest.raises(InputError) as caught:
        read_questions(HERE / "bad.tsv")
    message = caught.value.message
    wanted = {line: cause for line, cause in EXPECT["bad_lines"].items() if cause in CAUSES}
    assert len(wanted) == 4 and message.startswith("bad.tsv: 4 problems")
    for line, cause in wanted.items():
        (told,) = [row for row in message.split("\n") if row.startswith(f"  bad.tsv:{line}:")]
        assert CAUSES[cause] in told


def test_a_file_that_is_not_indexed_is_a_warning(tmp_path: Path) -> None:
    lines = (HERE / "bad.tsv").read_bytes().split(b"\n")
    (tmp_path / "some.tsv").write_bytes(b"\n".join([*lines[:2], *lines[6:]]))
    with library(tmp_path / "docs", {"keys.md": "# Keys\n\nThe blue key opens the shed.\n"}) as lib:
        lib.sync()
    catalog = SqliteCatalog(tmp_path / "docs/.pincite/catalog.db", read_only=True)
    problems = check(read_questions(tmp_path / "some.tsv"), catalog)
    catalog.close()
    assert [(p.where, p.code) for p in problems] == [("q6", "file gone"), ("some", "too few")]
