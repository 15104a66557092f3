"""`pincite questions …`: one function for each action."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from pincite.cli.exit_codes import DONE, NOT_PASSED
from pincite.cli.notes import note, shown_progress, stdout_terminal
from pincite.cli.subject import labels, subject
from pincite.cli.terminal import Terminal, visible, write, write_json
from pincite.cli.which_library import opened_library
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.calls.querylog import Cited, Logged
    from pincite.evaluate.draft import Drafted
    from pincite.library import Library
    from pincite.types import LabelProblem, Question

WARNINGS = frozenset({"moved", "leaked", "too few"})
"""Problems that a question can be measured with."""


def questions(args: Namespace) -> int:
    """Runs the action that was named."""
    return _ACTIONS[args.action](args)


def _check(args: Namespace) -> int:
    """What is wrong with labels; 1 if some of it keeps a question from being measured."""
    from dataclasses import replace

    from pincite.jsonform import plain

    given = labels(args)
    with subject(args, build=False) as on, shown_progress(args, on.library) as progress:
        placed = on.placed(given)
        found = on.library.check_questions(placed, difference=args.difference, progress=progress)
        found = [replace(one, message=on.named(one.message)) for one in found]
    counts = {
        "questions": len(given.questions),
        "with_evidence": sum(one.answerable and bool(one.judged) for one in given.questions),
        "unanswerable": sum(not one.answerable for one in given.questions),
    }
    if args.json:
        rows = [plain(one) for one in found]
        write_json({"question_set": {"name": given.name, "sha256": given.sha256}, **counts, "problems": rows})
    else:
        term = stdout_terminal(args)
        problems = f"{len(found):,} problem{'s' * (len(found) != 1)}"
        plural = "s" * (counts["questions"] != 1)
        head = (
            f"{counts['questions']:,} question{plural} read from {visible(given.name)}: "
            f"{counts['with_evidence']:,} with evidence, {counts['unanswerable']:,} unanswerable; {problems}"
        )
        write("\n".join([head, *(_line(one, term) for one in found)]))
    return NOT_PASSED if any(one.code not in WARNINGS for one in found) else DONE


def _line(problem: LabelProblem, term: Terminal) -> str:
    named = dict.fromkeys(filter(None, (problem.where, problem.question_id)))
    code = term.style(problem.code, "yellow" if problem.code in WARNINGS else "red")
    text = f"{'  '.join(map(visible, named))}  {code}  {visible(problem.message)}"
    return text.replace("\n", " ")


def _draft(args: Namespace) -> int:
    """Proposed questions, to a file or as JSON lines; 1 if there is not one."""
    from pathlib import Path

    from pincite.evaluate.labels.files import add_questions, questions_there, refuse_existing, rows
    from pincite.evaluate.labels.jsonl import question_json

    if args.out is None and (args.force or args.append):
        raise UsageError("--force and --append are about a file", stage="cli", hint="name it with -o")
    out = Path(args.out) if args.out is not None else None
    if out is not None and not args.append and not args.force:
        refuse_existing(out)
    there = questions_there(out) if out is not None and args.append else ()
    with opened_library(args) as library, shown_progress(args, library) as progress:
        found = library.draft_questions(
            args.n, seed=args.seed, taken=[one.text for one in there], progress=progress
        )
    if out is not None:
        add_questions(out, found.questions, anew=not args.append)
    note(args, found.notices)
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
        note(args, (_drafted_text(found, ""),))
    return DONE if found.questions else NOT_PASSED


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


def _add(args: Namespace) -> int:
    """A question with its label, added to a file."""
    from pathlib import Path

    from pincite.evaluate.labels.adding import add_question
    from pincite.evaluate.labels.jsonl import question_json

    with opened_library(args) as library:
        question = _from_log(args, library) if args.from_log else _given(args, library)
    made = add_question(Path(args.to), question)
    if args.json:
        write_json({"file": args.to, "question": question_json(made)})
    else:
        places = ", ".join(qrel.location for qrel in made.qrels) or "unanswerable"
        write(f"{visible(made.id)} added to {visible(args.to)}: {visible(made.text)}  {visible(places)}")
    return DONE


def _given(args: Namespace, library: Library) -> Question:
    """The question of the arguments, its places looked up on disk."""
    from pincite.characters import whole_characters

    text = whole_characters(" ".join(args.text)).strip()
    if not text:
        raise UsageError("no question is given", stage="cli", hint="name it, or take one with --from-log")
    if args.citation is not None:
        raise UsageError("--citation is of a logged answer", stage="cli", hint="add --from-log")
    if bool(args.expect) == args.unanswerable:
        hint = "--expect path:7 says where the answer stands, --unanswerable that there is none"
        raise UsageError("one of --expect and --unanswerable is needed", stage="cli", hint=hint)
    return _placed(args, library, text)


def _placed(args: Namespace, library: Library, text: str) -> Question:
    """The question with the places of --expect looked up on disk; with none it is unanswerable."""
    from pincite.evaluate.labels.adding import expected
    from pincite.types import Question

    qrels = expected(library.root, args.expect, library.config.parse)
    return Question("", text, qrels, not args.unanswerable, args.answer or "", tuple(args.tag))


def _from_log(args: Namespace, library: Library) -> Question:
    """A logged question with the citation that was accepted, the places that are named, or no answer."""
    from pincite.calls.querylog import read_log
    from pincite.evaluate.labels.adding import accepted
    from pincite.types import Question

    if args.text:
        hint = "--from-log takes the question from the log"
        raise UsageError("a question is given, and one of the log too", stage="cli", hint=hint)
    asked = [entry for entry in read_log(library.index_dir) if entry.number == args.from_log]
    if not asked:
        raise UsageError(f"--from-log {args.from_log}: no such question is logged", stage="cli", hint=_NO_LOG)
    _refuse_unless_one(args, asked[0])
    if args.citation is None:
        return _placed(args, library, asked[0].query)
    qrel, claim = accepted(library.root, asked[0], args.citation, library.config.parse)
    answer = claim if args.answer is None else args.answer
    return Question("", asked[0].query, (qrel,), True, answer, tuple(args.tag))


def _refuse_unless_one(args: Namespace, entry: Logged) -> None:
    """Raises `UsageError` unless it is said in one way what answers a logged question."""
    if [args.citation is not None, bool(args.expect), args.unanswerable].count(True) != 1:
        listed = "; ".join(f"{n}: {one.location}" for n, one in enumerate(entry.citations, 1))
        raise UsageError(
            "one of --citation, --expect and --unanswerable is needed",
            stage="cli",
            hint=f"its citations are {listed}" if listed else "it was not answered: there is no citation",
        )


_NO_LOG = "the log is kept while query_log = true stands in your own config.toml (or PINCITE_QUERY_LOG=true)"


def _log(args: Namespace) -> int:
    """What was asked, latest first, asks with their numbers and citations."""
    from pincite.calls.querylog import read_log
    from pincite.jsonform import plain

    with opened_library(args) as library:
        entries = read_log(library.index_dir)
        is_on = library.config.query_log
    if not is_on:
        note(args, (f"the query log is off: {_NO_LOG}",))
    if args.json:
        rows = [
            {**plain(one), "citations": [_cited_json(each) for each in one.citations]}
            for one in entries[: args.n]
        ]
        write_json({"on": is_on, "logged": len(entries), "queries": rows})
        return DONE
    term = stdout_terminal(args)
    lines = [line for one in entries[: args.n] for line in _logged_lines(one, term)]
    more = [f"… {len(entries) - args.n:,} more; -n or --json lists more"] if len(entries) > args.n else []
    write("\n".join([*lines, *more]) if lines else "nothing is logged")
    return DONE


def _cited_json(one: Cited) -> dict[str, object]:
    return {"location": one.location, "quote": one.quote, "verified": one.verified, "claim": one.claim}


def _logged_lines(one: Logged, term: Terminal) -> list[str]:
    number = f"{one.number:>3}" if one.number else "  –"
    what = "no answer" if one.abstained else f"{len(one.hits)} hit{'s' * (len(one.hits) != 1)}"
    query = visible(" ".join(one.query.split()))
    lines = [f"{number}  {visible(one.time)}  {visible(one.command)}  {term.style(query, 'bold')}  ({what})"]
    for at, cited in enumerate(one.citations, 1):
        quote = visible(" ".join(cited.quote.split()))
        lines.append(f"     citation {at}  {term.style(visible(cited.location), 'cyan')}  “{quote[:160]}”")
    return lines


_ACTIONS = {"check": _check, "draft": _draft, "add": _add, "log": _log}
