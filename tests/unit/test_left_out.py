"""What a parser leaves out on purpose is told, each part once."""

from __future__ import annotations

from pathlib import Path

import pytest

from libraries import library
from pincite.cli.report import parse_text
from pincite.cli.terminal import Terminal
from pincite.jsonform import document_json


@pytest.mark.parametrize(
    ("name", "text", "reasons"),
    [
        ("a.md", "---\ntitle: T\n---\n# Pump\n\n<!-- draft -->\n\nOil it.\n", ["front matter", "comment"]),
        ("a.rst", "Pump\n====\n\n.. a comment\n\nOil it.\n", ["comment"]),
        ("a.txt", "Oil it.\n", []),
    ],
)
def test_what_is_left_out_is_listed_once(tmp_path: Path, name: str, text: str, reasons: list[str]) -> None:
    with library(tmp_path, {name: text}) as opened:
        document, chunked = opened.parse(name)
    listed = document_json(document, chunked)["left_out"]
    assert [left["reason"] for left in listed] == reasons
    told = parse_text(document, chunked, term=Terminal())
    assert [told.count(f": {reason}") for reason in reasons] == [1] * len(reasons)
    assert (f"Left out ({len(reasons)})" in told) == bool(reasons)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.html", "<nav>Home</nav>\n", "no text but navigation"),
        ("a.md", "---\ntitle: T\n---\n", "no text but front matter"),
        ("b.html", "<script>x</script>\n", "no text"),
        ("b.md", "\n\n", "empty file"),
    ],
)
def test_a_file_with_nothing_else_says_so(tmp_path: Path, name: str, text: str, reason: str) -> None:
    with library(tmp_path, {name: text}) as opened:
        assert [(each.uri, each.reason) for each in opened.sync().empty] == [(name, reason)]
