"""What holds of the chunks of any document, whatever the strategy, the sizes and the tokenizer."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counters import CHARACTERS, WORDS, FirstWord, english
from parsed import source
from pincite.chunk import make_chunker, uncovered
from pincite.chunk.coverage import gaps
from pincite.chunk.sentences import line_spans, paragraph_spans, sentence_spans
from pincite.config import STRATEGIES, ChunkConfig
from pincite.contextualise import contextualise
from pincite.parse import parse
from pincite.protocols import TokenCounter
from pincite.types import Block, Chunked, Document, Span

PLAIN = ("valve", "3.5", "mm", "e.g.", "Dr.", "U.S.", "No.", "5", "well…", "«so»", "x.", "y!", "z?")
WIDE = ("电池更换后", "请等待。", "バルブ「閉」。", "e\u0301a\u0302", "👩‍🔬", "🇩🇪🇫🇷", "ﷺ")
ODD = ("|", "#", "-", "*", "```", "\t", "\x0c", "\u2028", "\x1f", "\xa0", "\u200b", "0_x-" * 30)
WORD = st.sampled_from(PLAIN + WIDE + ODD)
LINE = st.lists(WORD, min_size=0, max_size=30).map(" ".join)
PREFIX = st.sampled_from(
    ["", "", "", "# ", "## ", "### ", "- ", "1. ", "> ", "    ", "| a | b |", "|---|---|"]
)
MARKDOWN = st.lists(
    st.tuples(PREFIX, LINE, st.sampled_from(["\n", "\n\n", "\r\n", "\r\n\r\n"])), max_size=25
).map(lambda lines: "".join(prefix + line + end for prefix, line, end in lines))
SIZES = st.tuples(st.integers(1, 60), st.integers(-1, 59)).filter(lambda pair: pair[1] < pair[0])
FEW = max(20, settings().max_examples // 4)  # of the profile; each example is a whole document
COUNTERS = st.sampled_from(["words", "characters", "english"])


def counter(name: str) -> TokenCounter:
    return {"words": WORDS, "characters": CHARACTERS}.get(name) or english()


def chunk(
    text: str, strategy: str, sizes: tuple[int, int], limit: int, tokens: TokenCounter
) -> tuple[Document, Chunked]:
    document = parse(source("notes/page.md", text))
    config = ChunkConfig(strategy, size=sizes[0], overlap=sizes[1], parent_size=sizes[0] + 40)
    chunker = make_chunker(config, tokens, limit, embedder=FirstWord(limit))
    chunked = chunker(document)
    assert chunker(document) == chunked
    return document, chunked


@pytest.mark.parametrize("strategy", STRATEGIES)
@given(text=MARKDOWN, sizes=SIZES, limit=st.integers(24, 80), name=COUNTERS)
@settings(max_examples=FEW, deadline=None)
def test_chunks_are_slices_that_cover_the_text_within_the_limit(
    strategy: str, text: str, sizes: tuple[int, int], limit: int, name: str
) -> None:
    tokens = counter(name)
    document, chunked = chunk(text, strategy, sizes, limit, tokens)
    chunks = chunked.chunks
    assert uncovered(document, chunked) == []
    assert len(chunks) <= len(document.text)
    assert len({c.id for c in chunks}) == len(chunks)
    assert [c.n_tokens for c in chunks] == tokens.count([c.dense_text for c in chunks])
    for c in chunks:
        assert c.text == document.text[c.span.start : c.span.end]
        assert c.text.strip()
        assert c.n_tokens <= limit
        assert not c.text.startswith("\n") and not c.text.endswith("\r")
        assert c.doc_id == document.id
        assert c.parent is None or c.parent.holds(c.span)
        assert document.text[c.span.start - 1 : c.span.start + 1] != "\r\n"
    assert all(a.span.start < b.span.start and a.span.end < b.span.end for a, b in pairwise(chunks))


def glued(document: Document) -> list[list[Block]]:
    """Each block that nothing leads to, with the blocks it leads: a heading's next, a table's first row."""
    groups: list[list[Block]] = []
    for block in document.blocks:
        if groups and groups[-1][-1].kind in ("heading", "table") and groups[-1][-1].section == block.section:
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


@given(text=MARKDOWN, sizes=SIZES, limit=st.integers(24, 80), name=COUNTERS)
@settings(max_examples=FEW, deadline=None)
def test_structural_chunks_keep_to_their_section_and_repeat_only_inside_a_cut_block(
    text: str, sizes: tuple[int, int], limit: int, name: str
) -> None:
    document, chunked = chunk(text, "structural", sizes, limit, counter(name))
    heads = [block.span for block in document.blocks if block.kind == "heading"]
    for c in chunked.chunks:
        assert not any(c.span.start < head.start < c.span.end for head in heads)
    units = [Span(blocks[0].span.start, blocks[-1].span.end) for blocks in glued(document)]
    for a, b in pairwise(chunked.chunks):
        if a.span.overlap(b.span):
            assert any(unit.holds(Span(b.span.start, a.span.end)) for unit in units)


@given(text=MARKDOWN, sizes=SIZES, limit=st.integers(16, 80), name=COUNTERS)
@settings(max_examples=FEW, deadline=None)
def test_contextualising_again_changes_nothing(
    text: str, sizes: tuple[int, int], limit: int, name: str
) -> None:
    tokens = counter(name)
    document, chunked = chunk(text, "structural", sizes, limit, tokens)
    again = contextualise(document, chunked, tokens, limit=limit)
    assert again == chunked or any(c.n_tokens > limit for c in chunked.chunks)
    assert [c.text for c in again.chunks] == [c.text for c in chunked.chunks]


@pytest.mark.parametrize("split", [sentence_spans, line_spans, paragraph_spans])
@given(text=MARKDOWN, data=st.data())
@settings(max_examples=FEW, deadline=None)
def test_splits_hold_all_text_in_order_without_overlap(split: object, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    spans = split(text, start, end)  # type: ignore[operator]
    assert gaps(text[:end], [Span(0, start), *spans]) == []
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(text[span.start : span.end].strip() for span in spans)
    assert all(start <= span.start < span.end <= end for span in spans)
