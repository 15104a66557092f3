"""Judgements found in the indexed text: the span that a chunk must hold, or what keeps it from there.

A label survives an edit by its quote: when the labelled lines do not hold it, it is looked for in the
rest of the document.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Protocol

from pincite.evaluate.labels.spelt import Paths
from pincite.evaluate.quotes import Squeezed, squeeze
from pincite.models.estimated import EstimatedTokens
from pincite.types import Document, Gold, LineOrigins, Problem, Qrel, Question, RunOrigins, Span
from pincite.types.parts import holds_part

_Wrong = tuple[Problem, str]  # the problem with a place, and its particulars

_KEPT = 32
_LARGEST_CHUNK = 512  # tokens: larger ones are made for few models, and measure little


class Texts(Protocol):
    """What resolving reads of a catalog."""

    def document(self, doc_id: str) -> Document | None:
        """The stored document with its text, origins and sections."""
        ...

    def document_ids(self) -> list[tuple[str, str]]:
        """(doc_id, uri) of every document, by uri."""
        ...


@dataclass(frozen=True, slots=True)
class OneFile:
    """The texts of a catalog that holds one document."""

    only: Document

    def document(self, doc_id: str) -> Document | None:
        return self.only if doc_id == self.only.id else None

    def document_ids(self) -> list[tuple[str, str]]:
        return [(self.only.id, self.only.uri)]


class Resolver:
    """Finds judgements in a catalog that does not change meanwhile; keeps the documents last used."""

    def __init__(self, catalog: Texts, *, keep: int = _KEPT, limit: int = _LARGEST_CHUNK) -> None:
        """`limit`: the tokens that the library's model reads of a text, and so those of its largest chunk."""
        self._catalog = catalog
        self._longest = 2 * min(limit or _LARGEST_CHUNK, _LARGEST_CHUNK)
        self.document = lru_cache(maxsize=keep)(catalog.document)
        self._squeezed = lru_cache(maxsize=keep)(self._squeeze)

    @cached_property
    def doc_ids(self) -> dict[str, str]:
        """The document id of each uri."""
        return {uri: doc_id for doc_id, uri in self._catalog.document_ids()}

    @cached_property
    def _paths(self) -> Paths:
        return Paths(self.doc_ids)

    def _squeeze(self, doc_id: str) -> Squeezed:
        document = self.document(doc_id)
        return Squeezed.of(document.text if document else "")

    def resolve(self, question: Question) -> tuple[Gold, ...]:
        """A gold for each judgement above 0, in their order."""
        return tuple(self.gold(qrel) for qrel in question.judged)

    def gold(self, qrel: Qrel) -> Gold:
        """Where the judged place stands in the indexed text, without white space at its ends."""
        if qrel.uri not in self.doc_ids and (meant := self._paths.meant(qrel.uri)):
            if len(meant) > 1:
                return Gold(qrel, problem="ambiguous", detail=f"it may mean {', '.join(meant)}")
            qrel = replace(qrel, uri=meant[0])
        doc_id = self.doc_ids.get(qrel.uri)
        document = self.document(doc_id) if doc_id is not None else None
        if doc_id is None or document is None:
            return Gold(qrel, problem="not in corpus")
        found = self._quoted(qrel, document) if qrel.quote.strip() else _labelled(qrel, document)
        return replace(found, long=self._is_long(found, document))

    def _is_long(self, gold: Gold, document: Document) -> bool:
        """Whether a span is longer than two of the largest chunks, so that none could hold half of it."""
        if gold.span is None or 2 * len(gold.span) <= self._longest:  # a character is two tokens at most
            return False
        text = document.text[gold.span.start : gold.span.end]
        return EstimatedTokens().count([text])[0] > self._longest

    def location(self, gold: Gold) -> str:
        """Where the judged place stands now; one without a line or page of its own by those of its span."""
        qrel = gold.qrel
        document = self.document(gold.doc_id) if gold.doc_id and gold.span else None
        if gold.moved_to or document is None or gold.span is None or qrel.line_start or qrel.page:
            return gold.moved_to or qrel.location
        return document.origins.place(gold.span).location(qrel.uri)

    def _quoted(self, qrel: Qrel, document: Document) -> Gold:
        """The quote in the labelled place, else nearest to it, else nowhere."""
        place = _place(qrel, document)
        if qrel.chars and isinstance(place, Span) and _same(document.text, place, qrel.quote):
            return Gold(qrel, document.id, _trimmed(document.text, place))
        end = len(document.text)
        near = place if isinstance(place, Span) else Span(0, end) if place is None else Span(end, end)
        span = self._squeezed(document.id).find(qrel.quote, near)
        if span is None:
            return Gold(qrel, document.id, problem="quote not there")
        moved = "" if near.overlap(span) else document.origins.place(span).location(qrel.uri)
        gold = Gold(qrel, document.id, span, moved_to=moved)
        return gold if qrel.chars else _under_heading(gold, document)


