"""`pincite eval`: labelled questions asked and measured, and whether the gate holds."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.exit_codes import DONE, IN_PART, NOT_PASSED
from pincite.cli.notes import note, shown_progress, stdout_terminal, warn
from pincite.cli.subject import Subject, labels, subject
from pincite.cli.terminal import write, write_json
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.evaluate.measures import Measure
    from pincite.evaluate.run import Evaluation
    from pincite.evaluate.saved import SavedRun
    from pincite.evaluate.saved_why import SavedDiagnosis
    from pincite.evaluate.versus import Versus
    from pincite.types import QuestionSet


def measure(args: Namespace) -> int:
    """Questions asked and measured; 1 if a gate fails or nothing was found, 8 if searches failed."""
    from pincite.evaluate.questions import first_of
    from pincite.evaluate.runs import check_name, save
    from pincite.evaluate.saved import saved_run
    from pincite.evaluate.trec import refuse_targets
    from pincite.evaluate.versus import failures, versus

    if args.save is not None:
        check_name(args.save)
    _refuse_what_a_run_lacks(args)
    refuse_targets(*(Path(path) if path is not None else None for path in (args.run_out, args.qrels_out)))
    chosen, thresholds = _chosen(args)
    questions = first_of(labels(args), args.limit)
    with ExitStack() as stack:
        asks = args.run is None
        kept = asks or args.save is not None or args.baseline is not None
        on = stack.enter_context(subject(args, build=asks)) if kept else None
        base = _baseline(args.baseline, on.library.index_dir, questions) if args.baseline and on else None
        main = _main(base, args, chosen)
        evaluation = _evaluation(args, on, questions, list(dict.fromkeys([*chosen, main])))
        named = on.named if on and asks else str
        found = _diagnosis(args, on, questions) if args.why and on else None
        run = saved_run(evaluation, named, found)
        if args.answers and on:
            run = _with_answers(run, args, on, questions)
        _write_files(args, evaluation, named)
        if args.save is not None and on:
            save(on.library.index_dir, args.save, run)
    against = versus(base, run, [str(main)]) if base else None
    failed = failures(run, thresholds, against)
    useless = _useless(run, evaluation)
    _show(args, run, against, failed)
    warn([*useless, *(f"the gate does not hold: {line}" for line in failed)], "Error")
    if run.failed or (run.answers and run.answers["counts"]["failed"]):
        return IN_PART
    return NOT_PASSED if failed or useless else DONE


def _refuse_what_a_run_lacks(args: Namespace) -> None:
    """Raises `UsageError` for options that look at more than the rankings of a TREC run."""
    if args.why and args.run is not None:
        raise UsageError(
            "--why looks into the library's own stages, and --run measures another engine's",
            stage="cli",
            hint="leave one of them out",
        )
    if args.answers and args.run is not None:
        raise UsageError("a TREC run holds no answers", stage="cli", hint="leave out --run or --answers")
    if args.judge and not args.answers:
        raise UsageError("--judge judges answers", stage="cli", hint="add --answers")


def _useless(run: SavedRun, evaluation: Evaluation) -> list[str]:
    """What makes the figures say nothing: no search found anything, or no label is in the library."""
    if run.questions and not run.counts()["answered"]:
        return ["no question found anything at all"]
    golds = [gold for one in evaluation.asked for gold in one.golds]
    if not golds or not all(gold.problem for gold in golds):
        return []
    why = "pincite questions check says why of each"
    return [f"none of the {len(golds):,} labels stands in the index: {why}"]


def _chosen(args: Namespace) -> tuple[list[Measure], list[tuple[str, float]]]:
    """The measures, those of the gate included, and the least value of each that has one."""
    from pincite.evaluate.measures import parse_measure
    from pincite.evaluate.run import default_measures

    of_answers = [(name, least) for name, least in args.fail_under if _is_of_answers(name, args)]
    gates = [
        (parse_measure(name), least) for name, least in args.fail_under if (name, least) not in of_answers
    ]
    named = [parse_measure(name) for name in args.measures] or list(default_measures(args.k))
    every = list(dict.fromkeys([*named, *(one for one, _ in gates)]))
    return every, [*((str(one), least) for one, least in gates), *of_answers]


def _is_of_answers(name: str, args: Namespace) -> bool:
    """Whether the name is a figure of answers. Raises `UsageError` when no answers are asked for."""
    from pincite.evaluate.answers.figures import NAMES

    if name in NAMES and not args.answers:
        raise UsageError(f"--fail-under: {name} is a figure of answers", stage="cli", hint="add --answers")
    return name in NAMES


def _baseline(name: str, index: Path, questions: QuestionSet) -> SavedRun:
    """The saved run, refused before anything is asked when it is of other questions."""
    from pincite.evaluate.runs import load
    from pincite.evaluate.versus import refuse_other_set, set_of

    base = load(index, name)
    refuse_other_set(base, set_of(questions))
    return base


def _main(base: SavedRun | None, args: Namespace, chosen: Sequence[Measure]) -> Measure:
    """The measure that decides against a baseline: the first that was named, else the baseline's first."""
    from pincite.evaluate.measures import parse_measure
    from pincite.evaluate.versus import refuse_missing

    if base is None:
        return chosen[0]
    main = str(chosen[0]) if args.measures else next(iter(base.measures), "")
    refuse_missing(base, [main] if main else [])
    return parse_measure(main)


