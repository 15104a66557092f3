"""The arguments of the commands that work on labelled questions, and on what was measured with them."""

from __future__ import annotations

import argparse

from pincite.cli.options import library, output, positive, ranking, searching


def evaluate(command: argparse.ArgumentParser) -> None:
    _labels(command)
    ranking(command, "hits may hold the evidence")
    group = command.add_argument_group("measuring")
    _measures(command, "nDCG@k, R@k, R@100, RR@k, Hit@k")
    group.add_argument("--limit", type=positive, metavar="N", help="only the first N questions")
    help_run = "measure this TREC run instead of asking the library"
    group.add_argument("--run", metavar="RUN", help=help_run)
    group.add_argument("--run-out", metavar="RUN", help="write the rankings as a TREC run")
    group.add_argument("--qrels-out", metavar="QRELS", help="write the judgements that go with the run")
    group.add_argument("--save", metavar="NAME", help="keep the run under this name, in the index folder")
    group.add_argument("--all", action="store_true", help="list every question, however many they are")
    help_answers = "also answer each question: citations, refusals, and risk by coverage"
    group.add_argument("--answers", action="store_true", help=help_answers)
    help_judge = "with --answers: the configured model says whether each claim is supported by its quotes"
    group.add_argument("--judge", action="store_true", help=help_judge)
    help_why = "also find the stage that lost each question's evidence, as `why` does; kept with --save"
    group.add_argument("--why", action="store_true", help=help_why)
    gate = command.add_argument_group("gate (exit code 1 when it does not hold)")
    help_under = "fail if a mean is below: nDCG@10=.7, or with --answers citation_recall=.5 (repeatable)"
    gate.add_argument(
        "--fail-under", type=_threshold, action="append", default=[], metavar="MEASURE=X", help=help_under
    )
    help_base = "fail if significantly worse than this saved run, by the first measure"
    gate.add_argument("--baseline", metavar="NAME", help=help_base)
    library(command)
    output(command)


def why(command: argparse.ArgumentParser) -> None:
    help_text = "a question with --expect, or a file of labelled questions"
    command.add_argument("text", nargs="*", metavar="QUESTION", help=help_text)
    ranking(command, "hits")
    group = command.add_argument_group("evidence")
    help_beir = "a BEIR folder: its corpus is indexed once, its questions are taken unless a file is named"
    group.add_argument("--beir", metavar="FOLDER", help=help_beir)
    group.add_argument("--qrels", metavar="QRELS", help="the judgements of TREC topics or BEIR queries")
    group.add_argument("--limit", type=positive, metavar="N", help="the first N questions only")
    help_expect = "where the answer stands: path:7, path:7-12 or path (repeatable: any of them will do)"
    group.add_argument("--expect", action="append", metavar="LOCATION", help=help_expect)
    group.add_argument("--answers", action="store_true", help="also answer each question, and judge that")
    library(command)
    output(command)


def compare(command: argparse.ArgumentParser) -> None:
    command.add_argument("base", metavar="BASE", help="a saved run: its name, or a file as --json prints it")
    command.add_argument("new", metavar="NEW", help="the run to compare with it")
    command.add_argument("--beir", metavar="FOLDER", help="the BEIR folder whose runs these are")
    _measures(command, "those of both runs")
    command.add_argument("--all", action="store_true", help="list every question that changed")
    library(command)
    output(command)


def report(command: argparse.ArgumentParser) -> None:
    help_run = "a saved run: its name, or a file as eval --json prints it; of two, the base comes first"
    command.add_argument("runs", nargs="+", metavar="RUN", help=help_run)
    command.add_argument(
        "-o", "--output", default="report.html", metavar="FILE", help="the page (default: report.html)"
    )
    command.add_argument("--beir", metavar="FOLDER", help="the BEIR folder whose runs these are")
    library(command)
    output(command)


def tune(command: argparse.ArgumentParser) -> None:
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
    searching(command.add_argument_group("retrieval, to begin with"))
    group = command.add_argument_group("tuning")
    group.add_argument("--measure", default="nDCG@10", metavar="NAME", help="what decides (default nDCG@10)")
    help_space = "how many changes are tried (default: default)"
    group.add_argument("--space", choices=("quick", "default", "full"), default="default", help=help_space)
    group.add_argument("--fit-fusion", action="store_true", help="fit the weights of the legs, nothing else")
    group.add_argument("--write", action="store_true", help="write what is recommended into pincite.toml")
    library(command)
    output(command)


def questions(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(dest="action", required=True, metavar="ACTION", title="actions")
    line = "what is wrong with labels: places that are gone or moved, copies, leaks, too few questions"
    check = actions.add_parser("check", help=line, description=line, allow_abbrev=False)
    _labels(check)
    help_difference = "the difference of two means that the set should be able to show (default 0.1)"
    check.add_argument("--difference", type=_share, default=0.1, metavar="X", help=help_difference)
    library(check)
    output(check)
    _draft(actions)
    _add(actions)
    _log(actions)


def _draft(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    line = "propose questions from the documents, marked synthetic, each with its evidence"
    draft = actions.add_parser("draft", help=line, description=line, allow_abbrev=False)
    draft.add_argument("-n", type=positive, default=20, metavar="N", help="how many at most (default 20)")
    draft.add_argument("--seed", type=int, default=0, metavar="N", help="other passages (default 0)")
    help_out = "write them to this JSONL file, which must not be there yet (default: stdout)"
    draft.add_argument("-o", "--out", metavar="FILE", help=help_out)
    there = draft.add_mutually_exclusive_group()
    there.add_argument("--force", action="store_true", help="write over FILE")
    there.add_argument("--append", action="store_true", help="add them to the questions of FILE")
    library(draft)
    output(draft)


def _add(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    line = "add a question with the place that answers it, or a logged one with a citation of its answer"
    add = actions.add_parser("add", help=line, description=line, allow_abbrev=False)
    add.add_argument("text", nargs="*", metavar="QUESTION", help="the question, quoted or not")
    help_expect = "where the answer stands: path:7, path:7-12 or path (repeatable: any of them will do)"
    add.add_argument("--expect", action="append", default=[], metavar="LOCATION", help=help_expect)
    add.add_argument("--unanswerable", action="store_true", help="the documents do not answer it")
    help_log = "the Nth latest question that was asked (default 1): questions log numbers them"
    add.add_argument("--from-log", type=positive, nargs="?", const=1, metavar="N", help=help_log)
    help_citation = "which citation of the logged answer is right (or --expect, or --unanswerable)"
    add.add_argument("--citation", type=positive, metavar="M", help=help_citation)
    add.add_argument("--answer", metavar="TEXT", help="a reference answer (from the log: the claim)")
    add.add_argument("--tag", action="append", default=[], metavar="T", help="a label (repeatable)")
    help_to = "the JSONL file it is added to (default questions.jsonl)"
    add.add_argument("--to", default="questions.jsonl", metavar="FILE", help=help_to)
    library(add)
    output(add)


def _log(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    line = "what was asked while the query log was on, latest first"
    log = actions.add_parser("log", help=line, description=line, allow_abbrev=False)
    log.add_argument("-n", type=positive, default=20, metavar="N", help="how many (default 20)")
    library(log)
    output(log)


# ── options and values ────────────────────────────────────────────────────────────────────────
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
