"""Questions that stand word for word in a document: finding such a one says little about a search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pincite.chunk.sentences import sentence_spans
from pincite.evaluate.golds import Resolver
from pincite.types import Document, Question

MIN_WORDS = 4  # a shorter question is a keyword query, which headings may well equal
MAX_CHARS = 20_000_000  # read in documents that no label names

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


def leaks(questions: Sequence[Question], resolver: Resolver) -> dict[str, str]:
    """Where a question's text is a sentence or heading of a document: question id → location.

    Compared are the words, in lower case, without punctuation, markup and leading numbers. The documents
    that labels name are read first, then the others in the order of their paths, until `MAX_CHARS`.
    """
    wanted: dict[tuple[str, ...], list[str]] = {}
    for question in questions:
        words = _words(question.text)
        if len(words) >= MIN_WORDS:
            wanted.setdefault(words, []).append(question.id)
    found: dict[str, str] = {}
    for document in _documents(questions, resolver):
        for words, location in _sentences(document, wanted):
            for question_id in wanted.pop(words, ()):
                found[question_id] = location
        if not wanted:
            break
    return found


def _words(text: str) -> tuple[str, ...]:
    words = _WORD.findall(text.casefold())
    first = next((at for at, word in enumerate(words) if not word.isdigit()), 0)
    return tuple(words[first:])


def _sentences(
    document: Document, wanted: Mapping[tuple[str, ...], object]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The wanted sentences of a document, with where they stand."""
    for span in sentence_spans(document.text, 0, len(document.text)):
        words = _words(document.text[span.start : span.end])
        if words in wanted:
            yield words, document.origins.place(span).location(document.uri)


def _documents(questions: Iterable[Question], resolver: Resolver) -> Iterator[Document]:
    named = dict.fromkeys(qrel.uri for question in questions for qrel in question.judged)
    left = MAX_CHARS
    for uri in (*named, *(uri for uri in resolver.doc_ids if uri not in named)):
        document = resolver.document(resolver.doc_ids[uri]) if uri in resolver.doc_ids else None
        if document is None:
            continue
        left -= 0 if uri in named else len(document.text)
        if left < 0:
            return
        yield document
