"""What the answer stage reads of a library: token counts, sentence vectors, terms, the whole text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from embedders import bag_of_words
from libraries import PLAIN, library
from pincite.config import ContextConfig
from pincite.errors import UsageError
from pincite.library import Library
from pincite.reading import sentence_embedder, term_set, token_counter, whole_library

FILES = {f"{name}.md": f"# Part {name}\n\nThe valve {name} has a seal.\n" for name in "abc"}


@pytest.fixture
def lib(tmp_path: Path) -> Iterator[Library]:
    with library(tmp_path, FILES, embedder=bag_of_words(limit=16), config=PLAIN) as opened:
        opened.sync()
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
