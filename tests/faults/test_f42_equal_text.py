"""F42: equal text in several files keeps every place, and deleting one file leaves the others."""

from __future__ import annotations

import json
from pathlib import Path

from libraries import FAULTS, inputs, library
from pincite.library import Library
from pincite.types import SearchHit

EXPECT = json.loads((FAULTS / "F42" / "expect.json").read_text("utf-8"))
FILES = inputs("F42", "a/terms.md", "b/terms.md", "a/guide.md", "twice.md")
PARAGRAPH = "The storage fee"


def line_of(hit: SearchHit) -> list[str]:
    """`path:line` of each copy of the paragraph in a hit."""
    first = hit.stored.place.line_start or 0
    lines = hit.stored.chunk.text.split("\n")
    return [f"{hit.stored.uri}:{first + n}" for n, line in enumerate(lines) if line.startswith(PARAGRAPH)]


def places(lib: Library, **options: object) -> list[list[str]]:
    """The places each leg, and both, know of."""
    found = []
    for legs in (("lexical",), ("dense",), ("lexical", "dense")):
        hits = lib.search("storage fee", legs=legs, **options).hits  # type: ignore[arg-type]
        found.append(sorted(place for hit in hits for place in line_of(hit)))
    return found


def test_every_place_is_known_filtered_and_kept(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as lib:
        lib.sync()
        assert places(lib) == [sorted(EXPECT["places"])] * 3
        assert places(lib, filter="folder=b") == [EXPECT["filter_b"]] * 3
        team_2 = lib.ask("storage fee", filter="folder=b")
        assert {one.uri for one in team_2.context.evidence} <= {"b/terms.md"}
        assert all(one.also_at == () for one in team_2.context.evidence)
        (tmp_path / "a" / "terms.md").unlink()
        assert lib.sync().removed == ("a/terms.md",)
        assert places(lib) == [sorted(EXPECT["after_delete_a_terms"])] * 3
        (tmp_path / "b" / "terms.md").unlink()
        lib.sync()
        assert places(lib) == [["a/guide.md:5", "twice.md:3", "twice.md:7"]] * 3


def test_a_passage_is_never_also_at_its_own_place(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as lib:
        lib.sync()
        evidence = lib.ask("storage fee").context.evidence
    assert any(one.also_at for one in evidence)
    shown = [(one.uri, *map(int, one.location.split(":")[1].split("-"))) for one in evidence]
    for one, (uri, first, *last) in zip(evidence, shown, strict=True):
        assert len(one.also_at) == len(set(one.also_at))
        for other, lines in (place.split(":") for place in one.also_at):
            assert other != uri or not first <= int(lines.split("-")[0]) <= (last or [first])[0]
    told = [place for one in evidence for place in (one.location, *one.also_at)]
    assert {place.split(":")[0] for place in told} == set(FILES)
