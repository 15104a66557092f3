"""F96: what other search engines read as an operator beside a phrase is a word, and a note says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from libraries import library, uris
from pincite.analyze import operators

FILES = {
    "a.md": "# Cars\n\nThe antique car stands in hall two. It was built in 1970 and restored later.\n",
    "b.md": "# More cars\n\nThe antique car in hall three was never restored. Its engine is from 1931.\n",
    "c.md": "# Furniture\n\nAn antique cupboard and a car seat are for sale.\n",
}


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ('"antique car" -1970', ("-1970",)),
        ('-1970 "antique car"', ("-1970",)),
        ("“antique car” –1970 −hall +two", ("–1970", "−hall", "+two")),
        ('"antique car" NOT 1970', ("NOT",)),
        ('"antique car" AND hall OR NOT two', ("AND", "OR", "NOT")),
        ('"antique car" -"hall two"', ('-"…"',)),
        ('"not -1970 in it" hall', ()),
        ('"antique car" not in hall two-three - x', ()),
        ("antique car -1970", ()),
        ("git commit -m, never --amend", ()),
        ('a 19" rack -5', ()),
        ("must NOT be opened", ()),
    ],
)
def test_what_looks_like_an_operator(query: str, named: tuple[str, ...]) -> None:
    assert operators(query) == named


def test_a_note_says_that_nothing_is_excluded(tmp_path: Path) -> None:
    with library(tmp_path, FILES) as opened:
        opened.sync()
        found = opened.search('"antique car" -1970')
        (note,) = [one for one in found.notices if "-1970" in one]
        assert note.startswith("-1970 is a word like any other") and "--filter" in note
        assert set(uris(found)[:2]) == {"a.md", "b.md"}, "phrases come first as ever"
        assert opened.search('"antique car" 1970').notices == ()
        assert opened.search(r"\"antique car\" -1970", regex=True).notices == ()
        assert any("NOT, OR" in one for one in opened.search('"antique car" NOT 1970 OR 1931').notices)
