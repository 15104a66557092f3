"""Injected cases as JSON lines, for localisers that are not ours.

A line is either `{"chunks": {id: {"uri", "text"}}}`, the texts that the lines below it name by id, or a case.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from injected.answers import Says
from injected.cases import Outcome
from injected.corpora import Corpus, Passing
from pincite.answer.prompt import INSUFFICIENT
from pincite.chunk.sentences import sentence_spans
from pincite.evaluate.proof.experiments import Lab, Ran
from pincite.index.opened import OpenLibrary
from pincite.types import Context, Question

_SHORT = 60  # characters: evidence that is an answer by itself
_HEADING = ("#", "|", "=", "-")


@dataclass
class Cases:
    """What was asked of the copies of one corpus, in order: its `watch` is to be the corpus's."""

    corpus: Corpus
    asked: list[dict[str, object]] = field(default_factory=list)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        with self.corpus.copy() as copy:
            self._chunks(copy.open)

    def watch(self, lab: Lab, question: Question, ran: Ran) -> None:
        """Notes one question as it ran in a broken copy."""
        evidence = list(self._evidence(lab, question))
        reference = " ".join(_reference(words) for words in evidence)
        given = lab.generator.generate(question.text, ran.context) if lab.generator else ""
        uris = {qrel.uri for qrel in question.judged}
        said = given or _obedient(ran.context, uris, reference)
        hits = [hit.candidate.chunk_id for hit in ran.result.hits]
        steps = {step.stage: list(map(_ranked, step.items)) for step in ran.result.trace.steps}
        row: dict[str, object] = {
            "question_id": question.id,
            "question": question.text,
            "answerable": question.answerable,
            "gold": {"uris": sorted(uris), "words": evidence, "chunks": self._gold(question)},
            "reference": reference,
            "k": lab.ask.k,
            "stages": {stage: items for stage, items in steps.items() if any(items)},
            "hits": hits,
            "context": list(_passages(lab.library, ran.context)),
            "answer": re.sub(r"\s?\[[0-9]+\]", "", said),
            "cites": [int(found) for found in re.findall(r"\[([0-9]+)\]", said)],
            "answer_of_case": isinstance(lab.generator, Says),
            "refused": not said or said.startswith(INSUFFICIENT),
            "index": self._chunks(lab.library),
        }
        self.asked.append(row)

    def _chunks(self, library: OpenLibrary) -> list[str]:
        stored = library.catalog.stored(library.catalog.point_ids(0, 1_000_000)).values()
        self.texts.update({one.chunk.id: {"uri": one.uri, "text": one.chunk.text} for one in stored})
        return sorted(one.chunk.id for one in stored)

    def _evidence(self, lab: Lab, question: Question) -> Iterator[str]:
        """The words of each group's first evidence: as labelled, or as they were before the fault."""
        groups: set[str] = set()
        for gold in lab.ask.resolver.resolve(question):
            if gold.qrel.group in groups or gold.qrel.relevance < 1:
                continue
            groups.add(gold.qrel.group)
            document = lab.library.catalog.document(gold.doc_id) if gold.doc_id and gold.span else None
            known = self._known(question, gold.qrel.uri)
            if document and gold.span:
                yield document.text[gold.span.start : gold.span.end]
            elif known:
                yield known.words

    def _gold(self, question: Question) -> list[list[str]]:
        """The chunks that held each judgement's evidence before the fault."""
        known = [self._known(question, qrel.uri) for qrel in question.judged]
        return [list(one.holders) for one in known if one]

    def _known(self, question: Question, uri: str) -> Passing | None:
        same = [one for one in self.corpus.passing if one.question.id == question.id]
        there = [one for one in self.corpus.passing if one.uri == uri]
        return next((one for one in (*same, *there) if one.uri == uri), next(iter(same), None))


def lines(cases: Cases, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The texts of a corpus's cases, then each case with the fault put in and what Pincite called it."""
    yield _line({"chunks": cases.texts})
    for number, (one, row) in enumerate(zip(outcomes, cases.asked, strict=True)):
        assert one.finding.question_id == row["question_id"]
        head = {"case": f"{one.corpus} {number}", "corpus": one.corpus, "code": one.code, "fault": one.fault}
        yield _line({**head, "named": one.finding.code, **row})


def _line(row: dict[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def _ranked(item: object) -> list[object]:
    assert hasattr(item, "get")
    return [item.get("chunk_id"), item.get("score")]


def _passages(library: OpenLibrary, context: Context) -> Iterator[dict[str, object]]:
    """The passages of a context; `whole` are the chunks of theirs that they hold from end to end."""
    for one in context.evidence:
        every = library.catalog.points_of(one.doc_id)
        points = [point for point, start, end in every if one.span.start <= start and end <= one.span.end]
        stored = library.catalog.stored(points).values()
        whole = [each.chunk.id for each in stored if each.chunk.id in one.hits]
        yield {"uri": one.uri, "text": one.text, "hits": list(one.hits), "whole": whole}


# ── answers ───────────────────────────────────────────────────────────────────────────────────
def _sentences(text: str) -> list[str]:
    found = (text[one.start : one.end] for one in sentence_spans(text, 0, len(text)))
    return [one for one in found if len(one) >= 8 and not one.startswith(_HEADING)]


def _reference(evidence: str) -> str:
    """A short evidence as it is; of a long one the sentence that says most, figures first."""
    if len(evidence) < _SHORT:
        return evidence
    return max(
        _sentences(evidence), key=lambda one: (bool(re.search("[0-9]", one)), len(one)), default=evidence
    )


def _obedient(context: Context, uris: Iterable[str], reference: str) -> str:
    """What a model would write that keeps to its context: the sentence with the evidence, else the first."""
    for passage in context.evidence:
        if passage.uri in uris and reference and reference in passage.text:
            holding = (one for one in _sentences(passage.text) if reference in one or one in reference)
            return f"{next(holding, reference)} [{passage.marker}]"
    first = next(iter(context.evidence), None)
    return f"{(_sentences(first.text) or [first.text])[0]} [{first.marker}]" if first else ""
