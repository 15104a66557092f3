"""The command line: `main` reads the arguments, runs one command, and turns errors into exit codes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module

from pincite.cli.exit_codes import BROKEN_PIPE, INTERRUPTED, TERMINATED, UNEXPECTED
from pincite.errors import InputError, MissingExtraError, OutputError, PinciteError, StoreError

_ELSEWHERE = {
    "eval": ("evaluate", "measure"),
    "compare": ("compare", "compare"),
    "why": ("why", "why"),
    "tune": ("tune", "tune"),
    "report": ("html_report", "report"),
    "questions": ("label_commands", "questions"),
}
"""Commands that are not in `commands`: the module, and the function in it."""


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of the command in `argv`. No exception leaves it, unless `PINCITE_DEBUG` is set."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        with _ended_in_order():
            code = _run(words)
        _flush()
        return code
    except BrokenPipeError:
        _drop_stdout()
        return BROKEN_PIPE
    except KeyboardInterrupt as stop:
        _complain("Interrupted. What was finished is kept; the next sync goes on from there.")
        return TERMINATED if isinstance(stop, _Terminated) else INTERRUPTED
    except Exception as error:
        if os.environ.get("PINCITE_DEBUG"):
            raise
        return _failed(error, as_json="--json" in words)


class _Terminated(KeyboardInterrupt):
    """SIGTERM: what an interrupt is, from another process."""


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Has SIGTERM end what runs in the block as an interrupt does, with all that it has started."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    if before == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        if before == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, before)


def _terminate(number: int, frame: object) -> None:
    raise _Terminated


def _run(words: list[str]) -> int:
    from pincite.cli.args import parse

    try:
        args = parse(words)
    except SystemExit as stop:  # argparse has written its help or complaint
        return stop.code if isinstance(stop.code, int) else 0
    return command_of(args.command)(args)


def command_of(name: str) -> Callable[[Namespace], int]:
    """The function that runs a command: arguments to an exit code."""
    module, function = _ELSEWHERE.get(name, ("commands", name))
    command: Callable[[Namespace], int] = getattr(import_module(f"pincite.cli.{module}"), function)
    return command


def _failed(error: Exception, *, as_json: bool) -> int:
    known = _known(error)
    if known is None:
        _complain(f"pincite: unexpected {type(error).__name__}: {error}")
        _complain("Please report this, with the command you gave. PINCITE_DEBUG=1 shows where it happened.")
        return UNEXPECTED
    # What is wrong with a file of labels is a list; any other line break came from a name.
    listed = known.message.split("\n") if known.stage == "evaluate" else [known.message]
    for line in [f"pincite: {listed[0]}", *listed[1:]]:
        _complain(line)
    if known.hint:
        _complain(f"  {known.hint}")
    if isinstance(known, OutputError):
        _drop_stdout()
    elif as_json and sys.stdout is not None:
        _print_error(known)
    return known.exit_code


def _print_error(error: PinciteError) -> None:
    """Writes the error as JSON to stdout, if stdout takes it."""
    from pincite.cli.terminal import write_json
    from pincite.jsonform import error_json

    try:
        write_json(error_json(error))
        _flush()
    except (OSError, OutputError):
        _drop_stdout()


def _flush() -> None:
    from pincite.cli.terminal import told_if_unwritten

    if sys.stdout is not None:
        with told_if_unwritten():
            sys.stdout.flush()


def _known(error: Exception) -> PinciteError | None:
    """`error` as one of ours: a full disk is the store's, an unreadable file the input's.

    None for what should not happen.
    """
    import errno

    if isinstance(error, PinciteError):
        return error
    if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("pincite"):
        return MissingExtraError(
            f"the package {error.name} is missing", hint="pip install --force-reinstall pincite"
        )
    if not isinstance(error, OSError):
        return None
    if isinstance(error, FileNotFoundError) and not _is_somewhere():
        message = "the current folder does not exist any more"
        return InputError(message, hint="Go to a folder that exists, or name one with --in.")
    where = f"{error.filename}: " if error.filename else ""
    message = f"{where}{error.strerror or error}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError(message, hint="Free some space, or put the index elsewhere with --index DIR.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return InputError(message, hint="An index can be put elsewhere with --index DIR.")
    if error.errno is not None:
        return StoreError(message, hint="See that the disk is well and nobody moves the files; try again.")
    return None


def _is_somewhere() -> bool:
    try:
        os.getcwd()  # noqa: PTH109
    except OSError:
        return False
    return True


def _complain(line: str) -> None:
    """Writes one line to stderr, if there is one."""
    try:
        from pincite.cli.terminal import one_line, printable

        print(printable(one_line(line), sys.stderr), file=sys.stderr, flush=True)  # noqa: T201
    except (OSError, ValueError, AttributeError):
        pass


def _drop_stdout() -> None:
    """Points stdout nowhere, so that the interpreter's last flush does not fail again."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        pass
