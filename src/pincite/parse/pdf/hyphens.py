"""Lines to running text: what stands between two of them, and which hyphens at line ends are part of a word.

A hyphen goes where the joined word stands elsewhere in the document, and stays where the hyphenated one does.
Otherwise it stays beside digits and capitals, after parts that are written with one (`well-`, `self-`), and
between two words that both stand alone in the document; in all other cases the word was only broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from pincite.parse.pdf.lines import HYPHEN, Line

_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LAST = re.compile(r"([^\W_]+(?:-[^\W_]+)*)[-\x02‐]$")
_FIRST = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_KEPT_AFTER = re.compile(
    r"(?:well|self|non|quasi|semi|cross|long|low|high|full|half|one|two|three|four|five|first|second|third|fast"
    r"|large|left|real|right|short|small|state)$"
)
_SUFFIX = re.compile(
    r"(?:i?e[drs]|est|e?ly|ing|n?ess|e?ment|en(?:ed|ing|s)?|i?ty|ful|age|al|ary|i[sz]\w*|fold)s?$"
)
_CJK = re.compile(r"[\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]")

Words = Callable[[str], bool]
"""Whether a word in small letters stands in the document."""


def document_words(lines: Iterable[Line]) -> Words:
    """The words of a document, those broken at a line's end left out; made when it is first asked for."""
    texts = list(lines)
    known: set[str] = set()

    def stands(word: str) -> bool:
        if not known:
            known.add("")
            for line in texts:
                known.update(_whole_words(line.text.lower()))
        return word in known

    return stands


def _whole_words(text: str) -> list[str]:
    """The words of a line in small letters without a last one that a hyphen cuts off, whole and in parts."""
    broken = _LAST.search(text)
    words = _WORDS.findall(text[: broken.start()] if broken else text)
    return [*words, *(part for word in words if "-" in word for part in word.split("-"))]


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
    last = _LAST.search(text)
    first = _FIRST.match(after)
    if last and first:
        return (text if _keeps_hyphen(last[1], first[0], words) else text[:-1]), ""
    if text.endswith(("/", "_")) and ("://" in text or "www." in text) and after[0].isalnum():
        return text, ""
    if _CJK.match(after) and _CJK.match(text[-1]):
        return text, ""
    return text, ("" if text.endswith(("—", HYPHEN)) and after[0].isalpha() else " ")


def _keeps_hyphen(last: str, first: str, words: Words) -> bool:
    """Whether the hyphen between two parts of a word at a line's end belongs to the word."""
    a, b = last.lower(), first.lower()
    if a[-1].isdigit() or b[0].isdigit() or first[0].isupper():
        return True
    head = a.rpartition("-")[2]
    tail = b.partition("-")[0]
    if words(head + tail):
        return False
    if words(f"{head}-{tail}") or words(f"{a}-{b}"):
        return True
    if "-" in a or (_KEPT_AFTER.match(head) and not _SUFFIX.match(tail)) or last.isupper():
        return True
    return min(len(head), len(tail)) >= 4 and words(head) and words(tail)
