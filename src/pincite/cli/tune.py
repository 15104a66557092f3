"""`pincite tune`: settings tried on labelled questions, and what is recommended as a change of the file."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.exit_codes import DONE
from pincite.cli.notes import note, shown_progress, stdout_terminal
from pincite.cli.subject import Subject, labels, subject
from pincite.cli.terminal import write, write_json
from pincite.cli.which_library import overrides_of, search_flags
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.evaluate.tuning.split import Split
    from pincite.evaluate.tuning.tuned import Tuned
    from pincite.types import QuestionSet


def tune(args: Namespace) -> int:
    """Tries changes, prints what they do and the verdict; with --write, the library's file is changed."""
    from pincite.evaluate.measures import parse_measure
    from pincite.evaluate.tuning.settings_file import diff, edited, read_settings, write_settings

    parse_measure(args.measure)
    questions, held_out = labels(args), _held_out(args)
    with subject(args) as on, shown_progress(args) as progress:
        text = read_settings(on.library.root)
        edited(text, {})  # a file that cannot be read is refused before hours of work
        found = on.library.tune(
            _parts(args, on, questions, held_out),
            filter=args.filter,
            measure=args.measure,
            seed=args.seed,
            space=args.space,
            fit_fusion=args.fit_fusion,
            progress=progress,
        )
        root = on.library.root
    changed = edited(text, {key: after for key, (_, after) in found.changes.items()})
    if args.write and found.changes:
        write_settings(root, changed)
    note(args, (*found.notices, *_overridden(args, root, found), *_beside(args, root, found)))
    _show(args, found, diff(text, changed) if found.changes else "")
    return DONE


def _held_out(args: Namespace) -> QuestionSet | None:
    from pincite.evaluate.questions import read_questions

    if args.held_out is None:
        if args.held_out_qrels is not None:
            raise UsageError("--held-out-qrels needs --held-out", stage="cli")
        return None
    return read_questions(Path(args.held_out), Path(args.held_out_qrels) if args.held_out_qrels else None)


def _parts(args: Namespace, on: Subject, questions: QuestionSet, held_out: QuestionSet | None) -> Split:
    from pincite.evaluate.tuning.split import given_split, split

    if held_out is None:
        return split(on.placed(questions), share=args.split, seed=args.seed)
    return given_split(on.placed(questions), on.placed(held_out))


def _overridden(args: Namespace, root: Path, found: Tuned) -> tuple[str, ...]:
    """A note for each recommended setting that the library's file cannot make, since another stands above."""
    from pincite.config.load import LIBRARY_FILE, load_settings

    now = load_settings(root, overrides=overrides_of(args))
    above = {key: now[key].source for key in found.changes if now[key].source != "default"}
    return tuple(
        f"{key} is set by {source}, which stands above the library's file"
        for key, source in above.items()
        if source != str(root / LIBRARY_FILE)
    )


def _beside(args: Namespace, root: Path, found: Tuned) -> tuple[str, ...]:
    """A note for each flag that what is recommended was found beside, and that the settings do not have."""
    from pincite.config.load import load_settings
    from pincite.evaluate.tuning.space import written

    now = load_settings(root)
    given = search_flags(args).items() if found.changes else ()
    return tuple(
        f"this was found with {key} = {written(value)}, but {key} = {written(now[key].value)} is set"
        for key, value in given
        if key not in found.changes and now[key].value != value
    )


def _show(args: Namespace, found: Tuned, changes: str) -> None:
    written = bool(args.write and found.changes)
    if args.json:
        from pincite.evaluate.tuning.tuned import tuned_json

        write_json({**tuned_json(found), "diff": changes, "written": written})
        return
    from pincite.cli.tune_text import tune_text

    write(tune_text(found, changes, written=written, term=stdout_terminal(args)))
