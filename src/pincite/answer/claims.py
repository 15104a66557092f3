"""Quotes to claims: readable text, every citation checked on disk, equal words said once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pincite.answer import records
from pincite.answer.cite import cite
from pincite.answer.extract import Quote
from pincite.answer.parts import LINED
from pincite.answer.passages import Sentence, sentences
from pincite.cells import names_and_cells
from pincite.scripts import CLOSE
from pincite.types import Citation, Claim, Context, Evidence

if TYPE_CHECKING:
    from pincite.answer.cite import Reopen

_LEAD = re.compile(r"^\s*(?:>\s?)*(?:#{1,6}\s+|[-*+•·]\s+(?:\[[ xX]\]\s+)?|\(?\d{1,3}[.)]\s+)?")
_FENCE = re.compile(r"\s*(?:[-*+>][ \t]+)?(?:`{3}|~{3})")
_CLOSE_LINES = re.compile(rf"(?<=[{CLOSE}])\n(?=[{CLOSE}])")

Asked = Callable[[str], bool]


def nothing(_: str) -> bool:
    """The `asked` of a question that names no column."""
    return False


def claims(
    quotes: Sequence[Quote], context: Context, reopen: Reopen, *, asked: Asked = nothing
) -> tuple[Claim, ...]:
    """One claim a quote, in their order; quotes with the same words are one claim with several citations.

    `asked` tells whether a column's name or a cell shares a word with the question.
    """
    evidence = {one.marker: one for one in context.evidence}
    cited: dict[str, list[Citation]] = {}
    for quote in quotes:
        passage = evidence[quote.marker]
        text = claim_text(quote, passage, asked=asked)
        cited.setdefault(text, []).append(cite(passage, quote.span, quote.text, reopen))
    return tuple(Claim(text, tuple(citations)) for text, citations in cited.items())


def claim_text(quote: Quote, evidence: Evidence, *, asked: Asked = nothing) -> str:
    """The quote as one line: list marks taken off, cells with their column names, values with their keys.

    Code of a text keeps its lines and stands between fences.
    """
    parts = [one for one in sentences(evidence) if quote.span.overlap(one.span)]
    kinds = {one.kind for one in parts}
    if evidence.type in records.TYPES and kinds & LINED:
        return records.with_path(quote.text, parts[0].under, evidence.type)
    if evidence.type == "jsonl":
        return " / ".join(records.as_pairs(line) for line in quote.text.splitlines())
    if "record" in kinds:
        return _entry(quote.text)
    if "row" in kinds:
        return " / ".join(
            row_text(one, asked) if one.kind == "row" else plain_text(one.text) for one in parts
        )
    code = [one for one in parts if one.code]
    return _with_code(quote, code) if code else plain_text(quote.text)


def plain_text(text: str) -> str:
    """Sentences and items on one line, without quotation and list marks."""
    lines: list[str] = []
    for line in filter(str.strip, text.splitlines()):
        bare = _LEAD.sub("", line, count=1).strip()
        if lines and bare != line.strip() and lines[-1][-1:].isalnum():
            lines[-1] += ";"  # an item that ends like no sentence
        lines.append(bare)
    return one_line(lines)


def _with_code(quote: Quote, code: Sequence[Sentence]) -> str:
    """Prose on one line, then code between fences, each on lines of their own."""
    parts, at = [], quote.span.start
    for one in code:
        parts.append(plain_text(quote.text[at - quote.span.start : one.span.start - quote.span.start]))
        parts.append(one.text if _FENCE.match(one.text) else f"```\n{one.text}\n```")
        at = one.span.end
    parts.append(plain_text(quote.text[at - quote.span.start :]))
    return "\n".join(part for part in parts if part)


def one_line(lines: Sequence[str]) -> str:
    """The lines with a space between them, but none where two wide characters meet."""
    return _CLOSE_LINES.sub("", "\n".join(lines)).replace("\n", " ")


# ── rows and records ──────────────────────────────────────────────────────────────────────────
def row_text(row: Sentence, asked: Asked) -> str:
    """A row as `name: cell; name: cell`; as it stands where the names do not fit it.

    Where the question names a column behind the first, and not its cell, only the first and what it names.
    """
    names, cells = names_and_cells(row.columns, row.text, row.evidence.type)
    if len(names) != len(cells) == 2 and all(cells):  # a name and its value, in a table without column names
        names, cells = cells[:1], cells[1:]
    if not any(names) or len(names) != len(cells):
        return " ".join(row.text.split())
    pairs = [(name, cell) for name, cell in zip(names, cells, strict=True) if cell]
    if any(asked(name) and not asked(cell) for name, cell in pairs if name != names[0]):
        pairs = [(name, cell) for name, cell in pairs if name == names[0] or asked(name) or asked(cell)]
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs)


def _entry(text: str) -> str:
    """An entry of a calendar: `Inspection; When: 2026-11-24; Where: hall 7`."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    ended = [line if line[-1] in ".!?…。" else f"{line};" for line in lines]
    return " ".join(ended).removesuffix(";")
