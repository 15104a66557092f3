"""F23–F28 through the whole line: keyword search over files, by the real catalog and index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from embedders import bag_of_words, maker
from keyword_search import read_docs, read_rows
from libraries import DEFAULT, FAULTS, lexical, uris, write
from pincite.cli import main
from pincite.errors import UsageError
from pincite.library import Library

CASES = ["F24", "F25", "F26", "F27"]
NOTHING = ["", "   ", "\n\t"]


def expected(fault: str) -> Any:
    return json.loads((FAULTS / fault / "expect.json").read_text("utf-8"))


def files(fault: str, name: str = "docs.jsonl") -> dict[str, str | bytes]:
    """One file for each document; a document without a file name is Markdown."""
    docs = read_docs(FAULTS / fault / name)
    return {one if "." in one else f"{one}.md": text for one, text in docs.items()}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Library]]:
    """The synced library of each case."""
    opened: dict[str, Library] = {}
    for fault in [*CASES, "F28"]:
        root = tmp_path_factory.mktemp(fault)
        write(root, files(fault))
        model = maker(bag_of_words())
        opened[fault] = Library(root, root / ".pincite", DEFAULT, make_embedder=model)
        opened[fault].sync()
    yield opened
    for lib in opened.values():
        lib.close()


@pytest.mark.parametrize("fault", CASES)
def test_first_result_and_what_must_stay_out(fault: str, libraries: dict[str, Library]) -> None:
    lib = libraries[fault]
    for row in read_rows(FAULTS / fault / "queries.tsv"):
        found = uris(lexical(lib, row["query"]))
        first = row["first"] if not row["first"] or "." in row["first"] else f"{row['first']}.md"
        assert found[:1] == ([first] if first else []), row
        assert not set((row.get("not_returned") or "").split(",")) & set(found), row
        assert all(hit.candidate.fused > 0 for hit in lexical(lib, row["query"])), row


@pytest.mark.parametrize("name", ["half", "most", "one"])
def test_f23_a_frequent_word_finds_its_documents(name: str, tmp_path: Path) -> None:
    query, found = {
        "half": ("valve", ["d1.md", "d2.md"]),
        "most": ("system backup", ["e2.md", "e1.md", "e3.md"]),
        "one": ("only", ["f1.md"]),
    }[name]
    write(tmp_path, files("F23", f"{name}.jsonl"))
    with Library(tmp_path, tmp_path / ".pincite", DEFAULT, make_embedder=maker(bag_of_words())) as lib:
        hits = lexical(lib, query)
    assert sorted(uris(hits)) == sorted(found)
    assert hits[0].stored.uri == found[0] or name == "half"
    assert all(hit.candidate.fused > 0 for hit in hits)


def test_f27_no_text_raises_and_the_command_line_takes_it_as_words(
    libraries: dict[str, Library], capsys: pytest.CaptureFixture[str]
) -> None:
    lib = libraries["F27"]
    strings = [*expected("F27")["must_not_raise"], "(" * 10_000, json.loads('"\\ud800"'), '"' * 10_001]
    for query in strings:
        assert set(uris(lexical(lib, query))) <= {"k9.md"}, query
        lib.search(query)
    for row in read_rows(FAULTS / "F27" / "queries.tsv")[:3]:
        words = ["search", "--in", str(lib.root), "--legs", "lexical", "--json", "--", row["query"]]
        assert main(words) == 0
        hits = json.loads(capsys.readouterr().out)["hits"]
        assert hits[0]["uri"] == f"{row['first']}.md"


def test_f28_stop_words_find_and_nothing_finds_nothing(libraries: dict[str, Library]) -> None:
    lib, expect = libraries["F28"], expected("F28")
    for query, name in expect["first"].items():
        assert uris(lexical(lib, query))[0] == f"{name}.md"
    for query, found in expect["set"].items():
        assert sorted(uris(lexical(lib, query))) == [f"{name}.md" for name in found]
    for query in ["???", "🪤"]:
        assert lexical(lib, query) == []


@pytest.mark.parametrize("query", NOTHING)
def test_f28_an_empty_query_is_refused_and_reaches_no_model(query: str, tmp_path: Path) -> None:
    write(tmp_path, files("F28"))
    model = bag_of_words()
    with Library(tmp_path, tmp_path / ".pincite", DEFAULT, make_embedder=maker(model)) as lib:
        with pytest.raises(UsageError, match="the query is empty"):
            lib.search(query)
        with pytest.raises(UsageError, match="the query is empty"):
            lib.ask(query)
    assert main(["search", query, "--in", str(tmp_path), "--json"]) == 2
    assert model.queries == []


def test_f28_stop_words_reach_the_dense_leg(libraries: dict[str, Library]) -> None:
    hits = libraries["F28"].search("who is it", legs=("dense",)).hits
    assert hits and all(hit.candidate.dense is not None for hit in hits)
