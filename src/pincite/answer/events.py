"""Entries of a calendar: what, when and where is one unit, and the description stands under it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.types import Span

TYPE = "ics"
_SAYS = re.compile(
    r"(?:When|Repeats|Where|Organizer|With|Status|Percent complete|Categories|URL|Conference|Contact"
    r"|Resources|Comment): "
)


def units(text: str) -> Iterator[Span]:
    """The lines of each entry that say what, when and where, as one; then its description."""
    from pincite.chunk.sentences import line_spans, paragraph_spans, sentence_spans

    for paragraph in paragraph_spans(text, 0, len(text)):
        lines = line_spans(text, paragraph.start, paragraph.end)
        said = 1
        while said < len(lines) and _SAYS.match(text, lines[said].start):
            said += 1
        if said > 1 or _SAYS.match(text, lines[0].start):
            yield Span(lines[0].start, lines[said - 1].end)
            lines = lines[said:]
        if lines:
            yield from sentence_spans(text, lines[0].start, lines[-1].end)


def entered(texts: Sequence[str]) -> Iterator[str]:
    """For each unit the entry that it describes; "" for one that is an entry."""
    entry = ""
    for words in texts:
        if any(_SAYS.match(line) for line in words.splitlines()):
            entry = words
            yield ""
        else:
            yield entry


def on_one_line(text: str) -> str:
    """`Inspection; When: 2026-11-24; Where: hall 7`."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    ended = [line if line[-1] in ".!?…。" else f"{line};" for line in lines]
    return " ".join(ended).removesuffix(";")
