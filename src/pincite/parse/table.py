"""CSV and TSV: one block per record, each with the header row it needs to be understood.

The text is the decoded file itself. A quoted field may hold delimiters and line breaks; a quote opens a
field only at its start and closes it only before a delimiter or a line break, and one that is never
closed is an ordinary character: it cannot swallow the lines after it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pincite.parse.build import make_document, trim
from pincite.parse.decode import decode
from pincite.parse.pairs import are_pairs
from pincite.protocols import Source
from pincite.types import Block, Document, LeftOut, Span

DELIMITERS = (",", ";", "\t", "|")
MAX_HEAD = 65_536  # characters that decide on the delimiter
SAMPLE = 100  # records that decide on the delimiter and the header row
MAX_QUOTED = 65_536  # characters a quoted field may span; beyond that its quote is an ordinary character
MAX_CELL = 120  # characters of a column's name
_EVEN = 0.9  # of the records have the usual number of columns where a text is told to be a table
MAX_PREAMBLE = 10  # title lines before the header row
_DECLARED = re.compile(r"sep=([,;|:~^\t])\r?(?:\n|\Z)", re.IGNORECASE)
NUMBER = re.compile(r"[-+(]?[$€£¥]?\s?\d[\d.,\s:/_-]*(?:[eE][-+]?\d+)?\s?[%)$€£¥]?Z?")
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class _Quotes:
    """Patterns for one delimiter: the rest of a quoted field right after its opening quote, and beyond."""

    at_once: re.Pattern[str]
    later: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the records before the data stand: title lines, and the header row if there is one."""

    preamble: int
    header: Span | None


def parse_table(source: Source) -> Document:
    """The document of a CSV or TSV file; ragged rows are kept as they are."""
    decoded = decode(source.data, uri=source.uri)
    text = decoded.text
    name = source.uri.lower()
    kind = "tsv" if name.endswith((".tsv", ".tab")) else "csv"
    declared = _DECLARED.match(text)
    start = declared.end() if declared else 0
    delimiter = declared.group(1) if declared else _delimiter(text, prefer_tab=kind == "tsv")
    if delimiter == "\t" and not name.endswith(".csv"):  # a sheet that was exported as text
        kind = "tsv"
    blocks = _blocks(text, start, delimiter)
    said = [LeftOut(trim(text, 0, start), "states the delimiter")] if declared else []
    return make_document(
        source, text=text, type=kind, encoding=decoded.encoding, blocks=blocks, left_out=said
    )


def _blocks(text: str, start: int, delimiter: str) -> list[Block]:
    layout = _layout(text, list(islice(_records(text, delimiter, start), SAMPLE)), delimiter)
    header = layout.header
    shown = text[header.start : header.end] if header else ""
    records = _records(text, delimiter, start)
    blocks = [Block("paragraph", span) for span in islice(records, layout.preamble)]
    if header:
        blocks.append(Block("table", next(records)))
    blocks.extend(Block("row", span, -1, shown, header) for span in records)
    return blocks


def _records(text: str, delimiter: str, start: int = 0) -> Iterator[Span]:
    """The records that are not blank, without their line break, in linear time."""
    quotes = _quotes(delimiter)
    closing = (-1, -1)  # what was last looked for and found: the search never goes over the same text twice
    while start < len(text):
        end = _line_end(text, start)
        line = text[start:end]
        if '"' in line:
            end, closing = _quoted_end(text, start, delimiter, quotes, closing)
        if line and not (line[0].isspace() or text[end - 1].isspace()):
            yield Span(start, end)
        elif len(span := trim(text, start, end)):
            yield span
        start = end + 1


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end == -1 else end


def _quotes(delimiter: str) -> _Quotes:
    end = rf'"(?!")(?=[ \t]*(?:{re.escape(delimiter)}|\r?\n|\r?\Z))'
    return _Quotes(re.compile(rf'(?:"")*{end}'), re.compile(rf'(?<!")(?:"")*{end}'))


def _quoted_end(
    text: str, at: int, delimiter: str, quotes: _Quotes, closing: tuple[int, int]
) -> tuple[int, tuple[int, int]]:
    """Where the record that starts at `at` ends, and the last search for a closing quote."""
    end = _line_end(text, at)
    while at < end:
        if text[at] == '"':
            close, closing = _close(text, at + 1, quotes, closing, len(text))
            if close != -1:
                at = close
                end = _line_end(text, at)
        next_ = text.find(delimiter, at, end)
        at = end if next_ == -1 else next_ + 1
    return end, closing