def resolve(question: Question, catalog: Texts) -> tuple[Gold, ...]:
    """A gold for each judgement above 0 of one question; for many questions a `Resolver` reads less."""
    return Resolver(catalog).resolve(question)


def labelled_text(qrel: Qrel, document: Document) -> str:
    """The text of the place a label names, without white space around it; "" if it names none."""
    place = _place(qrel, document)
    return document.text[place.start : place.end].strip() if isinstance(place, Span) else ""


def holds(gold: Gold, doc_id: str, span: Span) -> bool:
    """Whether a chunk (its document and span) counts as having found the gold.

    It must hold at least half of the gold's span, or where that is `long` of the shorter of the two; any part
    of it under the label of a heading, page or part; and anything of the document when the label names no
    place. Chunks are never white space alone, and golds
    have none at their ends, so a common character means common text.
    """
    if gold.problem or gold.doc_id != doc_id:
        return False
    if gold.span is None:
        return True
    common = gold.span.overlap(span)
    if gold.any_part:
        return common > 0
    needed = min(len(gold.span), len(span)) if gold.long else len(gold.span)
    return 2 * common >= max(1, needed)


# ── a label without a quote ───────────────────────────────────────────────────────────────────
def _labelled(qrel: Qrel, document: Document) -> Gold:
    place = _place(qrel, document)
    if isinstance(place, tuple):
        problem, detail = place
        return Gold(qrel, document.id, problem=problem, detail=detail)
    text = document.text if place is None else document.text[place.start : place.end]
    if not text.strip():
        return Gold(qrel, document.id, problem="span empty")
    if qrel.quote_sha and qrel.quote_sha.lower() not in _digests(text):
        return Gold(qrel, document.id, problem="quote not there")
    if place is None:
        return Gold(qrel, document.id)
    gold = Gold(qrel, document.id, _trimmed(document.text, place))
    if qrel.chars or qrel.line_start is not None:
        return gold if qrel.chars else _under_heading(gold, document)
    return replace(gold, any_part=True)  # a page, slide or sheet, which no chunk is meant to hold half of


def _digests(text: str) -> set[str]:
    """The sha256 of the text as it stands and with single spaces: line ends do not count."""
    return {
        hashlib.sha256(t.encode("utf-8", "surrogatepass")).hexdigest() for t in (text.strip(), squeeze(text))
    }


def _same(text: str, span: Span, quote: str) -> bool:
    return squeeze(text[span.start : span.end]) == squeeze(quote)


def _trimmed(text: str, span: Span) -> Span:
    """The span without white space at its ends."""
    inner = text[span.start : span.end]
    start = span.start + len(inner) - len(inner.lstrip())
    return Span(start, max(start, span.start + len(inner.rstrip())))


# ── places ────────────────────────────────────────────────────────────────────────────────────
def _place(qrel: Qrel, document: Document) -> Span | _Wrong | None:
    """The characters a label names; None for the whole document; or the problem with its place."""
    if qrel.chars is not None:
        if qrel.chars.end > len(document.text):
            return "no such place", f"the text has {len(document.text)} characters"
        return qrel.chars
    if qrel.line_start is not None:
        return _lines(qrel.line_start, qrel.line_end or qrel.line_start, document)
    if qrel.part:
        return _part(qrel.part, document)
    return _page(qrel.page, document) if qrel.page is not None else None


