"""The head of a mail and its greeting: each line is a unit, the subject the heading of what is written."""

from __future__ import annotations

import re
from functools import cache

from pincite.lexicon import any_of
from pincite.types import Evidence, Span

TYPES = frozenset({"eml", "msg", "mbox"})
_HEAD = re.compile(r"^(?:(?:From|To|Cc|Date|Subject): .*(?:\n|\Z)){2,}", re.M)
_LINE = re.compile(r".+")


def head_lines(evidence: Evidence) -> list[Span]:
    """Where, in a passage of a mail, the lines of its sender, date and subject stand."""
    if evidence.type not in TYPES:
        return []
    heads = _HEAD.finditer(evidence.text)
    return [Span(*line.span()) for head in heads for line in _LINE.finditer(evidence.text, *head.span())]


def subjects(evidence: Evidence) -> list[Span]:
    """Where the subjects of mails stand in the document, that text follows in the passage."""
    text, start = evidence.text, evidence.span.start
    lines = [one for one in head_lines(evidence) if text.startswith("Subject: ", one.start)]
    return [Span(start + one.start, start + one.end) for one in lines if text[one.end :].strip()]


def greets(words: str) -> bool:
    """Whether a unit is a greeting alone (`Dear Mira,`), which answers nothing."""
    return bool(_greeting().fullmatch(words))


@cache
def _greeting() -> re.Pattern[str]:
    return re.compile(rf"\s*{any_of('mail.greetings')}\b[^.\n]{{0,60}}[,!]\s*", re.I)
