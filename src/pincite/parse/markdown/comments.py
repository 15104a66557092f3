"""Comments of Markdown that no reader sees: `<!-- -->`, and `%% %%` of Obsidian; never those in code.

A comment at the start of a line ends at the next mark, however far that is; one of per cent signs within a
line ends in its paragraph, and stands between characters that are no words: `5%%` opens nothing. What is not
closed is text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from pincite.types import Span

_FENCE = re.compile(r"[ \t>]*(?:[*+-]|\d{1,9}[.)])?[ \t]*(`{3,}|~{3,})")
_ITEM = re.compile(r"[ >]*(?:[*+-]|\d{1,9}[.)])[ \t]")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")
_OPENS = re.compile(r"<!--|(?<![\w%\\])%%(?!%)|(?<!\\)`+")
_CLOSES = re.compile(r"(?<!%)%%(?![\w%])")
_PARAGRAPH_END = re.compile(r"\n[ \t>]*\n")
_VISIBLE = re.compile(r"[^\n]")
_LONGEST_CODE = 10_000  # characters between backticks that are looked for
_BEFORE_BLOCK = re.compile(r"[ \t>]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)?\Z")


def comments(text: str, start: int) -> list[Span]:
    """The comments from `start` on, in order, none within another; in linear time."""
    if "%%" not in text and "<!--" not in text:
        return []
    found: list[Span] = []
    marks = _Marks(text)
    for line in _text_lines(text, start, found):
        at = line.start
        while at < line.end and (mark := _OPENS.search(text, at, line.end)):
            comment = marks.comment(line, mark)
            if comment is not None:
                found.append(comment)
            at = comment.end if comment else _after(text, line, mark)
    return found


def hidden(text: str, spans: Sequence[Span]) -> str:
    """The text with blanks in the place of these spans; lines stay lines, and nothing moves.

    The blanks are no indentation: those that stand beside text on a line are no-break spaces.
    """
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], _VISIBLE.sub("\xa0", text[span.start : span.end])]
        at = span.end
    blanked = "".join([*parts, text[at:]])
    return "\n".join(map(_blank_line, blanked.split("\n"))) if spans else text


def _blank_line(line: str) -> str:
    return " " * len(line) if "\xa0" in line and not line.strip() else line


def _text_lines(text: str, start: int, found: list[Span]) -> Iterator[Span]:
    """The lines that are no code, or what of them lies behind the comment that was `found` last."""
    fence, in_list, at = "", False, start
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        within = found[-1].end if found and found[-1].end > at else at
        line, at = Span(within, end), end
        if within >= end:
            continue
        mark = _FENCE.match(text, line.start, line.end)
        if fence:
            fence = "" if mark and _ends(text, line, mark, fence) else fence
        elif mark and within == line.start and "`" not in text[mark.end() : line.end]:
            fence = mark[1]
        else:
            indented = _INDENTED.match(text, line.start, line.end)
            if not indented and text[line.start : line.end].strip():
                in_list = _is_in_list(text, line, in_list)
            if in_list or not indented:
                yield line


def _is_in_list(text: str, line: Span, before: bool) -> bool:
    """Whether a line is an item of a list or, below one, stands in."""
    return bool(_ITEM.match(text, line.start, line.end)) or (before and text[line.start] in " \t")


def _ends(text: str, line: Span, mark: re.Match[str], fence: str) -> bool:
    return mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not text[mark.end() : line.end].strip()


class _Marks:
    """Where comments of a text may end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = {
            "<!--": [match.end() for match in re.finditer("-->", text)],
            "%%": [match.end() for match in _CLOSES.finditer(text)],
        }
        self._paragraph_ends = [match.start() for match in _PARAGRAPH_END.finditer(text)]

    def comment(self, line: Span, mark: re.Match[str]) -> Span | None:
        """The comment that a mark opens; None if it opens none."""
        end = _next(self._ends.get(mark[0], ()), mark.end() + 2)
        if end is None:
            return None
        alone = mark[0] == "<!--" or _BEFORE_BLOCK.match(self._text, line.start, mark.start())
        paragraph_end = _next(self._paragraph_ends, mark.end())
        if not alone and paragraph_end is not None and paragraph_end < end:
            return None
        return Span(mark.start(), end)


def _next(places: Sequence[int], at: int) -> int | None:
    """The first of ascending places that is not before `at`."""
    found = bisect_left(places, at)
    return places[found] if found < len(places) else None


def _after(text: str, line: Span, mark: re.Match[str]) -> int:
    """Where to go on behind a mark that opens no comment: past the code that backticks open."""
    if mark[0][0] != "`":
        return mark.end()
    last = min(line.end, mark.end() + _LONGEST_CODE)
    end = re.compile(rf"(?<!`){mark[0]}(?!`)").search(text, mark.end(), last)
    return end.end() if end else mark.end()
