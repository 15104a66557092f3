"""Measuring as a library is called for it: labels are read, the index is made ready, then it is measured.

Each call imports what it needs and no more: one of them is a process of its own on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.calls import arguments
from pincite.calls.questions import Options, read_once
from pincite.evaluate.questions import first_of, read_questions
from pincite.index.opened import OpenLibrary
from pincite.types import LabelProblem, Progress, QuestionSet

if TYPE_CHECKING:
    from pincite.evaluate.answers import Answers
    from pincite.evaluate.draft import Drafted
    from pincite.evaluate.measures import Measure
    from pincite.evaluate.run import Evaluation
    from pincite.evaluate.tuning.split import Split
    from pincite.evaluate.tuning.tuned import Tuned
    from pincite.evaluate.why import Diagnosis
from collections.abc import Collection

from pincite.calls.questions import let_another_read
from pincite.pipeline import ingest
from pincite.sync.report import status

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
    from pincite.evaluate.run import evaluate

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
    from pincite.evaluate.answers import measure_answers
    from pincite.evaluate.chat import judging_model

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
    from pincite.evaluate.why import why

    read_once(library, progress, filtered=bool(how.filters))
    among = how.among(library)
    return why(
        library, named, k=how.k, filter=among, settings=how.settings, answers=answers, progress=progress
    )


def tuned(
    library: OpenLibrary, parts: Split, how: Options, *, progress: Report = None, **options: Any
) -> Tuned:
    """Changes of settings tried under the filter; a folder never synced is read before its fields are."""
    from pincite.evaluate.tuning.tune import tune

    read_once(library, progress, filtered=bool(how.filters))
    return tune(library, parts, filter=how.among(library), progress=progress, **options)


def checked(
    library: OpenLibrary, named: QuestionSet, difference: float, progress: Report
) -> list[LabelProblem]:
    """What is wrong with labels."""
    from pincite.evaluate.labels.check import check
    from pincite.evaluate.labels.placed import located

    read_once(library, progress)
    return check(located(named, library), library.catalog, difference=difference)


def drafted(library: OpenLibrary, n: int, seed: int, taken: Sequence[str], progress: Report) -> Drafted:
    """At most n synthetic questions, by the configured chat model if there is one."""
    from pincite.evaluate.chat import configured_chat
    from pincite.evaluate.draft import draft

    read_once(library, progress)
    return draft(library, n, seed=seed, chat=configured_chat(library), taken=taken, progress=progress)


def made_complete(
    library: OpenLibrary, legs: Collection[str], progress: Callable[[Progress], None] | None
) -> tuple[str, ...]:
    """What was done so that no question changes what the next one finds; nothing if nothing was.

    A search embeds the candidates that have no vector, and keeps them: figures would depend on the order of
    the questions. So a folder never synced is synced first, and so is one with texts that wait for a
    vector, unless only the lexical leg is asked. Texts a model has failed for stay as they are.
    """
    let_another_read(library)
    dense = "dense" in legs
    if library.synced:
        library.refuse_if_stale(dense=dense)
        if not dense or not library.catalog.pending(1):
            return ()
    why = "had texts without a vector" if library.synced else "was never synced"
    report = ingest(library, progress=progress, embed=dense)
    if dense:
        library.checked_embedder()  # raises what keeps a model away: without it no question can be asked
    failed = len(report.failed) + len(report.skipped)
    left = f"; {failed} file{'s' * (failed != 1)} failed or skipped: pincite status names them"
    return (f"the folder {why}, so it was synced first{left if failed else ''}",)


def behind(library: OpenLibrary) -> tuple[str, ...]:
    """A notice if files differ from what is indexed, by size and times; none if they do not."""
    now = status(library)
    files = (("changed", now.changed), ("gone", now.removed), ("not indexed", now.unindexed))
    parts = [f"{len(uris)} {what}" for what, uris in files if uris]
    if not parts:
        return ()
    return (f"the index is behind its folder ({', '.join(parts)}): measured is the index; run pincite sync",)
