"""A hit's location, read again from the disk by counting line feeds, gives the hit's text."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from embedders import bag_of_words
from libraries import DEFAULT, all_chunks, cited_lines, lexical, library
from pincite.types import SearchHit

FEW = max(10, settings().max_examples // 10)  # of the profile; each example is a library

ODD = ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\r", "\t", "\u00a0", "\ufeff"]
WORDS = st.lists(
    st.sampled_from(["valve", "seal", "轴承。", "5 mm", "e\u0301", "👩‍🔬", "`code`", "[a](b)", "x|y", *ODD]),
    max_size=12,
).map(" ".join)
STARTS = [
    "",
    "",
    "# ",
    "## ",
    "> ",
    "- ",
    "1. ",
    "    ",
    "```",
    "~~~",
    "| a | b |",
    "|---|---|",
    "| 1 | 2 |",
    "---",
]
LINE = st.tuples(st.sampled_from(STARTS), WORDS).map("".join)
ENDS = st.sampled_from(["\n", "\r\n", "\n\n", "\r\n\r\n", "\n\r\n"])
TEXT = st.lists(st.tuples(LINE, ENDS).map("".join), min_size=1, max_size=12).map("".join)
BYTES = st.tuples(st.sampled_from(["", "\ufeff"]), TEXT, st.booleans()).map(
    lambda parts: (parts[0] + parts[1].rstrip("\n") + ("\n" if parts[2] else "")).encode("utf-8")
)
NAMES = st.sampled_from(["page.md", "page.txt", "page.csv", "page.py", "page.rst"])


def check_hit(root: Path, hit: SearchHit) -> None:
    """The hit's lines hold its text, and begin and end with the lines its text begins and ends in."""
    text, there = hit.stored.chunk.text, cited_lines(root, hit)
    assert text in there, (text, there)
    before, _, after = there.partition(text)
    assert "\n" not in before and "\n" not in after, "the location has lines the text does not touch"


@settings(max_examples=FEW, deadline=None)
@given(st.dictionaries(NAMES, BYTES, min_size=1), st.integers(8, 40))
def test_every_location_reads_back_to_its_text(files: dict[str, bytes], limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        with library(root, files, embedder=bag_of_words(limit=limit), config=DEFAULT) as lib:
            hits = all_chunks(lib)
            found = lexical(lib, "valve seal 轴承", k=50)
            status = lib.status()
        assert status.failed == status.skipped == ()
        for hit in [*hits, *found]:
            check_hit(root, hit)
        assert {hit.stored.uri for hit in hits} == files.keys() - {reason.uri for reason in status.empty}
