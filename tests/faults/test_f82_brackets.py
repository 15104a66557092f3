"""F82: brackets of an answer that are no citations stay as they are; other styles of markers are read."""

from __future__ import annotations

import pytest

from pincite.answer.generate import Written, claims_from
from shelf import as_indexed, shelf_of

GRID = (
    "The temperature is `grid[row][1]`, the humidity `grid[row][2]`.\n\nThe driver waits 40 ms after init.\n"
)
SHELF, CONTEXT = shelf_of(GRID, "Call it before the first read.\n")
WAITS = "The driver waits 40 ms after init"


def written(text: str) -> Written:
    return claims_from(text, CONTEXT, as_indexed(SHELF))


@pytest.mark.parametrize(
    "text",
    [
        "The humidity is grid[row][2], and arr[5] is unused; use x = [0] to reset [1].",
        "The range is [0, 40] ms [1].",
        "The band [10, 20] ms is wide [1].",
        "Read grid[row][1] for the temperature [1].",
        "Set y = [1] first [1].",
        "Use m[0][1] and f[2](a), then a[1].b [1].",
        "In code `row[2]` and ``b[1]`` [1].",
        "Read it so [1]:\n\n```python\nt = grid[row][1]\nx = [1, 2]\n```\n\nThen go on [1].",
        "    t = grid[row][1]\n\nIt is read as shown [1].",
        "See [the norm][1] and a note[^1] [1].",
        "- [x] done\n- [ ] open\n\nIt waits [1].",
        "Pick ⟨1⟩ [1].",
    ],
)
def test_brackets_that_are_no_markers_stay_as_written(text: str) -> None:
    made = written(text).text
    kept = text.replace(" [1].", "").replace(" [1]:", "").strip()
    for part in kept.split("\n"):
        assert part.strip().removesuffix(" [1]") in made
    assert {c.marker for claim in written(text).claims for c in claim.citations} == {1}


@pytest.mark.parametrize(
    "marker",
    [
        *(
            "[1]",
            "【1】",
            "【1†source】",
            "【1†L3-L5】",
            "[[1]]",
            "\\[1\\]",
            "［1］",
            "[ 1 ]",
            "[1][1]",
            "[1](1.md)",
        ),
        *("[Evidence 1]", "[source: 1]", "[n=1]", "[Quelle 1]", "[来源 1]", "(evidence 1)", "(see source 1)"),
        *("<sup>[1]</sup>", "[1, p. 3]", "[\u200b1]", "[１]", "(1)"),
    ],
)
def test_a_marker_in_another_style_is_read_as_what_it_is(marker: str) -> None:
    for text in (f"{WAITS} {marker}.", f"{WAITS}. {marker}"):
        made = written(text)
        (claim,) = made.claims
        assert [(c.marker, c.quote) for c in claim.citations] == [(1, f"{WAITS}.")]
        assert made.text == text.replace(marker, "[1][1]" if marker == "[1][1]" else "[1]")


def test_raised_numbers_are_markers_where_they_can_be_nothing_else() -> None:
    assert written(f"{WAITS}.¹ Call it before the first read.²").text == (
        f"{WAITS}.[1] Call it before the first read.[2]"
    )
    for text in ("It needs 5 m² and 3 cm³.", f"{WAITS}.¹ It has 9 parts.⁷", f"{WAITS} [1]. It needs 5 m²."):
        assert "²" in written(text).text or "⁷" in written(text).text


@pytest.mark.parametrize(
    "text",
    [
        "Steps:\n\n(1) Call it.\n(2) Wait.",
        "In 2024 (2) it rose, f(1) fell.",
        "It waits [1]. See (1).",
        "It rose (3).",
        "See [1](https://evil.test).",
        "See [1](2.md).",
    ],
)
def test_what_may_be_something_else_is_no_marker(text: str) -> None:
    known = {c.marker for claim in written(text).claims for c in claim.citations}
    assert known == ({1} if "waits [1]" in text else set())


def test_a_number_without_a_passage_is_marked_and_named_once() -> None:
    made = written("As in [12] of the norm, it waits 40 ms after init [1][7], see [12] and [Source 9].")
    assert made.text.startswith(
        "As in [no evidence 12] of the norm, it waits 40 ms after init [1][no evidence 7], see"
    )
    assert made.problems[:3] == tuple(f"[{n}] points to no evidence" for n in (12, 7, 9))


@pytest.mark.parametrize("alone", ["— [2]", "✅ [2]", "🔧【2】", "... [2]", "*** [2]", "[2]"])
def test_a_marker_without_words_belongs_to_the_statement_before(alone: str) -> None:
    for gap in (" ", "\n\n"):
        made = written(f"{WAITS} [1].{gap}{alone}")
        (claim,) = made.claims
        assert [c.marker for c in claim.citations] == [1, 2]
        assert made.text == f"{WAITS} [1].{gap}{alone}".replace("【2】", "[2]")


def test_a_marker_without_words_before_any_statement_belongs_to_the_next() -> None:
    (claim,) = written(f"✅ [1]\n\n{WAITS}.").claims
    assert [c.marker for c in claim.citations] == [1]


def test_what_is_read_as_text_though_it_might_be_a_marker_is_told() -> None:
    made = written("Set y = [1] first, then grid[row][2] [1].")
    assert "[1] is read as text" in made.problems and "[2] is read as text" in made.problems