def _close(
    text: str, at: int, quotes: _Quotes, closing: tuple[int, int], limit: int
) -> tuple[int, tuple[int, int]]:
    """The offset after the quote that closes the field opened before `at`, or −1; and the last search."""
    if found := quotes.at_once.match(text, at, limit):
        return found.end(), closing
    while at < limit and text[at] == '"':
        at += 1
    looked_from, known = closing
    if not looked_from <= at <= known:
        later = quotes.later.search(text, at, limit)
        known = later.end() if later else limit + 1
        closing = (at, known)
    return (known if known <= min(limit, at + MAX_QUOTED) else -1), closing


def _cells(text: str, span: Span, delimiter: str) -> list[str]:
    """The values of one record, quotes taken off."""
    quotes, cells, at = _quotes(delimiter), [], span.start
    while at <= span.end:
        close = -1
        if at < span.end and text[at] == '"':
            close, _ = _close(text, at + 1, quotes, (-1, -1), span.end)
        next_ = text.find(delimiter, max(at, close), span.end)
        end = span.end if next_ == -1 else next_
        cells.append(text[at:end].strip().strip('"'))
        at = end + 1
    return cells


def delimiter_of(text: str) -> str:
    """The delimiter that cuts nearly all records, two at least, into as many columns; "" if none does."""
    delimiter = _delimiter(text, prefer_tab=True)
    evenness, _ = _evenness(text, delimiter)
    more = len(list(islice(_records(text, delimiter), 2))) > 1
    return delimiter if more and evenness >= _EVEN else ""


def _delimiter(text: str, *, prefer_tab: bool) -> str:
    """The delimiter that cuts the first records into the most even columns; `,` if none cuts them."""
    order = ("\t", ",", ";", "|") if prefer_tab else DELIMITERS
    head = text[:MAX_HEAD]
    head = head[: head.rfind("\n") + 1] or head
    return max(order, key=lambda delimiter: _evenness(head, delimiter))


def _evenness(text: str, delimiter: str) -> tuple[float, int]:
    """The share of records with the usual number of columns (0 if that is one), and that number."""
    spans = islice(_records(text, delimiter), SAMPLE)
    counts = Counter(len(_cells(text, span, delimiter)) for span in spans)
    if not counts:
        return 0.0, 0
    columns, often = max(counts.items(), key=lambda item: (item[1], item[0]))
    return (round(often / counts.total(), 1), columns) if columns > 1 else (0.0, 0)


def _layout(text: str, spans: Sequence[Span], delimiter: str) -> _Layout:
    """Title lines are single cells before the first record of the usual width."""
    rows = [_cells(text, span, delimiter) for span in spans]
    width = max(Counter(map(len, rows)).items(), key=lambda item: (item[1], item[0]))[0] if rows else 0
    first = 0
    while first < min(len(rows), MAX_PREAMBLE) and width > 1 and sum(map(bool, rows[first])) <= 1:
        first += 1
    if first == len(rows) or len(rows[first]) == 1 < width:
        first = 0
    named = bool(rows[first:]) and is_header(rows[first], rows[first + 1 :])
    return _Layout(first if named else 0, spans[first] if named else None)


def is_header(row: Sequence[str], later: Sequence[Sequence[str]]) -> bool:
    """Whether the cells are names: different, short, and no numbers (but for numbers that can be names).

    They are none where the rows are pairs of a name and its value, this one too.
    """
    names = [cell for cell in row if cell]
    if not later or not names or len(set(names)) < len(names) or len(names) * 2 < len(row):
        return False
    if any(len(cell) > MAX_CELL for cell in names) or are_pairs([row, *later]):
        return False
    return not is_above_its_like(row, later)


def is_above_its_like(row: Sequence[str], later: Sequence[Sequence[str]]) -> bool:
    """Whether a row has numbers above numbers, and they are none that name columns."""
    numbers = [i for i, cell in enumerate(row) if NUMBER.fullmatch(cell)]
    below = [cells[i] for cells in later for i in numbers if i < len(cells) and cells[i]]
    only = len(numbers) == sum(map(bool, row))
    return bool(numbers) and not _are_names([row[i] for i in numbers], below, only=only)


def _are_names(numbers: Sequence[str], below: Sequence[str], *, only: bool) -> bool:
    """Whether numbers name columns: nothing below them is a number, or they are rising years above others."""
    if below and not any(map(NUMBER.fullmatch, below)):
        return True
    years = len(numbers) > 1 and all(map(_YEAR.fullmatch, numbers)) and list(numbers) == sorted(numbers)
    return years and not only and not all(map(_YEAR.fullmatch, below))
