"""`pincite why`: the stage that lost a question's evidence, the proof, and the fixes."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.exit_codes import DONE, IN_PART
from pincite.cli.notes import shown_progress, stdout_terminal
from pincite.cli.subject import Subject, subject
from pincite.cli.terminal import write, write_json
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.evaluate.why import Diagnosis
    from pincite.types import QuestionSet


def why(args: Namespace) -> int:
    """Findings for one question with `--expect`, or for a file of labelled questions; 8 if some failed."""
    from pincite.jsonform import plain

    questions = _questions(args)
    with subject(args) as on:
        found = diagnosed(args, on, questions, answers=args.answers)
        named = [replace(one, proof=on.named(one.proof)) for one in found.findings]
        found = replace(found, findings=tuple(named))
    code = IN_PART if found.failed else DONE
    if args.json:
        from pincite.evaluate.saved_why import diagnosis_json, saved_diagnosis

        write_json({**diagnosis_json(saved_diagnosis(found)), "settings": plain(found.settings)})
        return code
    from pincite.cli.why_text import why_text

    write(why_text(found, term=stdout_terminal(args)))
    return code


def diagnosed(args: Namespace, on: Subject, questions: QuestionSet, *, answers: bool = False) -> Diagnosis:
    """Where each question's evidence is lost, by the settings of a command's arguments."""
    with shown_progress(args) as progress:
        return on.library.why(
            on.placed(questions),
            k=args.k,
            filter=args.filter,
            legs=args.legs,
            fusion=args.fusion,
            answers=answers,
            progress=progress,
        )


def _questions(args: Namespace) -> QuestionSet:
    """The one question with its expected places, or those of a file."""
    from pincite.evaluate.labels.tsv import targets
    from pincite.evaluate.questions import first_of, question_set, read_questions
    from pincite.types import Question

    text = " ".join(args.text)
    if args.expect is None:
        if not text and args.beir is None:
            raise UsageError("no question and no file of questions named", stage="cli")
        path = Path(text or args.beir)
        if not path.exists():
            raise UsageError(
                f"{text[:200]!r} is no file of questions",
                stage="cli",
                hint='name a file, or say where the answer stands: pincite why "question" --expect path:7',
            )
        return first_of(read_questions(path, Path(args.qrels) if args.qrels else None), args.limit)
    if not text.strip():
        raise UsageError("the question is empty", stage="cli")
    try:
        qrels = tuple(qrel for given in args.expect for qrel in targets("q1", given))
    except ValueError as error:
        raise UsageError(f"--expect: {error}", stage="cli", hint="--expect manual.md:7") from error
    if not qrels:
        raise UsageError("--expect: no place is named", stage="cli", hint="--expect manual.md:7")
    return question_set("question", [Question("q1", text, qrels)])
