"""Measuring as a library is called for it: labels are read, the index is made ready, then it is measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.calls import arguments
from pincite.calls.first_read import read_once
from pincite.calls.options import Options
from pincite.evaluate.answers import Answers, measure_answers
from pincite.evaluate.chat import configured_chat, judging_model
from pincite.evaluate.check import check
from pincite.evaluate.draft import Drafted, draft
from pincite.evaluate.measures import Measure
from pincite.evaluate.questions import first_of, read_questions
from pincite.evaluate.ready import behind, made_complete
from pincite.evaluate.run import Evaluation, evaluate
from pincite.evaluate.split import Split
from pincite.evaluate.tune import tune
from pincite.evaluate.tuned import Tuned
from pincite.evaluate.why import Diagnosis, why
from pincite.index.opened import OpenLibrary
from pincite.types import LabelProblem, Progress, QuestionSet

Report = Callable[[Progress], None] | None


def labelled(questions: str | Path | QuestionSet, limit: int | None = None) -> QuestionSet:
    """The questions of a label file or set, all or the first `limit`."""
    if not isinstance(questions, QuestionSet):
        questions = read_questions(arguments.path("questions", questions))
    return first_of(questions, limit)


def evaluated(
    library: OpenLibrary,
    named: QuestionSet,
    how: Options,
    measures: Sequence[Measure],
    progress: Report,
    *,
    allow_empty: bool = False,
) -> Evaluation:
    """Each question asked and measured, with notices of what was done first and what the index lacks."""
    notices = made_complete(library, how.settings.legs, progress) + behind(library)
    among = how.among(library)
    result = evaluate(
        library,
        named,
        k=how.k,
        filter=among,
        settings=how.settings,
        measures=measures,
        allow_empty=allow_empty,
        progress=progress,
    )
    return replace(result, notices=notices + result.notices)


def answered(
    library: OpenLibrary, named: QuestionSet, how: Options, judge: bool, progress: Report
) -> Answers:
    """Each question answered, with what the answers are worth and notices of what was done first."""
    model = judging_model(library) if judge else None  # refused before anything is read
    notices = made_complete(library, how.settings.legs, progress)
    among = how.among(library)
    result = measure_answers(
        library, named, k=how.k, filter=among, settings=how.settings, judge=model, progress=progress
    )
    return replace(result, notices=notices + result.notices)


def diagnosed(
    library: OpenLibrary, named: QuestionSet, how: Options, answers: bool, progress: Report
) -> Diagnosis:
    """For each question the stage that lost its evidence; only a folder never synced is read first."""
    read_once(library, progress)
    among = how.among(library)
    return why(
        library, named, k=how.k, filter=among, settings=how.settings, answers=answers, progress=progress
    )


def tuned(
    library: OpenLibrary, parts: Split, how: Options, *, progress: Report = None, **options: Any
) -> Tuned:
    """Changes of settings tried under the filter; a folder never synced is read before its fields are."""
    read_once(library, progress)
    return tune(library, parts, filter=how.among(library), progress=progress, **options)


def checked(
    library: OpenLibrary, named: QuestionSet, difference: float, progress: Report
) -> list[LabelProblem]:
    """What is wrong with labels."""
    read_once(library, progress)
    return check(named, library.catalog, difference=difference)


def drafted(library: OpenLibrary, n: int, seed: int, taken: Sequence[str], progress: Report) -> Drafted:
    """At most n synthetic questions, by the configured chat model if there is one."""
    read_once(library, progress)
    return draft(library, n, seed=seed, chat=configured_chat(library), taken=taken, progress=progress)
