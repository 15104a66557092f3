"""Candidates that no score tells apart: by path and line, however many, however the index came to be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from failing_models import library, synced
from pincite.equals import copies_last, in_order
from pincite.library import Library
from pincite.types import Candidate

COPIES = 230
TEXT = "The service interval of the pump is checked by the technician every year.\n"


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Many files of one text, made in two syncs, and one that says something else."""
    root = tmp_path_factory.mktemp("copies")
    for number in range(1, COPIES, 2):
        (root / f"f{number:03}.txt").write_text(TEXT)
    synced(root)
    for number in range(0, COPIES, 2):
        (root / f"f{number:03}.txt").write_text(TEXT)
    (root / "z.txt").write_text("The gasket is green.\n")
    synced(root)
    return root


def found(opened: Library, text: str, k: int, legs: Sequence[str] | None = None) -> list[str]:
    return [hit.stored.uri for hit in opened.search(text, k=k, legs=legs).hits]


@pytest.mark.parametrize("legs", [None, ("lexical",), ("dense",)])
@pytest.mark.parametrize("text", ["technician", "service interval of the gasket every year"])
def test_the_first_k_are_those_of_any_larger_k(copies: Path, legs: tuple[str, ...], text: str) -> None:
    with library(copies) as opened:
        longest = found(opened, text, COPIES + 1, legs)
        for k in (1, 2, 3, 4, 10, 99, 100, 101, 128, 129, 150, 200, 201, COPIES - 1):
            assert found(opened, text, k, legs) == longest[:k], k
        assert [uri for uri in longest if uri != "z.txt"] == [f"f{n:03}.txt" for n in range(COPIES)]


def test_copies_do_not_hide_what_says_something_else(copies: Path) -> None:
    with library(copies) as opened:
        for text in ("gasket", "service interval of the gasket every year", "the gasket of the pump"):
            assert found(opened, text, 10).index("z.txt") <= 3


def test_equals_of_one_file_stand_in_its_order(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("".join(f"# Part\n\nquartz {'pad ' * 30}\n\n" for _ in range(12)))
    synced(tmp_path)
    with library(tmp_path) as opened:
        lines = [hit.stored.place.line_start for hit in opened.search("quartz", k=12).hits]
    assert len(lines) == 12 and lines[:3] == sorted(lines[:3]) and lines[3:] == sorted(lines[3:])


def test_scores_come_before_places() -> None:
    ranked = [Candidate("3", 2.0), Candidate("1", 1.0), Candidate("2", 1.0)]
    place = {1: ("b", 0), 2: ("a", 9), 3: ("c", 0)}
    assert [one.chunk_id for one in in_order(ranked, lambda _: place)] == ["3", "2", "1"]


def test_exact_copies_stay_before_what_is_not_exact() -> None:
    ranked = [Candidate(str(n), 1.0, exact=True, scores={"dense": 0.5}) for n in range(1, 6)]
    ranked += [Candidate("7", 0.5)]
    texts = dict.fromkeys(range(1, 6), b"same")
    assert [one.chunk_id for one in copies_last(ranked, lambda _: texts)] == ["1", "2", "3", "4", "5", "7"]