def _lines(first: int, last: int, document: Document) -> Span | _Wrong:
    origins = document.origins
    if isinstance(origins, RunOrigins):
        return _lines_of_runs(first, last, origins)
    count = _line_count(origins, document.text)
    if last > count:
        return "no such place", f"the file has {count} line{'s' if count != 1 else ''}"
    end = origins.starts[last] if last < len(origins.starts) else len(document.text)
    return Span(origins.starts[first - 1], end)


def _line_count(origins: LineOrigins, text: str) -> int:
    """Lines as an editor counts them: a line feed at the end begins no further one."""
    return len(origins.starts) - (text.endswith("\n") and len(origins.starts) > 1)


def _lines_of_runs(first: int, last: int, origins: RunOrigins) -> Span | _Wrong:
    ends = [run.place.line_end or run.place.line_start or 0 for run in origins.runs]
    if not any(ends):
        return "no such place", "the file has no lines"
    if last > max(ends):
        return "no such place", f"the text ends on line {max(ends)}"
    spans = [
        run.span
        for run, end in zip(origins.runs, ends, strict=True)
        if run.place.line_start is not None and run.place.line_start <= last and first <= end
    ]
    return _around(spans)


def _page(page: int, document: Document) -> Span | _Wrong:
    if page in document.losses.pages_without_text:
        return "page empty", f"page {page} has no text"
    runs = document.origins.runs if isinstance(document.origins, RunOrigins) else ()
    pages = [run.place.page for run in runs if run.place.page is not None]
    if not pages:
        return "no such place", "the file has no pages"
    if page > max(pages):
        return "no such place", f"the text ends on page {max(pages)}"
    return _around([run.span for run in runs if run.place.page == page])


def _part(part: str, document: Document) -> Span | _Wrong:
    runs = document.origins.runs if isinstance(document.origins, RunOrigins) else ()
    spans = [run.span for run in runs if run.place.part is not None and holds_part(part, run.place.part)]
    return _around(spans) if spans else ("no such place", f"the file has no {part!r}")


def _around(spans: Sequence[Span]) -> Span | _Wrong:
    return Span(spans[0].start, spans[-1].end) if spans else ("span empty", "")


# ── headings ──────────────────────────────────────────────────────────────────────────────────
def _under_heading(gold: Gold, document: Document) -> Gold:
    """A span within a heading's line becomes the text under it, subsections included; others stay."""
    if gold.span is None:
        return gold
    for section in document.sections:
        title = section.title_span
        if not title.overlap(gold.span):
            continue
        line = _line_around(document.text, title)
        if line.holds(gold.span) and _stands_alone(document.text, line, title):
            body = _body(document, Span(line.end, max(line.end, section.span.end)))
            if not len(body):
                return replace(gold, span=None, problem="span empty", detail="no text under this heading")
            return replace(gold, span=body, any_part=True)
    return gold


def _line_around(text: str, span: Span) -> Span:
    """The whole lines a span stands on, without the last line feed."""
    end = text.find("\n", max(span.start, span.end - 1))
    return Span(text.rfind("\n", 0, span.start) + 1, len(text) if end == -1 else end)


def _stands_alone(text: str, line: Span, title: Span) -> bool:
    """Whether nothing but signs stands beside the title: `"key": 5` in JSON is no heading."""
    beside = text[line.start : title.start] + text[title.end : line.end]
    return not any(ch.isalnum() for ch in beside)


def _body(document: Document, span: Span) -> Span:
    """The span from its first text that is neither a title nor left out."""
    skip = {part.start: part.end for part in _no_text(document) if span.holds(part)}
    body = _trimmed(document.text, span)
    while body.start in skip and len(body):
        body = _trimmed(document.text, Span(min(skip[body.start], body.end), body.end))
    return body


def _no_text(document: Document) -> list[Span]:
    titles = [section.title_span for section in document.sections]
    alone = [t for t in titles if _stands_alone(document.text, _line_around(document.text, t), t)]
    return [*alone, *(part.span for part in document.left_out)]
