"""The legs' rankings, exact matches and regular expressions, on a small library."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from libraries import library, locations, uris
from pincite import retrieve
from pincite.errors import UsageError
from pincite.expression import Expression
from pincite.expression_process import touched
from pincite.library import Library
from pincite.retrieve import rank
from pincite.types import Everything, chunk_id, point_id

FILES = {
    "a/one.md": "# Seals\n\nThe valve seal is red.\n\n# Codes\n\nERR-5021 means a worn seal.\n",
    "a/two.md": "---\nteam: red\n---\nThe seal of the\nvalve: ERR 5021 is listed, with valve seals.\n",
    "b/three.txt": "Nothing but aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab.\n",
}


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with library(tmp_path_factory.mktemp("retrieve"), FILES) as opened:
        opened.sync()
        yield opened


def test_ranks_start_at_one_and_ties_go_by_path_and_place() -> None:
    found = [(0x1F, 2.0), (0x9, 3.0), (0x2A, 2.0), (0x5, 1.0)]
    places = {0x1F: ("a.md", 5), 0x2A: ("a.md", 70)}
    hits = rank("lexical", found, 3, lambda tied: {point: places[point] for point in tied}).hits
    assert [(int(hit.chunk_id, 16), hit.score, hit.rank) for hit in hits] == [
        (0x9, 3.0, 1),
        (0x1F, 2.0, 2),
        (0x2A, 2.0, 3),
    ]
    assert [hit.chunk_id for hit in hits[1:]] == sorted(hit.chunk_id for hit in hits[1:])
    assert [len(hit.chunk_id) for hit in hits] == [15, 15, 15]


def test_an_id_and_its_point_name_each_other() -> None:
    for point in (0, 1, 2**60 - 1):
        assert point_id(chunk_id(point)) == point


def test_feedback_moves_the_vector_towards_its_neighbours_and_keeps_its_length(lib: Library) -> None:
    opened = lib._open()
    vector = opened.embedder().embed_query("valve seal")
    index = opened.index()
    nearest = dict(index.dense(vector, filter=Everything(), depth=10))
    best = sorted(nearest, key=lambda point: -nearest[point])[:3]
    mean = np.mean(list(index.vectors(best).values()), axis=0)
    moved = retrieve.feedback_vector(index, vector, nearest, weight=0.4)
    expected = vector + 0.4 * mean
    assert np.allclose(moved, expected / np.linalg.norm(expected), atol=1e-6)


def test_the_dense_leg_is_ranked_by_the_moved_vector(lib: Library) -> None:
    opened = lib._open()
    vector = opened.embedder().embed_query("valve seal")
    legs = {
        weight: retrieve.dense_leg(
            opened.index(),
            vector,
            filter=Everything(),
            depth=50,
            more={},
            feedback=weight,
            place=opened.catalog.places_of,
        )
        for weight in (0.0, 0.4)
    }
    plain, moved = legs[0.0], legs[0.4]
    assert np.array_equal(plain[1], vector) and not np.array_equal(moved[1], vector)
    assert {hit.chunk_id for hit in plain[0].hits} == {hit.chunk_id for hit in moved[0].hits}
    stored = opened.index().vectors([point_id(hit.chunk_id) for hit in moved[0].hits])
    for hit in moved[0].hits:
        assert abs(hit.score - float(stored[point_id(hit.chunk_id)] @ moved[1])) < 1e-5


def test_a_quoted_phrase_and_a_code_stand_first(lib: Library) -> None:
    hits = list(lib.search('where is the "Valve  Seal" drawn').hits)
    assert [hit.candidate.exact for hit in hits[:2]] == [True, True]
    assert sorted(uris(hits[:2])) == ["a/one.md", "a/two.md"]
    assert not any(hit.candidate.exact for hit in hits[2:])
    (first, *rest) = lib.search("ERR-5021").hits
    assert (first.location, first.candidate.exact) == ("a/one.md:5-7", True)
    assert not any(hit.candidate.exact for hit in rest)


def test_a_rare_code_inside_a_question_stands_first(lib: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "which red seal of the valve, with valve seals, is listed after ERR-5021"
    (first, *rest) = lib.search(question).hits
    assert (first.location, first.candidate.exact) == ("a/one.md:5-7", True)
    assert not any(hit.candidate.exact for hit in rest)
    assert not any(hit.candidate.exact for hit in lib.search(f"{question} or ERR-5022 or ERR-5023").hits)
    assert not any(hit.candidate.exact for hit in lib.search("which seal has ERR-9999").hits)
    monkeypatch.setattr(retrieve, "_RARE", 0)
    assert not any(hit.candidate.exact for hit in lib.search(question).hits)


def test_a_regular_expression_gives_its_chunks_in_the_order_of_the_files(lib: Library) -> None:
    assert locations(lib.search(r"seal\b", regex=True)) == ["a/one.md:1-3", "a/one.md:5-7", "a/two.md:4-5"]
    assert uris(lib.search(r"^Nothing", regex=True)) == ["b/three.txt"]
    assert uris(lib.search(r"team: red", regex=True)) == [], "front matter is in no chunk"
    assert uris(lib.search("seal", regex=True, filter="team=red")) == ["a/two.md"]
    assert locations(lib.search("seal", regex=True, k=1)) == ["a/one.md:1-3"]
    assert lib.search("x*", regex=True).hits == (), "a match of nothing is none"
    assert lib.search("absent", regex=True).hits == ()


@pytest.mark.parametrize("expression", ["(", "[a-", "a{9999999999999}", "(" * 50_000, "\\"])
def test_what_is_no_regular_expression_is_refused(lib: Library, expression: str) -> None:
    with pytest.raises(UsageError, match="is not a regular expression") as caught:
        lib.search(expression, regex=True)
    assert len(caught.value.message) < 300


def test_a_slow_expression_is_stopped(lib: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieve, "Expression", partial(Expression, seconds=0.2))
    started = time.process_time()
    with pytest.raises(UsageError, match="took longer than"):
        lib.search(r"(?:a|a|aa)+c", regex=True)
    assert time.process_time() - started < 5


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    body = "\n".join(f"# Part {n}\n\nThe one and the other pump of part {n}: check it.\n" for n in range(30))
    files = {"a.md": body, "b.md": "# Other\n\nThe tap.\n", "c.md": "# Third\n\nThe end.\n"}
    with library(tmp_path_factory.mktemp("long"), files) as opened:
        opened.sync()
        yield opened


@pytest.mark.parametrize("k", [1, 10, 30, 100])
def test_a_regular_expression_gives_k_chunks_however_often_each_matches(long: Library, k: int) -> None:
    found = locations(long.search("(?i)the", regex=True, k=k))
    assert len(set(found)) == len(found) == min(k, 32)


def test_one_chunk_a_document_comes_from_a_regular_expression_too(long: Library) -> None:
    found = uris(long.search("(?i)the", regex=True, k=3, per_document=True))
    assert found == ["a.md", "b.md", "c.md"]
    assert uris(long.search("(?i)the", regex=True, k=2, per_document=True)) == ["a.md", "b.md"]


def test_spans_touch_chunks_that_overlap_and_leave_out_those_between() -> None:
    chunks = [(1, 0, 10), (2, 5, 8), (3, 9, 20), (4, 20, 30)]
    assert list(touched(chunks, [(8, 9), (20, 21)])) == [1, 4]
    assert list(touched(chunks, [(7, 10)])) == [1, 2, 3]


def test_exact_phrases_are_looked_for_past_the_first_page(
    long: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieve, "_PAGE", 4)
    result = long.search('"pump of part 27"', k=3)
    assert result.hits[0].candidate.exact and "part 27" in result.hits[0].stored.chunk.text
    assert result.notices == ()
    monkeypatch.setattr(retrieve, "_EXACT_SECONDS", -1.0)
    assert "may be ranked lower" in long.search('"pump of part 27"').notices[0]


GATE = '"""Gates."""\n\n\nclass Gate:\n    def open(self):\n        self.motor.start()\n\n\nGate.open(1)\n'
USES = "# Uses\n\nCall Gate.open at dawn: Gate.open is slow. Open the lid, open the gate, open all.\n"


@pytest.mark.parametrize("name", ["Gate.open", "Gate.open()", "open", "`open`", "Gate"])
def test_the_definition_of_a_symbol_stands_above_its_uses(tmp_path: Path, name: str) -> None:
    with library(
        tmp_path, {"gate.py": GATE, "uses.md": USES, "more.py": "def run():\n    open(1)\n"}
    ) as opened:
        opened.sync()
        (first, *rest) = opened.search(name).hits
        assert (first.stored.uri, first.candidate.exact) == ("gate.py", True)
        assert "class Gate" in first.stored.chunk.text
        assert rest and not any(hit.candidate.exact for hit in rest)
        assert opened.search(f"how to {name} it").hits, "a question is no symbol"
        assert not any(hit.candidate.exact for hit in opened.search("open it").hits)
        assert [hit.candidate.exact for hit in opened.search("Gate.shut").hits].count(True) == 0
