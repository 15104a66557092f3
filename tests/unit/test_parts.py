"""Names of parts become ranges where they are neighbours of a kind."""

from __future__ import annotations

import pytest

from pincite.types.parts import join_parts


@pytest.mark.parametrize(
    ("parts", "joined"),
    [
        (["A!B4:D4", "A!B5:D5"], "A!B4:D5"),
        (["A!B4", "A!AA2"], "A!B2:AA4"),
        (["A", "A!B4", "A!C5"], "A!B4:C5"),
        (["A!B4:C4", "A"], "A!B4:C4"),
        (["A!B4", "B!B4"], "A!B4, B!B4"),
        (["slide 3, Title 1", "slide 3, Title 1"], "slide 3, Title 1"),
        (["slide 3, Title 1", "slide 3, Text 2", "slide 3, notes"], "slide 3"),
        (["slide 3, Title 1", "slide 4, Text 2", "slide 5"], "slide 3-5"),
        (["slide 3", "slide 7, Text 2"], "slide 3, slide 7, Text 2"),
        (["paragraph 4", "paragraph 5"], "paragraph 4-5"),
        (["cell 4", "paragraph 5"], "cell 4, paragraph 5"),
        ([], ""),
        (["message <7@x>", "message <7@x>, part 1"], "message <7@x>"),
        (
            ["message <7@x>, part 2", "message <7@x>, part 3", "message <7@x>, part 4"],
            "message <7@x>, part 2-4",
        ),
    ],
)
def test_parts_are_joined(parts: list[str], joined: str) -> None:
    assert join_parts(parts) == joined
