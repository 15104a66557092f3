"""What a command says beside its result: progress, notes and warnings on stderr."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pincite.cli.progress import ProgressLine
from pincite.cli.terminal import Terminal, printable, terminal_of, visible

if TYPE_CHECKING:
    from pincite.library import Library


@contextmanager
def shown_progress(args: Namespace, library: Library | None = None) -> Iterator[ProgressLine]:
    """A progress callback; for a query, what it builds first is announced by name.

    What a model's server makes the command wait for is noted too.
    """
    from pincite.models.told import listening

    notice = ""
    if library is not None:
        notice = f"The index of {visible(str(library.root))} is not complete: building what is needed first."
    line = ProgressLine(quiet=args.quiet, notice=notice)
    try:
        with listening(line.say):
            yield line
    finally:
        line.close()


def note(args: Namespace, lines: Iterable[str]) -> None:
    """Writes notes, one a line, unless the command is to be quiet."""
    if not args.quiet:
        warn(lines, "Note")


def warn(lines: Iterable[str], kind: str = "Warning") -> None:
    """Writes warnings, or errors that do not end the command, one a line."""
    for line in lines:
        if sys.stderr is not None:
            sys.stderr.write(printable(f"{kind}: {visible(line)}\n", sys.stderr))


def stdout_terminal(args: Namespace) -> Terminal:
    """What stdout can show."""
    return terminal_of(sys.stdout, no_color=args.no_color)
