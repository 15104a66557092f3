"""Questions proposed from the indexed documents, for a start without any: synthetic, and marked so.

They say whether a passage can be found by words like its own. They do not say how real questions fare, so
they are never mixed with those unseen.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from pincite.errors import ModelError, UsageError
from pincite.evaluate.asking import MOST_FAILURES, resolver_of
from pincite.evaluate.chat import Chat
from pincite.evaluate.draft.drafted import Draft
from pincite.evaluate.draft.model import copies, passages_of, question_in, request
from pincite.evaluate.draft.patterns import drafts_of
from pincite.evaluate.golds import Resolver
from pincite.evaluate.labels.leaks import MAX_CHARS, verbatim
from pincite.evaluate.quotes import squeeze
from pincite.index.opened import OpenLibrary
from pincite.types import Document, Place, Progress, Qrel, Question, Span

MOST = 1_000  # questions at once
_SPREAD = 3  # times as many documents are looked at as questions are wanted
_TRIES = 3  # passages asked about for each question that is wanted
_SAME = 3  # places that may answer the same question

Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Drafted:
    """Drafted questions and what became of the others.

    `by` is what drafted them: "patterns" or the model's name. `leaked` stood word for word in a document,
    `duplicates` asked what another one asks or what was there already, `refused` is what a model wrote that
    is no usable question, by reason; `failed` are passages on which it failed. `documents` were read.
    """

    questions: tuple[Question, ...]
    by: str
    documents: int
    leaked: int = 0
    duplicates: int = 0
    failed: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class _Tally:
    """Drafts as they come in, each text once, with the places that answer it."""

    resolver: Resolver
    taken: Collection[str]
    kept: dict[str, tuple[Question, str]] = field(default_factory=dict)
    """By the question's words: the question, and the document it came from."""
    duplicates: int = 0

    def add(self, document: Document, draft: Draft) -> bool:
        """Whether the draft is a new question whose place is found again by its label."""
        key = same_words(draft.text)
        qrel = evidence(f"draft-{_digest(key)[:10]}", document, draft.span)
        gold = self.resolver.gold(qrel)
        if gold.problem or gold.moved_to:
            return False
        if key in self.taken or key in self.kept:
            self.duplicates += 1
            self._also(key, qrel)
            return False
        tags = ("draft", draft.kind)
        made = Question(qrel.question_id, draft.text, (qrel,), True, draft.answer, tags, synthetic=True)
        self.kept[key] = made, document.id
        return True

    def _also(self, key: str, qrel: Qrel) -> None:
        """A further place that answers the same question: any of them will do."""
        if key in self.kept:
            question, doc_id = self.kept[key]
            if qrel not in question.qrels:
                self.kept[key] = replace(question, qrels=(*question.qrels, qrel)), doc_id

    def telling(self) -> list[tuple[Question, str]]:
        """The questions that few places answer; one that many do asks for nothing in particular."""
        return [(one, doc_id) for one, doc_id in self.kept.values() if len(one.qrels) <= _SAME]


def draft(
    library: OpenLibrary,
    count: int,
    *,
    seed: int = 0,
    chat: Chat | None = None,
    taken: Collection[str] = (),
    progress: Report | None = None,
) -> Drafted:
    """At most `count` questions with their evidence, spread evenly over documents; equal for equal seeds.

    `chat` writes them, a passage each; without it they come from the documents' own form. `taken` are
    texts of questions there already. Raises `UsageError` for a count out of range, `ModelError` when the
    model fails from the start.
    """
    if not 1 <= count <= MOST:
        raise UsageError(f"draft: expected 1 to {MOST:,} questions, got {count}", stage="evaluate")
    known = frozenset(map(same_words, taken))
    ids = library.catalog.document_ids()
    random.Random(seed).shuffle(ids)
    tally = _Tally(resolver_of(library), known)
    if chat is not None:
        return _asked(tally, ids, count, seed, chat, progress)
    return _suggested(tally, ids, count, seed, progress)


def same_words(text: str) -> str:
    """What two questions that ask the same have in common: their words, in lower case."""
    return squeeze(text.casefold()).rstrip("?？ ")


def evidence(question_id: str, document: Document, span: Span) -> Qrel:
    """The label of a span: its place, its words and their sha256."""
    quote = document.text[span.start : span.end].strip()
    place = document.origins.place(span)
    return quoted(question_id, document.uri, place, quote)


