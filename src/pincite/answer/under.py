"""What the parts of a passage stand under: headings, questions, column names, enclosing lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.answer.tables import holds_pairs, is_bare_row
from pincite.answer.titles import numbered
from pincite.answer.units import by_line, has_rows, has_words
from pincite.types import Evidence

_RULE = re.compile(r"[\s|:-]*-[\s|:-]*|\s*\+[=+]+\s*")
_QUESTION = re.compile(r"[?？]\W{0,4}$")

MOST_UNDER_QUESTION = 4
"""The most sentences that stand under a question asked in the text."""


def asks(text: str) -> bool:
    """Whether a text ends with a question mark."""
    return bool(_QUESTION.search(text[-8:]))


def column_names(
    evidence: Evidence, texts: Sequence[str], headings: Sequence[bool], opens: Sequence[bool]
) -> tuple[list[bool], list[bool]]:
    """Which units are column names, and which of them are not because they are the first of pairs.

    Column names are a CSV's header row, a row above a rule, the first of bare rows, but not where a passage
    begins within a table. `opens` says which units open a paragraph.
    """
    pairs = [False] * len(texts)
    if by_line(evidence):
        return (list(headings) if has_rows(evidence) else pairs), pairs
    following = range(1, len(texts) + 1)
    found = [
        "|" in one and n < len(texts) and _is_rule(texts[n]) for n, one in zip(following, texts, strict=True)
    ]
    bare = [is_bare_row(words, evidence.type) for words in texts]
    first = 0
    for n in following:
        if n == len(texts) or opens[n] or bare[n] != bare[first]:
            if bare[first] and n - first > 1 and not (evidence.header and first == 0):
                found[first], pairs[first] = True, holds_pairs(texts[first:n])
            first = n
    return found, pairs


def _is_rule(text: str) -> bool:
    """Whether a line is what stands under a table's column names."""
    return ("|" in text or "+" in text) and bool(_RULE.fullmatch(text))


def above(
    texts: Sequence[str],
    headings: Sequence[bool],
    asked: Sequence[bool],
    names: Sequence[bool],
    columns: str,
    *,
    nested: bool,
) -> Iterator[str]:
    """For each unit its heading, the question before it, and its table's column names (first: `columns`).

    With `nested`, a numbered heading stands under the last one without a number.
    """
    top, heading, question, since = "", "", "", 0
    for n, words in enumerate(texts):
        since += 1
        if names[n]:
            columns = words
        elif headings[n]:
            top = top if numbered(words) else words
            heading = f"{top}\n{words}" if nested and top not in ("", words) else words
            question, columns = "", ""
        elif "|" not in words:
            columns = ""
        yield "" if headings[n] else "\n".join(filter(None, (heading, question, columns)))
        if asked[n] and not headings[n]:
            question, since = words, 0
        elif since >= MOST_UNDER_QUESTION:
            question = ""


def introduced(
    texts: Sequence[str], under: Sequence[str], headings: Sequence[bool], code: Sequence[bool]
) -> Iterator[str]:
    """What each unit stands under, for code with the last sentence before it."""
    before = ""
    for words, over, heading, fenced in zip(texts, under, headings, code, strict=True):
        yield "\n".join(filter(None, (over, before))) if fenced else over
        if not fenced and has_words(words):
            before = "" if heading else words


def enclosing(texts: Sequence[str], names: Sequence[bool], columns: str) -> Iterator[str]:
    """For each line the column names, the lines less indented above it, and a question right before it."""
    columns = next((words for words, named in zip(texts, names, strict=True) if named), columns)
    open_lines: list[tuple[int, str]] = []
    before = ""
    for words in texts:
        bare = words.lstrip()
        indent = len(words) - len(bare) + bare.startswith("- ")  # in YAML, a list may stand below its key
        while open_lines and open_lines[-1][0] >= indent:
            open_lines.pop()
        question = before if asks(before) else ""
        yield "\n".join(filter(None, (columns, *(line for _, line in open_lines), question)))
        open_lines.append((indent, words))
        before = words
