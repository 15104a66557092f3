"""Which lines of plain text are titles: such a file has no headings, only lines that look like them.

A title opens a paragraph, is short, and ends like no sentence; what follows it does end like one. Alone
between blank lines it is numbered, in capitals or a few words. With text right below it, its line also
ends although the next word would have fitted: nobody wraps there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.scripts import UNSPACED
from pincite.types import Span

LONGEST = 80
"""Characters of a title at most."""
FEW = 4
"""Words that may be a title without a number or capitals."""

_CHAPTER = "第[\\d一二三四五六七八九十百]{1,5}[章节条]"
_NUMBER = re.compile(
    r"[ \t]*(?:(?:section|chapter|part|article|annex|appendix)[ \t]+)?"
    r"(?:\d{1,3}(?:\.\d{1,3}){0,4}[.)]?|[IVX]{1,5}[.)]|[A-Z][.)]|§[ \t]?\d{1,4})[ \t]+(?=\S)"
    rf"|[ \t]*(?:{_CHAPTER}|[一二三四五六七八九十]{{1,3}}、)",
    re.I,
)
_ENDS = re.compile(r"[.!?…。！？；;,，、]['\"”’»)\]）」』]{0,2}\s*$")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？；]['\"”’»)\]）」』]{0,2}\s*$")
_UNDERLINE = re.compile(r"[ \t]*([=~*^-])\1{2,}[ \t]*\r?$")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_PARAGRAPH = re.compile(r"\n(?:[ \t\r]*\n)+")


def title_spans(text: str) -> list[Span]:
    """The spans of the titles in a plain text, in order, their underlines with them."""
    paragraphs = list(_paragraphs(text))
    width = max((len(line) for line in text.splitlines()), default=0)
    found = []
    for n, paragraph in enumerate(paragraphs):
        following = paragraphs[n + 1] if n + 1 < len(paragraphs) else Span(0, 0)
        end = _title_end(text, paragraph, text[following.start : following.end], width)
        if end:
            found.append(Span(paragraph.start, end))
    return found


def numbered(line: str) -> bool:
    """Whether a line begins with the number of a section."""
    return bool(_NUMBER.match(line))


def _paragraphs(text: str) -> Iterator[Span]:
    """Stretches between blank lines, without white space at either end."""
    at = 0
    for end, following in [*((gap.start(), gap.end()) for gap in _PARAGRAPH.finditer(text)), (len(text), 0)]:
        body = text[at:end]
        start = at + len(body) - len(body.lstrip())
        if start < end:
            yield Span(start, at + len(body.rstrip()))
        at = following


def _title_end(text: str, paragraph: Span, following: str, width: int) -> int:
    """Where the title that opens a paragraph ends; 0 if none does."""
    lines = text[paragraph.start : paragraph.end].split("\n")
    first, end = lines[0].rstrip(), paragraph.start + len(lines[0].rstrip())
    if len(lines) > 1 and _UNDERLINE.match(lines[1]):
        return end + 1 + len(text[end + 1 : paragraph.end].split("\n")[0].rstrip())
    rest = lines[1:] or following.split("\n")
    if not _looks_like_one(first) or not _is_text("\n".join(rest)):
        return 0
    if len(lines) == 1:
        return end
    return end if _broken_on_purpose(first, rest[0], width) else 0


def _looks_like_one(line: str) -> bool:
    """Whether a line is short and ends like no sentence, and has a number, capitals or few words."""
    letters = [char for char in line if char.isalpha()]
    if not letters or len(line) > LONGEST or _ENDS.search(line) or line.rstrip().endswith((":", "：")):
        return False
    words = line.split()
    few = len(words) <= FEW and not line[:1].islower() and not any(char.isdigit() for char in line)
    return numbered(line) or (line.isupper() and len(letters) > 1) or (few and len(line) <= LONGEST // 2)


def _is_text(rest: str) -> bool:
    """Whether what follows a title holds a sentence or an item: a block of bare lines makes no title."""
    return any(_ENDS_SENTENCE.search(line) for line in rest.split("\n"))


def _broken_on_purpose(line: str, following: str, width: int) -> bool:
    """Whether a line ends before it has to, and the next one neither goes on with it nor is its like."""
    word = (following.split() or [""])[0]
    word = word[:1] if _UNSPACED.match(word) else word
    fits = len(line) + 1 + len(word) < width
    goes_on = following[:1].isspace() or word[:1].islower()
    return fits and not goes_on and not (numbered(line) and numbered(following))
