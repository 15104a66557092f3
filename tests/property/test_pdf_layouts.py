"""Pages of text, rules and grids at any place: all of it is read once, each block with its place."""

from __future__ import annotations

from math import cos, sin

from hypothesis import given, settings
from hypothesis import strategies as st

from pdf_files import Sheet, at, parsed, pdf, rule

WORDS = (
    "the",
    "Pump",
    "mill",
    "river",
    "12",
    "3.5",
    "Nm",
    "\x95",
    "1.",
    "a)",
    "Table 1:",
    "x-",
    "http://a.b/",
)
PLACES = st.sampled_from([-40, 40, 72, 120, 200, 330, 400, 560, 700]) | st.integers(-60, 850)
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)
SIZES = st.sampled_from([6, 10, 10, 14, 36, 60])


def slanted(x: float, y: float, text: str, angle: float) -> str:
    a, b = cos(angle), sin(angle)
    return f"BT /F 12 Tf {a:.3f} {b:.3f} {-b:.3f} {a:.3f} {x} {792 - y} Tm ({text.replace(')', '')}) Tj ET"


def grid(xs: list[int], ys: list[int]) -> str:
    level = [rule(min(xs), y, max(xs), y) for y in ys]
    return "\n".join([*level, *(rule(x, min(ys), x, max(ys)) for x in xs)])


EDGES = st.lists(st.integers(30, 580), min_size=2, max_size=7)
ITEMS = (
    st.builds(at, PLACES, PLACES, TEXTS, SIZES, st.sampled_from(["", "B", "C", "T"]))
    | st.builds(slanted, PLACES, PLACES, TEXTS, st.floats(0, 6.3))
    | st.builds(rule, PLACES, PLACES, PLACES, PLACES)
    | st.builds(grid, EDGES, EDGES)
)
SHEETS = st.builds(Sheet, st.lists(ITEMS, max_size=40).map("\n".join), st.sampled_from([0, 0, 90, 180, 270]))


@settings(max_examples=120, deadline=None)
@given(st.lists(SHEETS, min_size=1, max_size=3))
def test_any_page_is_read_whole_and_placed(sheets: list[Sheet]) -> None:
    data = pdf(*sheets)
    document = parsed(data)
    end = 0
    for span in sorted([b.span for b in document.blocks] + [one.span for one in document.left_out]):
        assert end <= span.start < span.end and not document.text[end : span.start].strip()
        end = span.end
    assert not document.text[end:].strip()
    for block in document.blocks:
        place = document.origins.place(block.span)
        assert place.page and place.boxes and all(1 <= box.page <= len(sheets) for box in place.boxes)
        if block.header_span:
            assert document.text[block.header_span.start : block.header_span.end] == block.header
    assert parsed(data) == document
