"""F08, source code: rare line separators must not move a citation."""

from __future__ import annotations

from pathlib import Path

from parsed import assert_sound, source
from pincite.parse.source.code import parse_code
from pincite.types import Span

FILE = Path(__file__).parent / "F08" / "odd_breaks.py"


def _line(needle: str) -> int | None:
    document = parse_code(source("odd_breaks.py", FILE.read_bytes()))
    assert_sound(document)
    at = document.text.index(needle)
    block = next(b for b in document.blocks if b.span.holds(Span(at, at + len(needle))))
    assert block.kind == "definition"
    return document.origins.place(Span(at, at + len(needle))).line_start


def test_lines_are_counted_by_line_feeds_alone() -> None:
    assert _line("class Gate") == 5
    assert _line("cobalt-02") == 12
    assert FILE.read_bytes().split(b"\n")[11] == b'CODE = "cobalt-02"'


def test_the_class_stands_on_its_own_line() -> None:
    document = parse_code(source("odd_breaks.py", FILE.read_bytes()))
    (gate,) = document.sections
    assert gate.title == "Gate"
    assert document.origins.place(gate.span).location(document.uri) == "odd_breaks.py:5-7"
    assert document.text == FILE.read_bytes().decode("utf-8")
