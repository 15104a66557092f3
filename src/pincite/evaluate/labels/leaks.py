"""Questions that stand word for word in a document: finding such a one says little about a search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pincite.chunk.sentences import sentence_spans
from pincite.evaluate.golds import Resolver
from pincite.scripts import WORD
from pincite.types import Document, Question

MIN_WORDS = 4  # a shorter question is a keyword query, which headings may well equal
MAX_CHARS = 20_000_000  # read in documents that no label names

_START = 3  # words by which a sequence is looked up


def leaks(questions: Sequence[Question], resolver: Resolver) -> dict[str, str]:
    """Where a question's text is a sentence or heading of a document: question id → location.

    Compared are the words, in lower case, without punctuation, markup and leading numbers. The documents
    that labels name are read first, then the others in the order of their paths, until `MAX_CHARS`.
    """
    wanted: dict[tuple[str, ...], list[str]] = {}
    for question in questions:
        words = words_of(question.text)
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


def verbatim(questions: Sequence[Question], resolver: Resolver) -> dict[str, str]:
    """Where the words of a question stand in a row inside a sentence or heading: question id → location.

    Compared and read as in `leaks`, which asks whether they are all of it. Questions of fewer than
    `_START` words are left out.
    """
    wanted: dict[tuple[str, ...], list[tuple[tuple[str, ...], str]]] = {}
    for question in questions:
        words = words_of(question.text)
        if len(words) >= _START:
            wanted.setdefault(words[:_START], []).append((words, question.id))
    found: dict[str, str] = {}
    for document in _documents(questions, resolver):
        for span in sentence_spans(document.text, 0, len(document.text)):
            for question_id in _held(words_of(document.text[span.start : span.end]), wanted):
                found.setdefault(question_id, document.origins.place(span).location(document.uri))
    return found


def _held(
    words: Sequence[str], wanted: Mapping[tuple[str, ...], Sequence[tuple[tuple[str, ...], str]]]
) -> Iterator[str]:
    """The ids of the wanted word sequences that stand in a row in `words`."""
    for at in range(len(words) - _START + 1):
        for sought, question_id in wanted.get(tuple(words[at : at + _START]), ()):
            if tuple(words[at : at + len(sought)]) == sought:
                yield question_id


def words_of(text: str) -> tuple[str, ...]:
    """Words in lower case without punctuation and leading numbers; some scripts' characters are one each."""
    words = WORD.findall(text.casefold())
    first = next((at for at, word in enumerate(words) if not word.isdigit()), 0)
    return tuple(words[first:])


def _sentences(
    document: Document, wanted: Mapping[tuple[str, ...], object]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The wanted sentences of a document, with where they stand."""
    for span in sentence_spans(document.text, 0, len(document.text)):
        words = words_of(document.text[span.start : span.end])
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
