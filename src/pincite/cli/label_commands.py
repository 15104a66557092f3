"""`pincite questions …`: one function for each action."""

from __future__ import annotations

from argparse import Namespace

from pincite.cli import commands
from pincite.cli.subject import labels, subject
from pincite.cli.terminal import Terminal, visible, write, write_json

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


_ACTIONS = {"check": _check}
