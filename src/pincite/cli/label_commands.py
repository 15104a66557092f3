"""`pincite questions …`: one function for each action."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from pincite.cli import commands
from pincite.cli.subject import labels, subject
from pincite.cli.terminal import Terminal, visible, write, write_json
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.evaluate.draft import Drafted

WARNINGS = frozenset({"moved", "leaked", "too few"})
"""Problems that a question can be measured with."""


def questions(args: Namespace) -> int:
    """Runs the action that was named."""
    return _ACTIONS[args.action](args)


def _check(args: Namespace) -> int:
    """What is wrong with labels; 1 if some of it keeps a question from being measured."""
    from dataclasses import replace

    given = labels(args)
    with subject(args, build=False) as on, commands._progress(args, on.library) as progress:
        placed = on.placed(given)
        found = on.library.check_questions(placed, difference=args.difference, progress=progress)
        found = [replace(one, message=on.named(one.message)) for one in found]
    counts = {
        "questions": len(given.questions),
        "with_evidence": sum(one.answerable and bool(one.judged) for one in given.questions),
        "unanswerable": sum(not one.answerable for one in given.questions),
    }
    if args.json:
        rows = [{"where": one.where, "code": one.code, "message": one.message} for one in found]
        write_json({"question_set": {"name": given.name, "sha256": given.sha256}, **counts, "problems": rows})
    else:
        term = commands._terminal(args)
        head = (
            f"{counts['questions']:,} questions read from {visible(given.name)}: {counts['with_evidence']:,} "
            f"with evidence, {counts['unanswerable']:,} unanswerable; {len(found):,} problems"
        )
        write("\n".join([head, *(_line(one.where, one.code, one.message, term) for one in found)]))
    return commands.NOT_PASSED if any(one.code not in WARNINGS for one in found) else commands.DONE


def _line(where: str, code: str, message: str, term: Terminal) -> str:
    color = "yellow" if code in WARNINGS else "red"
    text = f"{visible(where)}  {term.style(code, color)}  {visible(message)}"
    return text.replace("\n", " ")


def _draft(args: Namespace) -> int:
    """Proposed questions, to a file or as JSON lines; 1 if there is not one."""
    from pathlib import Path

    from pincite.evaluate.label_files import add_questions, questions_there, refuse_existing, rows
    from pincite.evaluate.label_jsonl import question_json

    if args.out is None and (args.force or args.append):
        raise UsageError("--force and --append are about a file", stage="cli", hint="name it with -o")
    out = Path(args.out) if args.out is not None else None
    if out is not None and not args.append and not args.force:
        refuse_existing(out)
    there = questions_there(out) if out is not None and args.append else ()
    with commands._library(args) as library, commands._progress(args, library) as progress:
        found = library.draft_questions(
            args.n, seed=args.seed, taken=[one.text for one in there], progress=progress
        )
    if out is not None:
        add_questions(out, found.questions, anew=not args.append)
    commands._note(args, found.notices)
    counts = {
        "drafted": len(found.questions),
        "leaked": found.leaked,
        "duplicates": found.duplicates,
        "refused": dict(found.refused),
        "failed": found.failed,
    }
    if args.json:
        listed = [question_json(one) for one in found.questions]
        write_json(
            {"by": found.by, "documents": found.documents, **counts, "file": args.out, "questions": listed}
        )
    elif out is not None:
        write(_drafted_text(found, args.out))
    else:
        write(rows(found.questions).rstrip("\n"))
        commands._note(args, (_drafted_text(found, ""),))
    return commands.DONE if found.questions else commands.NOT_PASSED


def _drafted_text(found: Drafted, path: str) -> str:
    """One line: how many were drafted, by what, from how much, and what was dropped why."""
    dropped = [(found.leaked, "stood word for word in a document"), (found.duplicates, "duplicates")]
    dropped += [(count, reason) for reason, count in found.refused.items()]
    dropped += [(found.failed, "the model failed")] if found.failed else []
    where = f" to {visible(path)}" if path else ""
    plural = "s" * (len(found.questions) != 1)
    return (
        f"{len(found.questions):,} synthetic question{plural} drafted{where} by {visible(found.by)} from "
        f"{found.documents:,} document{'s' * (found.documents != 1)}; dropped: "
        + ", ".join(f"{count:,} {reason}" for count, reason in dropped)
    )


_ACTIONS = {"check": _check, "draft": _draft}
