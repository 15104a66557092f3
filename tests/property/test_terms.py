"""Properties of lexical terms that hold for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.analyze import MOST_QUERY_TERMS, analyze, identifier, phrases, stop_words

ALPHABET = "aAbBzZ019_-.'\"+#,/\\:()‑—éÉßİ监控ポンプ펌프ไทหि\u0301\u200b™½²😀\x00\ud800 \n"
TEXTS = st.text(st.sampled_from(ALPHABET), max_size=60) | st.text(max_size=60)
NUMBERS = st.lists(st.integers(0, 999), min_size=2, max_size=5)
STEMMERS = st.sampled_from([("english",), (), ("english", "german"), ("russian",)])


@given(TEXTS, STEMMERS)
def test_terms_are_clean(text: str, stemmers: tuple[str, ...]) -> None:
    for side in ("document", "query"):
        terms = analyze(text, side=side, stemmers=stemmers)  # type: ignore[arg-type]
        assert terms == " ".join(terms.split())
        terms.encode("utf-8")  # no lone surrogate is left


@given(TEXTS, STEMMERS)
def test_a_text_finds_itself(text: str, stemmers: tuple[str, ...]) -> None:
    """Every term of a query stands in the document of the same text."""
    asked = analyze(text, side="query", stemmers=stemmers).split()
    held = analyze(text, side="document", stemmers=stemmers).split()
    assert set(asked) <= set(held)
    assert bool(asked) == bool(held)
    assert len(asked) == len(set(asked)) <= MOST_QUERY_TERMS


@given(st.lists(TEXTS, max_size=5))
def test_lines_add_up(lines: list[str]) -> None:
    """A document's terms are those of its lines: term frequencies count occurrences."""
    whole = analyze("\n".join(lines), side="document")
    assert whole.split() == [t for line in lines for t in analyze(line, side="document").split()]


@given(st.from_regex(r"[a-z]{1,8}([A-Z][a-z]{1,8}){1,4}", fullmatch=True))
def test_case_joined_words_meet_lower_case_and_parts(name: str) -> None:
    held = set(analyze(name, side="document").split())
    assert set(analyze(name.lower(), side="query").split()) <= held
    assert identifier(name) == name.lower()


@given(st.lists(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=2, max_size=5), st.sampled_from("_-."))
def test_joined_words_are_found_by_each_part(parts: list[str], joiner: str) -> None:
    held = set(analyze(joiner.join(parts), side="document").split())
    assert all(set(analyze(part, side="document").split()) <= held for part in parts)


@given(
    st.lists(st.integers(0, 999), min_size=2, max_size=5),
    st.lists(st.integers(0, 999), min_size=2, max_size=5),
)
def test_versions_meet_only_themselves(one: list[int], other: list[int]) -> None:
    a, b = ".".join(map(str, one)), ".".join(map(str, other))
    meet = set(analyze(a, side="query").split()) & set(analyze(f"v{b}", side="document").split())
    assert bool(meet) == (a == b)


@given(TEXTS)
def test_identifiers_and_phrases_never_raise(text: str) -> None:
    assert not identifier(text) or identifier(text) in analyze(text, side="document").split()
    assert all(phrase.strip() and phrase in text for phrase in phrases(text))


@given(st.lists(st.sampled_from(sorted(stop_words())), min_size=1, max_size=6))
def test_a_query_of_stop_words_is_not_empty(words: list[str]) -> None:
    assert analyze(" ".join(words), side="query")


@pytest.mark.parametrize("word", sorted(stop_words()))
def test_every_stop_word_is_indexed(word: str) -> None:
    assert analyze(word, side="document")
