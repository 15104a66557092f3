"""Control tokens of chat templates: found in text in any disguise, and written so that they are none.

Which there are say `lexicon/control_tokens.tsv` and `lexicon/thinking.tsv`, with where that is known from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from pincite.hidden import Folded, folded, plain
from pincite.tables import rows_of
from pincite.types import Span

# Any name between bars; DeepSeek's bars are full-width ones, which `folded` makes plain.
_NAMED = r"<\|/?[^\s<>|]{1,64}\|>|\[\|[^\s\[\]|]{1,64}\|\]|<\|[\w▁ -]{1,64}\|>"
_LOOKALIKE = str.maketrans("<>[]|:#~◁▷", "‹›⟦⟧¦꞉＃∼‹›")


@cache
def _pattern(*where: str) -> re.Pattern[str]:
    rows = [row for row in rows_of("lexicon/control_tokens.tsv") if row[1] in where]
    known = [_begin(row[1]) + _spaced(row[0].lower()) for row in rows]
    if "markup" in where:
        thinking = {tag for row in rows_of("lexicon/thinking.tsv") for tag in row[:2] if tag[0] in "<[◁"}
        known += [_spaced(tag.lower()) for tag in sorted(thinking)]
    return re.compile(rf"(?:(?=[<\[\]◁])|(?m:^))(?:{'|'.join([_NAMED, *known])})")


def _begin(where: str) -> str:
    return r"(?m:^[ \t]{0,8})" if where == "line" else ""


def _spaced(token: str) -> str:
    """A token's pattern; between a tag's signs and its name blanks are free."""
    named = re.fullmatch(r"([<\[◁]+/?)([\w:]+)([>\]▷]+)", token)
    if not named:
        return re.escape(token)
    opens, name, closes = map(re.escape, named.groups())
    return rf"{opens}[ \t]{{0,4}}{name}[ \t]{{0,4}}{closes}"


def tokens_in(shown: Folded) -> Iterator[Span]:
    """Where control tokens stand in a text as it was; not those that other markup writes too."""
    return (shown.span(*found.span()) for found in _pattern("any").finditer(shown.text))


def without_tokens(text: str) -> str:
    """The text with every control token written with look-alikes, as words that a reader still knows."""
    return replaced(text, _pattern("any", "markup", "line"), lambda found: found.translate(_LOOKALIKE))


def replaced(text: str, pattern: re.Pattern[str], by: Callable[[str], str]) -> str:
    """The text with what the pattern finds in its folded form replaced by `by` of it, without disguise."""
    shown = folded(text)
    parts, at = [], 0
    for found in pattern.finditer(shown.text):
        span = shown.span(*found.span())
        parts += [text[at : span.start], by(plain(text[span.start : span.end]))]
        at = span.end
    return "".join([*parts, text[at:]])
