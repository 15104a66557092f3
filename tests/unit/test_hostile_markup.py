"""Markup written to be slow is read in time that grows with its length, whatever it repeats."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from growth import assert_linear
from parsed import source
from pincite.parse import parse


def repeated(unit: str, *, before: str = "", after: str = "") -> Callable[[int], str]:
    """A page of so many characters, all of them this unit."""
    return lambda size: before + unit * (size // len(unit)) + after


def rules(size: int) -> str:
    """Tables of reStructuredText with a rule each that no other has."""
    return "".join(f"{'=' * (i % 90 + 2)} {'=' * (i // 90 + 2)}\nx\n\n" for i in range(size // 85))


PAGES = {
    "drawers without an end": ("a.org", repeated(":A:\n")),
    "spaces in headlines": ("a.org", repeated("* a" + " " * 1_990 + "b\n")),
    "attributes of no block": ("a.adoc", repeated("[]\n")),
    "terms": ("a.adoc", repeated("a" * 390 + ":\n")),
    "rules that differ": ("a.rst", rules),
    "items": ("a.md", repeated("- ")),
    "references": ("a.md", repeated("[a]: (x\n")),
    "comments": ("a.md", repeated("<!--\n\n")),
    "tabs in a cell": ("a.rtf", repeated("\\tab", before="{\\rtf1\\intbl ", after="\\cell\\row}")),
    "tabs in a note": ("a.rtf", repeated("\\tab", before="{\\rtf1 a{\\footnote ", after=" x}\\par}")),
    "dollars": ("a.tex", repeated("$$a $ ")),
    "messages": ("a.txt", repeated("a " * 200 + "\n")),
}


@pytest.mark.parametrize("name", list(PAGES))
def test_hostile_repetition_is_read_in_time_that_grows_with_it(name: str) -> None:
    uri, page = PAGES[name]
    assert_linear(lambda size: parse(source(uri, page(size))), 8_000 if page is rules else 32_000)
