"""The sample library and its labelled questions: every label points at a line that can answer."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SAMPLE = EXAMPLES / "sample"
HAN = re.compile(r"[\u4e00-\u9fff]")

Row = tuple[str, tuple[str, ...]]


def questions() -> list[Row]:
    """(question, targets) of every row; targets are `path:line`, none for an unanswerable question."""
    header, *rows = (EXAMPLES / "sample_questions.tsv").read_text("utf-8").rstrip("\n").split("\n")
    assert header == "question\ttarget"
    pairs = [row.split("\t") for row in rows]
    return [(question, tuple(filter(None, targets.split(",")))) for question, targets in pairs]


def lines_of(uri: str) -> list[str]:
    return (SAMPLE / uri).read_text("utf-8").split("\n")


TARGETS = sorted({target for _, targets in questions() for target in targets})


@pytest.mark.parametrize("target", TARGETS)
def test_target_names_a_line_with_text(target: str) -> None:
    uri, _, number = target.rpartition(":")
    lines = lines_of(uri)
    assert 1 <= int(number) <= len(lines)
    assert re.search(r"\w", lines[int(number) - 1])


@pytest.mark.parametrize("target", [t for t in TARGETS if t.partition(":")[0].endswith(".md")])
def test_markdown_target_is_a_heading_or_stands_under_one(target: str) -> None:
    uri, _, number = target.rpartition(":")
    above = lines_of(uri)[: int(number)]
    assert any(re.match(r"#{1,6} ", line) for line in above)


def test_questions_are_many_distinct_and_in_two_languages() -> None:
    asked = [question for question, _ in questions()]
    assert len(set(asked)) == len(asked) >= 36
    chinese = [question for question in asked if HAN.search(question)]
    assert len(chinese) >= 10
    assert len(asked) - len(chinese) >= 26


def test_some_questions_have_two_targets_and_some_none() -> None:
    counts = [len(targets) for _, targets in questions()]
    assert counts.count(2) >= 3
    assert counts.count(0) >= 3


def test_the_two_editions_of_the_manual_disagree_on_the_waiting_time() -> None:
    assert "wait 24 hours" in " ".join(lines_of("manual.md"))
    assert "wait 12 hours" in " ".join(lines_of("archive/manual-v1.md"))


def test_the_battery_section_does_not_state_the_immersion_condition() -> None:
    text = (SAMPLE / "manual.md").read_text("utf-8")
    battery = text.split("### 4.1 Replacing the battery")[1].split("\n### ")[0]
    assert "24 hours" not in battery
    assert "immers" not in battery


def test_data_files_are_well_formed() -> None:
    rows = [line.split(",") for line in lines_of("data/spare-parts.csv") if line]
    assert {len(row) for row in rows} == {6}
    json.loads((SAMPLE / "data/default-settings.json").read_text("utf-8"))
    events = [json.loads(line) for line in lines_of("data/events.jsonl") if line]
    times = [event["time"] for event in events]
    assert times == sorted(times)


def test_the_python_module_round_trips_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(str(SAMPLE / "src"))
    fm40 = importlib.import_module("fm40_serial")
    assert fm40.decode_frame(fm40.encode_frame(0x31, b"abc")) == (0x31, b"abc")
    with pytest.raises(fm40.FrameError):
        fm40.decode_frame(fm40.encode_frame(0x31, b"abc")[:-1] + b"\x00")