def _evaluation(
    args: Namespace, on: Subject | None, questions: QuestionSet, chosen: Sequence[Measure]
) -> Evaluation:
    from dataclasses import replace

    from pincite.evaluate.imported import evaluate_run

    if args.run is not None or on is None:
        return evaluate_run(questions, Path(args.run), k=args.k, measures=chosen)
    with shown_progress(args) as progress:
        found = on.library.evaluate(
            on.placed(questions),
            k=args.k,
            filter=args.filter,
            legs=args.legs,
            fusion=args.fusion,
            measures=[str(one) for one in chosen],
            allow_empty=args.answers,
            progress=progress,
        )
    return replace(found, questions=questions)


def _diagnosis(args: Namespace, on: Subject, questions: QuestionSet) -> SavedDiagnosis:
    """Where each question's evidence is lost, by the same settings."""
    from pincite.cli.why import diagnosed
    from pincite.evaluate.saved_why import saved_diagnosis

    return saved_diagnosis(diagnosed(args, on, questions), on.named)


def _with_answers(run: SavedRun, args: Namespace, on: Subject, questions: QuestionSet) -> SavedRun:
    """The run with what the answers to the same questions are worth."""
    from dataclasses import replace

    from pincite.evaluate.answers.figures import answers_json

    with shown_progress(args) as progress:
        found = on.library.answers(
            on.placed(questions),
            k=args.k,
            filter=args.filter,
            legs=args.legs,
            fusion=args.fusion,
            judge=args.judge,
            progress=progress,
        )
    said = answers_json(found, on.named)
    return replace(run, answers=said, notices=run.notices + found.notices)


def _write_files(args: Namespace, evaluation: Evaluation, named: Callable[[str], str]) -> None:
    from pincite.evaluate.saved import judgements, rankings
    from pincite.evaluate.trec import write_qrels, write_run

    if args.run_out is not None:
        write_run(Path(args.run_out), rankings(evaluation, named))
    if args.qrels_out is not None:
        write_qrels(Path(args.qrels_out), judgements(evaluation, named))


def _show(args: Namespace, run: SavedRun, against: Versus | None, failed: Sequence[str]) -> None:
    from pincite.jsonform import evaluation_json

    note(args, run.notices)
    if args.json:
        write_json(evaluation_json(run, against, failed))
    else:
        from pincite.cli.evaluate_text import run_text
        from pincite.cli.versus_text import gate_line

        term = stdout_terminal(args)
        lines = [run_text(run, term=term, every=args.all), *(gate_line(against, term) if against else ())]
        if run.answers is not None:
            from pincite.cli.answers_text import answers_text

            lines += ["", answers_text(run.answers, term=term, every=args.all)]
        if run.diagnosis:
            from pincite.cli.why_text import why_text

            lines += ["", why_text(run.diagnosis, term=term)]
        write("\n".join(lines))
