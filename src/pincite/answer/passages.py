"""What a passage consists of: sentences, rows, records, turns and lines, with what they stand under."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.answer import events, records
from pincite.answer.delimited import header_row
from pincite.answer.mails import greets, subjects
from pincite.answer.tables import is_bare_row
from pincite.answer.under import above, asks, column_names, enclosing, introduced
from pincite.answer.units import by_line, has_rows, has_words, titles_of, units_of
from pincite.types import Evidence, Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, row, list item or line of one passage; `number` counts them in it, headings too.

    `under` is what it has to be read with: its nearest heading, the question it follows, its table's
    column names, the lines that enclose it in code and JSON, or the sentence before a code fence. `code`
    marks what stands in a code fence of a text, the whole fence if it is not long.
    """

    evidence: Evidence
    number: int
    span: Span
    text: str
    quotable: bool
    under: str = ""
    code: bool = False


def sentences(evidence: Evidence) -> list[Sentence]:
    """What a passage consists of, in order; headings, questions, fences and column names are not quotable."""
    text, start = evidence.text, evidence.span.start
    units = units_of(evidence)
    spans, code = [span for span, _ in units], [fenced for _, fenced in units]
    texts = [text[span.start : span.end] for span in spans]
    places = [Span(start + span.start, start + span.end) for span in spans]
    titles = titles_of(evidence)
    headings = [
        _is_heading(place, (*evidence.headings, *titles, *subjects(evidence), *header_row(evidence)))
        for place in places
    ]
    gaps = (text[before.end : after.start] for before, after in pairwise(spans))
    opens = [True, *(gap.count("\n") > 1 for gap in gaps)]
    names, pairs = column_names(evidence, texts, headings, opens)
    asked = [asks(words) for words in texts]
    columns = evidence.header
    if evidence.type == events.TYPE:
        under = events.entered(texts)
    elif by_line(evidence):
        under = enclosing(texts, names, columns)
    else:
        under = above(texts, headings, asked, names, columns, nested=bool(titles))
    headings = [heading and not pair for heading, pair in zip(headings, pairs, strict=True)]
    only_names = [name and not pair for name, pair in zip(names, pairs, strict=True)]
    apart = zip(texts, headings, only_names, asked, map(greets, texts), strict=True)
    quotable = [has_words(words) and not any(marks) for words, *marks in apart]
    found = zip(places, texts, quotable, introduced(texts, list(under), headings, code), code, strict=True)
    return [Sentence(evidence, n, *unit) for n, unit in enumerate(found)]


def _is_heading(span: Span, headings: Sequence[Span]) -> bool:
    return any(2 * span.overlap(heading) > len(span) for heading in headings)


def is_row(sentence: Sentence) -> bool:
    """Whether a unit is a row or record, which is quoted alone."""
    evidence = sentence.evidence
    if by_line(evidence):
        return has_rows(evidence) or evidence.type in ("jsonl", *records.TYPES)
    bordered = sentence.text.lstrip().startswith("|")
    return not sentence.code and (bordered or is_bare_row(sentence.text, evidence.type))
