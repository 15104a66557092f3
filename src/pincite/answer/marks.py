"""What a reader has to know of a statement, written into the answer's text beside it.

`[2]` is a passage; `[2: not verified]` one with a doubt; other remarks stand in brackets of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.types import Citation

NOTHING_CITED = "[no source: nothing in this answer is cited]"
"""Stands above an answer in which nothing is cited."""

_HOW = {"changed": "changed on disk", "gone": "file is gone", "unreadable": "file cannot be read now"}


def doubts(citations: Iterable[Citation]) -> list[str]:
    """What is doubtful about citations of one passage, in words, each once."""
    found: dict[str, None] = {}
    for one in citations:
        if one.edition:
            found[one.edition] = None
        if not one.verified:
            if how := _HOW.get(one.stale or ""):
                found[how] = None
            found["not verified"] = None
    return list(found)


def cited(number: int, citations: Iterable[Citation]) -> str:
    """`[2]`, or `[2: changed on disk, not verified]`."""
    said = ", ".join(doubts(citations))
    return f"[{number}: {said}]" if said else f"[{number}]"


def no_evidence(numbers: Sequence[str]) -> str:
    """What stands instead of numbers that no passage has."""
    return f"[no evidence {', '.join(numbers)}]"


def lacking(figures: Sequence[str]) -> str:
    """The remark on figures that the cited words do not hold."""
    return f"[not in the source: {', '.join(figures)}]"


def uncited(figures: Sequence[str]) -> str:
    """The remark on figures of a statement that cites nothing."""
    return f"[no source: {', '.join(figures)}]"
