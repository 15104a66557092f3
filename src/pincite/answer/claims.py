"""Quotes to claims: readable text, every citation checked on disk, equal words said once."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pincite.answer import events, records
from pincite.answer.cite import cite
from pincite.answer.delimited import header_row, is_delimited
from pincite.answer.extract import Quote
from pincite.answer.passages import Sentence, sentences
from pincite.answer.tables import BORDERED, bare_rows, cells_of, holds_pairs
from pincite.answer.units import has_rows
from pincite.scripts import CLOSE
from pincite.types import Citation, Claim, Context, Evidence

if TYPE_CHECKING:
    from pincite.answer.cite import Reopen

_LEAD = re.compile(r"^\s*(?:>\s?)*(?:#{1,6}\s+|[-*+•·]\s+(?:\[[ xX]\]\s+)?|\(?\d{1,3}[.)]\s+)?")
_FENCE = re.compile(r"\s*(?:[-*+>][ \t]+)?(?:`{3}|~{3})")
_RULE = re.compile(r"[\s|:+=-]+")
_DELIMITED = frozenset({"csv", "tsv"})
_CLOSE_LINES = re.compile(rf"(?<=[{CLOSE}])\n(?=[{CLOSE}])")
_CELL = re.compile(r"(?<!\\)\|")

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

    Code of a fence keeps its lines and stands between fences.
    """
    if evidence.type in records.TYPES:
        return _value(quote, evidence)
    if evidence.type == "jsonl":
        return " / ".join(records.as_pairs(line) for line in quote.text.splitlines())
    if evidence.type == events.TYPE:
        return events.on_one_line(quote.text)
    if has_rows(evidence):
        return _delimited_row(quote, evidence, asked)
    code = [one for one in sentences(evidence) if one.code and quote.span.overlap(one.span)]
    if code:
        return _with_code(quote, code)
    first = quote.text.lstrip()
    if first.startswith("|") or (" | " in first and "\n" not in first):
        rows = [line for line in quote.text.splitlines() if line.strip()]
        return " / ".join(_pipe_row(line, evidence, quote) for line in rows)
    return plain_text(quote.text)


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
def _delimited_row(quote: Quote, evidence: Evidence, asked: Asked) -> str:
    """A CSV record, or a row of a sheet or table, as `name: cell; name: cell`.

    Where the question names a column behind the first, only those, the first, and the cells that it names.
    """
    if evidence.type in _DELIMITED or is_delimited(evidence):
        names, cells = _record(quote, evidence)
    else:
        names, cells = _bare_row(quote.text, evidence, quote)
    if len(names) == len(cells) and any(asked(name) for name in names[1:]):
        pairs = list(zip(names, cells, strict=True))
        kept = [(name, cell) for name, cell in pairs if name == names[0] or asked(name) or asked(cell)]
        names, cells = [name for name, _ in kept], [cell for _, cell in kept]
    return _named(names, cells, quote.text)


def _record(quote: Quote, evidence: Evidence) -> tuple[list[str], list[str]]:
    """Names and cells of a CSV record; the header row is the passage's own or comes with it."""
    own = next(iter((*evidence.headings, *header_row(evidence))), None)
    start = evidence.span.start
    header = evidence.text[own.start - start : own.end - start] if own else evidence.header
    header = next(iter(header.splitlines()[-1:]), "")
    mark = max("\t,;|", key=header.count)
    return _delimited(header, mark), _delimited(quote.text, mark)


def _pipe_row(line: str, evidence: Evidence, quote: Quote) -> str:
    """A row between pipes, with the names of the row above its table's rule, or else of its first row."""
    if "|" not in line:
        return " ".join(_LEAD.sub("", line, count=1).split())
    if evidence.type not in BORDERED:
        return _named(*_bare_row(line, evidence, quote), line)
    above = evidence.text[: quote.span.start - evidence.span.start].splitlines()
    header = _pipe_header(above) or _pipe_header(evidence.header.splitlines())
    header = header or "".join(evidence.header.splitlines()[-1:])
    if not header and not line.lstrip().startswith("|"):
        header = next(iter(bare_rows(above, evidence.type)), "")
    return _named(_pipes(header), _pipes(line), line)


def _bare_row(line: str, evidence: Evidence, quote: Quote) -> tuple[list[str], list[str]]:
    """Names and cells of a row as extracted: without outer borders, and without those after its last text.

    The names are the first row of its table in the passage, or come with a passage that begins within it;
    a row of a table of pairs has a name of its own.
    """
    at, kind = quote.span.start - evidence.span.start, evidence.type
    above, below = evidence.text[:at].splitlines(), evidence.text[at:].splitlines()
    table = list(bare_rows(above, kind))
    if not table or (len(table) == len(above) and evidence.header):
        table = [*evidence.header.splitlines()[-1:], *table]
    cells = cells_of(line)
    if len(cells) == 2 and holds_pairs([*table, *reversed(bare_rows(below[::-1], kind))]):
        return cells[:1], cells[1:]
    names = cells_of(next(iter(table), ""))
    return names, cells + [""] * (len(names) - len(cells))


def _named(names: Sequence[str], cells: Sequence[str], line: str) -> str:
    """`name: cell; name: cell`, or the line itself where the names do not fit it."""
    if not any(names) or len(names) != len(cells):
        return " ".join(line.split())
    pairs = zip(names, cells, strict=True)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)


def _value(quote: Quote, evidence: Evidence) -> str:
    """Lines of a JSON or YAML file behind the keys that enclose them: `logging › interval_seconds: 300`."""
    at = quote.span.start
    under = next((one.under for one in sentences(evidence) if one.span.start == at), "")
    return records.with_path(quote.text, under, evidence.type)


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
        rows = list(csv.reader(line.splitlines(keepends=True), delimiter=mark, strict=True))
    except csv.Error:
        return [line]
    return [" ".join(cell.split()) for cell in rows[0]] if rows else []
