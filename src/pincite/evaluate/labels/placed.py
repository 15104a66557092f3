"""The labels of a question set by the files of a library: which file each path means, and whether any do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pincite.errors import InputError
from pincite.evaluate.labels.spelt import Paths
from pincite.evaluate.labels.tsv import target
from pincite.index.opened import OpenLibrary
from pincite.types import Qrel, Question, QuestionSet

_NAMED = 3  # labels in an error


def located(questions: QuestionSet, library: OpenLibrary) -> QuestionSet:
    """The questions with their labels' paths as the library names its files; the set is the same one.

    A path that may mean none or several of them stays as it is.
    """
    uris = {uri for _, uri in library.catalog.document_ids()} | library.catalog.files().keys()
    paths = Paths(uris, library.root)
    found = (replace(one, qrels=tuple(dict.fromkeys(_located(one, paths)))) for one in questions.questions)
    return replace(questions, questions=tuple(found))


def _located(question: Question, paths: Paths) -> Iterator[Qrel]:
    for given in question.qrels:
        placed = None if paths.meant(given.uri) else _with_place(given)
        qrel = placed if placed and paths.meant(placed.uri) else given
        meant = paths.meant(qrel.uri)
        yield replace(qrel, uri=meant[0]) if len(meant) == 1 else qrel


def _with_place(qrel: Qrel) -> Qrel | None:
    """The label with the line, page or part that its path ends with; None if it ends with none."""
    if qrel.location != qrel.uri or qrel.chars is not None:
        return None
    try:
        read = target(qrel.question_id, qrel.uri)
    except ValueError:
        return None
    placed = replace(
        qrel, uri=read.uri, line_start=read.line_start, line_end=read.line_end, page=read.page, part=read.part
    )
    return placed if read.location != read.uri else None


def matched(questions: QuestionSet, library: OpenLibrary) -> QuestionSet:
    """The questions as `located` has them. Raises `InputError` when most labels name no file of the index.

    A mean over the others would measure the labels, not the library.
    """
    found = located(questions, library)
    there = {uri for _, uri in library.catalog.document_ids()}
    labels = [qrel for one in found.questions if one.answerable for qrel in one.judged]
    lost = list(dict.fromkeys(qrel.uri for qrel in labels if qrel.uri not in there))
    count = sum(qrel.uri not in there for qrel in labels)
    if 2 * count > len(labels):
        named = ", ".join(lost[:_NAMED]) + (", …" if len(lost) > _NAMED else "")
        raise InputError(
            f"{questions.name}: {count} of {len(labels)} labels name files that are not in the index of "
            f"{library.root}: {named}",
            stage="evaluate",
            hint="another library than that of --in, topics without their --qrels, or files new there "
            "(pincite sync)? What each label may mean: pincite questions check FILE",
        )
    return found
