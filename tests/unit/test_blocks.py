"""What a parser saw in a document is kept in the catalog, and is what answers are made of."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libraries import library
from parsed import source
from pincite.answer.passages import sentences
from pincite.index.blocks import pack_blocks, unpack_blocks
from pincite.index.rows import pack_body, unpack_document
from pincite.parse import parse
from pincite.types import Block, Document, Span
from shelf import typed

NOTES = """# Pump

Press Ctrl | Alt and wait. It starts.

| Part | Price |
|------|-------|
| Seal | 6 |
| Belt | 9 |

1. Open it:

   ```sh
   make

   run
   ```
2. Close it.
"""


def again(document: Document) -> Document:
    """The document as the catalog gives it back."""
    row = {
        "doc_id": document.id, "uri": document.uri, "title": document.title, "type": document.type,
        "sha256": document.sha256, "encoding": document.encoding, "language": document.language,
        "meta": "{}", "losses": "", "body": pack_body(document),
    }  # fmt: skip
    return unpack_document(row, own_meta=True)


@pytest.mark.parametrize(
    ("uri", "text"),
    [
        ("a.md", NOTES),
        ("a.csv", "name,age\n" + "ann,7\n" * 2_000),
        ("a.py", "class A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n"),
        ("a.txt", "1. Term\nThe pump is covered. It is.\n\nMore of it.\n"),
        ("a.jsonl", '{"a": 1}\n{"a": 2}\n'),
        ("empty.md", ""),
    ],
)
def test_a_stored_document_is_the_one_that_was_parsed(uri: str, text: str) -> None:
    document = parse(source(uri, text))
    back = again(document)
    assert back == document and tuple(back.blocks) == tuple(document.blocks)
    for block in document.blocks:
        assert list(back.blocks_in(block.span)) == [block]
    assert list(back.blocks_in(Span(0, len(text)))) == list(document.blocks)
    assert list(back.blocks_in(Span(len(text), len(text)))) == []


BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(["row", "table", "heading", "lines"]),
        *[st.integers(0, 9)] * 3,
        st.sampled_from("ab "),
    ),
    max_size=8,
)


@given(BLOCKS)
def test_any_blocks_come_back(drawn: list[tuple[Any, int, int, int, str]]) -> None:
    at, made = 0, []
    for kind, gap, length, section, header in drawn:
        at += gap
        span = Span(0, 1) if header == "a" else None
        made.append(Block(kind, Span(at, at + length), section - 1, header.strip(), span))
        at += length
    packed = json.loads(json.dumps(pack_blocks(made)))
    assert unpack_blocks(packed, characters=at, sections=9) == made


@pytest.mark.parametrize(
    "harm",
    [
        lambda packed: packed["gaps"].append(1),
        lambda packed: packed.update(kinds="x" * len(packed["kinds"])),
        lambda packed: packed["gaps"].__setitem__(1, -3),
        lambda packed: packed["lengths"].__setitem__(1, 10**9),
        lambda packed: packed["sections"].__setitem__(1, 10**9),
        lambda packed: packed["headers"].__setitem__(1, 99),
        lambda packed: packed["headers"].__setitem__(1, -1),
    ],
)
def test_numbers_that_are_of_no_such_text_are_refused(harm: Callable[[dict[str, Any]], None]) -> None:
    document = parse(source("a.md", NOTES))
    packed = pack_blocks(document.blocks)
    harm(packed)
    with pytest.raises(ValueError, match="blocks of a text"):
        unpack_blocks(packed, characters=len(NOTES), sections=len(document.sections))


def test_what_only_looks_like_a_row_is_a_sentence() -> None:
    _, context = typed("a.md", NOTES, "markdown")
    found = {one.text: one for one in sentences(context.evidence[0])}
    assert found["Press Ctrl | Alt and wait."].kind == "paragraph"
    row = found["| Seal | 6 |"]
    assert row.is_row and row.columns == "| Part | Price |" and row.quotable
    assert not found["| Part | Price |"].quotable and not found["|------|-------|"].quotable
    fence = next(one for one in found.values() if one.code)
    assert (
        fence.text.startswith("```sh") and fence.text.endswith("```") and fence.under.endswith("1. Open it:")
    )


def test_a_passage_of_which_nothing_is_known_is_text() -> None:
    _, context = typed("a.md", "It rains. It pours.\n", "markdown")
    bare = replace(context.evidence[0], blocks=())
    assert [one.text for one in sentences(bare)] == ["It rains.", "It pours."]


def test_history_that_is_left_out_is_in_no_answer(tmp_path: Path) -> None:
    mail = (
        "From: a@x.example\nTo: b@x.example\nSubject: Rooms\nDate: Fri, 3 May 2024 10:00:00 +0000\n\n"
        "The blue room holds nine.\n\nOn Thu, Bo wrote:\n> The blue room holds four.\n\nSee you there.\n"
    )
    with library(tmp_path, {"a.eml": mail}) as lib:
        said = lib.ask("How many does the blue room hold?").text
    assert "nine" in said and "four" not in said
