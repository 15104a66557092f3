"""`pincite compare`: two saved runs, question by question, and whether the difference is chance."""

from __future__ import annotations

from argparse import Namespace

from pincite.cli.exit_codes import DONE
from pincite.cli.notes import note, stdout_terminal
from pincite.cli.subject import subject
from pincite.cli.terminal import write, write_json


def compare(args: Namespace) -> int:
    """Two saved runs, question by question."""
    from pincite.evaluate.measures import parse_measure
    from pincite.evaluate.runs import load
    from pincite.evaluate.versus import versus
    from pincite.jsonform import versus_json

    chosen = [str(parse_measure(name)) for name in args.measures]
    with subject(args, build=False) as on:
        base, new = (load(on.library.index_dir, name) for name in (args.base, args.new))
    found = versus(base, new, chosen)
    note(args, found.notices)
    if args.json:
        write_json({"base": args.base, "new": args.new, **versus_json(found)})
        return DONE
    from pincite.cli.versus_text import versus_text

    write(versus_text(found, args.base, args.new, term=stdout_terminal(args), every=args.all))
    return DONE
