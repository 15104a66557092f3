"""Markup written to be slow: half a megabyte of it is read in seconds, whatever it repeats."""

from __future__ import annotations

import time

import pytest

from parsed import source
from pincite.parse import parse

SIZE = 500_000  # characters
_RULES = (f"{'=' * (i % 90 + 2)} {'=' * (i // 90 + 2)}\nx\n\n" for i in range(6_000))
PAGES = {
    "drawers without an end": ("a.org", ":A:\n" * (SIZE // 4)),
    "spaces in headlines": ("a.org", ("* a" + " " * 1_990 + "b\n") * (SIZE // 2_000)),
    "attributes of no block": ("a.adoc", "[]\n" * (SIZE // 3)),
    "terms": ("a.adoc", ("a" * 390 + ":\n") * (SIZE // 400)),
    "rules that differ": ("a.rst", "".join(_RULES)),
    "items": ("a.md", "- " * (SIZE // 2)),
    "references": ("a.md", "[a]: (x\n" * (SIZE // 8)),
    "comments": ("a.md", "<!--\n\n" * (SIZE // 6)),
    "tabs in a cell": ("a.rtf", "{\\rtf1\\intbl " + "\\tab" * (SIZE // 4) + "\\cell\\row}"),
    "tabs in a note": ("a.rtf", "{\\rtf1 a{\\footnote " + "\\tab" * (SIZE // 4) + " x}\\par}"),
    "dollars": ("a.tex", "$$a $ " * (SIZE // 6)),
    "messages": ("a.txt", ("a " * 200 + "\n") * (SIZE // 400)),
}


@pytest.mark.parametrize("name", list(PAGES))
@pytest.mark.timeout(60)
def test_hostile_repetition_is_read_in_seconds(name: str) -> None:
    uri, page = PAGES[name]
    started = time.process_time()
    parse(source(uri, page))
    assert time.process_time() - started < 6
