"""The arguments of every command; nothing heavy is imported, so `--help` and `--version` are instant."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from pincite.cli.evaluate_args import compare, evaluate, questions, report, tune, why
from pincite.cli.options import directory, library, output, positive, ranking
from pincite.errors import UsageError

DESCRIPTION = "Ask a folder of documents; every claim cites the exact lines that support it. Offline."


class _Parser(argparse.ArgumentParser):
    """An `ArgumentParser` whose complaints are `UsageError`s."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, stage="cli", hint=f"See {self.prog} --help.")

    def print_help(self, file: object = None) -> None:
        """Writes the help; unlike argparse's own, it is an error if stdout does not take it."""
        from pincite.cli.terminal import write

        write(self.format_help().rstrip("\n"))


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The arguments in `words`. Raises `UsageError`; exits after `--help` and `--version`."""
    return parser().parse_args(words)


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = _Parser(prog="pincite", description=DESCRIPTION, allow_abbrev=False)
    top.add_argument("--version", action=_Version, help="print the version and exit")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", title="commands")
    for name, (add, line) in _COMMANDS.items():
        command = commands.add_parser(name, help=line, description=line, allow_abbrev=False)
        add(command)
    return top


class _Version(argparse.Action):
    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from pincite import __version__
        from pincite.cli.terminal import write

        write(f"pincite {__version__}")
        parser.exit()


# ── commands ──────────────────────────────────────────────────────────────────────────────────
def _sync(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "dir", nargs="?", type=directory, metavar="DIR", help="the folder of documents (same as --in)"
    )
    group = command.add_argument_group("files")
    help_meta = "metadata for every document (repeatable): text, number, true/false, date or [list]"
    group.add_argument("--meta", action="append", default=[], metavar="KEY=VALUE", help=help_meta)
    help_include = "also take files that match, though hidden or ignored (repeatable)"
    group.add_argument("--include", action="append", default=[], metavar="GLOB", help=help_include)
    group.add_argument(
        "--exclude", action="append", default=[], metavar="GLOB", help="leave files out (repeatable)"
    )
    help_passwords = "a file of passwords to try on locked files, one a line; they are not stored"
    group.add_argument("--password-file", metavar="FILE", help=help_passwords)
    help_empty = "go on if no document is left, though the index holds some: they are removed"
    group.add_argument("--allow-empty", action="store_true", help=help_empty)
    library(command)
    output(command)


def _query(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument("text", nargs="+", metavar=what, help="the words, quoted or not")
    ranking(command, "hits")
    library(command)
    output(command)


def _search(command: argparse.ArgumentParser) -> None:
    _query(command, "QUERY")
    command.add_argument("--regex", action="store_true", help="read the query as a regular expression")
    command.add_argument("--per-document", action="store_true", help="at most one hit of each document")


def _ask(command: argparse.ArgumentParser) -> None:
    _query(command, "QUESTION")


def _show(command: argparse.ArgumentParser) -> None:
    command.add_argument("location", metavar="LOCATION", help="path:7 or path:7-12, as hits print it")
    command.add_argument(
        "--context", type=_not_negative, default=0, metavar="N", help="also N lines before and after"
    )
    library(command)
    output(command)


def _not_negative(text: str) -> int:
    return 0 if text == "0" else positive(text)


def _status(command: argparse.ArgumentParser) -> None:
    library(command)
    output(command)


def _parse(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="the file to parse; nothing is indexed")
    command.add_argument(
        "--map", action="store_true", help="one line for each chunk: place, kind, characters"
    )
    help_passwords = "a file of passwords to try if it is locked, one a line"
    command.add_argument("--password-file", metavar="FILE", help=help_passwords)
    library(command)
    output(command)


def _pull(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="the model to download, hub:NAME or NAME")
    output(command)


def _config(command: argparse.ArgumentParser) -> None:
    library(command)
    output(command)


_COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None], str]] = {
    "sync": (_sync, "build the index of a folder, or bring it up to date"),
    "search": (_search, "find passages: hits with their place, best first"),
    "ask": (_ask, "answer a question; every claim cites the lines that support it"),
    "show": (_show, "print the lines of a place as they are on disk now"),
    "status": (_status, "what the index holds, and what is stale, pending or failed"),
    "parse": (_parse, "what the parser sees in a file: sections, chunks, places"),
    "explain": (_ask, "why each hit stands where it stands, and what became of it"),
    "eval": (evaluate, "measure retrieval over a file of labelled questions, failing questions first"),
    "compare": (compare, "two saved runs question by question, and whether the difference is chance"),
    "why": (why, "the stage that lost a question's evidence, the proof, and what mends it"),
    "report": (report, "a saved run, or the difference of two, as one HTML file"),
    "tune": (tune, "try changes of settings on labelled questions, with a verdict on held-out ones"),
    "questions": (questions, "check, draft and add labelled questions, and list what was asked"),
    "pull": (_pull, "download a model, to be used offline from then on"),
    "config": (_config, "every setting, its value, and where it comes from"),
    "version": (output, "print the version"),
}
