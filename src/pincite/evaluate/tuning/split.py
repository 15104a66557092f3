"""Labelled questions in two parts: one to choose settings with, one that is kept aside for the verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.errors import UsageError
from pincite.evaluate.labels.check import resolution
from pincite.evaluate.questions import question_set
from pincite.evaluate.quotes import squeeze
from pincite.evaluate.run import with_evidence
from pincite.types import Question, QuestionSet

FEW = 50
"""Fewer questions than this show large differences only."""


@dataclass(frozen=True, slots=True)
class Split:
    """The questions settings are chosen with, and those of the verdict; `notices` say what was left out."""

    tuning: QuestionSet
    held_out: QuestionSet
    notices: tuple[str, ...] = ()


def split(questions: QuestionSet, *, share: float = 0.5, seed: int = 0) -> Split:
    """The real questions with evidence, `share` of them for tuning, each tag in like parts.

    Which question goes where depends on the ids, tags and seed, not on the order of the file. Raises
    `UsageError` for a share that is not between 0 and 1, and when a part would be empty.
    """
    if not 0 < share < 1:
        raise UsageError(f"split: expected a share between 0 and 1, got {share}", stage="evaluate")
    usable, left = _usable(questions)
    ordered = sorted(usable, key=lambda one: (sorted(one.tags), _hash(seed, one.id)))
    # Every 1/share-th of the ordered questions: each tag gives its part, and rounding does not add up.
    chosen = {one.id for n, one in enumerate(ordered) if int((n + 1) * share) > int(n * share)}
    tuning = [one for one in usable if one.id in chosen]
    held_out = [one for one in usable if one.id not in chosen]
    return _disjoint(questions.name, tuning, questions.name, held_out, left)


def given_split(questions: QuestionSet, held_out: QuestionSet) -> Split:
    """The real questions with evidence of two files. Raises `UsageError` when a part would be empty."""
    (first, left), (second, more) = _usable(questions), _usable(held_out)
    return _disjoint(questions.name, first, held_out.name, second, left + more)


def in_random_order(questions: Iterable[Question], seed: int) -> list[Question]:
    """The questions in an order that depends on the seed and their ids alone."""
    return sorted(questions, key=lambda one: (_hash(seed, one.id), one.id))


def limits(found: Split) -> list[str]:
    """What parts as small as these cannot show; nothing for parts of 50 questions or more."""
    parts = (("tuning", found.tuning), ("held-out", found.held_out))
    few = [(name, len(part.questions)) for name, part in parts if len(part.questions) < FEW]
    return [
        f"{count} {name} question{'s' * (count != 1)}: only differences of about {resolution(count):.2f} or "
        f"more can be told from chance; nothing can be concluded about smaller ones"
        for name, count in few
    ]


def _usable(questions: QuestionSet) -> tuple[list[Question], list[str]]:
    asked = with_evidence(questions)
    real = [one for one in asked if not one.synthetic]
    if not real:
        raise UsageError(
            f"{questions.name}: all {len(asked)} questions with evidence are synthetic",
            stage="evaluate",
            hint="settings are tuned on questions that people asked; pincite eval measures synthetic ones",
        )
    left = len(asked) - len(real)
    return real, [f"{questions.name}: {left} synthetic questions were left out"] if left else []


def _disjoint(
    name: str, tuning: Sequence[Question], held_name: str, held_out: Sequence[Question], notices: list[str]
) -> Split:
    """The two parts as sets; a tuning question that is asked in the other part too is left out."""
    kept_aside = {_text(one) for one in held_out}
    apart = [one for one in tuning if _text(one) not in kept_aside]
    if both := len(tuning) - len(apart):
        notices = [*notices, f"{both} tuning questions are held out as well, and were left out of tuning"]
    if tuning and held_out and not apart:
        raise UsageError(
            f"all {len(tuning)} questions of {name} are among those held out, so none is left to tune with",
            stage="evaluate",
            hint="hold other questions out; without --held-out a part of the file's own is",
        )
    if not apart or not held_out:
        raise UsageError(
            f"{name}: {len(apart)} questions to tune with and {len(held_out)} held out; each needs some",
            stage="evaluate",
            hint="label more questions, or name others with --held-out",
        )
    first, second = question_set(f"{name} (tuning)", apart), question_set(f"{held_name} (held out)", held_out)
    return Split(first, second, tuple(notices))


def _text(question: Question) -> str:
    return squeeze(question.text.casefold())


def _hash(seed: int, question_id: str) -> str:
    return hashlib.sha256(f"{seed}\0{question_id}".encode("utf-8", "surrogatepass")).hexdigest()
