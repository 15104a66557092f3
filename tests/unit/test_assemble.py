"""Budget, merging, growing, duplicates and reasons of the context."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pincite.answer.frame import render_evidence
from pincite.assemble import assemble
from pincite.config import ContextConfig
from pincite.types import Context, SearchHit, Span
from shelf import Shelf, words

ROOM = ContextConfig(budget=1000, neighbours=0)


def lines(context: Context) -> list[list[int | None]]:
    return [[one.place.line_start, one.place.line_end] for one in context.evidence]


def build(shelf: Shelf, hits: list[SearchHit], config: ContextConfig = ROOM) -> Context:
    context = assemble(hits, catalog=shelf, config=config, count=words)
    assert words([render_evidence(context.evidence)])[0] <= max(0, config.budget)
    assert [one.marker for one in context.evidence] == list(range(1, len(context.evidence) + 1))
    for one in context.evidence:
        assert one.text == shelf.documents[one.doc_id].text[one.span.start : one.span.end]
    return context


def test_evidence_carries_what_answering_and_citing_need() -> None:
    shelf = Shelf()
    shelf.add("a.md", "# Battery\n\nDry it for a day.\n", meta={"version": "2.1", "date": "2026-01-02"})
    (one,) = build(shelf, shelf.hits("a.md:2")).evidence
    assert one.location == "a.md:3"
    assert one.context == "Battery · version 2.1 · date 2026-01-02"
    assert one.sha256 == shelf.documents["a.md"].sha256
    assert one.hits == ("a.md:2",)
    assert one.n_tokens == words([render_evidence([one])])[0]


def test_no_hits_give_an_empty_context() -> None:
    assert build(Shelf(), []) == Context(())


def test_the_size_is_that_of_the_rendered_string() -> None:
    shelf = Shelf()
    shelf.add("a.md", "one two three\n")
    shelf.add("b.md", "four five six\n")
    full = build(shelf, shelf.hits("a.md:1", "b.md:1"))
    assert full.n_tokens == words([render_evidence(full.evidence)])[0]
    exact = replace(ROOM, budget=full.n_tokens)
    assert len(build(shelf, shelf.hits("a.md:1", "b.md:1"), exact).evidence) == 2
    one_less = build(shelf, shelf.hits("a.md:1", "b.md:1"), replace(ROOM, budget=full.n_tokens - 1))
    assert [one.uri for one in one_less.evidence] == ["a.md"]
    (dropped,) = one_less.left_out
    assert dropped.chunk_id == "b.md:1"
    assert dropped.reason.startswith("budget: needs ")
    assert dropped.n_tokens == full.evidence[1].n_tokens


def test_a_count_whose_parts_do_not_add_up_still_keeps_the_budget() -> None:
    """Each passage alone is counted low; the whole string is what may not pass the budget."""
    shelf = Shelf()
    for name in "abc":
        shelf.add(f"{name}.md", f"words of {name} and more of it\n")

    def count(texts: list[str]) -> list[int]:
        return [len(text.split()) * (2 if text.count("</evidence>") > 1 else 1) for text in texts]

    hits = shelf.hits("a.md:1", "b.md:1", "c.md:1")
    context = assemble(hits, catalog=shelf, config=replace(ROOM, budget=45), count=count)
    assert count([render_evidence(context.evidence)])[0] <= 45
    assert len(context.evidence) + len(context.left_out) == 3
    assert all("budget" in one.reason for one in context.left_out)


def test_the_best_hit_alone_over_the_budget_is_cut_at_a_sentence() -> None:
    shelf = Shelf()
    shelf.add("a.md", " ".join(f"Sentence {n} has five words." for n in range(40)) + "\n")
    (one,) = build(shelf, shelf.hits("a.md:1"), replace(ROOM, budget=60)).evidence
    assert one.cut
    assert one.text.endswith("words.")
    assert one.n_tokens <= 60 < one.n_tokens + 5


def test_a_sentence_over_the_budget_is_cut_at_a_word() -> None:
    shelf = Shelf()
    shelf.add("a.md", " ".join(f"word{n}" for n in range(400)) + "\n")
    (one,) = build(shelf, shelf.hits("a.md:1"), replace(ROOM, budget=60)).evidence
    assert one.cut
    assert one.n_tokens == 60
    assert one.text.split()[-1] == f"word{len(one.text.split()) - 1}"


def test_chinese_without_sentence_ends_is_cut_between_characters() -> None:
    shelf = Shelf()
    shelf.add("a.md", "电池" * 300 + "\n")

    def count(texts: list[str]) -> list[int]:
        return [len(text) for text in texts]

    context = assemble(shelf.hits("a.md:1"), catalog=shelf, config=replace(ROOM, budget=200), count=count)
    assert context.n_tokens == 200
    assert context.evidence[0].cut


@pytest.mark.parametrize("budget", [1, 5, 6])
def test_a_budget_too_small_for_anything_says_so_with_numbers(budget: int) -> None:
    shelf = Shelf()
    shelf.add("a.md", "one two three\n")
    context = build(shelf, shelf.hits("a.md:1"), replace(ROOM, budget=budget))
    assert context.evidence == ()
    assert context.n_tokens == 0
    (dropped,) = context.left_out
    assert dropped.reason == f"budget: needs {dropped.n_tokens} tokens, {max(0, budget)} of {budget} left"


def test_three_children_bring_their_parent_once() -> None:
    shelf = Shelf()
    text = "first child\nsecond child\nthird child\nfourth child\n\nanother paragraph\n"
    shelf.add("a.md", text, parents=[Span(0, text.index("\n\n"))])
    context = build(shelf, shelf.hits("a.md:2", "a.md:4", "a.md:1"))
    assert lines(context) == [[1, 4]]
    assert context.evidence[0].hits == ("a.md:2", "a.md:4", "a.md:1")


def test_a_neighbour_never_pushes_out_a_hit() -> None:
    shelf = Shelf()
    shelf.add("a.md", "alpha one\nalpha two\nalpha three\n")
    shelf.add("b.md", "beta one\n")
    hits = shelf.hits("a.md:2", "b.md:1")
    bare = build(shelf, hits)
    tight = build(shelf, hits, ContextConfig(budget=bare.n_tokens, neighbours=1))
    assert [one.uri for one in tight.evidence] == ["a.md", "b.md"]
    roomy = build(shelf, hits, ContextConfig(budget=bare.n_tokens + 2, neighbours=1))
    assert lines(roomy) == [[1, 2], [1, 1]]


def test_neighbours_stay_in_the_section_and_large_chunks_stay_alone() -> None:
    shelf = Shelf()
    shelf.add("a.md", "# A\n\nalpha\n\n# B\n\nbeta\n\ngamma\n")
    assert lines(build(shelf, shelf.hits("a.md:4"), ContextConfig(1000, neighbours=1))) == [[5, 9]]
    assert lines(build(shelf, shelf.hits("a.md:4"), ContextConfig(1000, neighbours=9))) == [[5, 9]]
    assert lines(build(shelf, shelf.hits("a.md:4"), ContextConfig(1000, neighbours=1, small=1))) == [[7, 7]]


def test_exact_copies_are_dropped_and_stay_visible() -> None:
    shelf = Shelf()
    shelf.add("a.md", "# T\n\nThe storage fee is nine a month.\n")
    shelf.add("b.md", "The storage  fee is nine a month.\n")
    context = build(shelf, shelf.hits("a.md:2", "b.md:1"))
    assert context.evidence[0].also_at == ("b.md:1",)
    assert [one.reason for one in context.left_out] == ["duplicate of a.md:3"]


LONG = "The pump runs on mains power and stops when the tank is full or the lid is lifted by hand, and "


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("it may be cleaned with water at 40 degrees", "it may be cleaned with water at 60 degrees"),
        ("it is safe to open", "it is not safe to open"),
        ("it was tested on 2026-01-02", "it was tested on 2026-02-01"),
        ("it is delivered in March", "it is delivered in May"),
        ("it doesn't need oil", "it does need oil"),
        ("it needs two filters", "it needs three filters"),
        ("请不要打开盖子清洗水箱", "请打开盖子清洗水箱"),
        ("it can be opened before use", "it can be opened after use"),
    ],
)
def test_texts_that_differ_in_what_matters_are_both_kept(first: str, second: str) -> None:
    shelf = Shelf()
    shelf.add("a.md", f"{LONG * 3}{first}.\n")
    shelf.add("b.md", f"{LONG * 3}{second}.\n")
    assert len(build(shelf, shelf.hits("a.md:1", "b.md:1")).evidence) == 2


def test_near_copies_are_dropped() -> None:
    shelf = Shelf()
    shelf.add("a.md", f"{LONG * 2}it hums quietly.\n")
    shelf.add("b.md", f"{LONG * 2}it hums softly.\n")
    context = build(shelf, shelf.hits("a.md:1", "b.md:1"))
    assert context.evidence[0].also_at == ("b.md:1",)
    assert [one.reason for one in context.left_out] == ["near-duplicate of a.md:1"]


@pytest.mark.parametrize(
    ("uris", "metas"),
    [
        (("v1/manual.md", "v2/manual.md"), ({}, {})),
        (("manual-1.0.md", "manual-1.1.md"), ({}, {})),
        (("a.md", "b.md"), ({"version": "1"}, {"version": "2"})),
    ],
)
def test_versions_of_a_document_are_no_copies(
    uris: tuple[str, str], metas: tuple[dict[str, str], dict[str, str]]
) -> None:
    shelf = Shelf()
    for uri, meta in zip(uris, metas, strict=True):
        shelf.add(uri, "Dry the battery for a whole day.\n", meta=meta)
    assert len(build(shelf, shelf.hits(*(f"{uri}:1" for uri in uris))).evidence) == 2


def test_a_document_deleted_meanwhile_is_left_out_by_name() -> None:
    shelf = Shelf()
    shelf.add("a.md", "one\n")
    hits = shelf.hits("a.md:1")
    del shelf.documents["a.md"]
    context = build(shelf, hits)
    assert [one.reason for one in context.left_out] == ["a.md is no longer in the index"]


def test_white_space_at_the_ends_is_not_cited_but_indentation_stays() -> None:
    shelf = Shelf()
    shelf.add("a.py", "x = 1\n\n\n    return x\n\n\n", cut=r"(?s)\n\n    .*")
    (one,) = build(shelf, shelf.hits("a.py:1")).evidence
    assert one.text == "    return x"
    assert one.location == "a.py:4"


def test_headings_inside_a_passage_are_known() -> None:
    shelf = Shelf()
    shelf.add("a.md", "# A\n\nalpha\n\n# B\n\nbeta\n")
    (one,) = build(shelf, shelf.hits("a.md:3", "a.md:4")).evidence
    assert [shelf.documents["a.md"].text[s.start : s.end] for s in one.headings] == ["# B"]


def test_a_table_header_comes_with_rows_that_lack_it() -> None:
    shelf = Shelf()
    text = "| code | meaning |\n|---|---|\n| E1 | lid |\n| E2 | pump |\n"
    stored = shelf.add("a.md", text)
    header = text[: text.index("| E1")]
    shelf.stored["a.md"] = [replace(s, chunk=replace(s.chunk, header=header)) for s in stored]
    (row,) = build(shelf, shelf.hits("a.md:4")).evidence
    assert row.header == header.strip()
    assert "| code | meaning |" in render_evidence([row])
    (table,) = build(shelf, shelf.hits("a.md:1", "a.md:2", "a.md:3", "a.md:4")).evidence
    assert table.header == ""
