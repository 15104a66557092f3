"""`pincite report`: a saved run, or the difference of two, as one HTML file."""

from __future__ import annotations

import re
import shlex
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.cli.exit_codes import DONE
from pincite.cli.subject import subject
from pincite.cli.terminal import visible, write, write_json
from pincite.errors import UsageError
from pincite.folder.whole import refuse_target, write_whole

if TYPE_CHECKING:
    from pincite.evaluate.saved import SavedRun

_MOST_RUNS = 2
_PAGE = re.compile(
    rb'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/?><meta http-equiv="Content-Sec'
)


def report(args: Namespace) -> int:
    """Writes the page, and says where it is."""
    if len(args.runs) > _MOST_RUNS:
        raise UsageError(
            f"expected one run or two, got {len(args.runs)}", stage="cli", hint="pincite report BASE NEW"
        )
    runs = _runs(args)
    names = [_name(given) for given in args.runs]
    path = Path(args.output)
    refuse_target(path, _PAGE, "a page of pincite report")
    page = _page(args, runs, names)
    write_whole(path, page.encode("utf-8"), stage="cli", hint="-o names the file of the page")
    failing = len(runs[-1].failing) + len(runs[-1].failed)
    if args.json:
        rows = {"report": str(path), "bytes": len(page.encode()), "runs": args.runs, "failing": failing}
        write_json({**rows, "diagnosis": all(run.diagnosis is not None for run in runs)})
    else:
        write(f"{visible(str(path))}: {' → '.join(map(visible, names))}, {failing:,} failing")
    return DONE


def _runs(args: Namespace) -> list[SavedRun]:
    """The runs that are named; a library is looked for only if one is not a file."""
    from pincite.evaluate.runs import load

    with ExitStack() as stack:
        named = not all(given.endswith(".json") for given in args.runs)
        index = stack.enter_context(subject(args, build=False)).library.index_dir if named else Path()
        return [load(index, given) for given in args.runs]


def _name(given: str) -> str:
    return Path(given).stem if given.endswith(".json") else given


def _page(args: Namespace, runs: list[SavedRun], names: list[str]) -> str:
    if len(runs) == 1:
        from pincite.evaluate.html_report.page import run_page

        return run_page(runs[0], names[0], command=_command(args, names[0]))
    from pincite.evaluate.html_report.diff import diff_page
    from pincite.evaluate.versus import versus

    return diff_page(versus(runs[0], runs[1]), *names)


def _command(args: Namespace, name: str) -> str:
    """What measures again with a diagnosis."""
    where = f"--beir {shlex.quote(args.beir)}" if args.beir else "FILE"
    folder = f" --in {shlex.quote(args.folder)}" if args.folder else ""
    return f"pincite eval {where}{folder} --save {shlex.quote(name)} --why"
