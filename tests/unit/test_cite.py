"""Quotes against the files as they are now: unchanged, changed, moved, rewrapped, gone, unreadable."""

from __future__ import annotations

import pytest

from pincite.answer.cite import cite, find, old_place
from pincite.types import Citation, Document, Evidence, Place, Run, RunOrigins, Span
from shelf import Now, Shelf, as_indexed, context_of, disk

TEXT = "# Battery\n\nDry it for a day.\nThen close the lid.\n\nDry it for a day.\n"
QUOTE = "Dry it for a day."


def passage() -> tuple[Shelf, Evidence]:
    shelf = Shelf()
    shelf.add("a.md", TEXT, cut=r"(?s).+")
    return shelf, context_of(shelf, "a.md:1").evidence[0]


def cited(now: dict[str, str], which: int = 1, quote: str = QUOTE) -> Citation:
    _, evidence = passage()
    start = TEXT.index(quote) if which == 1 else TEXT.rindex(quote)
    return cite(evidence, Span(start, start + len(quote)), quote, disk(now))


def test_an_unchanged_file_verifies_each_copy_at_its_own_line() -> None:
    for which, line in ((1, 3), (2, 6)):
        citation = cited({"a.md": TEXT}, which)
        assert (citation.location, citation.verified, citation.stale) == (f"a.md:{line}", True, None)
        assert citation.quote == QUOTE


def test_a_quote_over_two_lines_has_both_lines() -> None:
    citation = cited({"a.md": TEXT}, quote="Dry it for a day.\nThen close the lid.")
    assert (citation.location, citation.verified) == ("a.md:3-4", True)


def test_in_a_changed_file_the_copy_nearest_to_the_old_place_is_cited() -> None:
    grown = "# New\n\n" + TEXT
    assert cited({"a.md": grown}).location == "a.md:5"
    second = cited({"a.md": grown}, which=2)
    assert (second.location, second.verified, second.stale) == ("a.md:8", True, "changed")


def test_a_rewrapped_quote_is_found_and_given_as_the_file_now_has_it() -> None:
    citation = cited({"a.md": "Intro\n\nDry it\nfor a  day.\n"})
    assert (citation.location, citation.verified, citation.stale) == ("a.md:3-4", True, "changed")
    assert citation.quote == "Dry it\nfor a  day."


def test_a_quote_that_is_no_longer_there_is_unverified_at_its_old_place() -> None:
    citation = cited({"a.md": TEXT.replace("a day", "two days")}, which=2)
    assert (citation.location, citation.verified, citation.stale) == ("a.md:6", False, "changed")


def test_a_deleted_file_is_named_with_the_old_place() -> None:
    citation = cited({})
    assert (citation.location, citation.verified, citation.stale) == ("a.md:3", False, "gone")


def test_a_file_that_cannot_be_parsed_now_is_unverified() -> None:
    _, evidence = passage()
    at = TEXT.index(QUOTE)
    citation = cite(evidence, Span(at, at + len(QUOTE)), QUOTE, lambda *_: Now("changed", None, "broken"))
    assert (citation.verified, citation.stale) == (False, "changed")


def test_words_that_stand_elsewhere_than_at_the_span_are_looked_for_even_in_an_unchanged_file() -> None:
    shelf, evidence = passage()
    citation = cite(evidence, Span(0, 9), QUOTE, as_indexed(shelf))
    assert (citation.location, citation.verified) == ("a.md:3", True)
    invented = cite(evidence, Span(0, 9), "Dry it for a week.", as_indexed(shelf))
    assert not invented.verified


def test_the_source_of_an_extracted_text_is_its_page() -> None:
    text = "page one\npage two"
    runs = RunOrigins((Run(Span(0, 8), Place(page=1)), Run(Span(9, 17), Place(page=2))))
    document = Document("a.pdf", "a.pdf", "", text, "pdf", runs, sha256="s")
    evidence = Evidence(1, "a.pdf", "a.pdf", Span(0, 17), text, runs.place(Span(0, 17)), sha256="s")
    citation = cite(evidence, Span(9, 17), "page two", lambda *_: Now(None, document))
    assert citation.location == "a.pdf#page=2"
    assert old_place(evidence, Span(9, 17)) == evidence.place


def test_nothing_and_white_space_are_never_found() -> None:
    _, evidence = passage()
    assert not cite(evidence, Span(3, 3), "", disk({"a.md": TEXT})).verified
    assert not cite(evidence, Span(3, 4), " ", disk({"a.md": TEXT})).verified
    assert find("abc", "d", Span(0, 1)) is None


def test_signs_of_regular_expressions_are_plain_text() -> None:
    assert find("x (a.b)*\n[c] y", "(a.b)* [c]", Span(0, 1)) == Span(2, 12)


def row_cited(before: str, after: str, quote: str) -> Citation:
    shelf = Shelf()
    shelf.add("a.csv", before, cut=r"(?s).+", type="csv")
    evidence = context_of(shelf, "a.csv:1").evidence[0]
    start = before.index(quote)
    return cite(evidence, Span(start, start + len(quote)), quote, disk({"a.csv": after}))


def test_a_deleted_row_is_not_found_at_the_end_of_another_row() -> None:
    table = "no,part,time\n7,pump,5 min\n17,pump,5 min\n"
    gone = row_cited(table, table.replace("\n7,pump,5 min", ""), "7,pump,5 min")
    assert (gone.location, gone.verified, gone.stale) == ("a.csv:2", False, "changed")
    longer = row_cited(table, table.replace("\n7,pump,5 min", "\n7,pump,5 min,new"), "7,pump,5 min")
    assert not longer.verified
    moved = row_cited(table, "a note\n" + table, "7,pump,5 min")
    assert (moved.location, moved.verified) == ("a.csv:3", True)


def test_a_line_of_json_is_found_when_a_comma_was_added() -> None:
    assert find('{\n  "a": 1,\n  "b": 2\n}', '"a": 1', Span(0, 6), whole_lines=True) == Span(4, 10)
    assert find('{\n  "a": 10\n}', '"a": 1', Span(0, 6), whole_lines=True) is None


@pytest.mark.parametrize(
    ("now", "quote"),
    [
        ("Then reopen the valve.", "open the valve."),
        ("It holds 5 minutes.", "It holds 5 min"),
        ("The limit is 5.7 bar.", "The limit is 5"),
        ("It takes 3.5 bar.", "5 bar."),
        ("At -5 bar.", "5 bar."),
        ("reopen  the\nvalve.", "open the valve."),
        ("caf\u0065\u0301 au lait", "cafe"),
        ("不要打开阀门。", "打开阀门。"),
    ],
)
def test_words_inside_words_and_numbers_do_not_verify(now: str, quote: str) -> None:
    assert find(now, quote, Span(now.find(quote), now.find(quote) + len(quote))) is None


@pytest.mark.parametrize("now", ["(open the valve.)", "**open the valve.**", "Yes: open the\nvalve. Then"])
def test_words_that_stand_free_verify(now: str) -> None:
    assert find(now, "open the valve.", Span(0, 15)) is not None


def test_a_changed_file_is_held_to_word_borders_at_the_old_place_too() -> None:
    shelf = Shelf()
    shelf.add("a.md", "+ open it", cut=r"(?s).+")
    evidence = context_of(shelf, "a.md:1").evidence[0]
    citation = cite(evidence, Span(2, 9), "open it", disk({"a.md": "reopen it"}))
    assert (citation.verified, citation.stale) == (False, "changed")
