"""What is wrong with labels, seen against an index: places that are not there, copies, leaks, too few."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import PurePosixPath

from pincite.errors import UsageError
from pincite.evaluate.golds import Resolver, Texts
from pincite.evaluate.labels.leaks import leaks
from pincite.evaluate.quotes import squeeze
from pincite.types import Gold, LabelProblem, Question, QuestionSet

DIFFERENCE = 0.1
"""The difference of two means that a set should be able to show, unless told otherwise."""

_Z = 1.96  # the normal distribution's 97.5 % point: an interval of 95 %
_MAX_SEARCHES = 50  # for the nearest path; each looks at every path of the library

_MAX_CANDIDATES = 5  # paths that are named for one

_Found = Iterator[tuple[str, str]]
_Nearest = Callable[[str], Sequence[str]]


def check(
    questions: QuestionSet,
    catalog: Texts,
    *,
    resolver: Resolver | None = None,
    difference: float = DIFFERENCE,
) -> list[LabelProblem]:
    """What is wrong with the labels, in the order of the questions; a set that is too small comes last.

    Reported are places that are not there or have moved, questions asked twice, without evidence, or
    standing word for word in a document, and a set too small to show `difference` (see `resolution`).
    Raises `UsageError` for a difference that means cannot have.
    """
    if not 0 < difference <= 1:
        raise UsageError(f"difference: expected above 0, up to 1, got {difference}", stage="evaluate")
    resolver = resolver or Resolver(catalog)
    nearest = _nearest(tuple(resolver.doc_ids))
    leaked = leaks(questions.questions, resolver)
    first_with: dict[str, str] = {}
    problems: list[LabelProblem] = []
    for question in questions.questions:
        found = [*_of_text(question, first_with, leaked.get(question.id, "")), *_of_evidence(question)]
        for gold in resolver.resolve(question):
            found += _of_gold(gold, nearest)
        where = question.where or question.id
        problems += [LabelProblem(where, code, message, question.id) for code, message in found]
    return [*problems, *_too_few(questions, difference)]


def resolution(count: int) -> float:
    """The smallest difference of two means that `count` questions show: 1.96·√(0.25/n).

    That is half the 95 % interval of a share of one half, the widest there is, in the normal approximation
    of the binomial distribution: a rule of thumb. A paired test on graded values often needs fewer.
    """
    return _Z * math.sqrt(0.25 / count) if count else math.inf


def needed(difference: float) -> int:
    """How many questions show a difference: the least n with `resolution(n)` not above it."""
    return math.ceil(0.25 * (_Z / difference) ** 2)


# ── one question ──────────────────────────────────────────────────────────────────────────────
def _of_text(question: Question, first_with: dict[str, str], leak: str) -> _Found:
    text = squeeze(question.text.casefold())
    if not text:
        yield "unreadable", "the question is empty"
    elif (first := first_with.setdefault(text, question.id)) != question.id:
        yield "duplicate", f"asks the same as {first}"
    if leak:
        yield "leaked", f"the question stands word for word at {leak}"


def _of_evidence(question: Question) -> _Found:
    if question.answerable and not question.judged:
        yield "no evidence", "no place is named that answers it, and it is not marked unanswerable"
    if not question.answerable and question.judged:
        yield "no evidence", f"marked unanswerable, but {question.judged[0].location} is named as evidence"


def _of_gold(gold: Gold, nearest: _Nearest) -> _Found:
    location = gold.qrel.location
    if gold.moved_to:
        yield "moved", f"{location}: its quote stands at {gold.moved_to} now"
    if gold.problem == "not in corpus":
        near = nearest(gold.qrel.uri)
        hint = f"did you mean {_one_of(near)}?" if near else "there is no file of this or a similar name"
        yield "file gone", f"{location}: {hint}"
    elif gold.problem:
        yield gold.problem, f"{location}: {gold.detail or _WORDS.get(gold.problem, gold.problem)}"


_WORDS = {
    "span empty": "nothing stands there",
    "quote not there": "its words stand nowhere in the file, or these lines have changed",
}


def _one_of(paths: Sequence[str]) -> str:
    """`a/x.md or b/x.md`, the first five."""
    more = len(paths) - _MAX_CANDIDATES
    return " or ".join([*paths[:_MAX_CANDIDATES], *([f"{more} more"] if more > 0 else [])])


def _nearest(uris: Sequence[str]) -> _Nearest:
    """The paths most like another one: all of the same name, else the one of like letters, else none.

    After `_MAX_SEARCHES` different paths it answers by name alone.
    """
    by_name: dict[str, list[str]] = {}
    for uri in uris:
        by_name.setdefault(PurePosixPath(uri).name.casefold(), []).append(uri)
    searches = iter(range(_MAX_SEARCHES))

    @cache
    def nearest(uri: str) -> Sequence[str]:
        name = PurePosixPath(uri.replace("\\", "/")).name.casefold()
        if name in by_name or next(searches, None) is None:
            return by_name.get(name, ())
        return difflib.get_close_matches(uri, uris, 1)

    return nearest


# ── the set ───────────────────────────────────────────────────────────────────────────────────
def _too_few(questions: QuestionSet, difference: float) -> Iterator[LabelProblem]:
    count = sum(question.answerable and bool(question.judged) for question in questions.questions)
    if count < needed(difference):
        seen = f"differences of about {resolution(count):.2f} or more" if count else "no difference"
        message = (
            f"{count} question{'s' * (count != 1)} with evidence can show {seen}; "
            f"{needed(difference)} are needed for {difference:g}"
        )
        yield LabelProblem(questions.name, "too few", message)
