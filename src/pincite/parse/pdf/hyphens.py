"""Lines to running text: what stands between two of them, and which hyphens at line ends are part of a word.

A hyphen goes where the joined word stands elsewhere in the document, and stays where the hyphenated one does.
Otherwise it stays beside digits and capitals, after parts that are written with one (`well-`, `self-`),
between two words that both stand alone in the document, and in a document that breaks no words; in all other
cases the word was only broken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.parse.pdf.lines import HYPHEN, Line
from pincite.scripts import are_close

_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LAST = re.compile(r"([^\W_]+(?:-[^\W_]+)*)[-\x02‐]$")
_HYPHENS = ("-", HYPHEN, "‐")
_FIRST = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_KEPT_AFTER = re.compile(
    r"(?:well|self|non|quasi|semi|cross|long|low|high|full|half|one|two|three|four|five|first|second|third|fast"
    r"|large|left|real|right|short|small|state)$"
)
_SUFFIX = re.compile(
    r"(?:i?e[drs]|est|e?ly|ing|n?ess|e?ment|en(?:ed|ing|s)?|i?ty|ful|age|al|ary|i[sz]\w*|fold)s?$"
)
_ADDRESS = re.compile(r"://|www\.|\S@\S")  # every sign in one counts


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a document in small letters, and whether it breaks words at line ends at all."""

    known: frozenset[str]
    breaks_words: bool


def document_words(lines: Iterable[Line]) -> Words:
    """The words of a document, those broken at a line's end left out.

    A document breaks words unless few of its lines end in a hyphen and more of those words stand in it
    with the hyphen than without.
    """
    texts = [line.text for line in lines]
    broken = [(a, b) for one, other in pairwise(texts) if (a := _broken(one)) and (b := _FIRST.match(other))]
    if not broken:
        return Words(frozenset(), True)
    known = frozenset(word for text in texts for word in _whole_words(text.lower()))
    joined = sum(f"{a[1]}{b[0]}".lower() in known for a, b in broken)
    kept = sum(f"{a[1]}-{b[0]}".lower() in known for a, b in broken)
    return Words(known, len(broken) > 0.02 * len(texts) or joined >= kept)


def _whole_words(text: str) -> list[str]:
    """The words of a line in small letters without a last one that a hyphen cuts off, whole and in parts."""
    broken = _broken(text)
    words = _WORDS.findall(text[: broken.start()] if broken else text)
    return [*words, *(part for word in words if "-" in word for part in word.split("-"))]


def _broken(text: str) -> re.Match[str] | None:
    """The part of a word that a hyphen at the end of a line follows."""
    return _LAST.search(text, max(0, len(text) - 60)) if text.endswith(_HYPHENS) else None


def join_lines(lines: Sequence[Line], words: Words) -> list[tuple[str, Line | None]]:
    """The text of lines as one paragraph, each piece with its line; None for a space between two."""
    texts = [line.text for line in lines]
    pieces: list[tuple[str, Line | None]] = []
    for (text, line), following in pairwise([*zip(texts, lines, strict=True), ("", None)]):
        after = following[0]
        kept, separator = _end(text, after, words) if after else (text, "")
        pieces.append((kept.replace(HYPHEN, "-"), line))
        if separator:
            pieces.append((separator, None))
    return pieces


def _end(text: str, after: str, words: Words) -> tuple[str, str]:
    """A line's text as it is written, and what separates it from the line after it."""
    last = _broken(text)
    first = _FIRST.match(after)
    if last and first:
        if _ADDRESS.search(text.rpartition(" ")[2]):
            return text, ""
        return (text if _keeps_hyphen(last[1], first[0], words) else text[:-1]), ""
    if text.endswith(("/", "_")) and _ADDRESS.search(text) and after[0].isalnum():
        return text, ""
    if are_close(text, after):
        return text, ""
    closed = text.endswith(("—", HYPHEN)) and text[-2:-1] != " "
    return text, ("" if closed and after[0].isalpha() else " ")


def _keeps_hyphen(last: str, first: str, words: Words) -> bool:
    """Whether the hyphen between two parts of a word at a line's end belongs to the word."""
    a, b = last.lower(), first.lower()
    if a[-1].isdigit() or b[0].isdigit() or first[0].isupper():
        return True
    head = a.rpartition("-")[2]
    tail = b.partition("-")[0]
    if head + tail in words.known:
        return False
    if not words.breaks_words or f"{head}-{tail}" in words.known or f"{a}-{b}" in words.known:
        return True
    if "-" in a or (_KEPT_AFTER.match(head) and not _SUFFIX.match(tail)) or last.isupper():
        return True
    return min(len(head), len(tail)) >= 4 and {head, tail} <= words.known