def quoted(question_id: str, uri: str, place: Place, quote: str) -> Qrel:
    """The label of words at a place."""
    return Qrel(
        question_id,
        uri,
        place.line_start,
        place.line_end,
        None if place.line_start is not None else place.page,
        quote=quote,
        quote_sha=_digest(quote),
        part="" if place.line_start is not None or place.page is not None else place.part or "",
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# ── from the documents' own form ──────────────────────────────────────────────────────────────
def _suggested(
    tally: _Tally, ids: Sequence[tuple[str, str]], count: int, seed: int, progress: Report | None
) -> Drafted:
    """Questions from patterns: of each document in turn, and of its kinds in turn."""
    read = giving = chars = 0
    for doc_id, uri in ids:
        document = tally.resolver.document(doc_id)
        if giving >= _SPREAD * count or document is None or chars + len(document.text) > MAX_CHARS:
            break
        read, chars = read + 1, chars + len(document.text)
        drafts = drafts_of(document)
        giving += sum([tally.add(document, one) for one in _mixed(drafts, f"{seed} {uri}")]) > 0
        if progress:
            progress(Progress("draft", min(giving, count), count, "documents", uri))
    found = tally.telling()
    leaked = verbatim([one for one, _ in found], tally.resolver)
    chosen = _spread([(one, doc_id) for one, doc_id in found if one.id not in leaked], count)
    notices = [f"{read} of {len(ids)} documents were read"] if read < len(ids) else []
    if len(chosen) < count:
        notices.append(f"the documents suggest {len(chosen)} questions, not {count}")
    return Drafted(tuple(chosen), "patterns", read, len(leaked), tally.duplicates, notices=tuple(notices))


def _mixed(drafts: Sequence[Draft], seed: str) -> Iterator[Draft]:
    """The drafts of a document in a random order in which each kind has its turn."""
    chance = random.Random(seed)
    kinds: dict[str, list[Draft]] = {}
    for one in drafts:
        kinds.setdefault(one.kind, []).append(one)
    order = sorted(kinds)
    chance.shuffle(order)
    for kind in order:
        chance.shuffle(kinds[kind])
    for row in zip_longest(*(kinds[kind] for kind in order)):
        yield from (one for one in row if one is not None)


def _spread(found: Sequence[tuple[Question, str]], count: int) -> list[Question]:
    """The first of each document, then the second of each, and so on up to `count`."""
    of: dict[str, list[Question]] = {}
    for one, doc_id in found:
        of.setdefault(doc_id, []).append(one)
    rows = zip_longest(*of.values())
    return [one for row in rows for one in row if one is not None][:count]


# ── by a model ────────────────────────────────────────────────────────────────────────────────
def _asked(
    tally: _Tally,
    ids: Sequence[tuple[str, str]],
    count: int,
    seed: int,
    chat: Chat,
    progress: Report | None,
) -> Drafted:
    """Questions a model writes, each about one passage, until there are enough or it was asked too often."""
    refused: dict[str, int] = {}
    failed = tried = 0
    seen: dict[str, None] = {}
    for document, span in _passages(tally.resolver, ids, seed):
        if len(tally.kept) >= count or tried >= _TRIES * count:
            break
        tried += 1
        seen[document.id] = None
        try:
            text, reason = question_in(chat.chat(request(document, span)))
        except ModelError:
            failed += 1
            if failed == tried == MOST_FAILURES:
                raise
            continue
        reason = reason or copies(text, document.text[span.start : span.end])
        if reason:
            refused[reason] = refused.get(reason, 0) + 1
        else:
            tally.add(document, Draft(text, span, "model"))
        if progress:
            progress(Progress("draft", len(tally.kept), count, "questions", document.uri))
    if failed == tried > 0:
        raise ModelError(f"{chat.name} failed on each of {tried} passages", stage="evaluate")
    return _drafted(tally, count, chat.name, len(seen), tried, failed, refused)


def _drafted(
    tally: _Tally, count: int, by: str, documents: int, tried: int, failed: int, refused: Mapping[str, int]
) -> Drafted:
    """What a model wrote, without the questions that stand in a document."""
    found = [one for one, _ in tally.kept.values()]
    leaked = verbatim(found, tally.resolver)
    chosen = tuple(one for one in found if one.id not in leaked)
    notices = () if len(chosen) >= count else (f"{len(chosen)} of {count} questions, {tried} passages asked",)
    return Drafted(
        chosen,
        by,
        documents,
        len(leaked),
        tally.duplicates,
        failed,
        dict(sorted(refused.items())),
        notices,
    )


def _passages(
    resolver: Resolver, ids: Sequence[tuple[str, str]], seed: int
) -> Iterator[tuple[Document, Span]]:
    """One passage of each document, then a second of each; what was read is kept only as spans."""
    left: list[tuple[str, list[Span]]] = []
    for doc_id, uri in ids:
        document = resolver.document(doc_id)
        spans = passages_of(document) if document else []
        random.Random(f"{seed} {uri}").shuffle(spans)
        if document and spans:
            yield document, spans[0]
            left.append((doc_id, spans[1:]))
    while left := [(doc_id, spans) for doc_id, spans in left if spans]:
        for doc_id, spans in left:
            if document := resolver.document(doc_id):
                yield document, spans.pop(0)
