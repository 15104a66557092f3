"""Where a model's reply is code, as CommonMark has it: fences, indented blocks, spans between backticks."""

from __future__ import annotations

import re
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from pincite.types import Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_TICKS = re.compile(r"(?<![\\`])(`+)(?!`)(?:.+?)(?<!`)\1(?!`)", re.S)


@cache
def _blocks() -> MarkdownIt:
    """A parser of blocks alone: what stands inside a paragraph is not looked at."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def code_in(text: str) -> list[tuple[Span, bool]]:
    """The spans of code in order, each with whether it is a block; line ends are `\\n` alone."""
    starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    found: list[tuple[Span, bool]] = []
    for token in _blocks().parse(text):
        if not token.map or token.type not in ("fence", "code_block", "inline"):
            continue
        start, end = starts[token.map[0]], min(len(text), starts[token.map[1]])
        if token.type == "inline":
            found += [(Span(*ticks.span()), False) for ticks in _TICKS.finditer(text, start, end)]
        else:
            found.append((Span(start, end), True))
    return sorted(dict.fromkeys(found), key=lambda one: one[0].start)
