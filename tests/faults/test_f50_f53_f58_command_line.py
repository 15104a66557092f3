"""F50, F53 and F58 through the command line: the budget, the windows around hits, and the filters."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keyword_search import read_rows
from libraries import FAULTS, inputs, write
from pincite.cli import main

Run = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command with `--json`; gives exit code, the object printed, and stderr."""

    def command(*words: str) -> tuple[int, dict[str, Any], str]:
        capsys.readouterr()
        code = main([words[0], "--json", *words[1:]])
        out, err = capsys.readouterr()
        return code, json.loads(out), err

    return command


@pytest.mark.parametrize("budget", [0, 1, 40, 150, 600, 5000])
def test_f50_the_context_stays_within_the_budget_and_what_does_not_fit_is_listed(
    budget: int, run: Run, tmp_path: Path
) -> None:
    chunks = json.loads((FAULTS / "F50" / "chunks.json").read_text("utf-8"))["a"]
    write(tmp_path, {chunk["path"]: f"Reading {chunk['text']}\n" for chunk in chunks})
    write(tmp_path, {"pincite.toml": f"[context]\nbudget = {budget}\nneighbours = 0\n"})
    code, found, _ = run("explain", "reading", "--in", str(tmp_path))
    assert code == 0
    assert found["context_tokens"] <= budget
    shown = {one["uri"] for one in found["evidence"]}
    dropped = {one["chunk_id"]: one["reason"] for one in found["left_out"]}
    hits = {hit["chunk_id"]: hit["uri"] for hit in found["hits"]}
    assert set(hits.values()) == {chunk["path"] for chunk in chunks}
    assert shown | {hits[one] for one in dropped} == set(hits.values())
    assert all(f"of {budget} left" in reason for reason in dropped.values())
    if budget <= 1:
        assert not shown and found["abstained"] and found["reason"]
    if budget == 5000:
        assert not dropped


def test_f53_no_line_is_in_the_context_twice(run: Run, tmp_path: Path) -> None:
    write(tmp_path, inputs("F53", "log.txt"))
    write(tmp_path, {"pincite.toml": '[chunk]\nstrategy = "sentence"\nsize = 12\noverlap = 0\n'})
    code, parsed, _ = run("parse", str(tmp_path / "log.txt"), "--in", str(tmp_path))
    assert code == 0 and len(parsed["chunks"]) >= 10
    code, found, _ = run("explain", "Sentence number 4", "--k", "3", "--in", str(tmp_path))
    assert code == 0 and len(found["hits"]) == 3
    lines = [line for one in found["evidence"] for line in range(one["line_start"], one["line_end"] + 1)]
    assert 4 in lines and len(lines) == len(set(lines))
    shown = [line for one in found["evidence"] for line in one["text"].splitlines() if line]
    assert len(shown) == len(set(shown)) == len(lines)
    ranks = {hit["chunk_id"]: hit["rank"] for hit in found["hits"]}
    best = [min(ranks[one] for one in evidence["chunk_ids"]) for evidence in found["evidence"]]
    assert best == sorted(best)
    assert {one for evidence in found["evidence"] for one in evidence["chunk_ids"]} == set(ranks)


def test_f58_no_value_and_no_field_name_changes_the_filter(run: Run, tmp_path: Path) -> None:
    write(tmp_path, inputs("F58", *(f"docs/{name}.md" for name in ("b1", "o", "r1", "r2"))))
    assert run("sync", str(tmp_path))[0] == 0
    for row in read_rows(FAULTS / "F58" / "filters.tsv"):
        words = ("--in", str(tmp_path), "--filter", f"{row['field']}={row['value']}")
        code, found, err = run("search", "note", *words)
        if row["expected"].startswith("refused"):
            assert code == 2, row
            assert row["field"].split()[0].strip("\"])'>;") in err
        else:
            assert code == 0, row
            assert len({hit["uri"] for hit in found["hits"]}) == int(row["expected"].split()[0]), row
    code, found, _ = run("search", "note", "--in", str(tmp_path))
    assert len({hit["uri"] for hit in found["hits"]}) == 4
    assert run("status", "--in", str(tmp_path))[1]["documents"] == 4


@pytest.mark.parametrize("value", ['{"team": {"$ne": null}}', '{"team": [["red"]]}', '{"team": null}'])
def test_f58_a_json_value_that_is_no_value_is_refused_with_its_field(
    value: str, run: Run, tmp_path: Path
) -> None:
    write(tmp_path, inputs("F58", "docs/r1.md"))
    code, _, err = run("search", "note", "--in", str(tmp_path), "--filter", value)
    assert code == 2
    assert "team" in err
