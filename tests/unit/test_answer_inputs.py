"""What the answer stage reads of a library: token counts, sentence vectors, terms, the whole text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from embedders import bag_of_words
from libraries import PLAIN, library
from pincite.answer.inputs import (
    holds_whole_library,
    sentence_embedder,
    term_set,
    token_counter,
    whole_library,
)
from pincite.assemble import assemble
from pincite.config import ContextConfig
from pincite.errors import UsageError
from pincite.index import tree
from pincite.library import Library
from pincite.types import Context, SearchHit

FILES = {f"{name}.md": f"# Part {name}\n\nThe valve {name} has a seal.\n" for name in "abc"}


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A synced folder; tests change only copies."""
    root = tmp_path_factory.mktemp("inputs")
    with library(root, FILES, embedder=bag_of_words(limit=16), config=PLAIN) as opened:
        opened.sync()
    return root


@pytest.fixture
def lib(synced: Path, tmp_path: Path) -> Iterator[Library]:
    tree.copy(synced, tmp_path / "docs")
    with library(tmp_path / "docs", {}, embedder=bag_of_words(limit=16), config=PLAIN) as opened:
        yield opened


def test_a_chat_model_s_tokens_are_counted_with_room_to_spare(lib: Library) -> None:
    assert token_counter(lib._open())(["one two three", "", "one two three four five"]) == [4, 0, 6]


def test_a_tokenizer_that_is_not_there_is_named(lib: Library) -> None:
    opened = lib._open()
    opened.config = replace(PLAIN, llm=replace(PLAIN.llm, tokenizer="/nowhere/tokenizer.json"))
    with pytest.raises(UsageError, match=r"llm\.tokenizer: /nowhere/tokenizer\.json does not exist"):
        token_counter(opened)


def test_a_long_sentence_is_read_up_to_the_model_s_limit(lib: Library) -> None:
    embed = sentence_embedder(lib._open(), "which valve")
    assert embed is not None
    long = " ".join(f"word{n}" for n in range(40))
    rows = embed([long, " ".join(f"word{n}" for n in range(16)), "short"])
    assert rows.shape == (3, 32)
    assert np.array_equal(rows[0], rows[1])


def test_without_the_dense_leg_no_model_is_asked(tmp_path: Path) -> None:
    model = bag_of_words()
    with library(tmp_path, FILES, embedder=model) as lib:
        lib.sync()
        embedded = len(model.embedded)
        assert lib.ask("Which valve has a seal?", legs=("lexical",)).claims
    assert model.queries == [] and len(model.embedded) == embedded


def test_terms_are_those_of_a_query(lib: Library) -> None:
    assert term_set(lib._open())("Seals, seals and SEAL of a Valve") == {"seal", "valv"}


def test_the_whole_library_follows_the_hits_when_it_fits(lib: Library) -> None:
    opened = lib._open()
    found = lib.search("valve b", k=1)
    (lib.root / "c.md").write_text("# Part c\n\nSomething else.\n")
    rest = whole_library(opened, found)
    assert [hit.stored.uri for hit in rest] == ["a.md", "c.md"]
    assert [hit.rank for hit in rest] == [2, 3]
    assert [hit.stale for hit in rest] == [None, "changed"]
    assert whole_library(opened, lib.search("valve", filter="name=a.md")) == ()
    opened.config = replace(PLAIN, context=ContextConfig(budget=20))
    assert whole_library(opened, found) == ()


def context_of(lib: Library, hits: tuple[SearchHit, ...], budget: int = 1000) -> Context:
    opened = lib._open()
    config = ContextConfig(budget=budget)
    return assemble(hits, catalog=opened.catalog, config=config, count=token_counter(opened))


def test_evidence_is_the_whole_library_only_if_it_holds_every_chunk(lib: Library) -> None:
    opened = lib._open()
    every, one = lib.search("valve", k=10).hits, lib.search("valve", k=1).hits
    assert len(every) == opened.catalog.counts()["chunks"] == 3
    assert holds_whole_library(opened, context_of(lib, every)), "all of it was found"
    assert not holds_whole_library(opened, context_of(lib, one))
    assert not holds_whole_library(opened, context_of(lib, every, budget=40)), "some did not fit"
    assert not holds_whole_library(opened, Context(()))


def test_an_exact_copy_is_no_missing_part(tmp_path: Path) -> None:
    with library(tmp_path, {**FILES, "copy.md": FILES["a.md"]}) as opened:
        opened.sync()
        assert holds_whole_library(opened._open(), context_of(opened, opened.search("valve").hits))


@pytest.mark.parametrize("given", ["base_url", "model"])
def test_half_a_chat_model_is_refused_by_name(lib: Library, given: str) -> None:
    opened = lib._open()
    missing = {"base_url": "model", "model": "base_url"}[given]
    opened.config = replace(PLAIN, llm=replace(PLAIN.llm, **{given: "http://127.0.0.1:9"}))
    with pytest.raises(UsageError, match=rf"llm\.{missing} is not set, and llm\.{given} is") as caught:
        lib.ask("Which valve?")
    assert f"PINCITE_LLM_{missing.upper()}" in caught.value.hint
