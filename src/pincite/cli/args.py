"""The arguments of every command; nothing heavy is imported, so `--help` and `--version` are instant."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from pincite.errors import UsageError

DESCRIPTION = "Ask a folder of documents; every claim cites the exact lines that support it. Offline."
_LEGS = ("lexical", "dense")


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


# ── options shared by commands ────────────────────────────────────────────────────────────────
def _output(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="one JSON object on stdout")
    group.add_argument("--no-color", action="store_true", help="no colours and links (as NO_COLOR=1)")
    group.add_argument("-q", "--quiet", action="store_true", help="no progress and notes on stderr")


def _library(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("library")
    help_in = "the folder of documents (default: the nearest with a .pincite, going up, else this one)"
    group.add_argument("--in", dest="folder", metavar="DIR", help=help_in)
    group.add_argument(
        "--index", metavar="DIR", help="where the index lies (default: .pincite in the folder)"
    )
    help_model = "the dense model: auto, english, multilingual, hub:NAME, a folder, st:NAME or api:NAME"
    group.add_argument("--model", metavar="NAME", help=help_model)


def _query(command: argparse.ArgumentParser, what: str) -> None:
    command.add_argument("text", nargs="+", metavar=what, help="the words, quoted or not")
    _ranking(command, "hits")
    _library(command)
    _output(command)


def _ranking(command: argparse.ArgumentParser, what: str) -> None:
    group = command.add_argument_group("retrieval")
    group.add_argument("--k", type=_positive, default=10, metavar="N", help=f"how many {what} (default 10)")
    _searching(group)


def _searching(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--legs", type=_legs, metavar="LEGS", help="lexical, dense or lexical,dense")
    group.add_argument("--fusion", choices=("rrf", "convex"), help="how the legs become one ranking")
    help_filter = "keep documents where it holds: field=value, !=, >=, <=, >, <, 'field in a,b' (repeatable)"
    group.add_argument("--filter", action="append", default=[], metavar="EXPR", help=help_filter)


def _labels(command: argparse.ArgumentParser) -> None:
    """A file of labelled questions, a BEIR folder, or a file for the corpus of such a folder."""
    help_file = "labelled questions: TSV, JSONL, or TREC topics with --qrels"
    command.add_argument("file", nargs="?", metavar="FILE", help=help_file)
    help_beir = "a BEIR folder: its corpus is indexed once, its questions are taken unless FILE is named"
    command.add_argument("--beir", metavar="FOLDER", help=help_beir)
    command.add_argument("--qrels", metavar="QRELS", help="the judgements of TREC topics or BEIR queries")


def _measures(command: argparse.ArgumentParser, default: str) -> None:
    help_measures = f"names with commas: nDCG@10, R@100, RR, AP, P@5, Hit@3, Judged@10 (default: {default})"
    command.add_argument(
        "--measures", "--metrics", type=_names, default=(), metavar="NAMES", help=help_measures
    )


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text!r}")
    return number


def _not_negative(text: str) -> int:
    return 0 if text == "0" else _positive(text)


def _legs(text: str) -> tuple[str, ...]:
    legs = tuple(part.strip() for part in text.split(","))
    if not set(legs) <= set(_LEGS) or len(set(legs)) != len(legs):
        raise argparse.ArgumentTypeError(f"expected lexical, dense or lexical,dense, got {text!r}")
    return tuple(leg for leg in _LEGS if leg in legs)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise argparse.ArgumentTypeError(f"expected names of measures, got {text!r}")
    return names


def _threshold(text: str) -> tuple[str, float]:
    name, sign, number = text.partition("=")
    try:
        value = float(number) if sign else -1.0
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1 or not name.strip():
        raise argparse.ArgumentTypeError(f"expected measure=number from 0 to 1, got {text!r}")
    return name.strip(), value


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.001 <= value <= 1:
        raise argparse.ArgumentTypeError(f"expected a number from 0.001 to 1, got {text!r}")
    return value


# ── commands ──────────────────────────────────────────────────────────────────────────────────
def _sync(command: argparse.ArgumentParser) -> None:
    command.add_argument("dir", nargs="?", metavar="DIR", help="the folder of documents (same as --in)")
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
    _library(command)
    _output(command)


def _search(command: argparse.ArgumentParser) -> None:
    _query(command, "QUERY")
    command.add_argument("--regex", action="store_true", help="read the query as a regular expression")
    command.add_argument("--per-document", action="store_true", help="at most one hit of each document")


def _ask(command: argparse.ArgumentParser) -> None:
    _query(command, "QUESTION")


def _why(command: argparse.ArgumentParser) -> None:
    help_text = "a question with --expect, or a file of labelled questions"
    command.add_argument("text", nargs="*", metavar="QUESTION", help=help_text)
    _ranking(command, "hits")
    group = command.add_argument_group("evidence")
    help_beir = "a BEIR folder: its corpus is indexed once, its questions are taken unless a file is named"
    group.add_argument("--beir", metavar="FOLDER", help=help_beir)
    group.add_argument("--qrels", metavar="QRELS", help="the judgements of TREC topics or BEIR queries")
    group.add_argument("--limit", type=_positive, metavar="N", help="the first N questions only")
    help_expect = "where the answer stands: path:7, path:7-12 or path (repeatable: any of them will do)"
    group.add_argument("--expect", action="append", metavar="LOCATION", help=help_expect)
    group.add_argument("--answers", action="store_true", help="also answer each question, and judge that")
    _library(command)
    _output(command)


def _show(command: argparse.ArgumentParser) -> None:
    command.add_argument("location", metavar="LOCATION", help="path:7 or path:7-12, as hits print it")
    command.add_argument(
        "--context", type=_not_negative, default=0, metavar="N", help="also N lines before and after"
    )
    _library(command)
    _output(command)


def _status(command: argparse.ArgumentParser) -> None:
    _library(command)
    _output(command)


def _parse(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="FILE", help="the file to parse; nothing is indexed")
    command.add_argument(
        "--map", action="store_true", help="one line for each chunk: place, kind, characters"
    )
    help_passwords = "a file of passwords to try if it is locked, one a line"
    command.add_argument("--password-file", metavar="FILE", help=help_passwords)
    _library(command)
    _output(command)


def _pull(command: argparse.ArgumentParser) -> None:
    command.add_argument("name", metavar="NAME", help="the model to download, hub:NAME or NAME")
    _output(command)


def _config(command: argparse.ArgumentParser) -> None:
    _library(command)
    _output(command)


# ── commands that measure ─────────────────────────────────────────────────────────────────────
def _eval(command: argparse.ArgumentParser) -> None:
    _labels(command)
    _ranking(command, "hits may hold the evidence")
    group = command.add_argument_group("measuring")
    _measures(command, "nDCG@k, R@k, R@100, RR@k, Hit@k")
    group.add_argument("--limit", type=_positive, metavar="N", help="only the first N questions")
    help_run = "measure this TREC run instead of asking the library"
    group.add_argument("--run", metavar="RUN", help=help_run)
    group.add_argument("--run-out", metavar="RUN", help="write the rankings as a TREC run")
    group.add_argument("--qrels-out", metavar="QRELS", help="write the judgements that go with the run")
    group.add_argument("--save", metavar="NAME", help="keep the run under this name, in the index folder")
    group.add_argument("--all", action="store_true", help="list every question, however many they are")
    help_why = "also find the stage that lost each question's evidence, as `why` does; kept with --save"
    help_answers = "also answer each question: citations, refusals, and risk by coverage"
    group.add_argument("--answers", action="store_true", help=help_answers)
    help_judge = "with --answers: the configured model says whether each claim is supported by its quotes"
    group.add_argument("--judge", action="store_true", help=help_judge)
    group.add_argument("--why", action="store_true", help=help_why)
    gate = command.add_argument_group("gate (exit code 1 when it does not hold)")
    help_under = "fail if a mean is below: nDCG@10=.7, or with --answers citation_recall=.5 (repeatable)"
    gate.add_argument(
        "--fail-under", type=_threshold, action="append", default=[], metavar="MEASURE=X", help=help_under
    )
    help_base = "fail if significantly worse than this saved run, by the first measure"
    gate.add_argument("--baseline", metavar="NAME", help=help_base)
    _library(command)
    _output(command)


def _compare(command: argparse.ArgumentParser) -> None:
    command.add_argument("base", metavar="BASE", help="a saved run: its name, or a file as --json prints it")
    command.add_argument("new", metavar="NEW", help="the run to compare with it")
    command.add_argument("--beir", metavar="FOLDER", help="the BEIR folder whose runs these are")
    _measures(command, "those of both runs")
    command.add_argument("--all", action="store_true", help="list every question that changed")
    _library(command)
    _output(command)


def _report(command: argparse.ArgumentParser) -> None:
    help_run = "a saved run: its name, or a file as eval --json prints it; of two, the base comes first"
    command.add_argument("runs", nargs="+", metavar="RUN", help=help_run)
    command.add_argument(
        "-o", "--output", default="report.html", metavar="FILE", help="the page (default: report.html)"
    )
    command.add_argument("--beir", metavar="FOLDER", help="the BEIR folder whose runs these are")
    _library(command)
    _output(command)


def _questions(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION", title="actions")
    line = "what is wrong with labels: places that are gone or moved, copies, leaks, too few questions"
    check = actions.add_parser("check", help=line, description=line, allow_abbrev=False)
    _labels(check)
    help_difference = "the difference of two means that the set should be able to show (default 0.1)"
    check.add_argument("--difference", type=_share, default=0.1, metavar="X", help=help_difference)
    _library(check)
    _output(check)
    _draft(actions)
    _add(actions)
    _log(actions)


def _draft(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    line = "propose questions from the documents, marked synthetic, each with its evidence"
    draft = actions.add_parser("draft", help=line, description=line, allow_abbrev=False)
    draft.add_argument("-n", type=_positive, default=20, metavar="N", help="how many at most (default 20)")
    draft.add_argument("--seed", type=int, default=0, metavar="N", help="other passages (default 0)")
    help_out = "write them to this JSONL file, which must not be there yet (default: stdout)"
    draft.add_argument("-o", "--out", metavar="FILE", help=help_out)
    there = draft.add_mutually_exclusive_group()
    there.add_argument("--force", action="store_true", help="write over FILE")
    there.add_argument("--append", action="store_true", help="add them to the questions of FILE")
    _library(draft)
    _output(draft)


def _tune(command: argparse.ArgumentParser) -> None:
    _labels(command)
    group = command.add_argument_group("questions kept for the verdict")
    held = group.add_mutually_exclusive_group()
    help_held = "labelled questions for the verdict; without, a part of FILE's is held out"
    held.add_argument("--held-out", metavar="FILE2", help=help_held)
    help_split = "the share of FILE's questions that tunes; the rest is held out (default 0.5)"
    held.add_argument("--split", type=_share, default=0.5, metavar="X", help=help_split)
    group.add_argument("--held-out-qrels", metavar="QRELS", help="the judgements of FILE2, as --qrels")
    help_seed = "another way to split, and other samples (default 0)"
    group.add_argument("--seed", type=int, default=0, metavar="N", help=help_seed)
    _searching(command.add_argument_group("retrieval, to begin with"))
    group = command.add_argument_group("tuning")
    group.add_argument("--measure", default="nDCG@10", metavar="NAME", help="what decides (default nDCG@10)")
    help_space = "how many changes are tried (default: default)"
    group.add_argument("--space", choices=("quick", "default", "full"), default="default", help=help_space)
    group.add_argument("--fit-fusion", action="store_true", help="fit the weights of the legs, nothing else")
    group.add_argument("--write", action="store_true", help="write what is recommended into pincite.toml")
    _library(command)
    _output(command)


def _add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    line = "add a question with the place that answers it, or a logged one with a citation of its answer"
    add = actions.add_parser("add", help=line, description=line, allow_abbrev=False)
    add.add_argument("text", nargs="*", metavar="QUESTION", help="the question, quoted or not")
    help_expect = "where the answer stands: path:7, path:7-12 or path (repeatable: any of them will do)"
    add.add_argument("--expect", action="append", default=[], metavar="LOCATION", help=help_expect)
    add.add_argument("--unanswerable", action="store_true", help="the documents do not answer it")
    help_log = "the Nth latest question that was asked (default 1): questions log numbers them"
    add.add_argument("--from-log", type=_positive, nargs="?", const=1, metavar="N", help=help_log)
    help_citation = "which citation of the logged answer is right (or --expect, or --unanswerable)"
    add.add_argument("--citation", type=_positive, metavar="M", help=help_citation)
    add.add_argument("--answer", metavar="TEXT", help="a reference answer (from the log: the claim)")
    add.add_argument("--tag", action="append", default=[], metavar="T", help="a label (repeatable)")
    help_to = "the JSONL file it is added to (default questions.jsonl)"
    add.add_argument("--to", default="questions.jsonl", metavar="FILE", help=help_to)
    _library(add)
    _output(add)


def _log(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    line = "what was asked while the query log was on, latest first"
    log = actions.add_parser("log", help=line, description=line, allow_abbrev=False)
    log.add_argument("-n", type=_positive, default=20, metavar="N", help="how many (default 20)")
    _library(log)
    _output(log)


_COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None], str]] = {
    "sync": (_sync, "build the index of a folder, or bring it up to date"),
    "search": (_search, "find passages: hits with their place, best first"),
    "ask": (_ask, "answer a question; every claim cites the lines that support it"),
    "show": (_show, "print the lines of a place as they are on disk now"),
    "status": (_status, "what the index holds, and what is stale, pending or failed"),
    "parse": (_parse, "what the parser sees in a file: sections, chunks, places"),
    "explain": (_ask, "why each hit stands where it stands, and what became of it"),
    "eval": (_eval, "measure retrieval over a file of labelled questions, failing questions first"),
    "compare": (_compare, "two saved runs question by question, and whether the difference is chance"),
    "why": (_why, "the stage that lost a question's evidence, the proof, and what mends it"),
    "report": (_report, "a saved run, or the difference of two, as one HTML file"),
    "tune": (_tune, "try changes of settings on labelled questions, with a verdict on held-out ones"),
    "questions": (_questions, "check, draft and add labelled questions, and list what was asked"),
    "pull": (_pull, "download a model, to be used offline from then on"),
    "config": (_config, "every setting, its value, and where it comes from"),
    "version": (_output, "print the version"),
}
