"""Quotes to claims: readable text, every citation checked on disk, equal words said once."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.answer.cite import cite
from pincite.answer.extract import Quote
from pincite.types import Citation, Claim, Context, Evidence

if TYPE_CHECKING:
    from pincite.answer.cite import Reopen

_LEAD = re.compile(r"^\s*(?:>\s?)*(?:#{1,6}\s+|[-*+•·]\s+(?:\[[ xX]\]\s+)?|\(?\d{1,3}[.)]\s+)?")
_RULE = re.compile(r"[\s|:+=-]+")
_CELL = re.compile(r"(?<!\\)\|")


def claims(quotes: Sequence[Quote], context: Context, reopen: Reopen) -> tuple[Claim, ...]:
    """One claim a quote, in their order; quotes with the same words are one claim with several citations."""
    evidence = {one.marker: one for one in context.evidence}
    cited: dict[str, list[Citation]] = {}
    for quote in quotes:
        passage = evidence[quote.marker]
        text = claim_text(quote, passage)
        cited.setdefault(text, []).append(cite(passage, quote.span, quote.text, reopen))
    return tuple(Claim(text, tuple(citations)) for text, citations in cited.items())


def claim_text(quote: Quote, evidence: Evidence) -> str:
    """The quote as one line: list marks taken off, a table row's cells with their column names."""
    if evidence.kind == "row" or quote.text.lstrip().startswith("|"):
        rows = [line for line in quote.text.splitlines() if line.strip()]
        return " / ".join(_row(line, evidence, quote) for line in rows)
    lines = (_LEAD.sub("", line, count=1) for line in quote.text.splitlines())
    return _joined([line.strip() for line in lines if line.strip()])


def _joined(lines: Sequence[str]) -> str:
    """The lines with a space between them, but none between two characters of scripts without spaces."""
    text = " ".join(lines)
    return re.sub(r"(?<=[⺀-鿿、-〿豈-﫿＀-￯]) (?=[⺀-鿿豈-﫿])", "", text)


def _row(line: str, evidence: Evidence, quote: Quote) -> str:
    """`name: cell; name: cell`, or the line itself where no header fits it."""
    above = evidence.text[: quote.span.start - evidence.span.start].splitlines()
    if line.lstrip().startswith("|"):
        header = _pipe_header(above) or _pipe_header(evidence.header.splitlines())
        names, cells = _pipes(header), _pipes(line)
    else:
        header = next(iter([*evidence.header.splitlines()[-1:], *above[:1]]), "")
        mark = max("\t,;", key=header.count)
        names, cells = _delimited(header, mark), _delimited(line, mark)
    if not header or len(names) != len(cells):
        return " ".join(line.split())
    pairs = zip(names, cells, strict=True)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)


def _pipe_header(lines: Sequence[str]) -> str:
    """The row above the last separator row of `lines`; "" if there is none."""
    for number in range(len(lines) - 1, 0, -1):
        if "-" in lines[number] and _RULE.fullmatch(lines[number]):
            return lines[number - 1]
    return ""


def _pipes(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line.strip().removeprefix("|").removesuffix("|"))]


def _delimited(line: str, mark: str) -> list[str]:
    """The cells of one CSV line; a line that is no whole record is one cell."""
    try:
        rows = list(csv.reader([line], delimiter=mark, strict=True))
    except csv.Error:
        return [line]
    return [cell.strip() for cell in rows[0]] if rows else []
