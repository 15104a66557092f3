"""The whole line on real documents in seconds: a folder to an index, a search, an answer, its citations."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import pincite

SAMPLE = Path(__file__).resolve().parents[1] / "examples" / "sample"
QUESTION = "Can I immerse it right after replacing the battery?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pincite.Library]:
    """The English part of the sample, copied and synced."""
    root = tmp_path_factory.mktemp("flash")
    shutil.copytree(SAMPLE, root, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".pincite", "zh"))
    config = pincite.Config(model=pincite.config.ModelConfig("english"))
    with pincite.open(root, config=config) as opened:
        yield opened


def lines(root: Path, citation: pincite.Citation) -> str:
    """The cited lines as they stand in the file."""
    place = citation.place
    assert place.line_start is not None and place.line_end is not None
    text = (root / citation.uri).read_text("utf-8").split("\n")
    return "\n".join(text[place.line_start - 1 : place.line_end])


def test_sync_counts_everything(library: pincite.Library) -> None:
    report = library.sync()
    assert report.found == report.indexed + len(report.empty) + len(report.failed) + len(report.skipped)
    assert report.indexed > 10 and report.failed == ()
    assert (report.pending, report.dense_complete) == ((), 1)


def test_search_finds_the_lines(library: pincite.Library) -> None:
    result = library.search(QUESTION, k=5)
    assert result.dense_complete == 1
    assert "manual.md" in [hit.stored.uri for hit in result.hits]
    for hit in result.hits:
        assert hit.stale is None
        assert hit.stored.chunk.text in (library.root / hit.stored.uri).read_text("utf-8")


def test_ask_cites_what_stands_there(library: pincite.Library) -> None:
    answer = library.ask(QUESTION)
    assert not answer.abstained and answer.claims
    for claim in answer.claims:
        for citation in claim.citations:
            assert citation.verified
            assert citation.quote in lines(library.root, citation)
    assert any("battery" in claim.text.lower() for claim in answer.claims)


def test_an_edit_is_answered_and_a_removal_is_not(library: pincite.Library) -> None:
    note = library.root / "note.md"
    note.write_text("# Spare parts\n\nThe gasket kit has the order number ZQ-4417.\n")
    library.sync()
    citation = library.ask("What is the order number of the gasket kit?").claims[0].citations[0]
    assert (citation.location, citation.verified) == ("note.md:3", True)
    note.unlink()
    assert library.sync().removed == ("note.md",)
    assert all(hit.stored.uri != "note.md" for hit in library.search("ZQ-4417 gasket kit").hits)
