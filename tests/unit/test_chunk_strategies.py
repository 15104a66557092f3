"""The other strategies, the chunker's fingerprint and ids, and how sizes are counted."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from counters import BLANK_SEPARATED, CHARACTERS, WORDS, FirstWord, Pattern, english
from parsed import source
from pincite.chunk import LEAST_LIMIT, make_chunker, uncovered
from pincite.chunk.halve import halves
from pincite.chunk.ruler import Ruler
from pincite.chunk.semantic import shifts
from pincite.chunk.words import Words
from pincite.config import STRATEGIES, ChunkConfig
from pincite.errors import UsageError
from pincite.parse import parse
from pincite.types import CHUNK_ID_DIGITS, Chunk, Document, Span

PAGE = "# Pump\n\n" + " ".join(f"Sentence {i} has six words." for i in range(40)) + "\n\n## Hose\n\nShort.\n"


def page(text: str = PAGE) -> Document:
    return parse(source("page.md", text))


def chunks(strategy: str, text: str = PAGE, limit: int = 254, **settings: int) -> tuple[Chunk, ...]:
    config = ChunkConfig(strategy, **{"parent_size": 1024, **settings})
    return make_chunker(config, WORDS, limit, embedder=FirstWord(limit))(page(text)).chunks


def words(n: int) -> str:
    return " ".join(f"w{i}" for i in range(n))


# ── strategies ────────────────────────────────────────────────────────────────────────────────
def test_token_windows_are_full_and_overlap_by_as_many_tokens_as_asked() -> None:
    found = chunks("tokens", words(100), size=40, overlap=10)
    assert [chunk.n_tokens for chunk in found] == [40, 40, 40]
    assert [chunk.text.split()[0] for chunk in found] == ["w0", "w30", "w60"]


def test_windows_leave_room_for_the_situating_line() -> None:
    found = chunks("tokens", PAGE, size=50, overlap=0)
    assert max(chunk.n_tokens for chunk in found) <= 50
    assert found[1].context == "Pump" and found[-1].text.endswith("Short.")


def test_sentence_chunks_end_with_sentences_across_headings() -> None:
    found = chunks("sentence", size=60, overlap=6)
    assert all(chunk.text.endswith(".") for chunk in found)
    assert all(a.text.endswith(b.text[: a.span.end - b.span.start]) for a, b in pairwise(found))
    assert found[-1].text.endswith("## Hose\n\nShort.")


def test_recursive_cuts_at_the_largest_separator() -> None:
    text = f"{words(20)}\n\n{words(18)}\n{words(19)}\n\n{words(20)}"
    assert [c.text for c in chunks("recursive", text, size=30, overlap=0)] == [
        words(20),
        words(18),
        words(19),
        words(20),
    ]
    assert [c.text for c in chunks("recursive", text, size=40, overlap=0)] == [
        words(20),
        f"{words(18)}\n{words(19)}",
        words(20),
    ]


def test_fixed_windows_are_characters_and_leave_out_what_the_parser_left_out() -> None:
    text = "---\ntitle: Pump\n---\n" + "abcdefghij" * 10
    found = chunks("fixed", text, size=30, overlap=0)
    assert [len(chunk.text) for chunk in found] == [30, 30, 30, 10]
    assert all("title" not in chunk.text for chunk in found)


def test_semantic_cuts_where_neighbouring_sentences_differ_most() -> None:
    text = " ".join(["Valves are closed."] * 12 + ["Hoses are long."] * 12)
    found = chunks("semantic", text)
    assert [chunk.text[:6] for chunk in found] == ["Valves", "Hoses "]
    assert "Hoses" not in found[0].text


def test_semantic_keeps_to_the_size_and_to_the_limit_of_the_model() -> None:
    found = chunks("semantic", f"Valves {words(400)}. Hoses are long. Pumps run.", size=60, limit=64)
    assert max(chunk.n_tokens for chunk in found) <= 60
    assert len(found) > 6


def test_shifts_are_distances_above_the_90th_percentile_and_nan_is_none() -> None:
    a, b = np.array([1, 0], np.float32), np.array([0, 1], np.float32)
    rows = np.stack([a] * 10 + [b] * 10)
    assert shifts(rows) == [10]
    rows[10] = np.nan
    assert shifts(rows) == []
    rows[10] = 0
    assert shifts(rows) == []


def test_semantic_needs_an_embedder() -> None:
    with pytest.raises(UsageError, match="needs the dense model"):
        make_chunker(ChunkConfig("semantic"), WORDS, 254)


def test_parents_are_the_largest_section_that_fits() -> None:
    text = "# A\n\n" + words(30) + "\n\n## B\n\n" + words(20) + "\n\n# C\n\n" + words(50) + "\n"
    document = page(text)
    a, b, c = document.sections

    def parents(size: int) -> list[Span | None]:
        config = ChunkConfig("parent_child", size=40, overlap=0, parent_size=size)
        return [chunk.parent for chunk in make_chunker(config, WORDS, 254)(document).chunks]

    whole = Span(0, len(text) - 1)
    assert parents(400) == [whole] * 4
    assert parents(60) == [a.span, a.span, c.span, c.span]
    assert parents(50)[1] == b.span


def test_under_a_section_too_large_the_parent_is_a_window_of_neighbours() -> None:
    found = chunks("parent_child", size=30, overlap=0, parent_size=90)
    for chunk in found:
        assert chunk.parent is not None and chunk.parent.holds(chunk.span)
        assert WORDS.count([PAGE[chunk.parent.start : chunk.parent.end]])[0] <= 90
    assert len({chunk.parent for chunk in found}) < len(found)


# ── fingerprint, ids, limit ───────────────────────────────────────────────────────────────────
def fingerprint(config: ChunkConfig, tokens: Pattern = WORDS, limit: int = 254) -> str:
    return make_chunker(config, tokens, limit, embedder=FirstWord()).fingerprint


def test_the_fingerprint_changes_with_all_that_decides_the_chunks() -> None:
    prints = [fingerprint(ChunkConfig(strategy)) for strategy in STRATEGIES]
    prints += [fingerprint(ChunkConfig(size=100)), fingerprint(ChunkConfig(overlap=3))]
    prints += [fingerprint(ChunkConfig(context_line=False))]
    prints += [fingerprint(ChunkConfig(), CHARACTERS), fingerprint(ChunkConfig(), limit=100)]
    assert len(set(prints)) == len(prints)
    assert fingerprint(ChunkConfig()) == fingerprint(ChunkConfig(parent_size=2000))


def test_equal_text_in_two_files_or_at_two_places_has_two_ids() -> None:
    chunker = make_chunker(ChunkConfig(), WORDS, 254)
    one, other = (chunker(parse(source(uri, "Same.\n"))).chunks[0] for uri in ("a.md", "b.md"))
    assert one.text == other.text and one.id != other.id
    assert len(one.id) == CHUNK_ID_DIGITS and int(one.id, 16) >= 0
    later = chunker(parse(source("a.md", "\nSame.\n"))).chunks[0]
    assert later.id != one.id


def test_a_limit_too_small_for_any_text_is_refused() -> None:
    with pytest.raises(UsageError, match=f"at least {LEAST_LIMIT}"):
        make_chunker(ChunkConfig(), WORDS, LEAST_LIMIT - 1)


def test_a_character_that_is_over_the_limit_alone_is_kept_whole() -> None:
    class Costly(Pattern):
        def count(self, texts: list[str]) -> list[int]:  # type: ignore[override]
            return [50 * text.count("ﷺ") + len(text.split()) for text in texts]

    found = make_chunker(ChunkConfig(), Costly(r"\S+"), 16)(page("one ﷺﷺ two\n")).chunks
    assert [chunk.text for chunk in found] == ["one", "ﷺ", "ﷺ", "two"]


def test_halves_are_cut_near_the_middle() -> None:
    def cut(text: str) -> list[str]:
        return [text[span.start : span.end] for span in halves(text, Span(0, len(text)))]

    assert cut("One sentence here. Another sentence here.") == [
        "One sentence here.",
        "Another sentence here.",
    ]
    assert cut("no sentence ends here") == ["no sentence", "ends here"]
    assert cut("unbreakable") == ["unbre", "akable"]
    assert cut("x") == ["x"]


# ── counting ──────────────────────────────────────────────────────────────────────────────────
def test_a_tokenizer_that_goes_word_by_word_is_known_by_what_it_does() -> None:
    assert [Words.of(tokens).by_words for tokens in (english(), WORDS, BLANK_SEPARATED)] == [True] * 3
    assert not Words.of(CHARACTERS).by_words


def test_counts_by_words_equal_the_tokenizers_own() -> None:
    texts = [
        PAGE,
        "naïve ﬁre e\u0301 x\u00a0y",
        "更换电池后请等待。" * 20,
        "x" * 300,
        "",
        " \n",
        "https://a.b/c?d=e#f " * 9,
    ]
    words = Words.of(english())
    assert words.count(texts) == english().count(texts)
    assert words.count(texts) == english().count(texts)  # from what was kept


@pytest.mark.parametrize("tokens", [WORDS, CHARACTERS, english()])
def test_a_ruler_measures_slices_of_words_exactly(tokens: Pattern) -> None:
    document = page()
    ruler = Ruler.of(document, Words.of(tokens), ChunkConfig(), 254)
    ends = [0, *(at for at in range(1, len(PAGE)) if PAGE[at].isspace()), len(PAGE)][::9]
    for start in ends:
        for end in ends:
            if (
                start < end
                and not PAGE[start - 1 : start].isalnum()
                and not PAGE[end - 1 : end + 1].isalnum()
            ):
                assert ruler.size(start, end) == tokens.count([PAGE[start:end]])[0]


def test_long_texts_are_measured_in_pieces() -> None:
    text = "valve " * 60_000 + "x" * 100_000 + "更换电池后请等待。" * 2000
    ruler = Ruler.of(page(text), Words.of(WORDS), ChunkConfig(), 254)
    assert ruler.size(0, 360_000) == 60_000
    assert ruler.size(360_000, 460_000) == 100_000 // 16


def test_a_long_line_is_chunked_in_linear_time() -> None:
    found = chunks("structural", "lorem ipsum dolor sit amet " * 10_000)
    assert 150 < len(found) < 300
    document = page("lorem ipsum dolor sit amet " * 10_000)
    assert uncovered(document, make_chunker(ChunkConfig(), WORDS, 254)(document)) == []
